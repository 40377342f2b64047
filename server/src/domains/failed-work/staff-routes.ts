/** Routes of failed work. */
import * as endpoints from '@waybill/contract/failed-work/failed-work'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { failedWorkPage, retryFailures } from './service.ts'

/** For staff who operate the system. */
export function staffFailedWorkRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listFailedWork, ({ query }) => failedWorkPage(deps, query))
  route(app, deps, endpoints.retryFailedWork, ({ body, caller, request }) =>
    retryFailures(deps, { caller: staff(caller), body, ip: request.ip }),
  )
}
