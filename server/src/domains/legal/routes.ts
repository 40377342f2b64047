/** Routes of the terms of carriage and the privacy notice. */
import { getLegalText, listLegalVersions, publishLegalText } from '@waybill/contract/legal/legal'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { listVersions, publishVersion, readLegalText } from './service.ts'

/** Public routes of the texts. */
export function legalRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getLegalText, async ({ params, query, locale, reply }) => {
    const text = await readLegalText(deps, params.kind, query.version ?? null, locale)
    reply.header('cache-control', 'public, max-age=60').header('vary', 'accept-language')
    return text
  })
}

/** Routes for staff who edit the texts. */
export function staffLegalRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listLegalVersions, async ({ params }) => listVersions(deps, params.kind))
  route(app, deps, publishLegalText, async ({ caller, params, body }) =>
    publishVersion(deps, staff(caller), params.kind, body),
  )
}
