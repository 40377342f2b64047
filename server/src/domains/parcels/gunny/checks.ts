// Gunnies at stations: staff look them up, count them in and out, and unpack them.
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { checkGunny, StaffGunny, staffGunnies } from '@waybill/contract/parcels/gunny'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, type FieldProblem, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { parseContainerCode } from '../../../lib/print/container-codes.ts'
import { accountNames, findAccountById } from '../../accounts/service.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import { findOwnNumbers } from '../carrier-handover/bookings.ts'
import { custodyVerdict } from '../custody/rules.ts'
import { namedStation, parcelCustody, requireOwnStation, staffScanner } from '../custody/service.ts'
import type { ParcelRow } from '../queries.ts'
import { collectionAfter } from '../self-collection/holding.ts'
import { getParcelState, nextParcelState } from '../status.ts'
import { parseParcelNumber } from '../tracking-number.ts'
import { transitionParcels } from '../transition.ts'
import {
  type CountedGunny,
  findGunnyByCode,
  type GunnyRow,
  holdUnpackedParcels,
  insertCheck,
  listGunnyRows,
  lockGunny,
  lockParcelsByNumbers,
  setGunny,
  updateGunnyRow,
} from './queries.ts'
import { countGunny } from './rules.ts'
import { gunnyAccount, gunnyDetails, gunnyPrefix, presentGunnies, requireNext } from './service.ts'
import { nextGunnyCheck, parcelEventByCheck } from './status.ts'

type CheckBody = BodyOf<typeof checkGunny>

async function staffView(db: DbOrTx, row: CountedGunny): Promise<StaffGunny> {
  const [account, detail] = await Promise.all([findAccountById(db, gunnyAccount(row)), gunnyDetails(db, row, 'staff')])
  const nextCheck = nextGunnyCheck(row.status)
  return {
    ...detail,
    accountName: account?.name ?? '',
    nextCheck,
    expected: nextCheck ? detail.parcels.map(({ trackingNumber }) => trackingNumber) : [],
  }
}

/** A gunny by a scanned or typed code. Throws gunny_number_slip, gunny_unknown. */
export async function getGunnyForStaff(deps: Deps, no: string): Promise<StaffGunny> {
  const reading = parseContainerCode(no, gunnyPrefix)
  if (reading?.by === 'slip') throw new AppError('gunny_number_slip', { vars: { number: reading.value } })
  const row = reading ? await findGunnyByCode(deps.db, reading.by, reading.value) : null
  if (!row) throw new AppError('gunny_unknown')
  return staffView(deps.db, row)
}

/** Locks a gunny until the transaction ends. Throws gunny_unknown. */
export async function requireLockedGunny(trx: DbOrTx, id: string): Promise<GunnyRow> {
  const gunny = await lockGunny(trx, id, null)
  if (!gunny) throw new AppError('gunny_unknown')
  return gunny
}

/** Gunnies of all accounts, the last changed first. */
export async function listGunniesForStaff(
  deps: Deps,
  query: QueryOf<typeof staffGunnies>,
): Promise<ResponseOf<typeof staffGunnies>> {
  const { offset, limit, status: statuses, stationId } = query
  const { rows, total } = await listGunnyRows(deps.db, {
    accountId: null,
    createdBy: null,
    ...(statuses && { statuses }),
    ...(stationId && { stationId }),
    sort: 'updated_at',
    descending: parseSort(query.sort)[0]?.descending ?? true,
    offset,
    limit,
  })
  const items = await presentGunnies(deps.db, rows)
  const names = await accountNames(deps.db, [...new Set(rows.map(({ account_id }) => account_id))])
  return {
    items: items.map((item, n) => ({ ...item, accountName: names.get(rows[n]?.account_id ?? '') ?? '' })),
    total,
    offset,
    limit,
  }
}

/** The station of the count and, for a departure, the next one. Throws validation. */
async function requireStations(deps: Deps, caller: StaffCaller, body: CheckBody) {
  const id = body.stationId ?? caller.stationId
  const stations = await findStationsById(
    deps.db,
    [id, body.nextStationId].filter((each) => each !== undefined && each !== null),
  )
  const problems: FieldProblem[] = []
  const station = stations.get(id ?? '') ?? null
  const next = stations.get(body.nextStationId ?? '') ?? null
  if (!station) problems.push({ field: 'stationId', rule: id ? 'enum' : 'required' })
  if (body.event === 'departed' && !next)
    problems.push({ field: 'nextStationId', rule: body.nextStationId ? 'enum' : 'required' })
  if (next && next.id === station?.id) problems.push({ field: 'nextStationId', rule: 'enum' })
  if (problems.length > 0) throw validationError(...problems)
  return { station: station as Station, next: body.event === 'departed' ? next : null }
}

/**
 * The scanned numbers, each once; for a carrier's number ours. Throws validation with the index of each number whose
 * check digit is wrong.
 */
async function readNumbers(deps: Deps, body: CheckBody): Promise<string[]> {
  const prefix = deps.settings.get('tracking.prefix')
  const problems: FieldProblem[] = []
  const scans = body.numbers.map(normalizeTrackingNumber)
  const ownNumbers = await findOwnNumbers(deps, scans)
  const numbers = scans.map((scan, index) => {
    const { number, problem, suggestion } = parseParcelNumber(ownNumbers.get(scan) ?? scan, prefix)
    if (problem === 'slip')
      problems.push({
        field: `numbers.${index}`,
        rule: suggestion ? 'numberSlipMeant' : 'numberSlip',
        vars: { number, suggestion },
      })
    return number
  })
  if (problems.length > 0) throw validationError(...problems)
  return [...new Set(numbers)]
}

/** A sealed gunny may be counted by its seal alone. Throws seal_differs. */
function checkSeal(gunny: GunnyRow, { sealed, sealNumber }: GunnyCount): void {
  if (!sealed) return
  if (gunny.seal_number !== null && gunny.seal_number === sealNumber) return
  throw new AppError('seal_differs', {
    vars: { number: gunny.number },
    details: { sealed: gunny.seal_number !== null, kind: 'gunny', number: gunny.number },
  })
}

/**
 * The parcels that may move with a count: the transition table and custody allow it. A parcel at another station
 * cannot depart from here, and a recalled parcel travels separately.
 */
function mayMove(
  gunny: GunnyRow,
  { event: checkEvent, station }: GunnyCount,
  caller: StaffCaller,
): (row: ParcelRow) => boolean {
  const event = parcelEventByCheck[checkEvent]
  const scanner = staffScanner(caller, station.id)
  return (row) =>
    nextParcelState(getParcelState(row), event) !== null &&
    (checkEvent !== 'departed' || (row.station_id === station.id && row.status !== 'recall')) &&
    ((isMember(gunny, row) && row.holder === 'gunny') || custodyVerdict(parcelCustody(row), event, scanner) === 'holds')
}

const isMember = (gunny: GunnyRow, row: ParcelRow) => row.gunny_id === gunny.id && row.account_id === gunny.account_id

/**
 * Counts a gunny in or out at a station. Only staff of the station count there. Throws what `applyCount` throws, and
 * task_other_station.
 */
export async function countAtStation(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  body: CheckBody,
  idempotency: Idempotency,
): Promise<StaffGunny> {
  const stations = await requireStations(deps, caller, body)
  requireOwnStation(caller, stations.station.id)
  const numbers = await readNumbers(deps, body)
  return tx(deps.db, async (trx) => {
    await applyCount(deps, trx, caller, id, { ...body, ...stations, numbers })
    const view = await staffView(trx, (await findGunnyByCode(trx, 'id', id)) as CountedGunny)
    await idempotency.keep(trx, view)
    return view
  })
}

/** A count: the scanned numbers, or the seal's alone; `next` is the destination of a departure. */
export type GunnyCount = Pick<CheckBody, 'event' | 'sealed' | 'sealNumber'> & {
  numbers: readonly string[]
  station: Station
  next: Station | null
  /** The number of the trip with which it departs or arrives. */
  trip?: string
}

/**
 * Counts a gunny in the caller's transaction. Expected parcels move with it, and so do extra ones that may. Missing
 * parcels leave the gunny and keep their status; those that may not move are recorded as refused. The gunny is locked
 * before its parcels, so a second count is checked against the new status. A gunny departs from the station that has
 * it. Throws gunny_unknown, gunny_state, seal_differs, gunny_elsewhere, validation.
 */
export async function applyCount(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  id: string,
  count: GunnyCount,
): Promise<void> {
  const { station, next, numbers } = count
  const at = deps.clock.now()
  const event = parcelEventByCheck[count.event]
  const gunny = await requireLockedGunny(trx, id)
  const status = requireNext(gunny, count.event)
  if (count.event === 'departed') await requireHere(trx, gunny, station.id)
  checkSeal(gunny, count)
  const rows = await lockParcelsByNumbers(trx, null, numbers, { gunny })
  const misrouted = event === 'arrived' && gunny.next_station_id !== null && gunny.next_station_id !== station.id
  const rightStation = misrouted ? await namedStation(trx, gunny.next_station_id) : null
  const byNumber = new Map(rows.map((row) => [row.tracking_number, row]))
  const scannedRows = count.sealed ? null : numbers.flatMap((number) => byNumber.get(number) ?? [])
  const { moving, expected, missing, extra, refused } = countGunny(
    rows.filter((row) => isMember(gunny, row)),
    scannedRows,
    mayMove(gunny, count, caller),
  )
  // All its parcels may have left it on the way: scanned alone, or lost. Without an arrival it would travel forever.
  const arrivesEmpty = count.event === 'arrived' && expected.length === 0
  if (moving.length === 0 && !arrivesEmpty) throw validationError({ field: 'numbers', rule: 'nothingScanned' })
  await transitionParcels(
    deps,
    trx,
    moving,
    event,
    {
      actorId: caller.userId,
      stationId: station.id,
      nextStationId: next?.id ?? null,
      place: station.city,
      detail: {
        gunny: gunny.number,
        ...(count.trip ? { trip: count.trip } : {}),
        ...(rightStation ? { rightStation } : {}),
      },
    },
    (row) => ({
      ...collectionAfter(deps, row, event, station),
      // Another account's parcel moves too, but does not become part of this account's gunny.
      ...(row.account_id === gunny.account_id ? { gunny_id: gunny.id, holder: 'gunny' as const } : { gunny_id: null }),
      ...(count.event === 'received' ? { drop_off_station_id: station.id } : {}),
    }),
  )
  await setGunny(trx, missing, null)
  const numbersIn = (parcels: readonly ParcelRow[]) => parcels.map(({ tracking_number }) => tracking_number ?? '')
  await insertCheck(trx, {
    account_id: gunny.account_id,
    gunny_id: gunny.id,
    id: newId(),
    event: count.event,
    at,
    actor_id: caller.userId,
    station_id: station.id,
    next_station_id: next?.id ?? null,
    sealed: count.sealed,
    expected: numbersIn(expected),
    moved: numbersIn(moving),
    missing: numbersIn(missing),
    extra: numbersIn(extra),
    refused: refused.map((row) => ({ number: row.tracking_number ?? '', status: row.status })),
    unknown: numbers.filter((number) => !byNumber.has(number)),
  })
  await updateGunnyRow(trx, gunny, { status, station_id: station.id, next_station_id: next?.id ?? null }, at)
  await recordActivity(trx, {
    action: `gunny.${count.event}`,
    level: rightStation ? 'WARNING' : 'INFO',
    accountId: gunny.account_id,
    userId: caller.userId,
    subject: gunny.number,
    at,
    detail: {
      expected: expected.length,
      moved: moving.length,
      missing: numbersIn(missing),
      extra: numbersIn(extra),
      ...(rightStation ? { rightStation } : {}),
    },
  })
}

/** Throws gunny_elsewhere, with the station that has the gunny, at any other one. */
async function requireHere(trx: DbOrTx, gunny: GunnyRow, stationId: string): Promise<void> {
  if (gunny.station_id === null || gunny.station_id === stationId) return
  const station = await namedStation(trx, gunny.station_id)
  throw new AppError('gunny_elsewhere', { vars: { station: station?.name ?? '–' }, details: { station } })
}

/**
 * Unpacks a gunny at the station that has it: its parcels continue one by one. Throws gunny_unknown, gunny_state,
 * version_conflict, task_other_station.
 */
export async function unpackGunny(deps: Deps, caller: StaffCaller, id: string, version: number): Promise<StaffGunny> {
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const gunny = await requireLockedGunny(trx, id)
    const status = requireNext(gunny, 'emptied')
    if (gunny.version !== version) throw new AppError('version_conflict')
    requireOwnStation(caller, gunny.station_id)
    await updateGunnyRow(trx, gunny, { status }, at)
    await holdUnpackedParcels(trx, gunny)
    await recordActivity(trx, {
      action: 'gunny.emptied',
      accountId: gunny.account_id,
      userId: caller.userId,
      subject: gunny.number,
      at,
    })
    return staffView(trx, (await findGunnyByCode(trx, 'id', gunny.id)) as CountedGunny)
  })
}
