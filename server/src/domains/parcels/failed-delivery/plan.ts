/** What a choice after a failed delivery means for the parcel: its fee line by line, and what changes. */
import type { PriceBreakdown, PriceLine } from '@waybill/contract/pricing/pricing'
import type { Deps } from '../../../deps.ts'
import { asAccountId } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { differenceLines } from '../../pricing/reprice.ts'
import { pricingAccount } from '../../pricing/service.ts'
import { coveringStation, findZoneOfPlace } from '../../stations/network.ts'
import { offersService } from '../../stations/rules.ts'
import { findStationsById } from '../../stations/service.ts'
import { checkReceiver, collectionModeFor } from '../cart/input.ts'
import { priceColumns } from '../cart/prices.ts'
import type { ParcelChanges, ParcelRow } from '../queries.ts'
import {
  type ChoiceDetails,
  type Chooser,
  collectionPoints,
  feeLines,
  listOptions,
  retryDates,
  sumFeeLines,
} from './options.ts'
import type { FailedAttempt } from './queries.ts'

/** What a choice means for a parcel: what it costs line by line, and what changes. */
export type Plan = {
  lines: PriceLine[]
  feeMinor: number
  otherZone: boolean
  changes: ParcelChanges
  /** It has to go to another station first: this one, where the network knows it. */
  travels: boolean
  nextStationId: string | null
}

/**
 * Holds what was chosen against what is offered. Throws validation, choice_closed (`details.reason`), and for an
 * address what a draft's would.
 */
export async function planChoice(
  deps: Deps,
  row: ParcelRow,
  failure: FailedAttempt,
  details: ChoiceDetails,
  by: Chooser['by'],
): Promise<Plan> {
  const { kind } = details
  const stations = kind === 'divert' ? await collectionPoints(deps, row) : []
  const option = listOptions(deps, failure, kind === 'divert' ? stations.length : 1, by).find(
    (each) => each.kind === kind,
  )
  if (option?.reason) throw new AppError('choice_closed', { details: { kind, reason: option.reason } })
  const lines = feeLines(deps, kind)
  const plan = (more: Partial<Plan>): Plan => {
    const all = [...lines, ...(more.lines ?? [])]
    return {
      otherZone: false,
      changes: {},
      travels: false,
      nextStationId: null,
      ...more,
      lines: all,
      feeMinor: sumFeeLines(all),
    }
  }
  switch (kind) {
    case 'retry': {
      if (!details.date) throw validationError({ field: 'date', rule: 'required' })
      if (!(await retryDates(deps, row)).includes(details.date)) throw validationError({ field: 'date', rule: 'enum' })
      return plan({ changes: { ...promiseKept(row), expected_date: details.date } })
    }
    case 'divert': {
      if (!details.stationId) throw validationError({ field: 'stationId', rule: 'required' })
      const station = (await findStationsById(deps.db, [details.stationId])).get(details.stationId)
      if (!station?.active || !offersService(station.serviceCodes, 'self_collection', row.service_type)) {
        throw validationError({ field: 'stationId', rule: 'stationCannot' })
      }
      const mode = row.delivery_mode?.[0] === 'D' ? ('D2P' as const) : ('P2P' as const)
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
      return plan(await correction(deps, row, details))
    case 'recall':
      return plan({})
  }
}

/** The first promise stays beside the day that is expected now. */
const promiseKept = (row: ParcelRow) => ({ promised_date: row.promised_date ?? row.expected_date })

/**
 * A corrected address: free in the same zone, the difference in another one. It is never sent cheaper than it was paid.
 */
async function correction(deps: Deps, row: ParcelRow, { receiver }: ChoiceDetails): Promise<Partial<Plan>> {
  if (!receiver) throw validationError({ field: 'receiver', rule: 'required' })
  if (receiver.country !== row.receiver?.country) throw validationError({ field: 'receiver.country', rule: 'enum' })
  checkReceiver(deps, receiver, row.scope)
  const { db } = deps
  const [zone, before, after] = await Promise.all([
    findZoneOfPlace(db, row.scope, receiver),
    coveringStation(db, row.receiver.country, row.receiver.postcode),
    coveringStation(db, receiver.country, receiver.postcode),
  ])
  if (!zone || (row.scope === 'domestic' && !after)) {
    throw new AppError('not_covered', { fields: [{ field: 'receiver.postcode', rule: 'noService' }] })
  }
  const otherZone = row.price !== null && zone.zone !== row.price.destinationZone
  const travels = before?.station.id !== after?.station.id
  const moved = { travels, otherZone, nextStationId: travels ? (after?.station.id ?? null) : null }
  if (!otherZone || !row.price) return { ...moved, changes: { receiver } }
  // What the scale said counts, not what was declared.
  const weighed = { ...row, receiver, weight_grams: row.price.weightGrams }
  const columns = await priceColumns(deps, weighed, await pricingAccount(db, asAccountId(row.account_id)))
  const dearer = columns.price.totalMinor > row.price.totalMinor
  const price: PriceBreakdown = dearer
    ? columns.price
    : { ...row.price, destinationZone: columns.price.destinationZone }
  return {
    ...moved,
    lines: dearer ? differenceLines(row.price, columns.price) : [],
    changes: {
      receiver,
      price,
      price_minor: price.totalMinor,
      ...promiseKept(row),
      expected_date: columns.expected_date,
      ...(dearer ? { chargeable_grams: price.chargeableGrams, volumetric_grams: price.volumetricGrams } : {}),
    },
  }
}
