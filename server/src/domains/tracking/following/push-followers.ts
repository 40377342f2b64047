// Visitors follow a parcel by push messages to their browser.
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { PushMessage } from '@waybill/contract/notifications/push'
import type { followByPush } from '@waybill/contract/tracking/following'
import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { addJob, type Jobs } from '../../../jobs/jobs.ts'
import { newId } from '../../../lib/ids.ts'
import { checkSubscription } from '../../notifications/push/check-subscription.ts'
import { deliverToBrowser, pushAttempts } from '../../notifications/push/deliver-to-browser.ts'
import { findParcelOfRow } from '../../parcels/timeline/delivery.ts'
import { findJourneys } from '../../parcels/timeline/service.ts'
import { presentPublic } from '../present.ts'
import { makeToken, oneClickLink } from './links.ts'
import { deleteFollow, type FollowRow, findFollow, upsertPushFollow } from './queries.ts'
import { getHeadline } from './rules.ts'
import { requireFollowable } from './service.ts'

/**
 * Follows a parcel with a browser, starting from its current status. Needs no confirmation link, because the browser
 * asks its user for permission. Returns the token that ends it.
 * @throws AppError push_off, parcel_unknown, follow_over, follow_quota, validation
 */
export async function followWithBrowser(
  deps: Deps,
  { number, endpoint, keys }: BodyOf<typeof followByPush>,
  reader: { locale: Locale; ip: string },
): Promise<{ token: string }> {
  if (!deps.config.push) throw new AppError('push_off')
  const parcel = await requireFollowable(deps, number, reader.ip)
  await checkSubscription(deps, { endpoint, keys })
  const [journey] = await findJourneys(deps, [parcel.trackingNumber])
  const now = deps.clock.now()
  const id = await upsertPushFollow(deps.db, {
    id: newId(),
    account_id: parcel.accountId,
    parcel_id: parcel.parcelId,
    endpoint,
    ...keys,
    language: reader.locale,
    created_at: now,
    confirmed_at: now,
    told_events: journey ? presentPublic(journey).events.length : 0,
  })
  return { token: makeToken(deps, id) }
}

/**
 * Queues the message to a browser if one of the new events changed the status, or if the parcel's journey has ended. A
 * waiting job is replaced: after an outage of the push service, only the newest status matters.
 */
export async function queueFollowerPush(
  trx: DbOrTx,
  { id }: FollowRow,
  { events, newEvents, hasEnded }: { events: PublicTracking['events']; newEvents: number; hasEnded: boolean },
): Promise<void> {
  const lastStatus = events[newEvents]?.trackingStatus
  if (!hasEnded && events.slice(0, newEvents).every(({ trackingStatus }) => trackingStatus === lastStatus)) return
  const options = { key: `tracking:push-follower ${id}`, maxAttempts: pushAttempts }
  await addJob(trx, 'tracking:push-follower', { followId: id }, options)
}

/**
 * The job that sends the current status of a parcel to a browser that follows it. Once the journey has ended, or the
 * browser no longer exists, the follow is deleted. Throws the errors of `deliverToBrowser`.
 */
export async function pushFollower(deps: Deps, { followId }: Jobs['tracking:push-follower']): Promise<void> {
  const follow = await findFollow(deps.db, followId)
  const parcel = follow && (await findParcelOfRow(deps.db, follow.parcel_id))
  const [journey] = parcel ? await findJourneys(deps, [parcel.trackingNumber]) : []
  if (!follow || !parcel || !journey || !deps.config.push) return
  const { endpoint, p256dh, auth } = follow
  if (endpoint === null || p256dh === null || auth === null) return
  const message = makeMessage(deps, presentPublic(journey), follow)
  const isDelivered = await deliverToBrowser(deps, { endpoint, keys: { p256dh, auth } }, message)
  if (!isDelivered || parcel.hasEnded) await deleteFollow(deps.db, follow.id)
}

/** Contains number, status and city only, because a lock screen shows it to everybody. */
function makeMessage(deps: Deps, tracking: PublicTracking, { id, language }: FollowRow): PushMessage {
  const t = deps.translations(language)
  const { trackingNumber: number, events } = tracking
  const status = getHeadline(tracking, t, language)
  return {
    // The same for each attempt, so that a message that arrives twice is shown once.
    id: `${number} ${events.length}`,
    title: t('mail.follow_update.subject', { number, status }),
    text: events[0]?.place ?? '',
    path: `/public/track-parcels?no=${number}`,
    end: { label: t('mail.follow_update.stop'), url: oneClickLink(deps, id) },
  }
}
