// What the scan screens show: the caller's latest scans, and a parcel with the scans that are allowed next.
import { decide } from '@waybill/contract/ground/access'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Translate } from '@waybill/contract/ground/validation'
import { type Custody, type recentScans, type StaffParcel, scanEvents } from '@waybill/contract/parcels/scanning'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { findAccountById, findUserNames } from '../../accounts/service.ts'
import { findOwnNumber } from '../carrier-handover/bookings.ts'
import {
  isHeld,
  isStationSupervisor,
  listLastStations,
  mayEverScan,
  namedStation,
  presentCustody,
  staffScanner,
} from '../custody/service.ts'
import { findFailedAttempts } from '../failed-delivery/failed-deliveries.ts'
import { listParcelDetails } from '../list/details.ts'
import { findParcelByNumber, type ParcelRow } from '../queries.ts'
import { getDimensions } from '../rules.ts'
import { allowedScans, getParcelState, nextParcelState, toScanEvent, transitions } from '../status.ts'
import { listEventActors, listScansByUser } from '../timeline/queries.ts'
import { parseParcelNumber, requireNumber } from '../tracking-number.ts'
import { findTransport } from '../trips/service.ts'
import { findLatestReading } from '../weighing/queries.ts'
import { mayBeWeighed } from '../weighing/service.ts'
import { correctableUntil, isDisputed } from '../weighing/withdraw-weighing.ts'
import { waitsForCollection } from './scan-checks.ts'
import { undoUntil } from './undo.ts'

/** The events of the transition table that scans cause. */
const scannedEvents = [...new Set(transitions.map(({ event }) => event))].filter((event) => toScanEvent(event) !== null)

/** The caller's latest scans, newest first. */
export async function listLatestScans(
  deps: Deps,
  caller: StaffCaller,
  limit: number,
): Promise<ResponseOf<typeof recentScans>> {
  const rows = await listScansByUser(deps.db, caller.userId, scannedEvents, limit)
  return {
    items: rows.map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      trackingNumber: row.tracking_number,
      event: toScanEvent(row.event) ?? scanEvents[0],
      fromStatus: row.from_status,
      toStatus: row.status,
      stationId: row.station_id,
      place: row.place,
      undoUntil: row.restorable
        ? (undoUntil(row.event, row.at, row.last_event_at, row.recorded_at ?? row.at)?.toISOString() ?? null)
        : null,
      rightStation: row.right_station,
    })),
  }
}

/** Whether the caller can weigh the parcel: it is at their station, on its way to the receiver. */
function isWeighable(row: ParcelRow, disputed: boolean, caller: StaffCaller): boolean {
  return mayBeWeighed(row, disputed) && isHeld(row, staffScanner(caller, caller.stationId ?? row.station_id))
}

/** The parcel of a number in any spelling, ours or another carrier's, of any account; null if there is none. */
export async function findParcelForStaff(deps: Deps, no: string): Promise<ParcelRow | null> {
  const { number, problem } = parseParcelNumber(await findOwnNumber(deps, no), deps.settings.get('tracking.prefix'))
  return problem === null ? findParcelByNumber(deps.db, number) : null
}

/** The names of those who caused the events of a parcel, by the id of the event. */
async function findActorNames(deps: Deps, row: ParcelRow): Promise<ReadonlyMap<string, string | undefined>> {
  const actors = await listEventActors(deps.db, row.id, row.created_at)
  const names = await findUserNames(deps.db, [...new Set(actors.map(({ actor_id }) => actor_id))])
  return new Map(actors.map(({ id, actor_id }) => [id, names.get(actor_id)]))
}

/**
 * A parcel of any account for staff, with the scans that the transition table, custody and the caller's role allow
 * next. Throws tracking_number_slip, parcel_unknown.
 */
export async function getParcelForStaff(
  deps: Deps,
  caller: StaffCaller,
  no: string,
  t: Translate,
): Promise<StaffParcel> {
  const number = requireNumber(await findOwnNumber(deps, no), deps.settings.get('tracking.prefix'))
  const row = await findParcelByNumber(deps.db, number)
  if (!row) throw new AppError('parcel_unknown', { vars: { number }, details: { number } })
  // Staff serve every account, so this is the parcel's account.
  const [account, [detail]] = await Promise.all([
    findAccountById(deps.db, asAccountId(row.account_id)),
    listParcelDetails(deps, [row], caller, t),
  ])
  if (!account || !detail) throw new AppError('parcel_unknown', { vars: { number }, details: { number } })
  const mayOperate = decide('staff.operate', caller) === 'pass'
  const [actorNames, failures, lastStationIds, correctable, disputed, reading, transport] = await Promise.all([
    findActorNames(deps, row),
    findFailedAttempts(deps, deps.db, [row.id]),
    listLastStations(deps.db, row),
    mayOperate ? correctableUntil(deps, caller, row) : null,
    isDisputed(deps.db, row),
    findLatestReading(deps.db, asAccountId(row.account_id), row.id),
    findTransport(deps.db, row),
  ])
  const [[custody], lastStation] = await Promise.all([
    presentCustody(deps.db, [row]),
    namedStation(deps.db, lastStationIds[0]),
  ])
  const failedAttempt = failures.get(row.id) ?? null
  const attemptsUsed = row.status === 'fail-to-deliver' && failedAttempt?.attemptsUsed === true
  return {
    ...detail,
    accountId: row.account_id,
    accountName: account.name,
    events: detail.events.map((event) => ({ ...event, byName: actorNames.get(event.id) ?? null })),
    allowedEvents: (mayOperate ? allowedScans(getParcelState(row)) : []).filter(
      (event) =>
        (event !== 'out_for_delivery' || !attemptsUsed) &&
        (event !== 'sorted' || !waitsForCollection(row, row.station_id)) &&
        mayEverScan(row, event, caller),
    ),
    mayWeigh: mayOperate && (correctable !== null || isWeighable(row, disputed, caller)),
    weighingCorrectableUntil: correctable?.toISOString() ?? null,
    latestReading: reading && {
      at: reading.created_at.toISOString(),
      weightGrams: reading.weight_grams,
      dimensions: getDimensions(reading),
    },
    custody: custody as Custody,
    transport,
    lastStation,
    failedAttempt,
    mayDeclareLost:
      nextParcelState(getParcelState(row), 'lost') !== null && isStationSupervisor(caller, row.station_id),
  }
}
