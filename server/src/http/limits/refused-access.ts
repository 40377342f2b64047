/** Records refused access. */
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { FastifyRequest } from 'fastify'
import { recordActivity } from '../../activity.ts'
import type { Deps } from '../../deps.ts'
import { minutes } from '../../lib/clock.ts'
import { findApiKeyGrant } from '../caller.ts'

/** One entry per user and endpoint in this time, so that a client that keeps asking does not fill the log. */
const quietMs = minutes(10)
const maxRemembered = 10_000
const recorded = new Map<string, number>()

/** Records in the activity log that the access table refused a signed-in user. */
export async function recordRefusal(deps: Deps, endpoint: EndpointShape, request: FastifyRequest): Promise<void> {
  const { caller } = request
  if (caller.kind === 'visitor') return
  const at = deps.clock.now()
  const key = findApiKeyGrant(caller)
  const remembered = `${key?.id ?? caller.userId} ${endpoint.id}`
  if (at.getTime() - (recorded.get(remembered) ?? 0) < quietMs) return
  if (recorded.size >= maxRemembered) recorded.clear()
  recorded.set(remembered, at.getTime())
  try {
    await recordActivity(deps.db, {
      action: 'access.refused',
      level: 'WARNING',
      accountId: caller.kind === 'customer' ? caller.accountId : null,
      userId: caller.userId,
      subject: endpoint.id,
      detail: key ? { apiKey: { id: key.id, name: key.name } } : {},
      ip: request.ip,
      at,
    })
  } catch (error) {
    // A failure to record must not change the response.
    request.log.warn({ err: error }, 'refused access not recorded')
  }
}
