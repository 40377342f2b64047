// HTTP routes of following a parcel by email or push messages.
import {
  confirmFollowing,
  endFollowing,
  followByPush,
  followParcel,
  getFollowing,
  getFollowKey,
  openFollowingEnd,
} from '@waybill/contract/tracking/following'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { route } from '../../../http/route.ts'
import { buildFollowingUrl } from './links.ts'
import { followWithBrowser } from './push-followers.ts'
import { confirmByLink, readFollowing, requestFollowing, unfollowByLink } from './service.ts'

/** Routes without a session: the links in the mails, and the tokens that browsers keep, are the authorisation. */
export function publicFollowingRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, followParcel, async ({ body, locale, request }) => {
    await requestFollowing(deps, body, { locale, ip: request.ip })
    return { ok: true as const }
  })
  route(app, deps, getFollowKey, async () => ({ publicKey: deps.config.push?.publicKey ?? null }))
  route(app, deps, followByPush, ({ body, locale, request }) =>
    followWithBrowser(deps, body, { locale, ip: request.ip }),
  )
  route(app, deps, getFollowing, ({ params }) => readFollowing(deps, params.token))
  route(app, deps, confirmFollowing, ({ params }) => confirmByLink(deps, params.token))
  route(app, deps, endFollowing, async ({ params }) => {
    await unfollowByLink(deps, params.token)
    return { ok: true as const }
  })
  route(app, deps, openFollowingEnd, async ({ params, reply }) =>
    reply.redirect(buildFollowingUrl(deps, params.token), 303),
  )
}
