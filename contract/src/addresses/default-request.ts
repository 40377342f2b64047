/** The request for the default sender, without the schema of its response. */
import type { EndpointShape } from '../ground/endpoint.ts'

/**
 * The entry of the web application sends this request before the application's code is loaded. The schema of the
 * response would make it wait for Zod (decision 84).
 */
export const defaultAddressRequest = {
  id: 'addresses.default',
  method: 'GET',
  path: '/api/customer/address/default',
  access: 'addresses.view',
  summary: 'The default sender, or null',
} as const satisfies EndpointShape
