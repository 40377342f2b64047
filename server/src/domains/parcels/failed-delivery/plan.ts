// Plans a delivery choice: its fee line by line, and what it changes.

import type { Party } from '@waybill/contract/addresses/addresses'
import { isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import type { PriceBreakdown, PriceLine } from '@waybill/contract/pricing/pricing'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { differenceLines } from '../../pricing/reprice.ts'
import { choiceCharge, pricingAccount, sumPriceLines } from '../../pricing/service.ts'
import { coveringStation, findZoneOfPlace } from '../../stations/network.ts'
import { checkReceiver, collectionModeFor } from '../cart/input.ts'
import { priceColumns } from '../cart/prices.ts'
import type { ParcelChanges, ParcelRow } from '../queries.ts'
import { chargedMeasures } from '../rules.ts'
import { type ChoiceDetails, collectionPoints, listOptions, type OfferedTo, retryDates } from './options.ts'
import type { FailedAttemptRow } from './queries.ts'

/** The planned effects of a choice. */
export type Plan = {
  lines: PriceLine[]
  feeMinor: number
  otherZone: boolean
  changes: ParcelChanges
  /** The parcel must go to another station first, to `nextStationId` if it is known. */
  travels: boolean
  nextStationId: string | null
}

/**
 * Checks a choice against the options, and plans it. Throws choice_closed (`details.reason`), validation, and for a
 * corrected address not_covered and the errors of `checkReceiver`.
 */
export async function planChoice(
  deps: Deps,
  db: DbOrTx,
  row: ParcelRow,
  failure: FailedAttemptRow,
  details: ChoiceDetails,
  to: OfferedTo,
): Promise<Plan> {
  const { kind } = details
  const stations = kind === 'divert' ? await collectionPoints(deps, row) : []
  const option = listOptions(deps, failure, kind === 'divert' ? stations.length : 1, to).find(
    (candidate) => candidate.kind === kind,
  )
  if (option?.reason) throw new AppError('choice_closed', { details: { kind, reason: option.reason } })
  const lines = choiceCharge(deps, kind)
  const plan = (parts: Partial<Plan>): Plan => {
    const allLines = [...lines, ...(parts.lines ?? [])]
    return {
      otherZone: false,
      changes: {},
      travels: false,
      nextStationId: null,
      ...parts,
      lines: allLines,
      feeMinor: sumPriceLines(allLines),
    }
  }
  switch (kind) {
    case 'retry': {
      if (!details.date) throw validationError({ field: 'date', rule: 'required' })
      if (!(await retryDates(deps, db, row)).includes(details.date))
        throw validationError({ field: 'date', rule: 'enum' })
      return plan({ changes: { ...keepPromise(row), expected_date: details.date } })
    }
    case 'divert': {
      if (!details.stationId) throw validationError({ field: 'stationId', rule: 'required' })
      const station = stations.find(({ id }) => id === details.stationId)
      if (!station) throw validationError({ field: 'stationId', rule: 'stationCannot' })
      const mode = isPickedUp(row.delivery_mode) ? ('D2P' as const) : ('P2P' as const)
      return plan({
        travels: true,
        nextStationId: station.id,
        changes: {
          delivery_mode: mode,
          self_collection_station_id: station.id,
          ...(row.collection_mode ? { collection_mode: collectionModeFor(mode) } : {}),
        },
      })
    }
    case 'correct':
      return plan(await correction(deps, db, row, details))
    case 'recall':
      return plan({})
  }
}

/** Keeps the originally promised day next to the day that is expected now. */
const keepPromise = (row: ParcelRow) => ({ promised_date: row.promised_date ?? row.expected_date })

/**
 * The plan for a corrected address. A higher price of another zone is the new price, and the difference is charged. A
 * lower one is not refunded, so the price that was paid stays as it is, with its zone.
 */
async function correction(deps: Deps, db: DbOrTx, row: ParcelRow, { receiver }: ChoiceDetails): Promise<Partial<Plan>> {
  if (!receiver) throw validationError({ field: 'receiver', rule: 'required' })
  if (receiver.country !== row.receiver?.country) throw validationError({ field: 'receiver.country', rule: 'enum' })
  checkReceiver(deps, receiver, row.scope)
  const [zoneBefore, zone, before, after] = await Promise.all([
    findZoneOfPlace(deps.db, row.scope, row.receiver),
    findZoneOfPlace(deps.db, row.scope, receiver),
    coveringStation(deps.db, row.receiver.country, row.receiver.postcode),
    coveringStation(deps.db, receiver.country, receiver.postcode),
  ])
  if (!zone || (row.scope === 'domestic' && !after)) {
    throw new AppError('not_covered', { fields: [{ field: 'receiver.postcode', rule: 'noService' }] })
  }
  const travels = before?.station.id !== after?.station.id
  const route = { travels, nextStationId: travels ? (after?.station.id ?? null) : null }
  if (!row.price || zone.zone === zoneBefore?.zone) return { ...route, changes: { receiver } }
  const account = await pricingAccount(db, asAccountId(row.account_id))
  const columns = await priceColumns(deps, asCharged(row, row.price, receiver), account, row.price.originZone)
  const changes = { receiver, ...keepPromise(row), expected_date: columns.expected_date }
  // After an earlier correction it may be the zone that was paid for.
  const otherZone = zone.zone !== row.price.destinationZone
  if (!otherZone || columns.price.totalMinor <= row.price.totalMinor) return { ...route, otherZone, changes }
  const { price, price_minor, chargeable_grams, volumetric_grams } = columns
  return {
    ...route,
    otherZone,
    lines: differenceLines(row.price, price),
    changes: { ...changes, price, price_minor, chargeable_grams, volumetric_grams },
  }
}

/** The parcel to another receiver, with the weight and size that were charged: they may be the station's. */
function asCharged(row: ParcelRow, price: PriceBreakdown, receiver: Party): ParcelRow {
  const { weightGrams, dimensions: size } = chargedMeasures(row, price)
  return {
    ...row,
    receiver,
    weight_grams: weightGrams,
    length_mm: size?.lengthMm ?? null,
    width_mm: size?.widthMm ?? null,
    height_mm: size?.heightMm ?? null,
  }
}
