/** Posts of the payment gateway that staff must review. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { paymentMethodLabels, paymentStatusLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, optionalText, version } from '../ground/fields.ts'
import { keysetPage, keysetQuery, sheetFormat, sheetMedia, tabCounts } from '../ground/paging.ts'

/**
 * Why staff must review a post: it could not be verified; the amount differs; the gateway revoked it; the gateway does
 * not confirm it; or its money belongs to a deleted account. Label `gatewayTrouble.<trouble>`.
 */
export const gatewayTroubles = ['refused', 'wrong_amount', 'contradiction', 'unconfirmed', 'account_closed'] as const
/** Why a post was refused. Label `gatewayRefusal.<reason>`. */
export const gatewayRefusals = ['reference', 'merchant', 'signature', 'amount', 'currency', 'status'] as const
/** The state of the review. Label `gatewayReview.<review>`. */
export const gatewayReviews = ['open', 'seen', 'handled'] as const
/** The gateway's verdict about the money. Label `gatewaySaid.<verdict>`. */
export const gatewayVerdicts = ['paid', 'not_paid', 'not_known'] as const

export const gatewayTrouble = z.object({
  id,
  at: instant,
  trouble: z.enum(gatewayTroubles),
  refusal: z.nullable(z.enum(gatewayRefusals)),
  /** The source: the customer's browser, the gateway's server, or its reply to our enquiry. */
  source: z.enum(['response', 'backend', 'enquiry']),
  came: z.object({
    verdict: z.nullable(z.enum(gatewayVerdicts)),
    /** The amount as received; null if the message has none. */
    amount: z.nullable(z.string()),
    currency: z.nullable(z.string()),
    reference: z.nullable(z.string()),
    transactionId: z.nullable(z.string()),
    /** The gateway's own message. */
    text: z.nullable(z.string()),
  }),
  /** Our payment; null for an unknown reference. */
  expected: z.nullable(
    z.object({
      paymentId: id,
      reference: z.string(),
      amountMinor: z.number(),
      currency: z.string(),
      status: z.enum(labelValues(paymentStatusLabels)),
      method: z.enum(labelValues(paymentMethodLabels)),
      orderId: z.nullable(id),
      /** Null: a top-up. */
      orderNumber: z.nullable(z.string()),
      accountId: id,
      accountName: z.string(),
      createdAt: instant,
    }),
  ),
  review: z.enum(gatewayReviews),
  reviewNote: z.nullable(z.string()),
  reviewedBy: z.nullable(z.string()),
  reviewedAt: z.nullable(instant),
  version: z.number(),
})
export type GatewayTrouble = z.output<typeof gatewayTrouble>

/** Open or reviewed posts about our payments. Posts that name none of our payments are not stored. */
export const gatewayTabs = ['open', 'handled'] as const
const tabs = z.enum(gatewayTabs)

const path = '/api/staff/finance/gateway-answers'

const listFilters = {
  tab: z._default(tabs, 'open'),
  /** Our reference, or the gateway's own number; an exact match. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(60))),
}

export const exportGatewayTroubles = endpoint({
  id: 'finance.gatewayAnswersXls',
  method: 'GET',
  path: `${path}/xls`,
  access: 'staff.finance',
  summary: 'The answers that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...listFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listGatewayTroubles = endpoint({
  id: 'finance.gatewayAnswers',
  method: 'GET',
  path,
  access: 'staff.finance',
  summary: 'Gateway responses that were rejected or contradict the stored payment, newest first',
  query: z.extend(keysetQuery(), listFilters),
  response: z.extend(keysetPage(gatewayTrouble), { counts: tabCounts(gatewayTabs) }),
})

export const gatewayReviewInput = z.object({ version, review: z.enum(gatewayReviews), note: optionalText(400) })

export const reviewGatewayTrouble = endpoint({
  id: 'finance.gatewayReview',
  method: 'PUT',
  path: `${path}/:id/review`,
  access: 'staff.finance',
  summary: 'Marks a gateway response and its repetitions as seen or handled, with a note',
  params: idParams,
  body: gatewayReviewInput,
  response: gatewayTrouble,
})
