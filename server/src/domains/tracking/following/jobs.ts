// Mails and push messages to the followers of a parcel.

import { formatDate } from '@waybill/contract/ground/format'
import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { addJob, type Jobs } from '../../../jobs/jobs.ts'
import { later } from '../../../lib/clock.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import type { Facts } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { findParcelOfRow } from '../../parcels/timeline/delivery.ts'
import { findJourneyIn } from '../../parcels/timeline/service.ts'
import { presentPublic } from '../present.ts'
import { oneClickLink, pageLink } from './links.ts'
import { queueFollowerPush } from './push-followers.ts'
import { deleteFollows, type FollowRow, listFollowedParcels, lockFollowers, setEventCount } from './queries.ts'
import { getHeadline } from './rules.ts'

/**
 * Queues one job for each moved parcel that has followers. A waiting job is replaced, so that events are collected: a
 * counter that accepts, sorts and forwards a parcel makes three in a minute.
 */
export const queueFollowerMails: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const runAt = later(deps.clock.now(), deps.config.followGatherMs)
  for (const parcelId of await listFollowedParcels(trx, [...new Set(moves.map(({ parcelId }) => parcelId))]))
    await addJob(trx, 'tracking:mail-followers', { parcelId }, { key: `tracking:mail-followers ${parcelId}`, runAt })
}

/**
 * The job that mails the new public events of a parcel to its followers, all in one mail, and queues the messages to
 * browsers. Once the parcel's journey has ended, the mail says so and the addresses are deleted.
 */
export async function mailFollowers(deps: Deps, { parcelId }: Jobs['tracking:mail-followers']): Promise<void> {
  await tx(deps.db, async (trx) => {
    const followers = await lockFollowers(trx, parcelId)
    const parcel = followers.length > 0 ? await findParcelOfRow(trx, parcelId) : null
    const journey = parcel && (await findJourneyIn(deps, trx, parcel.trackingNumber))
    if (!parcel || !journey) return
    const tracking = presentPublic(journey)
    const count = tracking.events.length
    for (const follower of followers) {
      const newEvents = Math.max(0, count - follower.told_events)
      const { events } = tracking
      if (follower.email === null) {
        await queueFollowerPush(trx, follower, { events, newEvents, hasEnded: parcel.hasEnded })
        continue
      }
      if (newEvents === 0) continue
      await notify(deps, trx, {
        kind: parcel.hasEnded ? 'follow_ended' : 'follow_update',
        to: { email: follower.email, language: follower.language },
        facts: mailFacts(deps, tracking, events.slice(0, newEvents), follower),
      })
    }
    await setEventCount(
      trx,
      followers.map(({ id }) => id),
      count,
    )
    const mailed = followers.filter(({ email }) => email !== null)
    // A browser's follow is deleted with its last message.
    if (parcel.hasEnded)
      await deleteFollows(
        trx,
        mailed.map(({ id }) => id),
      )
  })
}

function mailFacts(
  deps: Deps,
  tracking: PublicTracking,
  events: PublicTracking['events'],
  { id, language }: FollowRow,
): Facts {
  const t = deps.translations(language)
  const [timeZone, format] = [deps.settings.get('timezone'), deps.settings.get('format.dateTime')]
  const { trackingNumber: number } = tracking
  return {
    number,
    status: getHeadline(tracking, t, language),
    events: events
      .map(({ at, event, place }) =>
        // No line begins with the dot.
        [formatDate(at, timeZone, format, language), t(`event.${event}`), place].filter(Boolean).join('\u00a0· '),
      )
      .join('\n'),
    url: `${deps.config.http.publicUrl}/public/track-parcels?no=${number}`,
    stopPage: pageLink(deps, id),
    stopUrl: oneClickLink(deps, id),
  }
}
