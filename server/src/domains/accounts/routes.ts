/** Routes of sign-in, registration and the user's own profile. */
import { getBillingDetails, putBillingDetails } from '@waybill/contract/accounts/billing-details'
import * as profile from '@waybill/contract/accounts/profile'
import { mailProofCode } from '@waybill/contract/accounts/proof'
import * as endpoints from '@waybill/contract/accounts/sign-in'
import { getConsent, putConsent } from '@waybill/contract/orders/monthly-billing'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer, signedIn } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { requestDevice } from './devices/request-device.ts'
import { changeBillingDetails, readBillingDetails } from './profile/billing-details.ts'
import { acceptTerms, readConsent } from './profile/consent.ts'
import { changeOwnPassword, changeProfile, readProfile, requestPasswordReset, resetByCode } from './profile/own-user.ts'
import { changePhoto, readPhoto } from './profile/photo.ts'
import { changePreferences, readPreferences } from './profile/preferences.ts'
import { mailOwnProof } from './profile/proof.ts'
import { signIn } from './sign-in/login.ts'
import { confirmRegistration, requestAccount, requestCodeAgain } from './sign-in/registration.ts'
import { endOneSession, endOtherSessions, listOwnSessions, logout, refreshSession } from './sign-in/sessions.ts'

const ok = { ok: true } as const

/** Routes without a session: registration, sign-in, refresh, forgotten password. */
export function publicAccountRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.login, ({ body, request }) => signIn(deps, 'customer', body, requestDevice(request)))
  route(app, deps, endpoints.staffLogin, ({ body, request }) => signIn(deps, 'staff', body, requestDevice(request)))
  route(app, deps, endpoints.register, ({ body }) => requestAccount(deps, body))
  route(app, deps, endpoints.verifyRegistration, ({ body, request }) =>
    confirmRegistration(deps, body, requestDevice(request)),
  )
  route(app, deps, endpoints.resendRegistration, ({ body }) => requestCodeAgain(deps, body))
  route(app, deps, endpoints.refresh, ({ body, request }) => refreshSession(deps, body, requestDevice(request)))
  route(app, deps, endpoints.forgetPassword, ({ body }) => requestPasswordReset(deps, body))
  route(app, deps, endpoints.resetPassword, async ({ body, request }) => {
    await resetByCode(deps, body, requestDevice(request))
    return ok
  })
}

/** Routes of a signed-in user, customer or staff. */
export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getBillingDetails, async ({ caller }) => readBillingDetails(deps, customer(caller).accountId))
  route(app, deps, putBillingDetails, async ({ caller, body }) => changeBillingDetails(deps, customer(caller), body))
  route(app, deps, getConsent, async ({ caller }) => readConsent(deps, customer(caller)))
  route(app, deps, putConsent, async ({ caller, body, request }) =>
    acceptTerms(deps, customer(caller), body, request.ip),
  )
  route(app, deps, endpoints.getProfile, ({ caller }) => readProfile(deps, signedIn(caller)))
  route(app, deps, endpoints.putProfile, ({ caller, body }) => changeProfile(deps, signedIn(caller), body))
  route(app, deps, profile.getPreferences, ({ caller }) => readPreferences(deps, signedIn(caller)))
  route(app, deps, profile.putPreferences, ({ caller, body }) => changePreferences(deps, signedIn(caller), body))
  route(app, deps, profile.getPhoto, ({ caller }) => readPhoto(deps, signedIn(caller)))
  route(app, deps, profile.putPhoto, ({ caller, body }) => changePhoto(deps, signedIn(caller), body.attachmentId))
  route(app, deps, profile.deletePhoto, async ({ caller }) => {
    await changePhoto(deps, signedIn(caller), null)
    return ok
  })
  route(app, deps, endpoints.changePassword, async ({ caller, body, request }) => {
    await changeOwnPassword(deps, signedIn(caller), body, requestDevice(request))
    return ok
  })
  route(app, deps, mailProofCode, ({ caller, body }) => mailOwnProof(deps, signedIn(caller), body))
  route(app, deps, endpoints.listSessions, ({ caller }) => listOwnSessions(deps, signedIn(caller)))
  route(app, deps, endpoints.endSession, async ({ caller, params, request }) => {
    await endOneSession(deps, signedIn(caller), params.id, requestDevice(request))
    return ok
  })
  route(app, deps, endpoints.endOtherSessions, async ({ caller, request }) => {
    await endOtherSessions(deps, signedIn(caller), requestDevice(request))
    return ok
  })
  route(app, deps, endpoints.logout, async ({ caller, request }) => {
    await logout(deps, signedIn(caller), requestDevice(request))
    return ok
  })
}
