/** The requests that keep a session alive, without the schemas of their bodies and responses. */
import type { EndpointShape } from '../endpoint.ts'

/*
 * The web application has them from its start: what had to be loaded first might fail to load, and the session could
 * not be renewed. The schemas would make every page wait for Zod (decision 84).
 */
export const refreshRequest = {
  id: 'auth.refresh',
  method: 'POST',
  path: '/api/customer/auth/refresh',
  access: 'public',
  summary: 'Rotates the refresh token; reuse of a spent one ends the session',
} as const satisfies EndpointShape

export const profileRequest = {
  id: 'auth.profile',
  method: 'GET',
  path: '/api/customer/auth/profile',
  access: 'signedIn',
  summary: 'The signed-in user',
} as const satisfies EndpointShape
