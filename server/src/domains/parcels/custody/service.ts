// Who holds a parcel: recorded with every transition, checked before every scan.

import { decide } from '@waybill/contract/ground/access'
import { isGoingBack } from '@waybill/contract/ground/status/parcel-status'
import type { Custody, Holder, ScanEvent } from '@waybill/contract/parcels/scanning'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import { recordActivity } from '../../../activity.ts'
import type { Db, DbOrTx } from '../../../db/pool.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { findHomeStations, findStaffNames } from '../../accounts/service.ts'
import { coveringStation } from '../../stations/network.ts'
import { findStationsById } from '../../stations/service.ts'
import { gunnyNumbers } from '../gunny/queries.ts'
import type { ParcelChanges, ParcelRow } from '../queries.ts'
import { type CustodyState, custodyVerdict, doorReports, type Scanner, supervises, worksAt } from './rules.ts'

/** The custody of a row, for the rules. */
export const parcelCustody = (row: ParcelRow): CustodyState => ({
  holder: row.holder,
  stationId: row.station_id,
  riderId: row.rider_id,
  nextStationId: row.next_station_id,
})

/** A member of staff as a scanner at a station. */
export function staffScanner(caller: StaffCaller, stationId: string | null): Scanner {
  return {
    userId: caller.userId,
    homeStationId: caller.stationId,
    stationId,
    mayTakeOver: decide('staff.takeOver', caller) === 'pass',
    supervisor: isSupervisor(caller),
  }
}

const isSupervisor = (caller: StaffCaller) => decide('staff.supervise', caller) === 'pass'

/** Whether the caller is responsible for a station's tasks: they work there, or at no particular station. */
export function isOwnStation(caller: StaffCaller, stationId: string | null): boolean {
  return caller.staffType === 'superadmin' || worksAt(caller.stationId, stationId)
}

/** Throws task_other_station for staff of another station. */
export function requireOwnStation(caller: StaffCaller, stationId: string | null): void {
  if (!isOwnStation(caller, stationId)) throw new AppError('task_other_station')
}

/** Throws validation unless this is a member of staff who may have the station's tasks. */
export async function requireRider(db: DbOrTx, riderId: string, stationId: string | null): Promise<void> {
  const home = (await findHomeStations(db, [riderId])).get(riderId)
  if (home === undefined) throw validationError({ field: 'riderId', rule: 'enum' })
  if (!worksAt(home, stationId)) throw validationError({ field: 'riderId', rule: 'otherStation' })
}

/** Whether the caller supervises this station. */
export function isStationSupervisor(caller: StaffCaller, stationId: string | null): boolean {
  return supervises({ supervisor: isSupervisor(caller), homeStationId: caller.stationId }, stationId)
}

/** Who moved a parcel, where, and to whom. */
export type HandedTo = {
  actorId: string | null
  stationId?: string | null
  /** The rider who has the parcel now; if absent, the actor. */
  riderId?: string
  nextStationId?: string | null
  /** Reported by another carrier, which has the parcel until it is delivered. */
  byCarrier?: true
}

/** The custody columns after a transition; `holder` null: custody does not change. */
export function custodyAfter(holder: Holder | null, row: Pick<ParcelRow, 'station_id'>, by: HandedTo): ParcelChanges {
  if (holder === null) return {}
  const nobody = { station_id: null, rider_id: null, next_station_id: null }
  if (by.byCarrier && holder !== 'customer') return { ...nobody, holder: 'carrier' }
  switch (holder) {
    case 'rider':
      return { ...nobody, holder, rider_id: by.riderId ?? by.actorId, station_id: by.stationId ?? row.station_id }
    case 'carrier':
      return { ...nobody, holder, next_station_id: by.nextStationId ?? null }
    case 'station':
    case 'gunny':
      return { ...nobody, holder, station_id: by.stationId ?? null }
    case 'customer':
      return { ...nobody, holder }
  }
}

/** The columns that a scan changes besides the state, and that an undo restores. */
export function columnsBefore(row: ParcelRow) {
  return {
    holder: row.holder,
    station_id: row.station_id,
    rider_id: row.rider_id,
    next_station_id: row.next_station_id,
    gunny_id: row.gunny_id,
    drop_off_station_id: row.drop_off_station_id,
    choice_made: row.choice_made,
    collect_until: row.collect_until,
    expected_date: row.expected_date,
    promised_date: row.promised_date,
  } satisfies ParcelChanges
}

/** `columnsBefore` for the timeline entry of a scan. */
export function columnsToRestore(row: ParcelRow): Record<string, unknown> {
  return { heldBefore: columnsBefore(row) }
}

/** The columns that `columnsToRestore` stored; null for an entry without them, such as the count of a gunny. */
export function restoredColumns(detail: Record<string, unknown>): ParcelChanges | null {
  return (detail.heldBefore as ParcelChanges | undefined) ?? null
}

/** The holders of parcels with their names, in the order of `rows`. */
export async function presentCustody(db: DbOrTx, rows: readonly ParcelRow[]): Promise<Custody[]> {
  const [stations, riders, gunnies] = await Promise.all([
    findStationsById(db, [...new Set(rows.flatMap((row) => [row.station_id ?? [], row.next_station_id ?? []].flat()))]),
    findStaffNames(db, [...new Set(rows.flatMap(({ rider_id }) => rider_id ?? []))]),
    gunnyNumbers(db, [...new Set(rows.flatMap(({ gunny_id }) => gunny_id ?? []))]),
  ])
  const withName = (names: ReadonlyMap<string, string>, id: string | null) => {
    const name = id === null ? undefined : names.get(id)
    return id !== null && name !== undefined ? { id, name } : null
  }
  const stationNames = new Map([...stations].map(([id, { name }]) => [id, name]))
  return rows.map((row) => ({
    holder: row.holder,
    station: withName(stationNames, row.station_id),
    rider: withName(riders, row.rider_id),
    gunny: row.holder === 'gunny' ? (gunnies.get(row.gunny_id ?? '') ?? null) : null,
    nextStation: withName(stationNames, row.next_station_id),
  }))
}

/** The holder's name for an error message; '' if it is unknown. */
function nameOfHolder({ holder, station, rider, gunny, nextStation }: Custody): string {
  const names = { customer: null, station, rider, gunny: gunny ? { name: gunny } : null, carrier: nextStation }
  return names[holder]?.name ?? ''
}

/** Whether custody allows the caller this scan, at their own station or else at the parcel's. */
export function mayEverScan(row: ParcelRow, event: ScanEvent, caller: StaffCaller): boolean {
  return (
    custodyVerdict(parcelCustody(row), event, staffScanner(caller, caller.stationId ?? row.station_id)) !== 'refused'
  )
}

/** The holders that an error can name in a text of its own (`errors.<code>_<holder>`). */
const namedHolders: Record<'custody_take_over' | 'custody_refused' | 'report_not_yours', readonly Holder[]> = {
  custody_take_over: ['station', 'rider', 'gunny', 'carrier'],
  custody_refused: ['station', 'rider', 'gunny', 'carrier'],
  report_not_yours: ['rider'],
}

/** The error of a refused scan; its details are the custody and the tracking number. */
async function custodyError(db: DbOrTx, row: ParcelRow, code: keyof typeof namedHolders): Promise<AppError> {
  const [custody] = (await presentCustody(db, [row])) as [Custody]
  const name = nameOfHolder(custody)
  const namesHolder = name !== '' && namedHolders[code].includes(custody.holder)
  return new AppError(code, {
    text: namesHolder ? `${code}_${custody.holder}` : code,
    vars: { name },
    details: { ...custody, trackingNumber: row.tracking_number },
  })
}

/**
 * Allows a scan of a locked parcel if the scanner has it, or takes it over with a reason, which is recorded. Returns
 * the detail for the scan's timeline entry. Throws report_not_yours, custody_take_over, custody_refused.
 */
export async function requireCustody(
  trx: DbOrTx,
  row: ParcelRow,
  event: ScanEvent,
  scanner: Scanner,
  takeOver: { reason: string } | undefined,
  at: Date,
): Promise<{ takenOver: boolean; detail: Record<string, unknown> }> {
  const verdict = custodyVerdict(parcelCustody(row), event, scanner)
  if (verdict === 'holds') return { takenOver: false, detail: {} }
  if (verdict === 'refused') {
    throw await custodyError(trx, row, doorReports.includes(event) ? 'report_not_yours' : 'custody_refused')
  }
  if (!takeOver) throw await custodyError(trx, row, 'custody_take_over')
  const [custody] = (await presentCustody(trx, [row])) as [Custody]
  const detail = {
    takenOverFrom: { holder: custody.holder, name: nameOfHolder(custody) },
    takeOverReason: takeOver.reason,
  }
  await recordActivity(trx, {
    action: 'parcels.taken_over',
    level: 'WARNING',
    accountId: row.account_id,
    userId: scanner.userId,
    subject: row.id,
    detail: { ...detail, trackingNumber: row.tracking_number, event, stationId: scanner.stationId },
    at,
  })
  return { takenOver: true, detail }
}

/** Whether the caller has the parcel, for actions other than scans. */
export function isHeld(row: ParcelRow, scanner: Scanner): boolean {
  return custodyVerdict(parcelCustody(row), 'sorted', scanner) === 'holds'
}

/** For actions other than scans on a parcel that the caller holds. Throws custody_refused if somebody else has it. */
export async function requireHeld(trx: DbOrTx, row: ParcelRow, scanner: Scanner): Promise<void> {
  if (!isHeld(row, scanner)) throw await custodyError(trx, row, 'custody_refused')
}

/** The stations where a return may end: the one that serves the sender, and that of the drop-off. */
export async function listReturnStations(
  db: DbOrTx,
  row: Pick<ParcelRow, 'sender' | 'drop_off_station_id'>,
): Promise<string[]> {
  const covering = row.sender ? await coveringStation(db, row.sender.country, row.sender.postcode) : null
  return [...new Set([covering?.station.id ?? [], row.drop_off_station_id ?? []].flat())]
}

/** A station named in errors and warnings. */
export type NamedStation = { id: string; name: string }

/** A station with its name; null if there is none with this id. */
export async function namedStation(db: DbOrTx, id: string | null | undefined): Promise<NamedStation | null> {
  const station = id ? (await findStationsById(db, [id])).get(id) : undefined
  return station ? { id: station.id, name: station.name } : null
}

/**
 * The station where a parcel should be, if it is scanned at a wrong one: it was sent to another station, or another
 * station delivers it. Null: the station is right.
 */
export async function findCorrectStation(
  db: DbOrTx,
  row: ParcelRow,
  event: ScanEvent,
  stationId: string | null,
): Promise<NamedStation | null> {
  if (stationId === null) return null
  if (event === 'arrived') return row.next_station_id === stationId ? null : namedStation(db, row.next_station_id)
  if (event !== 'out_for_delivery') return null
  const stations = await listLastStations(db, row)
  return stations.includes(stationId) ? null : namedStation(db, stations[0])
}

type Whereabouts = Pick<ParcelRow, 'status' | 'leg' | 'holder' | 'station_id' | 'delivery_mode'>

/**
 * Whether a parcel is at the station whose riders deliver it, so that its delivery is the next step. The network comes
 * from memory, because public tracking needs this for every parcel.
 */
export async function isAtLastStation(
  db: Db,
  { status, leg, holder, station_id: stationId, delivery_mode: mode }: Whereabouts,
  receiver: { country: string; postcode: string } | null,
): Promise<boolean> {
  const waits = leg === 'outbound' && holder === 'station' && (status === 'inbound' || status === 'sorting')
  if (!waits || stationId === null || receiver === null || endsAtStation(mode)) return false
  return (await coveringStation(db, receiver.country, receiver.postcode))?.station.id === stationId
}

/** The stations where a parcel's journey may end, the one to name in messages first; empty if unknown. */
export async function listLastStations(
  db: DbOrTx,
  row: Pick<
    ParcelRow,
    'status' | 'leg' | 'delivery_mode' | 'sender' | 'receiver' | 'drop_off_station_id' | 'self_collection_station_id'
  >,
): Promise<string[]> {
  if (isGoingBack(row)) return listReturnStations(db, row)
  if (endsAtStation(row.delivery_mode)) return row.self_collection_station_id ? [row.self_collection_station_id] : []
  const covering = row.receiver ? await coveringStation(db, row.receiver.country, row.receiver.postcode) : null
  return covering ? [covering.station.id] : []
}
