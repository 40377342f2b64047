/** Account deletion by the customer: what blocks it, and the deletion itself. */
import * as z from 'zod/mini'
import { proofFields } from '../accounts/proof.ts'
import { endpoint } from '../ground/endpoint.ts'
import { id, instant, ok } from '../ground/fields.ts'
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
  /** For `payments`: until when their money may still come. */
  until: z.nullable(instant),
})

export const getClosure = endpoint({
  id: 'auth.closure',
  method: 'GET',
  path: '/api/customer/auth/account-closure',
  access: 'customer.view',
  summary: 'The reasons that prevent deleting the own account',
  response: z.object({
    /** Whether the whole account is deleted, or only the user of a company. */
    scope: z.enum(['account', 'user']),
    reasons: z.array(closureReason),
    currency,
  }),
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
  body: z.object(proofFields),
  response: ok,
  perMinute: 10,
})
