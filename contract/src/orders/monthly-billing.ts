/** Monthly billing: credit terms, statements and companies' debts. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { day, id, idParams, instant, integer, text, version } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'
import { payment } from '../payments/payments.ts'
import { month } from '../wallet/preferences.ts'

/** Why monthly billing is not available; a key under `paymentClosed.` in the locale files. */
export const billingClosedReasons = [
  'corporate_only',
  'no_credit',
  'consent_missing',
  'overdue',
  'over_limit',
  'member_limit',
] as const
export type BillingClosedReason = (typeof billingClosedReasons)[number]

const consent = z.object({
  /** The current version of the terms, which the caller accepts. */
  version: z.string(),
  accepted: z.nullable(z.object({ version: z.string(), at: instant, by: z.nullable(z.string()) })),
})
export type CreditConsent = z.output<typeof consent>

export const getConsent = endpoint({
  id: 'auth.corpConsent',
  method: 'GET',
  path: '/api/customer/auth/corp/consent',
  access: 'corporate.owner',
  summary: 'The credit terms of monthly billing, and who accepted which version and when',
  response: consent,
})

export const putConsent = endpoint({
  id: 'auth.corpConsentPut',
  method: 'PUT',
  path: '/api/customer/auth/corp/consent',
  access: 'corporate.owner',
  summary:
    'Accepts the credit terms: who, which version, when and from where is kept. Another version than the present ' +
    'one answers 409',
  body: z.object({ version: text(40), accept: z.literal(true) }),
  response: consent,
})

export const payCorporate = endpoint({
  id: 'payments.corporate',
  method: 'POST',
  path: '/api/customer/payments/corporate/:id',
  access: 'pay',
  summary:
    'Puts an order on the monthly bill, within the credit limit of the company and the monthly limit of the member',
  params: idParams,
  body: z.object({ expectedTotalMinor: integer(0) }),
  response: payment,
  idempotent: true,
})

export const billing = z.object({
  currency,
  limitMinor: z.number(),
  /** What the company owes; negative if it has paid in advance, which adds to the available credit. */
  usedMinor: z.number(),
  availableMinor: z.number(),
  overdueMinor: z.number(),
  termsDays: z.number(),
  /** The amount that this member may still charge this month; null: no individual limit. */
  memberLeftMinor: z.nullable(z.number()),
  closed: z.nullable(z.enum(billingClosedReasons)),
})
export type Billing = z.output<typeof billing>

export const getBilling = endpoint({
  id: 'billing.get',
  method: 'GET',
  path: '/api/customer/billing',
  access: 'reports',
  summary: 'Monthly billing of the company: limit, used and overdue amounts, and the reason if it is closed',
  response: billing,
})

export const statement = z.object({
  id,
  number: z.string(),
  month,
  currency,
  openingMinor: z.number(),
  chargesMinor: z.number(),
  creditsMinor: z.number(),
  receiptsMinor: z.number(),
  closingMinor: z.number(),
  dueOn: day,
  /** The unpaid part of this month's charges. */
  unpaidMinor: z.number(),
  /** `nothing`: the month has no charges, and its amount due is an older one. */
  state: z.enum(['paid', 'open', 'overdue', 'nothing']),
  issuedAt: instant,
})
export type Statement = z.output<typeof statement>

export const listStatements = endpoint({
  id: 'billing.statements',
  method: 'GET',
  path: '/api/customer/statements',
  access: 'reports',
  summary: 'Monthly statements of the company, newest first',
  query: listQuery(['month']),
  response: page(statement),
})

export const exportStatements = endpoint({
  id: 'billing.statementsXls',
  method: 'GET',
  path: '/api/customer/statements/xls',
  access: 'reports',
  summary: 'All monthly statements of the company as .xlsx or .csv',
  query: z.object({ format: sheetFormat }),
  media: sheetMedia,
})

export const printStatement = endpoint({
  id: 'billing.statementPrint',
  method: 'GET',
  path: '/api/customer/statements/:id/print',
  access: 'reports',
  summary: 'A monthly statement as PDF, .xlsx or .csv: every order, credit and receipt of the month',
  params: idParams,
  query: z.object({ format: z._default(z.enum(['pdf', 'xlsx', 'csv']), 'pdf' as const) }),
  media: 'application/pdf',
})

/** Debts, grouped by how long they are overdue. */
export const ageing = z.object({
  notDueMinor: z.number(),
  days1to30Minor: z.number(),
  days31to60Minor: z.number(),
  days61to90Minor: z.number(),
  over90Minor: z.number(),
})
export type Ageing = z.output<typeof ageing>

export const billedAccount = z.object({
  id,
  name: z.string(),
  version,
  currency,
  limitMinor: z.number(),
  termsDays: z.number(),
  consentVersion: z.nullable(z.string()),
  consentAt: z.nullable(instant),
  usedMinor: z.number(),
  overdueMinor: z.number(),
  ageing,
})
export type BilledAccount = z.output<typeof billedAccount>

const accountFilters = { search: z.optional(z.string().check(z.maxLength(120))) }

export const exportBilledAccounts = endpoint({
  id: 'billing.accountsXls',
  method: 'GET',
  path: '/api/staff/billing/accounts/xls',
  access: 'staff.finance',
  summary: 'The companies that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...accountFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listBilledAccounts = endpoint({
  id: 'billing.accounts',
  method: 'GET',
  path: '/api/staff/billing/accounts',
  access: 'staff.finance',
  summary: 'Companies with their debts, grouped by days overdue',
  query: z.extend(listQuery(['name']), accountFilters),
  response: z.extend(page(billedAccount), { totals: ageing }),
})

export const receipt = z.object({
  id,
  amountMinor: z.number(),
  currency,
  reference: z.string(),
  receivedOn: day,
  recordedAt: instant,
  /** Null: it counts. */
  cancelledAt: z.nullable(instant),
  cancelReason: z.nullable(z.string()),
})
export type Receipt = z.output<typeof receipt>

export const listReceipts = endpoint({
  id: 'billing.receipts',
  method: 'GET',
  path: '/api/staff/billing/accounts/:id/receipts',
  access: 'staff.finance',
  summary: 'Payments received from a company, newest first',
  params: idParams,
  query: listQuery(['receivedOn']),
  response: page(receipt),
})

export const recordReceipt = endpoint({
  id: 'billing.recordReceipt',
  method: 'POST',
  path: '/api/staff/billing/accounts/:id/receipts',
  access: 'staff.finance',
  summary: 'Records a bank transfer of a company; a duplicate answers 409',
  params: idParams,
  body: z.object({
    amountMinor: integer(1, 1_000_000_000_00),
    reference: text(60),
    receivedOn: day,
  }),
  response: receipt,
  idempotent: true,
})

export const cancelReceipt = endpoint({
  id: 'billing.cancelReceipt',
  method: 'POST',
  path: '/api/staff/billing/accounts/:id/receipts/:receiptId/cancelled',
  access: 'staff.finance',
  summary:
    'Cancels a receipt that was recorded by mistake: the company owes its amount again, and the owner gets the ' +
    'reason by mail. One that is cancelled already answers 409',
  params: z.object({ id, receiptId: id }),
  body: z.object({ reason: text(200) }),
  response: receipt,
  idempotent: true,
})
