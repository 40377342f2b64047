/** Routes of content. */
import {
  createBanner,
  getBanner,
  listStaffBanners,
  removeBanner,
  updateBanner,
} from '@waybill/contract/content/banners'
import { listBanners } from '@waybill/contract/content/content'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { addBanner, changeBanner, dropBanner, readBanner, readBanners } from './manage-banners.ts'
import { bannersNow } from './service.ts'

/** Banners of the portal. */
export function contentRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listBanners, async ({ locale, reply }) => {
    const answer = await bannersNow(deps, locale)
    // A banner may start a minute late. A cache must keep the languages apart.
    reply.header('cache-control', 'public, max-age=60').header('vary', 'accept-language')
    return answer
  })
}

/** Banners, for those who write them. */
export function staffContentRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listStaffBanners, async ({ query }) => readBanners(deps, query))
  route(app, deps, getBanner, async ({ params }) => readBanner(deps, params.id))
  route(app, deps, createBanner, async ({ caller, body }) => addBanner(deps, staff(caller), body))
  route(app, deps, updateBanner, async ({ caller, params, body }) => changeBanner(deps, staff(caller), params.id, body))
  route(app, deps, removeBanner, async ({ caller, params }) => {
    await dropBanner(deps, staff(caller), params.id)
    return { ok: true } as const
  })
}
