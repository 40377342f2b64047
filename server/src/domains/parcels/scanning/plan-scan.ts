// What a scan of a locked parcel writes: its checks, and the plan of its statement.
import type { ScanEvent, ScanResult } from '@waybill/contract/parcels/scanning'
import { type Activity, type ActivityRow, toActivityRow } from '../../../activity.ts'
import type { Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import type { Idempotency, KeyedResponse } from '../../../http/idempotency.ts'
import { claimAttachments } from '../../attachments/service.ts'
import type { Station } from '../../stations/queries.ts'
import {
  columnsBefore,
  columnsToRestore,
  findCorrectStation,
  requireCustody,
  requireRider,
  staffScanner,
} from '../custody/service.ts'
import type { ParcelRow } from '../queries.ts'
import { eventTime, type Move, type PlannedTransition } from '../queries-transition.ts'
import { collectionAfter } from '../self-collection/holding.ts'
import { getParcelState, nextParcelState, type ParcelEvent, toParcelEvent } from '../status.ts'
import type { NewProof } from '../timeline/queries.ts'
import { planTransition, transitionForbidden } from '../transition.ts'
import { repeatedScan, scanTime } from './repeat-scan.ts'
import { planTask, type TaskChange, taskToRestore } from './rider-tasks.ts'
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

export type ScanStations = { station: Station | null; next: Station | null }

/** A request to scan the parcel of one of our own numbers. */
export type ScanRequest = {
  caller: StaffCaller
  number: string
  body: ScanBody
  stations: ScanStations
  idempotency: Idempotency
}

/** The city for the public timeline: the station's, or that of the address for events at a door. */
function findPublicCity(event: ScanEvent, row: ParcelRow, station: Station | null): string | null {
  const back = row.status === 'reverse_pickup' || row.leg === 'return'
  if (event === 'picked_up') return (back ? row.receiver : row.sender)?.city ?? station?.city ?? null
  if (event === 'delivered' || event === 'attempt_failed') return (back ? row.sender : row.receiver)?.city ?? null
  if (event === 'return_received') return row.sender?.city ?? null
  return station?.city ?? null
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

/** The proof of a handover; null for other scans. */
function buildProof(row: ParcelRow, body: ScanBody, caller: StaffCaller, at: Date): NewProof | null {
  if (!needsProof.includes(body.event)) return null
  return {
    accountId: row.account_id,
    parcelId: row.id,
    recipientName: body.recipientName as string,
    signaturePath: body.signaturePath ?? null,
    at,
    actorId: caller.userId,
    idDocument: body.idDocument ?? null,
    idLast4: body.idLast4 ?? null,
    codCollectedMinor: body.codCollectedMinor ?? null,
  }
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

/**
 * The transition of a scan with the facts of its timeline entry. `detail` has what an undo needs to restore. Every scan
 * writes the same columns, so that all of them are one prepared statement.
 */
async function planMove(
  deps: Deps,
  caller: StaffCaller,
  row: ParcelRow,
  body: ScanBody,
  { event, station, next, riderId, storedDetail, rightStation, scannedAt, recordedAt }: AllowedScan,
): Promise<PlannedTransition> {
  const transition = await planTransition(
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
  const before = { ...columnsBefore(row), collect_reminded_at: row.collect_reminded_at }
  const moves = transition.moves.map((move) => ({ ...move, changes: { ...before, ...move.changes } }))
  return { ...transition, moves }
}

/** What a scan writes, and its response. `transition` null: it repeats an earlier scan. */
export type PlannedScan = {
  result: ScanResult
  keyedResponse: KeyedResponse | null
  transition: PlannedTransition | null
  proof: NewProof | null
  task: TaskChange | null
  activity: ActivityRow | null
}

/** Plans an allowed scan. */
async function planAllowedScan(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  row: ParcelRow,
  body: ScanBody,
  scan: AllowedScan,
  idempotency: Idempotency,
): Promise<PlannedScan> {
  const { number, station, riderId, rightStation, recordedAt } = scan
  const transition = await planMove(deps, caller, row, body, scan)
  const [move] = transition.moves as [Move]
  const at = eventTime(row, transition.facts.at)
  const result = {
    id: move.eventId,
    at: at.toISOString(),
    trackingNumber: number,
    event: body.event,
    fromStatus: row.status,
    toStatus: move.status,
    stationId: station?.id ?? null,
    place: transition.facts.place,
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
  return {
    result,
    keyedResponse: idempotency.toKeyedResponse(result),
    transition,
    proof: buildProof(row, body, caller, at),
    task: planTask(row, body.event, report, at),
    activity: rightStation ? toActivityRow(misrouting(caller, row, result)) : null,
  }
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

/** Checks a scan of a locked parcel, and plans what it writes. Throws what `createScanner`'s function throws. */
export async function planScan(
  deps: Deps,
  trx: Tx,
  row: ParcelRow,
  { caller, number, body, stations: { station, next }, idempotency }: ScanRequest,
): Promise<PlannedScan> {
  const stationId = station?.id ?? null
  const event = toParcelEvent(body.event, row.status)
  if (!nextParcelState(getParcelState(row), event)) {
    const earlierScan = await repeatedScan(trx, caller, row, body, station)
    if (!earlierScan) throw transitionForbidden(row, event)
    const keyedResponse = idempotency.toKeyedResponse(earlierScan)
    return { result: earlierScan, keyedResponse, transition: null, proof: null, task: null, activity: null }
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
  return planAllowedScan(deps, trx, caller, row, body, allowedScan, idempotency)
}
