/** Prices that sales staff compute for a customer. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { email, id } from '../ground/fields.ts'
import { quoteRequest, serviceQuote } from './pricing.ts'

export const quoteForCustomer = endpoint({
  id: 'staff.quotes',
  method: 'POST',
  question: true,
  path: '/api/staff/quotes',
  access: 'staff.accounts',
  summary: 'All services for a parcel at the prices of a customer, or at the general ones for a prospect',
  body: z.extend(quoteRequest, {
    /** The address of any user of the account; null: a prospect. */
    customerEmail: z._default(z.nullable(email), null),
  }),
  response: z.object({
    /** Null: a prospect. */
    account: z.nullable(
      z.object({
        id,
        name: z.string(),
        /** Whether the account has an individual rate card or discount. */
        hasOwnPrices: z.boolean(),
      }),
    ),
    items: z.array(serviceQuote),
  }),
})
