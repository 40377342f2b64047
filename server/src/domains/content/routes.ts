/** Routes of content. */
import { listBanners } from '@waybill/contract/content/content'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { route } from '../../http/route.ts'
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
