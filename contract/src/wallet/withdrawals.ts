/** Withdrawals: staff have transferred a customer's money to the customer's bank. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { idParams, instant, optionalText, text } from '../ground/fields.ts'
import { currency, positiveAmountMinor } from '../ground/money.ts'

/** What the money is taken from: credits, or what a company has paid in advance. Label `withdrawal.source.<source>`. */
export const withdrawalSources = ['wallet', 'advance'] as const
export type WithdrawalSource = (typeof withdrawalSources)[number]

const withdrawal = { source: z.enum(withdrawalSources), amountMinor: positiveAmountMinor, reference: text(60) }

const bookedWithdrawal = z.object({
  ...withdrawal,
  currency,
  /** What is left. */
  balanceMinor: z.number(),
  recordedAt: instant,
})

export const recordWithdrawal = endpoint({
  id: 'finance.recordWithdrawal',
  method: 'POST',
  path: '/api/staff/finance/accounts/:id/withdrawals',
  access: 'staff.finance',
  summary:
    "Records a transfer to a customer's bank, with the bank's reference: of credits, or of what a company has paid " +
    'in advance. More than there is answers 422 at `amountMinor`, a transfer that is recorded already 409',
  params: idParams,
  body: z.object({
    ...withdrawal,
    /** For staff: it becomes a note about the account. */
    note: optionalText(400),
  }),
  response: bookedWithdrawal,
  idempotent: true,
})

export const returnWithdrawal = endpoint({
  id: 'finance.returnWithdrawal',
  method: 'POST',
  path: '/api/staff/finance/withdrawals/:id/returned',
  access: 'staff.finance',
  summary:
    'Reverses a withdrawal that the bank has returned, by the id of its entry: the money goes back to where it came ' +
    'from, and the owner gets the reason by mail. One that is reversed already answers 409',
  params: idParams,
  /** The reason for the customer, such as the bank's message. */
  body: z.object({ reason: text(200) }),
  response: bookedWithdrawal,
  idempotent: true,
})
