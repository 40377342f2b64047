/** The browsers of a user that get push messages. */
import { deviceName } from '@waybill/contract/accounts/device-name'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { type getPush, maxPushDevices, type subscribePush } from '@waybill/contract/notifications/push'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { checkSubscription } from './check-subscription.ts'
import { deleteSubscription, keepNewest, listSubscriptions, type SubscriptionRow, saveSubscription } from './queries.ts'

type PushDevice = ResponseOf<typeof subscribePush>

const present = (row: SubscriptionRow, caller: UserCaller): PushDevice => ({
  id: row.id,
  name: row.device,
  current: row.session_id === caller.sessionId,
  createdAt: row.created_at.toISOString(),
})

/** The key to subscribe with, and the caller's browsers. */
export async function readPush(deps: Deps, caller: UserCaller): Promise<ResponseOf<typeof getPush>> {
  const rows = await listSubscriptions(deps.db, caller.userId)
  return { publicKey: deps.config.push?.publicKey ?? null, devices: rows.map((row) => present(row, caller)) }
}

/**
 * Stores the calling browser. Throws validation for an address within our own network or invalid keys, and push_off.
 */
export async function subscribe(
  deps: Deps,
  caller: UserCaller,
  { endpoint, keys }: BodyOf<typeof subscribePush>,
  userAgent: string | undefined,
): Promise<PushDevice> {
  await checkSubscription(deps, { endpoint, keys })
  const { userId, sessionId } = caller
  const at = deps.clock.now()
  const row = await tx(deps.db, async (trx) => {
    const device = deviceName(userAgent ?? null)
    const ids = { id: newId(), user_id: userId, session_id: sessionId }
    const saved = await saveSubscription(trx, { ...ids, endpoint, ...keys, device, created_at: at })
    await keepNewest(trx, userId, maxPushDevices)
    const accountId = caller.kind === 'customer' ? caller.accountId : null
    const detail = { device }
    await recordActivity(trx, { action: 'notifications.subscribe', accountId, userId, subject: saved.id, detail, at })
    return saved
  })
  return present(row, caller)
}

/** Stops push messages to a browser of the caller. Throws not_found. */
export async function unsubscribe(deps: Deps, caller: UserCaller, id: string): Promise<void> {
  const { userId } = caller
  await tx(deps.db, async (trx) => {
    if (!(await deleteSubscription(trx, userId, id))) throw new AppError('not_found')
    const accountId = caller.kind === 'customer' ? caller.accountId : null
    const at = deps.clock.now()
    await recordActivity(trx, { action: 'notifications.unsubscribe', accountId, userId, subject: id, at })
  })
}
