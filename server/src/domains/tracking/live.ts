// Live events: of numbers for the public, of an account for its users.
import type { Readable } from 'node:stream'
import { decide } from '@waybill/contract/ground/access'
import type { AccountEvent, StaffEvent } from '@waybill/contract/tracking/account-events'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller, StaffCaller } from '../../http/caller.ts'
import { accountTopic, type EventStream, type StreamReader, staffTopic, userTopic } from '../../http/live.ts'
import type { OutboxHandler } from '../../outbox/handler.ts'
import { onlyCreatedBy } from '../parcels/access.ts'
import { findJourneys } from '../parcels/timeline/service.ts'
import { presentPublic } from './present.ts'
import { listFollowableNumbers, trackingTopic } from './service.ts'

/** An event on the live topic of an account. `createdBy` filters for members who see only their own parcels. */
export type AccountMessage = AccountEvent & { createdBy?: string }

/** Publishes moved parcels to the followers of their numbers, and to the open screens of their accounts. */
export const notifyFollowers: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const messages = moves.flatMap(({ accountId, parcelId, createdBy, trackingNumber, status, trackingStatus }) => {
    const message: AccountMessage = { type: 'parcel', id: parcelId, status, trackingStatus, createdBy }
    return [
      { topic: accountTopic(accountId), data: message },
      ...(trackingNumber === null ? [] : [{ topic: trackingTopic(trackingNumber), data: {} }]),
    ]
  })
  await deps.live.publishAll(trx, messages)
}

/** A stream with a `tracking` event, the public view of the parcel, each time one of the numbers moves. */
export async function followNumbers(deps: Deps, reader: StreamReader, numbers: readonly string[]): Promise<Readable> {
  const trackingNumbers = await listFollowableNumbers(deps, numbers)
  const { stream, send, onClose } = deps.live.openStream(reader)
  for (const number of trackingNumbers) {
    const stop = deps.live.subscribe(trackingTopic(number), () => {
      findJourneys(deps, [number]).then(
        ([journey]) => journey && send('tracking', presentPublic(journey)),
        (error) => deps.log.warn({ err: error }, 'live tracking: a journey could not be read'),
      )
    })
    onClose(stop)
  }
  return stream
}

/**
 * A stream of the account's events for one of its users. It ends with the access token, and at once with the session:
 * the browser then reconnects, and its permissions are checked again.
 */
export function followAccount(deps: Deps, reader: StreamReader, caller: CustomerCaller): Readable {
  const events = deps.live.openStream(reader)
  const ownOnly = onlyCreatedBy(caller)
  const seesWallet = decide('wallet.view', caller) === 'pass'
  events.onClose(
    deps.live.subscribe(accountTopic(caller.accountId), (data) => {
      const { type, createdBy, ...rest } = data as AccountMessage
      if (createdBy !== undefined && ownOnly !== null && createdBy !== ownOnly) return
      if (type === 'wallet' && !seesWallet) return
      events.send(type, rest)
    }),
  )
  sendOwn(deps, events, caller.userId)
  return endWithSession(deps, events, [caller.userId, caller.accountId, caller.sessionId])
}

/** A stream of staff's events, limited to subjects that the caller may see. It ends like `followAccount`. */
export function followStaff(deps: Deps, reader: StreamReader, caller: StaffCaller): Readable {
  const events = deps.live.openStream(reader)
  const servesCustomers = decide('staff.accounts', caller) === 'pass'
  events.onClose(
    deps.live.subscribe(staffTopic, (data) => {
      const { type, ...rest } = data as StaffEvent
      if (servesCustomers) events.send(type, rest)
    }),
  )
  sendOwn(deps, events, caller.userId)
  return endWithSession(deps, events, [caller.userId, caller.sessionId])
}

/** Announces that the user's own notifications have changed. */
function sendOwn(deps: Deps, { send, onClose }: EventStream, userId: string): void {
  onClose(deps.live.subscribe(userTopic(userId), () => send('notification', {})))
}

/** Ends a stream when one of the ids (user, account, session) is revoked. */
function endWithSession(deps: Deps, { stream, end, onClose }: EventStream, ids: readonly string[]): Readable {
  onClose(
    deps.live.subscribe('revoke', (data) => {
      if (ids.includes((data as { id: string }).id)) end()
    }),
  )
  return stream
}
