// Routes of proof dossiers.
import { createDossier, downloadDossier, getDossier } from '@waybill/contract/orders/dossier'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { contentDisposition } from '../../../lib/sheet/write.ts'
import { beginDossier, openDossier, readDossier } from './service.ts'

/** The customer's dossiers. */
export function dossierRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, createDossier, ({ body, caller, locale }) => beginDossier(deps, customer(caller), body, locale))
  route(app, deps, getDossier, ({ params, caller }) => readDossier(deps, customer(caller), params.id))
  route(app, deps, downloadDossier, async ({ params, caller, reply }) => {
    const { name, bytes, file } = await openDossier(deps, customer(caller), params.id)
    reply.header('content-disposition', contentDisposition(name)).header('content-length', bytes)
    return file
  })
}
