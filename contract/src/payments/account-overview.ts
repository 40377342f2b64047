/** The account page for staff, except its users: money, latest orders and parcels, and its terms. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { discountTypeLabels, userTypeLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, integer, version } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { ageing, statement } from '../orders/monthly-billing.ts'
import { order } from '../orders/orders.ts'
import { listedParcel } from '../parcels/parcels.ts'
import { discount, rateCardCode } from '../pricing/rate-cards.ts'

export const accountMoney = z.object({
  currency,
  walletMinor: z.number(),
  /** Due for single parcels: unpaid payments at a counter, and differences after a re-weighing. */
  outstandingMinor: z.number(),
  /** Monthly billing; null for individuals. */
  billing: z.nullable(z.object({ limitMinor: z.number(), usedMinor: z.number(), overdueMinor: z.number(), ageing })),
  /** The latest monthly statements, newest first. */
  statements: z.array(statement),
})
export type AccountMoney = z.output<typeof accountMoney>

export const getAccountMoney = endpoint({
  id: 'accounts.money',
  method: 'GET',
  path: '/api/staff/accounts/:id/money',
  access: 'staff.accounts',
  summary: 'Balance and debts of an account: wallet, amounts due, monthly billing with its latest statements',
  params: idParams,
  response: accountMoney,
})

export const getAccountLatest = endpoint({
  id: 'accounts.latest',
  method: 'GET',
  path: '/api/staff/accounts/:id/latest',
  access: 'staff.accounts',
  summary: 'The latest orders and parcels of an account',
  params: idParams,
  response: z.object({ orders: z.array(order), parcels: z.array(listedParcel) }),
})

/** Null: the public rate card, no discount. `value`: minor units, or basis points of the freight. */
const pricing = { rateCardCode: z.nullable(rateCardCode), discount: z.nullable(discount) }
const credit = { limitMinor: integer(0, 1_000_000_000_00), termsDays: integer(0, 120) }

export const accountTerms = z.object({
  id,
  name: z.string(),
  userType: z.enum(labelValues(userTypeLabels)),
  currency,
  pricing: z.object({
    rateCardCode: z.nullable(z.string()),
    discount: z.nullable(z.object({ type: z.enum(labelValues(discountTypeLabels)), value: z.number() })),
    /** The codes of published rate cards, and the current one. */
    cards: z.array(z.string()),
    /** Whether the caller may change it. */
    editable: z.boolean(),
  }),
  /** Credit terms of monthly billing; null for individuals. */
  credit: z.nullable(
    z.object({
      limitMinor: z.number(),
      termsDays: z.number(),
      consentVersion: z.nullable(z.string()),
      consentAt: z.nullable(instant),
      editable: z.boolean(),
    }),
  ),
  version,
})
export type AccountTerms = z.output<typeof accountTerms>

export const getAccountTerms = endpoint({
  id: 'accounts.terms',
  method: 'GET',
  path: '/api/staff/accounts/:id/terms',
  access: 'staff.terms',
  summary: 'Rate card, discount and credit terms of an account, and which of them the caller may change',
  params: idParams,
  response: accountTerms,
})

export const setAccountTerms = endpoint({
  id: 'accounts.setTerms',
  method: 'PUT',
  path: '/api/staff/accounts/:id/terms',
  access: 'staff.terms',
  summary:
    'Changes the parts that are given: pricing needs the row staff.rates, credit staff.finance. All or nothing; a ' +
    'stale version answers 409',
  params: idParams,
  body: z.object({
    version,
    pricing: z.optional(z.object(pricing)),
    credit: z.optional(z.object(credit)),
  }),
  response: accountTerms,
})
