/** The request for the general settings, without the schema of its response. */
import type { EndpointShape } from '../ground/endpoint.ts'

/*
 * The request for the general settings, without the schema of its response, which only the server needs: the sign-in
 * page sends it, and must stay small (decision 56).
 */
export const generalSettingsRequest = {
  id: 'settings.general',
  method: 'GET',
  path: '/api/customer/settings/general',
  access: 'public',
  summary: 'General settings of this deployment; cacheable, answers with an ETag',
} as const satisfies EndpointShape
