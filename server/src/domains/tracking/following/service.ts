// Visitors follow a parcel: request and confirmation by email, and the end for all.
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { Following, followParcel } from '@waybill/contract/tracking/following'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { countFollowMail, countFollowRequest } from '../../../http/limits/quota.ts'
import { days, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { notify } from '../../notifications/notify.ts'
import { findOwnNumber } from '../../parcels/carrier-handover/bookings.ts'
import { findParcelOfNumber, findParcelOfRow, type PublicParcel } from '../../parcels/timeline/delivery.ts'
import { findJourneyIn, findJourneys } from '../../parcels/timeline/service.ts'
import { parseParcelNumber } from '../../parcels/tracking-number.ts'
import { presentPublic } from '../present.ts'
import { oneClickLink, pageLink, readToken } from './links.ts'
import { deleteFollow, deleteOldFollows, type FollowRow, findFollow, setConfirmed, upsertFollow } from './queries.ts'

/** The number of days for which a request can be confirmed. */
const confirmDays = 1
/** The maximum number of days for which a parcel is followed. */
const longestDays = 180

/**
 * The parcel that a visitor wants to follow. Counts the request towards the quota.
 * @throws AppError parcel_unknown, follow_over, follow_quota
 */
export async function requireFollowable(deps: Deps, number: string, ip: string): Promise<PublicParcel> {
  const own = await findOwnNumber(deps, parseParcelNumber(number, deps.settings.get('tracking.prefix')).number)
  const parcel = await findParcelOfNumber(deps.db, own)
  if (!parcel) throw new AppError('parcel_unknown')
  if (parcel.hasEnded) throw new AppError('follow_over')
  await countFollowRequest(deps, ip, parcel.parcelId)
  return parcel
}

/**
 * Mails a link to confirm following. The response is the same for an address that already follows the parcel, and for
 * one that has had too many mails, so that nobody learns who follows what.
 * @throws AppError parcel_unknown, follow_over, follow_quota
 */
export async function requestFollowing(
  deps: Deps,
  { number, email }: BodyOf<typeof followParcel>,
  reader: { locale: Locale; ip: string },
): Promise<void> {
  const parcel = await requireFollowable(deps, number, reader.ip)
  if (!(await countFollowMail(deps, email))) return
  await tx(deps.db, async (trx) => {
    const row = await upsertFollow(trx, {
      id: newId(),
      account_id: parcel.accountId,
      parcel_id: parcel.parcelId,
      email,
      language: reader.locale,
      created_at: deps.clock.now(),
    })
    const facts = { number: parcel.trackingNumber, url: pageLink(deps, row.id), stopUrl: oneClickLink(deps, row.id) }
    const kind = row.confirmed_at === null ? 'follow_confirm' : 'follow_again'
    await notify(deps, trx, { kind, to: { email, language: reader.locale }, facts })
  })
}

/**
 * The sender of a parcel that was booked at a counter follows it, in the transaction of the booking. Their own parcel
 * needs no confirmation; each mail has a link to stop. The first mail is about the acceptance that follows: the sender
 * was there when the parcel was booked.
 */
export async function followAsSender(
  deps: Deps,
  trx: Tx,
  follow: { accountId: string; parcelId: string; number: string; email: string; language: Locale },
): Promise<void> {
  const at = deps.clock.now()
  const { accountId: account_id, parcelId: parcel_id, number, email, language } = follow
  const row = await upsertFollow(trx, { id: newId(), account_id, parcel_id, email, language, created_at: at })
  const journey = await findJourneyIn(deps, trx, number)
  await setConfirmed(trx, row.id, at, journey ? presentPublic(journey).events.length : 0)
}

/** The follow of a link, with its parcel. Throws link_invalid for an ended or expired one. */
async function findOpen(deps: Deps, token: string): Promise<{ row: FollowRow; parcel: PublicParcel }> {
  const row = await findFollow(deps.db, readToken(deps, token))
  const isExpired = row?.confirmed_at === null && later(row.created_at, days(confirmDays)) <= deps.clock.now()
  const parcel = row && !isExpired ? await findParcelOfRow(deps.db, row.parcel_id) : null
  if (!row || !parcel) throw new AppError('link_invalid')
  return { row, parcel }
}

/** The parcel of a link; reading it changes nothing. Throws link_invalid. */
export async function readFollowing(deps: Deps, token: string): Promise<Following> {
  const { row, parcel } = await findOpen(deps, token)
  return { trackingNumber: parcel.trackingNumber, confirmed: row.confirmed_at !== null }
}

/**
 * Confirms following: mails start with the next event. Throws link_invalid, and follow_over once the journey has ended;
 * the address is deleted then, because no mail would follow.
 */
export async function confirmByLink(deps: Deps, token: string): Promise<Following> {
  const { row, parcel } = await findOpen(deps, token)
  if (parcel.hasEnded && row.confirmed_at === null) {
    await deleteFollow(deps.db, row.id)
    throw new AppError('follow_over')
  }
  const [journey] = await findJourneys(deps, [parcel.trackingNumber])
  const eventCount = journey ? presentPublic(journey).events.length : 0
  await setConfirmed(deps.db, row.id, deps.clock.now(), eventCount)
  return { trackingNumber: parcel.trackingNumber, confirmed: true }
}

/**
 * Ends following and deletes the address or the browser. Repeating it gets the same response. Throws link_invalid for
 * a forged token.
 */
export async function unfollowByLink(deps: Deps, token: string): Promise<void> {
  await deleteFollow(deps.db, readToken(deps, token))
}

/** Part of the job `housekeeping:sweep`. */
export async function sweepFollows({ db, clock }: Deps): Promise<void> {
  const now = clock.now()
  const until = { unconfirmedBefore: later(now, -days(confirmDays)), before: later(now, -days(longestDays)) }
  await deleteOldFollows(db, until)
}
