/** Routes of duplicates in the address book. */
import { dismissDuplicates, listDuplicates, mergeDuplicates } from '@waybill/contract/addresses/duplicates'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { dismissGroup, findDuplicates, mergeAddresses } from './service.ts'

export function addressDuplicateRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listDuplicates, ({ caller }) => findDuplicates(deps, customer(caller).accountId))
  route(app, deps, mergeDuplicates, ({ caller, body }) => mergeAddresses(deps, customer(caller), body))
  route(app, deps, dismissDuplicates, async ({ caller, body }) => {
    await dismissGroup(deps, customer(caller), body)
    return { ok: true as const }
  })
}
