/** Routes of sign-in, registration and the own profile. */
import { getBillingDetails, putBillingDetails } from '@waybill/contract/accounts/billing-details'
import * as endpoints from '@waybill/contract/accounts/sign-in'
import { getConsent, putConsent } from '@waybill/contract/orders/monthly-billing'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { type AnyCaller, customer } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { deviceOf } from './devices/request-device.ts'
import { billingDetailsOf, changeBillingDetails } from './profile/billing-details.ts'
import { acceptTerms, consentOf } from './profile/consent.ts'
import { askForReset, changeOwnPassword, changeProfile, profileOf, resetByCode } from './profile/own-user.ts'
import { signIn } from './sign-in/login.ts'
import { askForAccount, askForCodeAgain, confirmRegistration } from './sign-in/registration.ts'
import { endOneSession, logout, refreshSession, type SignedIn, sessionsOf } from './sign-in/sessions.ts'

const ok = { ok: true } as const

/** Narrows the caller: the access rule `signedIn` admits customers and staff. */
function signedIn(caller: AnyCaller): SignedIn {
  if (caller.kind === 'visitor') throw new AppError('unauthorized')
  return caller
}

/** Routes without a session: registration, sign-in, refresh, forgotten password. */
export function publicAccountRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.login, ({ body, request }) => signIn(deps, 'customer', body, deviceOf(request)))
  route(app, deps, endpoints.staffLogin, ({ body, request }) => signIn(deps, 'staff', body, deviceOf(request)))
  route(app, deps, endpoints.register, ({ body }) => askForAccount(deps, body))
  route(app, deps, endpoints.verifyRegistration, ({ body, request }) =>
    confirmRegistration(deps, body, deviceOf(request)),
  )
  route(app, deps, endpoints.resendRegistration, ({ body }) => askForCodeAgain(deps, body))
  route(app, deps, endpoints.refresh, ({ body, request }) => refreshSession(deps, body.refreshToken, deviceOf(request)))
  route(app, deps, endpoints.forgetPassword, ({ body }) => askForReset(deps, body.email))
  route(app, deps, endpoints.resetPassword, async ({ body, request }) => {
    await resetByCode(deps, body, deviceOf(request))
    return ok
  })
}

/** Routes of a signed-in user, customer or staff. */
export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getBillingDetails, async ({ caller }) => billingDetailsOf(deps, customer(caller).accountId))
  route(app, deps, putBillingDetails, async ({ caller, body }) => changeBillingDetails(deps, customer(caller), body))
  route(app, deps, getConsent, async ({ caller }) => consentOf(deps, customer(caller)))
  route(app, deps, putConsent, async ({ caller, body, request }) =>
    acceptTerms(deps, customer(caller), body, request.ip),
  )
  route(app, deps, endpoints.getProfile, ({ caller }) => profileOf(deps, signedIn(caller)))
  route(app, deps, endpoints.putProfile, ({ caller, body }) => changeProfile(deps, signedIn(caller), body))
  route(app, deps, endpoints.changePassword, async ({ caller, body, request }) => {
    await changeOwnPassword(deps, signedIn(caller), body, deviceOf(request))
    return ok
  })
  route(app, deps, endpoints.listSessions, ({ caller }) => sessionsOf(deps, signedIn(caller)))
  route(app, deps, endpoints.endSession, async ({ caller, params, request }) => {
    await endOneSession(deps, signedIn(caller), params.id, deviceOf(request))
    return ok
  })
  route(app, deps, endpoints.logout, async ({ caller, request }) => {
    await logout(deps, signedIn(caller), deviceOf(request))
    return ok
  })
}
