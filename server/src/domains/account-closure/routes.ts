/** Routes for account deletion by the customer. */
import { deleteOwnAccount, getClosure } from '@waybill/contract/account-closure/account-closure'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { requestDevice } from '../accounts/devices/request-device.ts'
import { closeOwnAccount, readClosure } from './service.ts'

/** What prevents the deletion, and the deletion itself. */
export function closureRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getClosure, ({ caller }) => readClosure(deps, customer(caller)))
  route(app, deps, deleteOwnAccount, async ({ caller, params, body, request }) => {
    await closeOwnAccount(deps, customer(caller), params.id, body, requestDevice(request))
    return { ok: true } as const
  })
}
