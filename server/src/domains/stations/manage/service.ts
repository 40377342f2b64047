/** Stations for staff: open, change and close them. */

import { isDeepStrictEqual } from 'node:util'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import type {
  createStation,
  listManagedStations,
  StationInput,
  StationRecord,
  updateStation,
} from '@waybill/contract/stations/manage'
import { recordActivity } from '../../../activity.ts'
import { wordPatterns } from '../../../db/conditions/like.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { networkTopic } from '../network.ts'
import { officialState, stationPlaceProblems } from './place.ts'
import {
  findStationRecord,
  insertStation,
  listClashes,
  listStationRows,
  lockCoverage,
  type RecordRow,
  replaceCoverage,
  updateStationContent,
} from './queries.ts'
import { findNetworkReadiness, type NetworkReadiness } from './queries-readiness.ts'
import { coverageProblems } from './rules.ts'

/** Whether a member of staff may change a station: an admin of a station only their own. Null: a new station. */
export function mayManageStation(caller: StaffCaller, stationId: string | null): boolean {
  return caller.staffType === 'superadmin' || caller.stationId === null || caller.stationId === stationId
}

function requireManaged(caller: StaffCaller, stationId: string | null): void {
  if (!mayManageStation(caller, stationId)) throw new AppError('forbidden')
}

const present = ({ updatedAt, openingHours, ...row }: RecordRow, caller: StaffCaller): StationRecord => ({
  ...row,
  openingHours: [...openingHours],
  updatedAt: updatedAt.toISOString(),
  editable: mayManageStation(caller, row.id),
})

/** A page of stations, closed ones included. */
export async function listAllStations(
  { db }: Deps,
  caller: StaffCaller,
  { search, type, tab, sort, offset, limit }: QueryOf<typeof listManagedStations>,
): Promise<ResponseOf<typeof listManagedStations>> {
  const filter = { patterns: wordPatterns(search), type: type ?? null, active: tab === 'all' ? null : tab === 'open' }
  const { rows, total } = await listStationRows(db, filter, { sort: parseSort(sort), offset, limit })
  const items = rows.map((row) => ({
    ...row,
    updatedAt: row.updatedAt.toISOString(),
    editable: mayManageStation(caller, row.id),
  }))
  return { items, total, offset, limit }
}

/** Throws not_found. */
export async function getStationRecord({ db }: Deps, caller: StaffCaller, id: string): Promise<StationRecord> {
  const row = await findStationRecord(db, id)
  if (!row) throw new AppError('not_found')
  return present(row, caller)
}

/**
 * Throws 422 with every field that breaks a rule. A closed station covers nothing, so its coverage never conflicts.
 */
async function checkStation(trx: Tx, id: string, input: Omit<StationInput, 'code'>): Promise<void> {
  await lockCoverage(trx)
  const station = { id, country: input.country }
  const clashes = input.active ? await listClashes(trx, station, input.coverage) : []
  const problems = [...stationPlaceProblems(input), ...coverageProblems(input.coverage, clashes)]
  if (problems.length > 0) throw validationError(...problems)
}

/**
 * Opens a station, known to every process when the transaction commits. Throws forbidden for an admin of one station;
 * 422 for a code in use, an address that contradicts itself, and coverage that another station has.
 */
export async function addStation(
  deps: Deps,
  caller: StaffCaller,
  body: BodyOf<typeof createStation>,
): Promise<StationRecord> {
  requireManaged(caller, null)
  const id = newId()
  const at = deps.clock.now()
  const { coverage, ...content } = { ...body, state: officialState(body) }
  await tx(deps.db, async (trx) => {
    await checkStation(trx, id, body)
    await insertStation(trx, { ...content, id }, at)
    await replaceCoverage(trx, { id, country: content.country }, coverage)
    const detail = { code: content.code, name: content.name, coverage }
    await recordActivity(trx, {
      action: 'stations.create',
      level: 'NOTICE',
      userId: caller.userId,
      subject: id,
      detail,
      at,
    })
    await deps.live.publish(trx, networkTopic, {})
  })
  return getStationRecord(deps, caller, id)
}

/** The fields that differ, with both values, for the activity log. */
function changesBetween(before: RecordRow, after: Omit<StationInput, 'code'>): Record<string, [unknown, unknown]> {
  const keys = Object.keys(after) as (keyof typeof after)[]
  return Object.fromEntries(
    keys.flatMap((key) => (isDeepStrictEqual(before[key], after[key]) ? [] : [[key, [before[key], after[key]]]])),
  )
}

/**
 * Changes a station with its coverage, closes or reopens it, in every process when the transaction commits. Throws
 * not_found, forbidden for an admin of another station, version_conflict, and 422 like `addStation`.
 */
export async function changeStation(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, ...body }: BodyOf<typeof updateStation>,
): Promise<StationRecord> {
  const at = deps.clock.now()
  const input = { ...body, state: officialState(body) }
  const { coverage, ...content } = input
  await tx(deps.db, async (trx) => {
    const before = await findStationRecord(trx, id, { lock: true })
    if (!before) throw new AppError('not_found')
    requireManaged(caller, id)
    if (before.version !== version) throw new AppError('version_conflict', { details: { version: before.version } })
    await checkStation(trx, id, input)
    await updateStationContent(trx, id, content, at)
    await replaceCoverage(trx, { id, country: content.country }, coverage)
    await recordActivity(trx, {
      action: 'stations.update',
      level: 'NOTICE',
      userId: caller.userId,
      subject: id,
      detail: { code: before.code, changes: changesBetween(before, input) },
      at,
    })
    await deps.live.publish(trx, networkTopic, {})
  })
  return getStationRecord(deps, caller, id)
}

/** Whether the open stations can receive and deliver a parcel, and whether there is a domestic zone. */
export async function getNetworkReadiness({ db }: Deps): Promise<NetworkReadiness> {
  return findNetworkReadiness(db)
}
