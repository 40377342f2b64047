import type { ScanEvent, ScanResult } from '@waybill/contract/parcels/scanning'
import { type Activity, withActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import { runLastWrites, type Write } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { claimAttachments } from '../../attachments/service.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import { findOwnNumber } from '../carrier-handover/bookings.ts'
import { columnsToRestore, findCorrectStation, requireCustody, requireRider, staffScanner } from '../custody/service.ts'
import { lockParcelByNumber, type ParcelRow } from '../queries.ts'
import { eventTime, type Move, movesWrite } from '../queries-transition.ts'
import { collectionAfter } from '../self-collection/holding.ts'
import { getParcelState, nextParcelState, type ParcelEvent, toParcelEvent } from '../status.ts'
import { proofWrite } from '../timeline/queries.ts'
import { requireNumber } from '../tracking-number.ts'
import { planTransition, transitionForbidden } from '../transition.ts'
import { repeatedScan, scanTime } from './repeat-scan.ts'
import { taskToRestore, taskWrite } from './rider-tasks.ts'
import {
  checkAttempts,
  checkCash,
  checkChosenDay,
  checkFinalStation,
  checkIdentity,
  checkScanFields,
  checkSorting,
  needsProof,
  type ScanBody,
} from './scan-checks.ts'
import { undoUntil } from './undo.ts'

/** The city for the public timeline: the station's, or that of the address for events at a door. */
function findPublicCity(event: ScanEvent, row: ParcelRow, station: Station | null): string | null {
  const back = row.status === 'reverse_pickup' || row.leg === 'return'
  if (event === 'picked_up') return (back ? row.receiver : row.sender)?.city ?? station?.city ?? null
  if (event === 'delivered' || event === 'attempt_failed') return (back ? row.sender : row.receiver)?.city ?? null
  if (event === 'return_received') return row.sender?.city ?? null
  return station?.city ?? null
}

type ScanStations = { station: Station | null; next: Station | null }

/** The station of a scan and, for a departure, the next one. Throws validation. */
export async function requireScanStations(
  deps: Deps,
  body: Pick<ScanBody, 'stationId' | 'nextStationId'>,
  caller: StaffCaller,
): Promise<ScanStations> {
  const stationId = body.stationId ?? caller.stationId
  const ids = [stationId, body.nextStationId].filter((id) => id !== undefined && id !== null)
  const stations = await findStationsById(deps.db, ids)
  const get = (field: string, id: string | null | undefined): Station | null => {
    if (!id) return null
    const station = stations.get(id)
    if (!station) throw validationError({ field, rule: 'enum' })
    return station
  }
  return { station: get('stationId', stationId), next: get('nextStationId', body.nextStationId) }
}

/** An allowed scan, with the data that was looked up for it. */
type AllowedScan = {
  number: string
  event: ParcelEvent
  station: Station | null
  next: Station | null
  riderId: string
  /** The facts of custody, and the rider's task before the scan, for the timeline entry. */
  storedDetail: Record<string, unknown>
  /** The station that the parcel should have gone to, if it is another one. */
  rightStation: ScanResult['rightStation']
  /** The time on the scanner; `recordedAt` is later if it was offline. */
  scannedAt: Date
  recordedAt: Date
}

/** The proof of a handover, as a write of the scan's statement. */
function buildProof(row: ParcelRow, body: ScanBody, caller: StaffCaller, at: Date): Write {
  return proofWrite({
    accountId: row.account_id,
    parcelId: row.id,
    recipientName: body.recipientName as string,
    signaturePath: body.signaturePath ?? null,
    at,
    actorId: caller.userId,
    idDocument: body.idDocument ?? null,
    idLast4: body.idLast4 ?? null,
    codCollectedMinor: body.codCollectedMinor ?? null,
  })
}

/** Photos of a handover belong to the parcel, those of a failed attempt to its timeline entry. Throws validation. */
async function claimPhotos(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  row: ParcelRow,
  body: ScanBody,
  eventId: string,
): Promise<void> {
  const isAttempt = body.event === 'attempt_failed'
  if (!isAttempt && !needsProof.includes(body.event)) return
  await claimAttachments(deps, trx, body.photoIds, caller, {
    ...(isAttempt ? { kind: 'parcel_attempt', id: eventId } : { kind: 'parcel_proof', id: row.id }),
    accountId: row.account_id,
    purpose: 'proof_photo',
    field: 'photoIds',
  })
}

/**
 * Emits `cod.collected`. The rider of the task holds the money, even if a colleague reports the delivery; at a counter
 * the clerk does.
 */
async function emitCashCollected(
  deps: Deps,
  trx: Tx,
  row: ParcelRow,
  body: ScanBody,
  caller: StaffCaller,
  station: Station | null,
) {
  if (!body.codCollectedMinor) return
  const atDoor = body.event === 'delivered'
  await deps.outbox.emit(trx, 'cod.collected', {
    accountId: row.account_id,
    parcelId: row.id,
    amountMinor: body.codCollectedMinor,
    currency: row.currency,
    actorId: (atDoor ? row.rider_id : null) ?? caller.userId,
    stationId: (atDoor ? row.station_id : null) ?? station?.id ?? null,
  })
}

/** The transition of a scan with the facts of its timeline entry. `detail` has what an undo needs to restore. */
function planScan(
  deps: Deps,
  caller: StaffCaller,
  row: ParcelRow,
  body: ScanBody,
  { event, station, next, riderId, storedDetail, rightStation, scannedAt, recordedAt }: AllowedScan,
) {
  return planTransition(
    deps,
    [row],
    event,
    {
      actorId: caller.userId,
      stationId: station?.id ?? null,
      riderId,
      nextStationId: next?.id ?? null,
      place: findPublicCity(body.event, row, station),
      note: body.note,
      detail: {
        ...columnsToRestore(row),
        ...(body.event === 'attempt_failed' ? { failureReason: body.failureReason } : {}),
        ...(rightStation ? { rightStation } : {}),
        ...(scannedAt < recordedAt ? { recordedAt: recordedAt.toISOString() } : {}),
        ...storedDetail,
      },
      at: scannedAt,
    },
    () => ({
      ...collectionAfter(deps, row, body.event, station),
      choice_made: null,
      // The station of the actual drop-off: a return may end there.
      ...(body.event === 'accepted' ? { drop_off_station_id: station?.id ?? null } : {}),
      // A parcel that is scanned individually has left its gunny.
      ...(row.holder === 'gunny' ? { gunny_id: null } : {}),
    }),
  )
}

/**
 * Moves a parcel by an allowed scan. One statement writes the transition, the proof, the task and the response under
 * the request's idempotency key.
 */
async function applyScan(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  row: ParcelRow,
  body: ScanBody,
  scan: AllowedScan,
  idempotency: Idempotency,
): Promise<ScanResult> {
  const { number, station, riderId, rightStation, recordedAt } = scan
  const { moves, facts } = await planScan(deps, caller, row, body, scan)
  const [move] = moves as [Move]
  const at = eventTime(row, facts.at)
  const scanned = {
    id: move.eventId,
    at: at.toISOString(),
    trackingNumber: number,
    event: body.event,
    fromStatus: row.status,
    toStatus: move.status,
    stationId: station?.id ?? null,
    place: facts.place,
    undoUntil: undoUntil(scan.event, at, at, recordedAt)?.toISOString() ?? null,
    rightStation,
  }
  const report = {
    riderId,
    stationId: station?.id ?? row.station_id,
    failureReason: body.failureReason,
    note: body.note,
  }
  await claimPhotos(deps, trx, caller, row, body, move.eventId)
  await emitCashCollected(deps, trx, row, body, caller, station)
  const transition = movesWrite(moves, facts, { checkout: false })
  const writes = [
    rightStation ? withActivity(transition, misrouting(caller, row, scanned)) : transition,
    needsProof.includes(body.event) ? buildProof(row, body, caller, at) : null,
    taskWrite(row, body.event, report, at),
    idempotency.keepWrite(scanned),
  ]
  await runLastWrites(
    deps.db,
    trx,
    writes.filter((write) => write !== null),
  )
  return scanned
}

/** The log entry of a scan at a station that is not the parcel's next one. */
function misrouting(caller: StaffCaller, row: ParcelRow, scanned: ScanResult): Activity {
  const { trackingNumber, event, stationId, rightStation } = scanned
  return {
    action: 'parcels.misrouted',
    level: 'WARNING',
    accountId: row.account_id,
    userId: caller.userId,
    subject: row.id,
    detail: { trackingNumber, event, stationId, rightStation },
    at: new Date(scanned.at),
  }
}

/**
 * Scans a parcel. It is locked, so a second scan waits and is checked against the new status. Throws
 * tracking_number_slip, parcel_unknown, transition_forbidden (with the current status), custody_take_over,
 * custody_refused, report_not_yours, wrong_station, attempts_used, attempt_early, proof_required, cod_required,
 * validation.
 */
export async function scanParcel(
  deps: Deps,
  caller: StaffCaller,
  body: ScanBody,
  idempotency: Idempotency,
): Promise<ScanResult> {
  const number = requireNumber(await findOwnNumber(deps, body.trackingNumber), deps.settings.get('tracking.prefix'))
  const stations = await requireScanStations(deps, body, caller)
  return tx(deps.db, (trx) => scanLastly(deps, trx, caller, { number, body, stations }, idempotency))
}

/** `scanParcel` as the end of the caller's transaction, which it commits. `number`: one of our own. */
export async function scanLastly(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  { number, body, stations }: { number: string; body: ScanBody; stations: ScanStations },
  idempotency: Idempotency,
): Promise<ScanResult> {
  const { station, next } = stations
  const stationId = station?.id ?? null
  const row = await lockParcelByNumber(trx, number)
  if (!row) throw new AppError('parcel_unknown', { vars: { number }, details: { number } })
  const event = toParcelEvent(body.event, row.status)
  if (!nextParcelState(getParcelState(row), event)) {
    const earlierScan = await repeatedScan(trx, caller, row, body, station)
    if (!earlierScan) throw transitionForbidden(row, event)
    await idempotency.keep(trx, earlierScan)
    return earlierScan
  }
  checkScanFields(body, station, next)
  checkSorting(row, body.event, station)
  const scanner = staffScanner(caller, stationId)
  const custody = await requireCustody(trx, row, body.event, scanner, body.takeOver, deps.clock.now())
  await checkFinalStation(deps.db, row, body.event, station, custody.takenOver)
  await checkAttempts(deps, trx, row, event)
  const recordedAt = deps.clock.now()
  const scannedAt = scanTime(body.scannedAt, row, recordedAt)
  const early = await checkChosenDay(deps, trx, row, event, body, scannedAt)
  checkIdentity(body)
  checkCash(body, row)
  const riderId = body.riderId ?? caller.userId
  if (body.event === 'out_for_delivery') await requireRider(trx, riderId, stationId)
  const allowedScan = {
    number,
    event,
    station,
    next,
    riderId,
    storedDetail: { ...custody.detail, ...early, ...(await taskToRestore(trx, row, body.event)) },
    rightStation: await findCorrectStation(deps.db, row, body.event, stationId),
    scannedAt,
    recordedAt,
  }
  return applyScan(deps, trx, caller, row, body, allowedScan, idempotency)
}
