/**
 * Requests of the sign-in page, without the schemas of their responses, which only the server needs. With them the
 * page would load the schema of the session and all labels in it (decision 56).
 */
import * as z from 'zod/mini'
import { identityProviders, signInSides } from '../ground/constants.ts'
import type { EndpointShape } from '../ground/endpoint.ts'
import { email } from '../ground/fields.ts'

const credentials = z.object({ email, password: z.string().check(z.minLength(1), z.maxLength(200)) })

export const loginRequest = {
  id: 'auth.login',
  method: 'POST',
  path: '/api/customer/auth/login',
  access: 'public',
  summary: 'Signs a customer in',
  body: credentials,
  perMinute: 30,
} as const satisfies EndpointShape

export const staffLoginRequest = {
  id: 'auth.staffLogin',
  method: 'POST',
  path: '/api/staff/auth/login',
  access: 'public',
  summary: 'Signs a member of staff in',
  body: credentials,
  perMinute: 30,
} as const satisfies EndpointShape

export const providerStartRequest = {
  id: 'auth.providerStart',
  method: 'POST',
  path: '/api/customer/auth/providers/:provider/start',
  access: 'public',
  summary: 'Starts a sign-in at an identity provider: returns the URL of its page',
  params: z.object({ provider: z.enum(identityProviders) }),
  body: z.object({
    side: z.enum(signInSides),
    /** The token of an invitation link. The identity that signs in is linked to the invited user. */
    invitation: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  }),
  perMinute: 30,
} as const satisfies EndpointShape
