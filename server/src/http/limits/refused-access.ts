import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { FastifyRequest } from 'fastify'
import { recordActivity } from '../../activity.ts'
import type { Deps } from '../../deps.ts'
import { minutes } from '../../lib/clock.ts'

/** One entry for each user and endpoint in this time: a client that keeps asking must not fill the log. */
const quietMs = minutes(10)
const mostRemembered = 10_000
const recorded = new Map<string, number>()

/** Notes in the activity log that a signed-in user was refused by the access table. */
export async function recordRefusal(deps: Deps, endpoint: EndpointShape, request: FastifyRequest): Promise<void> {
  const { caller } = request
  if (caller.kind === 'visitor') return
  const at = deps.clock.now()
  const key = `${caller.userId} ${endpoint.id}`
  if (at.getTime() - (recorded.get(key) ?? 0) < quietMs) return
  if (recorded.size >= mostRemembered) recorded.clear()
  recorded.set(key, at.getTime())
  try {
    await recordActivity(deps.db, {
      action: 'access.refused',
      level: 'WARNING',
      accountId: caller.kind === 'customer' ? caller.accountId : null,
      userId: caller.userId,
      subject: endpoint.id,
      ip: request.ip,
      at,
    })
  } catch (error) {
    // The refusal stands, whether or not it can be noted.
    request.log.warn({ err: error }, 'refused access not recorded')
  }
}
