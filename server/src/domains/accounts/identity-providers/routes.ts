/** Routes of identity providers. */
import * as endpoints from '@waybill/contract/accounts/identity-providers'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { signedIn } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { requestDevice } from '../devices/request-device.ts'
import { mailEmailCode, proveEmail, registerNewcomer } from './first-sign-in.ts'
import { disconnectIdentity, listOwnIdentities } from './identities.ts'
import { finishSignIn, startLink, startSignIn } from './sign-in.ts'

/** Routes for signing in at a provider, before there is a session. */
export function publicIdentityRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.startProviderSignIn, ({ params, body }) => startSignIn(deps, params.provider, body))
  // Public, because a user who signs in has no session yet. A user who links an identity has one.
  route(app, deps, endpoints.finishProviderSignIn, ({ caller, body, request }) =>
    finishSignIn(deps, caller, body, requestDevice(request)),
  )
  route(app, deps, endpoints.mailIdentityCode, ({ body }) => mailEmailCode(deps, body))
  route(app, deps, endpoints.proveIdentityEmail, ({ body, request }) => proveEmail(deps, body, requestDevice(request)))
  route(app, deps, endpoints.registerIdentity, ({ body, request }) =>
    registerNewcomer(deps, body, requestDevice(request)),
  )
}

/** The identities of the signed-in user, customer or staff. */
export function identityRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listIdentities, ({ caller }) => listOwnIdentities(deps, signedIn(caller)))
  route(app, deps, endpoints.startIdentityLink, ({ caller, params, body, request }) =>
    startLink(deps, signedIn(caller), params.provider, body, requestDevice(request)),
  )
  route(app, deps, endpoints.removeIdentity, async ({ caller, params, request }) => {
    await disconnectIdentity(deps, signedIn(caller), params.id, requestDevice(request))
    return { ok: true } as const
  })
}
