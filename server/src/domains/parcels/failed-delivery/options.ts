// What can be chosen after a failed delivery, by whom, until when, and for which fee.
import { addDays } from '@waybill/contract/ground/days'
import type { choiceDetails, DeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { failureReasons } from '@waybill/contract/parcels/failed-delivery'
import type * as z from 'zod/mini'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId } from '../../../http/caller.ts'
import { dayIn, days, hours, later } from '../../../lib/clock.ts'
import { findStaffNames } from '../../accounts/service.ts'
import { isWorkingDay } from '../../pricing/expected-date.ts'
import { choiceCharge, sumPriceLines } from '../../pricing/service.ts'
import { findZoneOfPlace } from '../../stations/network.ts'
import { lookupPostcode } from '../../stations/postcodes.ts'
import { offersService } from '../../stations/rules.ts'
import { findStationsById, holidaysByCountry, nearbyStations } from '../../stations/service.ts'
import { isWithOtherCarrier } from '../carrier-handover/with-other-carrier.ts'
import type { ParcelRow } from '../queries.ts'
import { transitionForbidden } from '../transition.ts'
import { choiceAfter, type FailedAttemptRow, findLastFailure } from './queries.ts'

export type ChoiceDetails = z.output<typeof choiceDetails>
/**
 * The person who chooses. Receivers and senders without an account identify themselves by the link in their mail.
 * `userId`: the customer's user, or the member of staff who recorded the choice (`recordedByStaff`).
 */
export type Chooser = { by: 'sender' | 'receiver'; userId: string | null; recordedByStaff?: boolean }
/**
 * To whom options are offered: `sender_without_wallet` is a sender who cannot pay a fee now, because they have no
 * account, or because staff record their choice.
 */
export type OfferedTo = Chooser['by'] | 'sender_without_wallet'

/** Hours for a choice after the last attempt. */
export const lastHours = 24
/** The number of working days and stations offered. */
const dayCount = 5
const stationCount = 5

/** The deadline for a choice. */
export function decideUntil(deps: Deps, failure: FailedAttemptRow): Date {
  const last = failure.attempt >= deps.settings.get('delivery.maxAttempts')
  return later(failure.at, last ? hours(lastHours) : days(deps.settings.get('delivery.decideDays')))
}

/** The next working days at the receiver's place, as `YYYY-MM-DD`. */
export async function retryDates(deps: Deps, db: DbOrTx, row: ParcelRow): Promise<string[]> {
  const { postcode = '', country = '' } = row.receiver ?? {}
  const state = lookupPostcode(postcode, country)?.state ?? null
  const holidays = (await holidaysByCountry(db)).get(country) ?? []
  const dates: string[] = []
  let day = dayIn(deps.clock.now(), deps.settings.get('timezone'))
  while (dates.length < dayCount) {
    day = addDays(day, 1)
    if (isWorkingDay(day, state, holidays)) dates.push(day)
  }
  return dates
}

/**
 * The stations nearest to the receiver that hand out parcels of this service; none abroad. All are in the zone of the
 * receiver's address, which is paid for.
 */
export async function collectionPoints(deps: Deps, row: ParcelRow): Promise<DeliveryChoice['stations']> {
  const { receiver } = row
  if (!receiver || receiver.country !== deps.settings.get('countryCode')) return []
  if (!lookupPostcode(receiver.postcode, receiver.country)) return []
  const { items } = await nearbyStations(deps, receiver.postcode, 'near')
  const [zone, ...zones] = await Promise.all(
    [receiver, ...items].map((place) => findZoneOfPlace(deps.db, row.scope, place)),
  )
  return items
    .filter(({ serviceCodes }, index) => {
      const sameZone = zones[index]?.zone === zone?.zone
      return sameZone && offersService(serviceCodes, 'self_collection', row.service_type)
    })
    .slice(0, stationCount)
    .map(({ id, name, line1, postcode, city, distanceM }) => ({ id, name, line1, postcode, city, distanceM }))
}

type Option = DeliveryChoice['options'][number]

/**
 * The four choices, each open or with the reason why not. `stations`: the number of stations that can hand out the
 * parcel.
 */
export function listOptions(deps: Deps, failure: FailedAttemptRow, stations: number, to: OfferedTo): Option[] {
  const attemptsUsed = failure.attempt >= deps.settings.get('delivery.maxAttempts')
  return (['retry', 'correct', 'divert', 'recall'] as const).map((kind) => {
    const feeMinor = sumPriceLines(choiceCharge(deps, kind))
    const whyClosed = (): Option['reason'] => {
      if (to === 'receiver' && (kind === 'correct' || kind === 'recall')) return 'not_for_receiver'
      if (to === 'receiver' && feeMinor > 0) return 'receiver_free_only'
      // A corrected address may cost more, and must not be entered by whoever has the mail.
      if (to === 'sender_without_wallet' && (kind === 'correct' || feeMinor > 0)) return 'only_free'
      if (attemptsUsed && (kind === 'retry' || kind === 'correct')) return 'attempts_used'
      return kind === 'divert' && stations === 0 ? 'no_station' : null
    }
    const reason = whyClosed()
    return { kind, open: reason === null, reason, feeMinor }
  })
}

/** The part that the sender, the receiver and staff see. Throws transition_forbidden if no delivery has failed. */
export async function sharedView(deps: Deps, db: DbOrTx, row: ParcelRow, to: OfferedTo) {
  const failure = await findLastFailure(db, row)
  if (!failure || row.leg !== 'outbound') throw transitionForbidden(row, 'diverted')
  // The parcel is the caller's, or the caller has its link or is staff.
  const accountId = asAccountId(row.account_id)
  const [choice, dates, stations] = await Promise.all([
    choiceAfter(db, accountId, row.id, failure.attempt),
    retryDates(deps, db, row),
    collectionPoints(deps, row),
  ])
  const [chosenStation, staffNames] = await Promise.all([
    choice?.station_id ? (await findStationsById(db, [choice.station_id])).get(choice.station_id) : null,
    findStaffNames(db, choice?.user_id ? [choice.user_id] : []),
  ])
  const waiting = row.status === 'fail-to-deliver' && choice === null && !isWithOtherCarrier(row)
  return {
    trackingNumber: row.tracking_number ?? '',
    waiting,
    attempt: failure.attempt,
    attemptsAllowed: deps.settings.get('delivery.maxAttempts'),
    failedAt: failure.at.toISOString(),
    failureReason: failureReasons.find((reason) => reason === failure.reason) ?? null,
    decideUntil: decideUntil(deps, failure).toISOString(),
    chosen: choice && {
      kind: choice.kind,
      by: choice.chosen_by,
      recordedByStaff: staffNames.has(choice.user_id ?? ''),
      at: choice.at.toISOString(),
      date: choice.retry_on,
      station: chosenStation?.name ?? null,
      feeMinor: choice.fee_minor,
    },
    options: listOptions(deps, failure, stations.length, to),
    dates,
    stations,
    currency: row.currency,
  }
}
