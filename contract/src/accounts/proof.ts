/**
 * Proof that the person at a signed-in device is its user: the password, or a mailed code for a user without one. Steps
 * that could take the account away require it.
 */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { otp } from '../ground/fields.ts'
import { mailedCode } from './sign-in.ts'

/** The steps that require proof. A mailed code is valid for one of them only. */
export const provenSteps = ['delete_account', 'offer_ownership', 'change_factor', 'connect_identity'] as const
export type ProvenStep = (typeof provenSteps)[number]

const secret = z.string().check(z.minLength(1), z.maxLength(200))

/** The fields of a proof, in the body of each step. */
export const proofFields = {
  /** For a user with a password. */
  currentPassword: z.optional(secret),
  /** For a user without one: the mailed code, with the token that `mailProofCode` returned. */
  code: z.optional(otp),
  browserToken: z.optional(secret),
}

export const mailProofCode = endpoint({
  id: 'auth.proofCode',
  method: 'POST',
  path: '/api/customer/auth/proof-code',
  access: 'signedIn',
  summary: 'Mails a code with which a user without a password confirms a step',
  body: z.object({ step: z.enum(provenSteps) }),
  response: mailedCode,
  perMinute: 5,
})
