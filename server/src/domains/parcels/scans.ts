import type { BodyOf, ResponseOf } from '@waybill/contract/endpoint'
import {
  type recentScans,
  type ScanEvent,
  type Scanned,
  type StaffParcel,
  type scan as scanEndpoint,
  scanEvents,
  stationScans,
} from '@waybill/contract/scans'
import type { Translate } from '@waybill/contract/validation'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { asAccountId, type StaffCaller } from '../../http/caller.ts'
import { AppError, type FieldProblem, invalid } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { newId } from '../../lib/ids.ts'
import { accountById, namesOfStaff } from '../accounts/service.ts'
import { claimAttachments } from '../attachments/service.ts'
import { type Station, stationsById } from '../stations/service.ts'
import { ownNumber } from './bookings.ts'
import { followScan } from './deliveries.ts'
import { collectUntil } from './holding.ts'
import { requireNumber } from './numbers.ts'
import { type ParcelRow, parcelByNumber, parcelByNumberForUpdate } from './queries.ts'
import { saveProof, scansBy } from './queries-timeline.ts'
import { detailsOf } from './reads.ts'
import { repeatedScan, scanTime } from './repeat-scan.ts'
import { codDue } from './rules-deliveries.ts'
import { moveParcels, transitionForbidden } from './service.ts'
import { eventOfScan, nextState, type ParcelState, scanOfEvent, scansFrom, transitions } from './status.ts'
import { undoUntil } from './undo.ts'

type ScanBody = BodyOf<typeof scanEndpoint>

/** Scans after which the station that made them has the parcel. */
const staysThere: readonly ScanEvent[] = ['picked_up', 'accepted', 'sorted', 'arrived']
/** Whoever takes a parcel gives their name and signs. */
const needsProof: readonly ScanEvent[] = ['delivered', 'handed_over']

function stateOf(row: ParcelRow): ParcelState {
  return { status: row.status, deliveryMode: row.delivery_mode, handedOver: row.handed_over, leg: row.leg }
}

/** 422 for what the scan itself must say. `station` is the one given, else the scanner's own. */
function checkWords(body: ScanBody, station: Station | null, next: Station | null): void {
  const problems: FieldProblem[] = []
  const required = (field: string, given: unknown) => {
    if (!given) problems.push({ field, rule: 'required' })
  }
  if (stationScans.includes(body.event)) required('stationId', station)
  if (body.event === 'departed') {
    required('nextStationId', next)
    if (next && next.id === station?.id) problems.push({ field: 'nextStationId', rule: 'enum' })
  }
  if (body.event === 'attempt_failed') required('failureReason', body.failureReason)
  if (problems.length > 0) throw invalid(...problems)
  if (!needsProof.includes(body.event)) return
  required('recipientName', body.recipientName)
  // A photo of the hand-over says as much as a signature.
  if (body.photoIds.length === 0) required('signaturePath', body.signaturePath)
  if (problems.length > 0) throw new AppError('proof_required', { fields: problems })
}

/** Whoever collects a parcel at a counter shows who they are. */
function checkIdentity(body: ScanBody): void {
  if (body.event !== 'handed_over') return
  const problems: FieldProblem[] = []
  if (!body.idDocument) problems.push({ field: 'idDocument', rule: 'required' })
  if (!body.idLast4) problems.push({ field: 'idLast4', rule: 'required' })
  if (problems.length > 0) throw new AppError('proof_required', { fields: problems })
}

/** Cash on delivery is paid in full before the parcel changes hands. */
function checkCash(body: ScanBody, row: ParcelRow): void {
  if (!needsProof.includes(body.event)) return
  const due = codDue(row)
  if (due === (body.codCollectedMinor ?? null)) return
  throw new AppError('cod_required', {
    fields: [{ field: 'codCollectedMinor', rule: due === null ? 'noCash' : 'required' }],
    details: { codAmountMinor: due, currency: row.currency },
  })
}

/** Self collection is at the station that the sender chose, and the parcel must have got there. */
function checkPlace(event: ScanEvent, row: ParcelRow, station: Station | null): void {
  if (event !== 'handed_over') return
  const there = station !== null && row.self_collection_station_id === station.id && row.station_id === station.id
  if (!there) {
    throw new AppError('wrong_station', {
      details: { selfCollectionStationId: row.self_collection_station_id, stationId: row.station_id },
    })
  }
}

/** The city that the public reads: the station's, or for a rider's scan the one where the door is. */
function placeOf(event: ScanEvent, row: ParcelRow, station: Station | null): string | null {
  const back = row.status === 'reverse_pickup' || row.leg === 'return'
  if (event === 'picked_up') return (back ? row.receiver : row.sender)?.city ?? station?.city ?? null
  if (event === 'delivered' || event === 'attempt_failed') return (back ? row.sender : row.receiver)?.city ?? null
  if (event === 'return_received') return row.sender?.city ?? null
  return station?.city ?? null
}

async function stationsOf(deps: Deps, body: ScanBody, caller: StaffCaller) {
  const stationId = body.stationId ?? caller.stationId
  const ids = [stationId, body.nextStationId].filter((id) => id !== undefined && id !== null)
  const found = await stationsById(deps.db, ids)
  const get = (field: string, id: string | null | undefined): Station | null => {
    if (!id) return null
    const station = found.get(id)
    if (!station) throw invalid({ field, rule: 'enum' })
    return station
  }
  return { station: get('stationId', stationId), next: get('nextStationId', body.nextStationId) }
}

/**
 * A station or a rider reports where a parcel is. Under the parcel's lock: a second scanner waits and is then held against the new status.
 * Throws tracking_number_slip, parcel_unknown, transition_forbidden (naming the present status), wrong_station, proof_required, validation.
 */
export async function scanParcel(
  deps: Deps,
  caller: StaffCaller,
  body: ScanBody,
  idempotency: Idempotency,
): Promise<Scanned> {
  const number = requireNumber(await ownNumber(deps, body.trackingNumber), deps.settings.get('tracking.prefix'))
  const { station, next } = await stationsOf(deps, body, caller)
  return tx(deps.db, async (trx) => {
    const row = await parcelByNumberForUpdate(trx, number)
    if (!row) throw new AppError('parcel_unknown', { vars: { number }, details: { number } })
    const event = eventOfScan(body.event, row.status)
    if (!nextState(stateOf(row), event)) {
      const repeated = await repeatedScan(trx, caller, row, body, station)
      if (!repeated) throw transitionForbidden(row, event)
      await idempotency.keep(trx, repeated)
      return repeated
    }
    checkWords(body, station, next)
    checkPlace(body.event, row, station)
    checkIdentity(body)
    checkCash(body, row)
    const place = placeOf(body.event, row, station)
    const recordedAt = deps.clock.now()
    const scannedAt = scanTime(body.scannedAt, row, recordedAt)
    const eventId = newId()
    const [moved] = await moveParcels(
      deps,
      trx,
      [row],
      event,
      {
        actorId: caller.userId,
        stationId: station?.id ?? null,
        place,
        note: body.note,
        detail: {
          // Where it was, should the scan be taken back.
          ...(row.station_id ? { fromStationId: row.station_id } : {}),
          ...(row.collect_until ? { fromCollectUntil: row.collect_until } : {}),
          ...(next ? { nextStationId: next.id } : {}),
          ...(body.event === 'attempt_failed' ? { failureReason: body.failureReason } : {}),
          ...(scannedAt < recordedAt ? { recordedAt: recordedAt.toISOString() } : {}),
        },
        eventId,
        at: scannedAt,
      },
      () => ({
        station_id: staysThere.includes(body.event) ? (station?.id ?? null) : null,
        collect_until: collectUntil(deps, row, body.event, station),
        choice_made: null,
      }),
    )
    const after = moved as ParcelRow
    const at = after.last_event_at as Date
    if (needsProof.includes(body.event)) {
      await saveProof(trx, {
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
      await claimAttachments(deps, trx, body.photoIds, caller, {
        kind: 'parcel_proof',
        id: row.id,
        accountId: row.account_id,
        purpose: 'proof_photo',
        field: 'photoIds',
      })
    }
    if (body.codCollectedMinor) {
      await deps.outbox.emit(trx, 'cod.collected', {
        accountId: row.account_id,
        parcelId: row.id,
        amountMinor: body.codCollectedMinor,
        currency: row.currency,
        actorId: caller.userId,
        stationId: station?.id ?? null,
      })
    }
    const riderId = body.riderId ?? caller.userId
    if (body.riderId && !(await namesOfStaff(trx, [riderId])).has(riderId)) {
      throw invalid({ field: 'riderId', rule: 'enum' })
    }
    await followScan(
      trx,
      row,
      body.event,
      { riderId, stationId: station?.id ?? row.station_id, failureReason: body.failureReason, note: body.note },
      at,
    )
    const scanned: Scanned = {
      id: eventId,
      at: at.toISOString(),
      trackingNumber: number,
      event: body.event,
      fromStatus: row.status,
      toStatus: after.status,
      stationId: station?.id ?? null,
      place,
      undoUntil: undoUntil(event, at, at, recordedAt)?.toISOString() ?? null,
    }
    await idempotency.keep(trx, scanned)
    return scanned
  })
}

const scannedEvents = [...new Set(transitions.map(({ event }) => event))].filter((event) => scanOfEvent(event) !== null)

/** What this member of staff scanned last, newest first. */
export async function latestScans(
  deps: Deps,
  caller: StaffCaller,
  limit: number,
): Promise<ResponseOf<typeof recentScans>> {
  const rows = await scansBy(deps.db, caller.userId, scannedEvents, limit)
  return {
    items: rows.map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      trackingNumber: row.tracking_number,
      event: scanOfEvent(row.event) ?? scanEvents[0],
      fromStatus: row.from_status,
      toStatus: row.status,
      stationId: row.station_id,
      place: row.place,
      undoUntil: undoUntil(row.event, row.at, row.last_event_at, row.recorded_at ?? row.at)?.toISOString() ?? null,
    })),
  }
}

/** Any account's parcel as staff sees it, with the scans that may come next. Throws tracking_number_slip, parcel_unknown. */
export async function parcelForStaff(deps: Deps, caller: StaffCaller, no: string, t: Translate): Promise<StaffParcel> {
  const number = requireNumber(await ownNumber(deps, no), deps.settings.get('tracking.prefix'))
  const row = await parcelByNumber(deps.db, number)
  if (!row) throw new AppError('parcel_unknown', { vars: { number }, details: { number } })
  // Staff serve every account's parcels: the parcel itself says whose it is.
  const [account, [detail]] = await Promise.all([
    accountById(deps.db, asAccountId(row.account_id)),
    detailsOf(deps, [row], caller, t),
  ])
  if (!account || !detail) throw new AppError('parcel_unknown', { vars: { number }, details: { number } })
  return { ...detail, accountName: account.name, allowedEvents: scansFrom(stateOf(row)) }
}
