/** Account deletion by the customer: what blocks it, and the deletion itself. */
import * as z from 'zod/mini'
import { mailedCode } from '../accounts/sign-in.ts'
import { endpoint } from '../ground/endpoint.ts'
import { id, ok, otp } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'

/** Why an account cannot be deleted yet, in the order in which users can resolve the reasons. */
export const closureReasons = [
  'parcels',
  'outstanding',
  'orders',
  'approvals',
  'pickups',
  'payments',
  'claims',
  'disputes',
  'wallet',
  'statement',
  'cod',
  'refunds',
  'members',
] as const
export type ClosureReason = (typeof closureReasons)[number]

export const closureReason = z.object({
  reason: z.enum(closureReasons),
  /** How many parcels, orders or users; 1 for a sum of money. */
  count: z.number(),
  /** The amount; null if there is none. Negative for `statement`: the company has paid in advance. */
  amountMinor: z.nullable(z.number()),
})

export const getClosure = endpoint({
  id: 'auth.closure',
  method: 'GET',
  path: '/api/customer/auth/account-closure',
  access: 'customer.view',
  summary: 'The reasons that prevent deleting the own account, and how the user confirms their identity',
  response: z.object({
    /** Whether the whole account is deleted, or only the user of a company. */
    scope: z.enum(['account', 'user']),
    proof: z.enum(['password', 'code']),
    reasons: z.array(closureReason),
    currency,
  }),
})

export const mailClosureCode = endpoint({
  id: 'auth.closureCode',
  method: 'POST',
  path: '/api/customer/auth/account-closure/code',
  access: 'customer.view',
  summary: 'Mails a code to a user without a password, to prove the deletion',
  body: z.object({}),
  response: mailedCode,
  perMinute: 5,
})

export const deleteOwnAccount = endpoint({
  id: 'auth.deleteAccount',
  method: 'DELETE',
  path: '/api/customer/auth/:id/account',
  access: 'customer.view',
  summary:
    'Deletes the own account: personal data goes, the books stay. Refused with every reason (`details.reasons`) ' +
    'while money is unsettled or parcels are under way',
  params: z.object({ id }),
  body: z.object({
    /** For a user with a password. */
    currentPassword: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    /** For a user without one: the mailed code, with the token that was returned with it. */
    code: z.optional(otp),
    browserToken: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  }),
  response: ok,
  perMinute: 10,
})
