import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parcelStatusLabels } from '@waybill/contract/ground/enums'
import { parseSort } from '@waybill/contract/ground/paging'
import type {
  createGunny,
  Gunny as GunnyAnswer,
  GunnyDetail,
  listGunnies,
  updateGunny,
} from '@waybill/contract/parcels/gunny'
import { type GunnyStatus, gunnyLimit, gunnyStatusLabels } from '@waybill/contract/parcels/gunny'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { type AccountId, asAccountId, type CustomerCaller } from '../../../http/caller.ts'
import { AppError, type FieldProblem, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import { onlyCreatedBy } from '../access.ts'
import type { ParcelRow } from '../queries.ts'
import { parseParcelNumber } from '../tracking-number.ts'
import {
  type CheckRow,
  type CountedGunny,
  findGunny,
  findOpenGunnies,
  findOwnTrackingNumbers,
  type GunnyRow,
  insertGunny,
  listChecks,
  listGunnyRows,
  lockGunny,
  lockParcelsByNumbers,
  nextGunnySerial,
  parcelsInGunny,
  setGunny,
  updateGunnyRow,
} from './queries.ts'
import { makeGunnyNumber, makeSscc } from './rules.ts'
import { type GunnyEvent, nextGunnyStatus } from './status.ts'

/** 409 that names the sack's present status. */
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

/** Sacks as the contract shows them, with the stations' names; one query for any number. */
export async function presentGunnies(db: DbOrTx, rows: readonly CountedGunny[]): Promise<GunnyAnswer[]> {
  const ids = rows.flatMap((row) =>
    [row.drop_off_station_id, row.station_id, row.next_station_id].filter((id) => id !== null),
  )
  const stations = await findStationsById(db, [...new Set(ids)])
  return rows.map((row) => presentGunny(row, stations))
}

function nameOf(stations: ReadonlyMap<string, Station>, id: string | null) {
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
    dropOffStation: nameOf(stations, row.drop_off_station_id),
    station: nameOf(stations, row.station_id),
    nextStation: nameOf(stations, row.next_station_id),
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
    station: nameOf(stations, row.station_id),
    nextStation: nameOf(stations, row.next_station_id),
    sealed: row.sealed,
    expected: row.expected.length,
    moved: row.moved.length,
    missing: row.missing,
    extra: row.extra,
    refused: row.refused,
    unknown: row.unknown,
  }
}

/** A sack with its parcels and counts. To its sender, strangers' parcels that came along with it are not named. */
export async function gunnyDetails(
  db: DbOrTx,
  row: CountedGunny,
  reader: 'sender' | 'staff' = 'sender',
): Promise<GunnyDetail> {
  const [parcels, all] = await Promise.all([parcelsInGunny(db, row), listChecks(db, row)])
  const checks = reader === 'staff' ? all : await withoutStrangers(db, row, all)
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

async function withoutStrangers(db: DbOrTx, gunny: GunnyRow, checks: readonly CheckRow[]): Promise<CheckRow[]> {
  const numbers = checks.flatMap(({ extra, refused }) => [...extra, ...refused.map(({ number }) => number)])
  const own = await findOwnTrackingNumbers(db, gunny, numbers)
  return checks.map((check) => ({
    ...check,
    extra: check.extra.filter((number) => own.has(number)),
    refused: check.refused.filter(({ number }) => own.has(number)),
  }))
}

/** The sack as it is now. Throws not_found. */
export async function getCountedGunny(db: DbOrTx, caller: CustomerCaller, id: string): Promise<CountedGunny> {
  const row = await findGunny(db, caller.accountId, id, onlyCreatedBy(caller))
  if (!row) throw new AppError('not_found')
  return row
}

/**
 * The parcels of these numbers, locked, fit to go into a sack for this station (null: any so far), and the station they
 * agree on. Everything that is wrong is named by the place of its number: a slip, a number twice, not a parcel of the
 * caller's, a status that is not waiting for drop-off, another open sack, another drop-off station.
 */
async function fitting(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  given: { field: string; numbers: readonly string[]; gunny: GunnyRow | null; stationId: string | null },
): Promise<{ rows: ParcelRow[]; stationId: string | null }> {
  const prefix = deps.settings.get('tracking.prefix')
  const read = given.numbers.map((number) => parseParcelNumber(number, prefix))
  const found = await lockParcelsByNumbers(
    trx,
    caller.accountId,
    read.filter(({ problem }) => problem === null).map(({ number }) => number),
    { createdBy: onlyCreatedBy(caller) },
  )
  const byNumber = new Map(found.map((row) => [row.tracking_number, row]))
  const elsewhere = await findOpenGunnies(trx, [...new Set(found.flatMap(({ gunny_id }) => gunny_id ?? []))])
  const stationId = given.stationId ?? found.find((row) => row.drop_off_station_id)?.drop_off_station_id ?? null
  const problems: FieldProblem[] = []
  const seen = new Set<string>()
  for (const [index, { number, problem, suggestion }] of read.entries()) {
    const say = (rule: string, vars: Record<string, unknown> = {}) =>
      problems.push({ field: `${given.field}.${index}`, rule, vars: { number, ...vars } })
    const row = byNumber.get(number)
    const taken = elsewhere.find(({ id }) => id === row?.gunny_id && id !== given.gunny?.id)
    if (problem === 'slip') say(suggestion ? 'numberSlipMeant' : 'numberSlip', { suggestion })
    else if (seen.has(number)) say('numberTwice')
    else if (!row) say('numberUnknown')
    else if (row.status !== 'pending_dropoff') say('notForDropOff', { status: parcelStatusLabels[row.status][0] })
    else if (taken) say('inOtherGunny', { gunny: taken.number })
    else if (row.drop_off_station_id && stationId && row.drop_off_station_id !== stationId) say('otherDropOff')
    seen.add(number)
  }
  if (problems.length > 0) throw validationError(...problems)
  return { rows: found, stationId }
}

async function checkStation(deps: Deps, id: string | null | undefined): Promise<void> {
  if (!id) return
  const station = (await findStationsById(deps.db, [id])).get(id)
  if (!station) throw validationError({ field: 'stationId', rule: 'enum' })
}

/**
 * Groups parcels of one drop-off into a sack with a number of its own. Throws validation with what is wrong by number.
 */
export async function packGunny(
  deps: Deps,
  caller: CustomerCaller,
  body: BodyOf<typeof createGunny>,
  idempotency: Idempotency,
): Promise<GunnyDetail> {
  await checkStation(deps, body.stationId)
  const at = deps.clock.now()
  const id = newId()
  return tx(deps.db, async (trx) => {
    const { rows, stationId } = await fitting(deps, trx, caller, {
      field: 'numbers',
      numbers: body.numbers,
      gunny: null,
      stationId: body.stationId,
    })
    const serial = await nextGunnySerial(trx)
    const number = makeGunnyNumber(serial)
    await insertGunny(trx, {
      accountId: caller.accountId,
      id,
      createdBy: caller.userId,
      serial,
      number,
      sscc: makeSscc(deps.settings.get('gunny.companyPrefix'), serial),
      dropOffStationId: stationId,
      sealNumber: body.sealNumber,
      at,
    })
    await setGunny(trx, rows, id)
    await record(trx, caller, 'gunny.create', number, at, { parcels: rows.length })
    const detail = await gunnyDetails(trx, await getCountedGunny(trx, caller, id))
    await idempotency.keep(trx, detail)
    return detail
  })
}

async function record(
  trx: Tx,
  { accountId, userId }: { accountId: AccountId; userId: string },
  action: string,
  subject: string,
  at: Date,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await recordActivity(trx, { action, accountId, userId, subject, at, detail })
}

async function lockOwn(trx: Tx, caller: CustomerCaller, id: string): Promise<GunnyRow> {
  const gunny = await lockGunny(trx, id, caller.accountId, onlyCreatedBy(caller))
  if (!gunny) throw new AppError('not_found')
  return gunny
}

/**
 * Changes what a sack holds, its seal or its station, until it is handed over. Throws not_found, gunny_state,
 * version_conflict, validation.
 */
export async function changeGunny(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  body: BodyOf<typeof updateGunny>,
): Promise<GunnyDetail> {
  await checkStation(deps, body.stationId)
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const gunny = await lockOwn(trx, caller, id)
    if (gunny.status !== 'open') throw gunnyForbidden(gunny, 'received')
    if (gunny.version !== body.version) throw new AppError('version_conflict')
    const held = await parcelsInGunny(trx, gunny)
    const out = new Set(
      body.remove.map((number) => parseParcelNumber(number, deps.settings.get('tracking.prefix')).number),
    )
    const leaving = held.filter(({ tracking_number }) => out.has(tracking_number ?? ''))
    const staying = held.filter((row) => !leaving.includes(row))
    const missing = [...out].filter((number) => !leaving.some(({ tracking_number }) => tracking_number === number))
    if (missing.length > 0) {
      throw validationError(...missing.map((number) => ({ field: 'remove', rule: 'notInGunny', vars: { number } })))
    }
    const there = new Set(staying.map(({ tracking_number }) => tracking_number))
    const twice = body.add.flatMap((input, index) => {
      const { number } = parseParcelNumber(input, deps.settings.get('tracking.prefix'))
      return there.has(number) ? [{ field: `add.${index}`, rule: 'numberTwice', vars: { number } }] : []
    })
    if (twice.length > 0) throw validationError(...twice)
    const wanted = body.stationId === undefined ? gunny.drop_off_station_id : body.stationId
    const bound = staying.find((row) => row.drop_off_station_id && wanted && row.drop_off_station_id !== wanted)
    if (bound)
      throw validationError({ field: 'stationId', rule: 'otherDropOff', vars: { number: bound.tracking_number } })
    const joining = await fitting(deps, trx, caller, { field: 'add', numbers: body.add, gunny, stationId: wanted })
    if (staying.length + joining.rows.length > gunnyLimit) {
      throw validationError({ field: 'add', rule: 'maxItems', vars: { max: gunnyLimit } })
    }
    await setGunny(trx, leaving, null)
    await setGunny(trx, joining.rows, gunny.id)
    await updateGunnyRow(
      trx,
      gunny,
      {
        drop_off_station_id: joining.stationId,
        ...(body.sealNumber === undefined ? {} : { seal_number: body.sealNumber || null }),
      },
      at,
    )
    await record(trx, caller, 'gunny.update', gunny.number, at, { added: joining.rows.length, removed: leaving.length })
    return gunnyDetails(trx, await getCountedGunny(trx, caller, id))
  })
}

/** Takes everything out of a sack that was not handed over. Throws not_found, gunny_state. */
export async function unpackGunny(deps: Deps, caller: CustomerCaller, id: string): Promise<void> {
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const gunny = await lockOwn(trx, caller, id)
    const status = requireNext(gunny, 'dissolved')
    await setGunny(trx, await parcelsInGunny(trx, gunny), null)
    await updateGunnyRow(trx, gunny, { status }, at)
    await record(trx, caller, 'gunny.dissolve', gunny.number, at)
  })
}

/** The account's sacks, the latest first. */
export async function gunnyList(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof listGunnies>,
): Promise<ResponseOf<typeof listGunnies>> {
  const { offset, limit } = query
  const { rows, total } = await listGunnyRows(deps.db, {
    accountId: caller.accountId,
    createdBy: onlyCreatedBy(caller),
    status: query.status,
    search: query.search,
    sort: 'created_at',
    descending: parseSort(query.sort)[0]?.descending ?? true,
    offset,
    limit,
  })
  return { items: await presentGunnies(deps.db, rows), total, offset, limit }
}

/** One sack. Throws not_found for others' as for none. */
export async function readGunny(deps: Deps, caller: CustomerCaller, id: string): Promise<GunnyDetail> {
  return gunnyDetails(deps.db, await getCountedGunny(deps.db, caller, id))
}

/** Whose a sack is: staff serve every account's, the sack itself says whose. */
export function gunnyAccount(gunny: GunnyRow): AccountId {
  return asAccountId(gunny.account_id)
}
