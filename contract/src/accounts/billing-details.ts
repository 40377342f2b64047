/** The billing details of an account, which its invoices print. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { nameText, optionalText, version } from '../ground/fields.ts'

const path = '/api/customer/billing-details'

/** The buyer on the account's invoices. An order keeps a copy of the details at the time it was created. */
const details = z.object({
  name: nameText(120),
  registrationNumber: optionalText(40),
  taxNumber: optionalText(40),
  address: optionalText(400),
})
export const billingDetails = z.extend(details, { version })
export type BillingDetails = z.output<typeof billingDetails>

export const getBillingDetails = endpoint({
  id: 'auth.billingDetails',
  method: 'GET',
  path,
  access: 'account.owner',
  summary: 'Name, numbers and address that the invoices of the account name as the buyer',
  response: billingDetails,
})

export const putBillingDetails = endpoint({
  id: 'auth.putBillingDetails',
  method: 'PUT',
  path,
  access: 'account.owner',
  summary: 'Changes the details for future orders; a stale version answers 409',
  body: z.extend(details, { version }),
  response: billingDetails,
})
