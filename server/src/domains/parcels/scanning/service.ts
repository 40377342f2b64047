// A station or a rider scans a parcel.
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Translate } from '@waybill/contract/ground/validation'
import {
  type Custody,
  type recentScans,
  type ScanEvent,
  type Scanned,
  type StaffParcel,
  scanEvents,
} from '@waybill/contract/parcels/scanning'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import { runWrites, type Write } from '../../../db/steps.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { findAccountById } from '../../accounts/service.ts'
import { claimAttachments } from '../../attachments/service.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import { findOwnNumber } from '../carrier-handover/bookings.ts'
import {
  custodyToRestore,
  findCorrectStation,
  listLastStations,
  mayEverScan,
  namedStation,
  presentCustody,
  requireCustody,
  requireRider,
  staffScanner,
} from '../custody/service.ts'
import { findFailedAttempts } from '../failed-delivery/failed-deliveries.ts'
import { listParcelDetails } from '../list/reads.ts'
import { findParcelByNumber, lockParcelByNumber, type ParcelRow } from '../queries.ts'
import { eventTime, type Move, movesWrite } from '../queries-transition.ts'
import { collectUntil } from '../self-collection/holding.ts'
import {
  allowedScans,
  getParcelState,
  nextParcelState,
  type ParcelEvent,
  toParcelEvent,
  toScanEvent,
  transitions,
} from '../status.ts'
import { listScansByUser, proofWrite } from '../timeline/queries.ts'
import { parseParcelNumber, requireNumber } from '../tracking-number.ts'
import { planTransition, transitionForbidden } from '../transition.ts'
import { correctableUntil } from '../weighing/withdraw-weighing.ts'
import { repeatedScan, scanTime } from './repeat-scan.ts'
import { taskWrite } from './rider-tasks.ts'
import {
  checkAttempts,
  checkCash,
  checkFinalStation,
  checkIdentity,
  checkScanFields,
  needsProof,
  type ScanBody,
} from './scan-checks.ts'
import { undoUntil } from './undo.ts'

/** The city for the public timeline: the station's, or that of the address for events at a door. */
function checkPlace(event: ScanEvent, row: ParcelRow, station: Station | null): string | null {
  const back = row.status === 'reverse_pickup' || row.leg === 'return'
  if (event === 'picked_up') return (back ? row.receiver : row.sender)?.city ?? station?.city ?? null
  if (event === 'delivered' || event === 'attempt_failed') return (back ? row.sender : row.receiver)?.city ?? null
  if (event === 'return_received') return row.sender?.city ?? null
  return station?.city ?? null
}

async function requireStations(deps: Deps, body: ScanBody, caller: StaffCaller) {
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
}

/** The proof of a hand-over, as a write of the scan's statement. */
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

/**
 * Emits `cod.collected`. The rider of the task holds the money, even if a colleague reports the delivery; at a counter
 * the clerk does.
 */
async function bookCash(
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
 * Moves a parcel by an allowed scan. One statement writes the transition, the proof, the task and the response under
 * the request's idempotency key.
 */
async function applyScan(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  row: ParcelRow,
  body: ScanBody,
  { number, event, station, next, riderId }: AllowedScan,
  { custodyDetail, idempotency }: { custodyDetail: Record<string, unknown>; idempotency: Idempotency },
): Promise<Scanned> {
  const place = checkPlace(body.event, row, station)
  const rightStation = await findCorrectStation(deps.db, row, body.event, station?.id ?? null)
  const recordedAt = deps.clock.now()
  const scannedAt = scanTime(body.scannedAt, row, recordedAt)
  const eventId = newId()
  const { moves, facts } = planTransition(
    deps,
    [row],
    event,
    {
      actorId: caller.userId,
      stationId: station?.id ?? null,
      riderId,
      nextStationId: next?.id ?? null,
      place,
      note: body.note,
      detail: {
        // Needed to undo the scan.
        ...custodyToRestore(row),
        ...(row.collect_until ? { fromCollectUntil: row.collect_until } : {}),
        ...(body.event === 'attempt_failed' ? { failureReason: body.failureReason } : {}),
        ...(rightStation ? { rightStation } : {}),
        ...(scannedAt < recordedAt ? { recordedAt: recordedAt.toISOString() } : {}),
        ...custodyDetail,
      },
      eventId,
      at: scannedAt,
    },
    () => ({
      collect_until: collectUntil(deps, row, body.event, station),
      choice_made: null,
      // The station of the actual drop-off: a return may end there.
      ...(body.event === 'accepted' ? { drop_off_station_id: station?.id ?? null } : {}),
      // A parcel that is scanned individually has left its gunny.
      ...(row.holder === 'gunny' ? { gunny_id: null } : {}),
    }),
  )
  const [move] = moves as [Move]
  const at = eventTime(row, facts.at)
  const scanned = {
    id: eventId,
    at: at.toISOString(),
    trackingNumber: number,
    event: body.event,
    fromStatus: row.status,
    toStatus: move.status,
    stationId: station?.id ?? null,
    place,
    undoUntil: undoUntil(event, at, at, recordedAt)?.toISOString() ?? null,
    rightStation,
  }
  const report = {
    riderId,
    stationId: station?.id ?? row.station_id,
    failureReason: body.failureReason,
    note: body.note,
  }
  const writes = [
    movesWrite(moves, facts, { checkout: false }),
    needsProof.includes(body.event) ? buildProof(row, body, caller, at) : null,
    taskWrite(row, body.event, report, at),
    idempotency.keepStep(scanned),
  ]
  await runWrites(
    trx,
    writes.filter((write) => write !== null),
  )
  if (rightStation) {
    await recordActivity(trx, {
      action: 'parcels.misrouted',
      level: 'WARNING',
      accountId: row.account_id,
      userId: caller.userId,
      subject: row.id,
      detail: { trackingNumber: number, event: body.event, stationId: station?.id ?? null, rightStation },
      at,
    })
  }
  if (needsProof.includes(body.event)) {
    await claimAttachments(deps, trx, body.photoIds, caller, {
      kind: 'parcel_proof',
      id: row.id,
      accountId: row.account_id,
      purpose: 'proof_photo',
      field: 'photoIds',
    })
  }
  await bookCash(deps, trx, row, body, caller, station)
  return scanned
}

/**
 * Scans a parcel. It is locked, so a second scan waits and is checked against the new status. Throws
 * tracking_number_slip, parcel_unknown, transition_forbidden (with the current status), custody_take_over,
 * custody_refused, report_not_yours, wrong_station, attempts_used, proof_required, cod_required, validation.
 */
export async function scanParcel(
  deps: Deps,
  caller: StaffCaller,
  body: ScanBody,
  idempotency: Idempotency,
): Promise<Scanned> {
  const number = requireNumber(await findOwnNumber(deps, body.trackingNumber), deps.settings.get('tracking.prefix'))
  const { station, next } = await requireStations(deps, body, caller)
  const stationId = station?.id ?? null
  return tx(deps.db, async (trx) => {
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
    const scanner = staffScanner(caller, stationId)
    const custody = await requireCustody(trx, row, body.event, scanner, body.takeOver, deps.clock.now())
    await checkFinalStation(deps.db, row, body.event, station, custody.takenOver)
    await checkAttempts(deps, trx, row, event)
    checkIdentity(body)
    checkCash(body, row)
    const riderId = body.riderId ?? caller.userId
    if (body.event === 'out_for_delivery') await requireRider(trx, riderId, stationId)
    const allowedScan = { number, event, station, next, riderId }
    return applyScan(deps, trx, caller, row, body, allowedScan, { custodyDetail: custody.detail, idempotency })
  })
}

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
      undoUntil: undoUntil(row.event, row.at, row.last_event_at, row.recorded_at ?? row.at)?.toISOString() ?? null,
      rightStation: row.right_station,
    })),
  }
}

/** The parcel of a number in any spelling, ours or another carrier's, of any account; null if there is none. */
export async function findParcelForStaff(deps: Deps, no: string): Promise<ParcelRow | null> {
  const { number, problem } = parseParcelNumber(await findOwnNumber(deps, no), deps.settings.get('tracking.prefix'))
  return problem === null ? findParcelByNumber(deps.db, number) : null
}

/**
 * A parcel of any account for staff, with the scans that the transition table and custody allow next. Throws
 * tracking_number_slip, parcel_unknown.
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
  const [failures, lastStationIds, correctable] = await Promise.all([
    findFailedAttempts(deps, deps.db, [row.id]),
    listLastStations(deps.db, row),
    correctableUntil(deps, caller, row),
  ])
  const [[custody], lastStation] = await Promise.all([
    presentCustody(deps.db, [row]),
    namedStation(deps.db, lastStationIds[0]),
  ])
  const failedAttempt = failures.get(row.id) ?? null
  const attemptsUsed = row.status === 'fail-to-deliver' && failedAttempt?.attemptsUsed === true
  return {
    ...detail,
    accountName: account.name,
    allowedEvents: allowedScans(getParcelState(row)).filter(
      (event) => (event !== 'out_for_delivery' || !attemptsUsed) && mayEverScan(row, event, caller),
    ),
    weighingCorrectableUntil: correctable?.toISOString() ?? null,
    custody: custody as Custody,
    lastStation,
    failedAttempt,
  }
}
