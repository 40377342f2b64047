// Bags as staff see them, and what all use cases of bags share.
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import {
  type Bag,
  type BagDetail,
  type BagParcel,
  type BagScan,
  bagStatusLabels,
  type listBags,
} from '@waybill/contract/parcels/transport/bags'
import type { Misroute } from '@waybill/contract/parcels/transport/misroute'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { parseContainerCode } from '../../../lib/print/container-codes.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import type { ParcelRow } from '../queries.ts'
import { findMisroutes } from './misroutes.ts'
import { type BagRow, type CountedBag, findBag, listBagRows, listParcelsInBags, lockBags } from './queries.ts'
import { type BagEvent, nextBagStatus } from './status.ts'

/** The letters before the digits of a bag's number. */
export const bagPrefix = 'BG'

/** A 409 with the bag's current status. */
export function bagForbidden(bag: BagRow, event: BagEvent | 'filled' | 'loaded'): AppError {
  return new AppError('bag_state', {
    vars: { number: bag.number },
    labels: { status: bagStatusLabels[bag.status] },
    details: { status: bag.status, event, bagId: bag.id, number: bag.number },
  })
}

/** The status after an event. Throws bag_state. */
export function requireNextBagStatus(bag: BagRow, event: BagEvent): BagRow['status'] {
  const next = nextBagStatus(bag.status, event)
  if (!next) throw bagForbidden(bag, event)
  return next
}

/** A locked bag. Throws bag_unknown. */
export async function lockBag(trx: DbOrTx, id: string): Promise<BagRow> {
  const [bag] = await lockBags(trx, [id])
  if (!bag) throw new AppError('bag_unknown')
  return bag
}

/** A station in responses. */
export function presentStation(stations: ReadonlyMap<string, Station>, id: string) {
  const station = stations.get(id)
  return { id, code: station?.code ?? '', name: station?.name ?? '' }
}

async function presentBags(db: DbOrTx, rows: readonly CountedBag[]): Promise<Bag[]> {
  const ids = rows.flatMap((row) => [row.station_id, row.to_station_id, row.next_station_id ?? []].flat())
  const stations = await findStationsById(db, [...new Set(ids)])
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    number: row.number,
    sscc: row.sscc,
    status: row.status,
    station: presentStation(stations, row.station_id),
    toStation: presentStation(stations, row.to_station_id),
    nextStation: row.next_station_id ? presentStation(stations, row.next_station_id) : null,
    sealNumber: row.seal_number,
    tripId: row.trip_id,
    tripNumber: row.trip_number,
    isMissing: row.is_missing,
    parcelCount: row.parcel_count,
    weightGrams: row.weight_grams,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
}

/** A bag. Throws bag_unknown. */
export async function requireBag(db: DbOrTx, by: BagKey, value: string): Promise<CountedBag> {
  const row = await findBag(db, by, value)
  if (!row) throw new AppError('bag_unknown')
  return row
}

type BagKey = 'sscc' | 'number' | 'id'

/** A bag without its parcels. Throws bag_unknown. */
export async function readBagWithoutParcels(db: DbOrTx, id: string): Promise<Bag> {
  const [bag] = await presentBags(db, [await requireBag(db, 'id', id)])
  return bag as Bag
}

function presentParcel(parcel: ParcelRow, misroute: Misroute | null): BagParcel {
  return {
    id: parcel.id,
    trackingNumber: parcel.tracking_number ?? '',
    receiverPlace: parcel.receiver ? `${parcel.receiver.postcode} ${parcel.receiver.city}` : null,
    weightGrams: parcel.actual_grams ?? parcel.weight_grams,
    status: parcel.status,
    misroute,
  }
}

/** The misroutes of parcels in a bag, in their order. There are no warnings once it is sealed. */
async function listMisroutes(deps: Deps, bag: BagRow, parcels: readonly ParcelRow[]): Promise<(Misroute | null)[]> {
  if (bag.status !== 'open') return []
  const way = { fromId: bag.station_id, toId: bag.to_station_id }
  return findMisroutes(
    deps.db,
    parcels.map((parcel) => ({ kind: 'parcel', parcel })),
    way,
  )
}

async function presentDetail(
  db: DbOrTx,
  row: CountedBag,
  parcels: readonly ParcelRow[],
  warnings: readonly (Misroute | null)[],
): Promise<BagDetail> {
  const [bag] = await presentBags(db, [row])
  return { ...(bag as Bag), parcels: parcels.map((parcel, n) => presentParcel(parcel, warnings[n] ?? null)) }
}

/** A bag with its parcels, in a transaction: without warnings about them. Throws bag_unknown. */
export async function readBag(db: DbOrTx, by: BagKey, value: string): Promise<BagDetail> {
  const row = await requireBag(db, by, value)
  return presentDetail(db, row, await listParcelsInBags(db, [row.id]), [])
}

/** A bag with its parcels, and with warnings of misroutes. Throws bag_unknown. */
export async function readBagWithWarnings(deps: Deps, by: BagKey, value: string): Promise<BagDetail> {
  const row = await requireBag(deps.db, by, value)
  const parcels = await listParcelsInBags(deps.db, [row.id])
  return presentDetail(deps.db, row, parcels, await listMisroutes(deps, row, parcels))
}

/** The answer to the scan of a parcel, after its transaction. */
export async function presentBagScan(
  deps: Deps,
  { bag, parcel, changed }: { bag: CountedBag; parcel: ParcelRow; changed: boolean },
): Promise<BagScan> {
  const [[shownBag], [misroute]] = await Promise.all([presentBags(deps.db, [bag]), listMisroutes(deps, bag, [parcel])])
  return { bag: shownBag as Bag, parcel: presentParcel(parcel, misroute ?? null), changed }
}

/** A bag by a scanned or typed code. Throws bag_number_slip, bag_unknown. */
export async function readBagByCode(deps: Deps, code: string): Promise<BagDetail> {
  const reading = parseContainerCode(code, bagPrefix)
  if (reading?.by === 'slip') throw new AppError('bag_number_slip', { vars: { number: reading.value } })
  if (!reading) throw new AppError('bag_unknown')
  return readBagWithWarnings(deps, reading.by, reading.value)
}

/** A page of bags, those changed last first. */
export async function readBags(deps: Deps, query: QueryOf<typeof listBags>): Promise<ResponseOf<typeof listBags>> {
  const { offset, limit, status, stationId } = query
  const { rows, total } = await listBagRows(deps.db, {
    statuses: status ?? null,
    stationId: stationId ?? null,
    descending: parseSort(query.sort)[0]?.descending ?? true,
    offset,
    limit,
  })
  return { items: await presentBags(deps.db, rows), total, offset, limit }
}
