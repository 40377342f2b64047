import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { nameText, optionalText, version } from '../ground/fields.ts'

const path = '/api/customer/billing-details'

/** The buyer of the account's invoices. Orders keep what stood here when they were made. */
const details = z.object({
  name: nameText(120),
  registrationNumber: optionalText(40),
  taxNumber: optionalText(40),
  /** Lines of a postal address. */
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
  summary: 'Changes them for orders from now on; a stale version answers 409',
  body: z.extend(details, { version }),
  response: billingDetails,
})
