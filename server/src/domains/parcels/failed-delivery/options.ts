/** What can be chosen after a failed delivery, by whom and until when. */

import { percentage } from '@waybill/contract/ground/money'
import type { choiceDetails, DeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { type ChoiceKind, failureReasons } from '@waybill/contract/parcels/failed-delivery'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type * as z from 'zod/mini'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId } from '../../../http/caller.ts'
import { dayIn, days, hours, later } from '../../../lib/clock.ts'
import { isWorkingDay, nextDay } from '../../pricing/expected-date.ts'
import { lookupPostcode } from '../../stations/postcodes.ts'
import { offersService } from '../../stations/rules.ts'
import { findStationsById, holidaysByCountry, nearbyStations } from '../../stations/service.ts'
import type { ParcelRow } from '../queries.ts'
import { transitionForbidden } from '../transition.ts'
import { choiceAfter, type FailedAttempt, findLastFailure } from './queries.ts'

export type ChoiceDetails = z.output<typeof choiceDetails>
/** Who chooses. A receiver proves it by the link of their mail. */
export type Chooser = { by: 'sender' | 'receiver'; userId: string | null }

/** After the last attempt a parcel waits this long for a choice. */
export const lastHours = 24
/** Working days that are offered for another attempt, and stations that are named. */
const dayCount = 5
const stationCount = 5

/** The net fee of each choice. Calling back costs the same whichever way it is asked for. */
function netFee({ settings }: Deps, kind: ChoiceKind): number {
  const keys = {
    retry: 'delivery.retryFeeMinor',
    correct: 'delivery.correctFeeMinor',
    divert: 'delivery.divertFeeMinor',
    recall: 'price.recallFeeMinor',
  } as const
  return settings.get(keys[kind])
}

/** What a choice costs, with its tax; no lines where it is free. */
export function feeLines(deps: Deps, kind: ChoiceKind): PriceLine[] {
  const net = netFee(deps, kind)
  if (net === 0) return []
  const basisPoints = deps.settings.get('price.taxBasisPoints')
  const tax = percentage(net, basisPoints)
  const fee: PriceLine = { kind: 'delivery_choice', amountMinor: net, basis: { choice: kind } }
  return tax === 0 ? [fee] : [fee, { kind: 'tax', amountMinor: tax, basis: { basisPoints } }]
}

/** In minor units of the lines' currency. */
export const sumFeeLines = (lines: readonly PriceLine[]) => lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/** Until when somebody may choose: the last attempt leaves a day. */
export function decideUntil(deps: Deps, failure: FailedAttempt): Date {
  const last = failure.attempt >= deps.settings.get('delivery.maxAttempts')
  return later(failure.at, last ? hours(lastHours) : days(deps.settings.get('delivery.decideDays')))
}

/** The next working days of the place where the receiver is. */
export async function retryDates(deps: Deps, row: ParcelRow): Promise<string[]> {
  const { postcode = '', country = '' } = row.receiver ?? {}
  const state = lookupPostcode(postcode, country)?.state ?? null
  const holidays = (await holidaysByCountry(deps.db)).get(country) ?? []
  const found: string[] = []
  for (
    let day = nextDay(dayIn(deps.clock.now(), deps.settings.get('timezone')));
    found.length < dayCount;
    day = nextDay(day)
  ) {
    if (isWorkingDay(day, state, holidays)) found.push(day)
  }
  return found
}

/** The nearest stations that hand such a parcel out; none abroad. */
export async function collectionPoints(deps: Deps, row: ParcelRow): Promise<DeliveryChoice['stations']> {
  const { receiver } = row
  if (!receiver || receiver.country !== deps.settings.get('countryCode')) return []
  if (!lookupPostcode(receiver.postcode, receiver.country)) return []
  const { items } = await nearbyStations(deps, receiver.postcode, 'near')
  return items
    .filter(({ serviceCodes }) => offersService(serviceCodes, 'self_collection', row.service_type))
    .slice(0, stationCount)
    .map(({ id, name, line1, postcode, city, distanceM }) => ({ id, name, line1, postcode, city, distanceM }))
}

type Option = DeliveryChoice['options'][number]

/** The four choices, each open or with the reason why not. `stations`: how many could hand the parcel out. */
export function listOptions(deps: Deps, failure: FailedAttempt, stations: number, by: Chooser['by']): Option[] {
  const used = failure.attempt >= deps.settings.get('delivery.maxAttempts')
  return (['retry', 'correct', 'divert', 'recall'] as const).map((kind) => {
    const feeMinor = sumFeeLines(feeLines(deps, kind))
    const reason = (): Option['reason'] => {
      if (by === 'receiver' && (kind === 'correct' || kind === 'recall')) return 'not_for_receiver'
      if (by === 'receiver' && feeMinor > 0) return 'receiver_free_only'
      if (used && (kind === 'retry' || kind === 'correct')) return 'attempts_used'
      return kind === 'divert' && stations === 0 ? 'no_station' : null
    }
    const why = reason()
    return { kind, open: why === null, reason: why, feeMinor }
  })
}

/** What both sender and receiver may see. Throws transition_forbidden while no delivery has failed. */
export async function sharedView(deps: Deps, db: DbOrTx, row: ParcelRow, by: Chooser['by']) {
  const failure = await findLastFailure(db, row)
  if (!failure || row.leg !== 'outbound') throw transitionForbidden(row, 'diverted')
  const accountId = asAccountId(row.account_id) // the parcel is the caller's, or its link was shown
  const [choice, dates, stations] = await Promise.all([
    choiceAfter(db, accountId, row.id, failure.attempt),
    retryDates(deps, row),
    collectionPoints(deps, row),
  ])
  const chosenStation = choice?.station_id
    ? (await findStationsById(db, [choice.station_id])).get(choice.station_id)
    : null
  const waiting = row.status === 'fail-to-deliver' && choice === null
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
      at: choice.at.toISOString(),
      date: choice.retry_on,
      station: chosenStation?.name ?? null,
      feeMinor: choice.fee_minor,
    },
    options: listOptions(deps, failure, stations.length, by),
    dates,
    stations,
    currency: row.currency,
  }
}
