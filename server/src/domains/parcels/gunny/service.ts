// Gunnies as their senders see them, and what all use cases of gunnies share.
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import type { Gunny as GunnyAnswer, GunnyDetail, listGunnies } from '@waybill/contract/parcels/gunny'
import { type GunnyStatus, gunnyStatusLabels } from '@waybill/contract/parcels/gunny'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { type AccountId, asAccountId, type CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import { onlyCreatedBy } from '../access.ts'
import {
  type CheckRow,
  type CountedGunny,
  countGunniesByStatus,
  findGunny,
  findOwnTrackingNumbers,
  type GunnyRow,
  listChecks,
  listGunnyNumbers,
  listGunnyRows,
  listParcelsInGunny,
} from './queries.ts'
import { type GunnyEvent, nextGunnyStatus } from './status.ts'

/** The letters before the digits of a gunny's number. */
export const gunnyPrefix = 'GY'

/** A 409 with the gunny's current status. */
export function gunnyForbidden(gunny: GunnyRow, event: GunnyEvent): AppError {
  return new AppError('gunny_state', {
    vars: { number: gunny.number },
    labels: { status: gunnyStatusLabels[gunny.status] },
    details: { status: gunny.status, event, gunnyId: gunny.id, number: gunny.number },
  })
}

/** The status after an event. Throws gunny_state. */
export function requireNext(gunny: GunnyRow, event: GunnyEvent): GunnyStatus {
  const next = nextGunnyStatus(gunny.status, event)
  if (!next) throw gunnyForbidden(gunny, event)
  return next
}

/** Formats gunnies for the API, with the names of their stations. */
export async function presentGunnies(db: DbOrTx, rows: readonly CountedGunny[]): Promise<GunnyAnswer[]> {
  const ids = rows.flatMap((row) =>
    [row.drop_off_station_id, row.station_id, row.next_station_id].filter((id) => id !== null),
  )
  const stations = await findStationsById(db, [...new Set(ids)])
  return rows.map((row) => presentGunny(row, stations))
}

function stationIn(stations: ReadonlyMap<string, Station>, id: string | null) {
  const station = stations.get(id ?? '')
  return station ? { id: station.id, code: station.code, name: station.name } : null
}

function presentGunny(row: CountedGunny, stations: ReadonlyMap<string, Station>): GunnyAnswer {
  return {
    id: row.id,
    version: row.version,
    number: row.number,
    sscc: row.sscc,
    status: row.status,
    dropOffStation: stationIn(stations, row.drop_off_station_id),
    station: stationIn(stations, row.station_id),
    nextStation: stationIn(stations, row.next_station_id),
    sealNumber: row.seal_number,
    parcelCount: row.parcel_count,
    weightGrams: row.weight_grams,
    differs: row.differs,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function presentCheck(row: CheckRow, stations: ReadonlyMap<string, Station>): GunnyDetail['checks'][number] {
  return {
    id: row.id,
    event: row.event,
    at: row.at.toISOString(),
    station: stationIn(stations, row.station_id),
    nextStation: stationIn(stations, row.next_station_id),
    sealed: row.sealed,
    expected: row.expected.length,
    moved: row.moved.length,
    missing: row.missing,
    extra: row.extra,
    refused: row.refused,
    unknown: row.unknown,
  }
}

/** A gunny with its parcels and counts. The sender does not see the numbers of other accounts' parcels. */
export async function gunnyDetails(
  db: DbOrTx,
  row: CountedGunny,
  reader: 'sender' | 'staff' = 'sender',
): Promise<GunnyDetail> {
  const [parcels, all] = await Promise.all([listParcelsInGunny(db, row), listChecks(db, row)])
  const checks = reader === 'staff' ? all : await withoutOtherAccounts(db, row, all)
  const ids = [row.drop_off_station_id, row.station_id, row.next_station_id].concat(
    checks.flatMap((check) => [check.station_id, check.next_station_id]),
  )
  const stations = await findStationsById(db, [...new Set(ids.filter((id) => id !== null))])
  return {
    ...presentGunny(row, stations),
    parcels: parcels.map((parcel) => ({
      id: parcel.id,
      trackingNumber: parcel.tracking_number ?? '',
      reference: parcel.reference,
      receiverName: parcel.receiver?.contactName ?? null,
      receiverPlace: parcel.receiver ? `${parcel.receiver.postcode} ${parcel.receiver.city}` : null,
      weightGrams: parcel.actual_grams ?? parcel.weight_grams,
      status: parcel.status,
    })),
    checks: checks.map((check) => presentCheck(check, stations)),
  }
}

async function withoutOtherAccounts(db: DbOrTx, gunny: GunnyRow, checks: readonly CheckRow[]): Promise<CheckRow[]> {
  const numbers = checks.flatMap(({ extra, refused }) => [...extra, ...refused.map(({ number }) => number)])
  const own = await findOwnTrackingNumbers(db, gunny, numbers)
  return checks.map((check) => ({
    ...check,
    extra: check.extra.filter((number) => own.has(number)),
    refused: check.refused.filter(({ number }) => own.has(number)),
  }))
}

/** A gunny that the caller may see. Throws not_found. */
export async function getCountedGunny(db: DbOrTx, caller: CustomerCaller, id: string): Promise<CountedGunny> {
  const row = await findGunny(db, caller.accountId, id, onlyCreatedBy(caller))
  if (!row) throw new AppError('not_found')
  return row
}

/** A page of the gunnies that the caller may see, the latest first. */
export async function gunnyList(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof listGunnies>,
): Promise<ResponseOf<typeof listGunnies>> {
  const { offset, limit } = query
  const filter = {
    accountId: caller.accountId,
    createdBy: onlyCreatedBy(caller),
    ...(query.status && { statuses: [query.status] }),
    search: query.search,
  }
  const descending = parseSort(query.sort)[0]?.descending ?? true
  const [{ rows, total }, counts] = await Promise.all([
    listGunnyRows(deps.db, { ...filter, sort: 'created_at', descending, offset, limit }),
    countGunniesByStatus(deps.db, filter),
  ])
  return { items: await presentGunnies(deps.db, rows), total, offset, limit, counts }
}

/** A gunny with its parcels and counts. Throws not_found. */
export async function readGunny(deps: Deps, caller: CustomerCaller, id: string): Promise<GunnyDetail> {
  return gunnyDetails(deps.db, await getCountedGunny(deps.db, caller, id))
}

/** The ids of an account's gunnies with these numbers. */
export async function findGunniesByNumber(
  db: DbOrTx,
  accountId: AccountId,
  numbers: readonly string[],
): Promise<{ id: string; number: string }[]> {
  return listGunnyNumbers(db, accountId, numbers)
}

/** The account of a gunny, for use cases of staff, who serve every account. */
export function gunnyAccount(gunny: GunnyRow): AccountId {
  return asAccountId(gunny.account_id)
}
