/** The second factor of staff: codes of an authenticator app, and recovery codes. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { idParams, instant, ok, otp } from '../ground/fields.ts'
import { proofFields } from './proof.ts'
import { session } from './sign-in.ts'

/*
 * The second factor of staff: codes of an authenticator app (RFC 6238) and recovery codes. If the setting
 * `auth.staffSecondFactor` requires it, `auth.staffLogin` returns the error `second_factor` with `details` of the
 * shape `secondFactorStep`.
 */

/**
 * The step after the password: enter a code, or set the factor up. The ticket proves the password for ten minutes.
 */
const secondFactorStep = z.object({ ticket: z.string(), step: z.enum(['code', 'setup']) })
export type SecondFactorStep = z.infer<typeof secondFactorStep>

const ticket = z.string().check(z.minLength(1), z.maxLength(200))
/** A recovery code: ten letters and digits, grouped in any way. */
const recoveryCode = z.string().check(z.trim(), z.regex(/^[A-Za-z2-7]{5}[ -]?[A-Za-z2-7]{5}$/))
const factorCode = z.union([otp, recoveryCode])

/** For an authenticator app: the secret as text, and as a QR code whose modules are an SVG path. */
const factorSetup = z.object({
  secret: z.string(),
  qr: z.object({ modules: z.number(), path: z.string() }),
})
export type FactorSetup = z.infer<typeof factorSetup>

const recoveryCodes = z.array(z.string())

export const signInWithFactor = endpoint({
  id: 'auth.secondFactor',
  method: 'POST',
  path: '/api/staff/auth/second-factor',
  access: 'public',
  summary: 'After the password: signs in with a code of the authenticator app or a recovery code',
  body: z.object({ ticket, code: factorCode }),
  response: session,
  perMinute: 20,
})

export const setUpFactor = endpoint({
  id: 'auth.secondFactorSetup',
  method: 'POST',
  path: '/api/staff/auth/second-factor/setup',
  access: 'public',
  summary: 'After the password: a new secret for a user without a second factor',
  body: z.object({ ticket }),
  response: factorSetup,
  perMinute: 20,
})

export const confirmFactor = endpoint({
  id: 'auth.secondFactorConfirm',
  method: 'POST',
  path: '/api/staff/auth/second-factor/confirm',
  access: 'public',
  summary: 'Verifies the first code of the new secret, returns the recovery codes once, and signs in',
  body: z.object({ ticket, code: otp }),
  response: z.object({ recoveryCodes, session }),
  perMinute: 20,
})

export const getOwnFactor = endpoint({
  id: 'staff.secondFactor',
  method: 'GET',
  path: '/api/staff/profile/second-factor',
  access: 'staff.any',
  summary:
    "The caller's second factor: whether one is required, since when there is one, " +
    'and how many recovery codes are left',
  response: z.object({ required: z.boolean(), since: z.nullable(instant), recoveryCodesLeft: z.number() }),
})

export const changeFactor = endpoint({
  id: 'staff.secondFactorSetup',
  method: 'POST',
  path: '/api/staff/profile/second-factor/setup',
  access: 'staff.any',
  summary: 'A new secret that replaces the current one once it is confirmed',
  body: z.object({
    ...proofFields,
    /** A code of the current factor, if there is one. */
    factorCode: z.optional(factorCode),
  }),
  response: factorSetup,
  perMinute: 10,
})

export const confirmFactorChange = endpoint({
  id: 'staff.secondFactorConfirm',
  method: 'POST',
  path: '/api/staff/profile/second-factor/confirm',
  access: 'staff.any',
  summary: 'Verifies the first code of the new secret, returns new recovery codes once, and ends the other sessions',
  body: z.object({ code: otp }),
  response: z.object({ recoveryCodes }),
  perMinute: 20,
})

export const resetFactor = endpoint({
  id: 'staff.userSecondFactorReset',
  method: 'DELETE',
  path: '/api/staff/users/:id/second-factor',
  access: 'staff.users',
  summary: "Takes a member of staff's second factor away and ends their sessions: the next sign-in sets up another",
  params: idParams,
  response: ok,
})
