/** Who holds a parcel: recorded with every transition, asked before every scan. */
import { decide } from '@waybill/contract/ground/access'
import type { Custody, Holder, ScanEvent } from '@waybill/contract/parcels/scanning'
import { recordActivity } from '../../../activity.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { homeStations, namesOfStaff } from '../../accounts/service.ts'
import { coveringStation } from '../../stations/network.ts'
import { findStationsById } from '../../stations/service.ts'
import { gunnyNumbers } from '../gunny/queries.ts'
import type { ParcelChanges, ParcelRow } from '../queries.ts'
import { type CustodyState, custodyVerdict, doorReports, type Scanner, supervises, worksAt } from './rules.ts'

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

/** Whether a station's work is this caller's: they work there, or nowhere in particular. */
export function isOwnStation(caller: StaffCaller, stationId: string | null): boolean {
  return caller.staffType === 'superadmin' || worksAt(caller.stationId, stationId)
}

/** Tasks belong to a station. Throws task_other_station for staff of another one. */
export function requireOwnStation(caller: StaffCaller, stationId: string | null): void {
  if (!isOwnStation(caller, stationId)) throw new AppError('task_other_station')
}

/** A rider who may have this station's work. Throws validation: nobody of that id, or a rider of another station. */
export async function requireRider(db: DbOrTx, riderId: string, stationId: string | null): Promise<void> {
  const home = (await homeStations(db, [riderId])).get(riderId)
  if (home === undefined) throw validationError({ field: 'riderId', rule: 'enum' })
  if (!worksAt(home, stationId)) throw validationError({ field: 'riderId', rule: 'otherStation' })
}

/** Whether somebody acts for the riders of this station. */
export function isSupervisorOf(caller: StaffCaller, stationId: string | null): boolean {
  return supervises({ supervisor: isSupervisor(caller), homeStationId: caller.stationId }, stationId)
}

/** Who moved a parcel to whom, as far as custody needs it. */
export type HandedTo = {
  actorId: string | null
  stationId?: string | null
  /** The rider who has it now; whoever reports it when absent. */
  riderId?: string
  nextStationId?: string | null
  /** A foreign carrier told it: while it is on its way, that one has it. */
  byCarrier?: true
}

/** The columns of custody after a transition; `holder` null: nothing changes hands. */
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

/** What a scan's line in the timeline keeps, so that taking the scan back restores who had the parcel. */
export function custodyToRestore(row: ParcelRow): Record<string, unknown> {
  return {
    heldBefore: {
      holder: row.holder,
      station_id: row.station_id,
      rider_id: row.rider_id,
      next_station_id: row.next_station_id,
      gunny_id: row.gunny_id,
      drop_off_station_id: row.drop_off_station_id,
    },
  }
}

/** The columns that `custodyToRestore` kept; a line of before has none of them. */
export function restoredCustody(detail: Record<string, unknown>): ParcelChanges {
  const before = detail.heldBefore
  if (typeof before === 'object' && before !== null) return before as ParcelChanges
  return { station_id: typeof detail.fromStationId === 'string' ? detail.fromStationId : null }
}

/** Who has these parcels, in words that people know; in their order. */
export async function presentCustody(db: DbOrTx, rows: readonly ParcelRow[]): Promise<Custody[]> {
  const [stations, riders, gunnies] = await Promise.all([
    findStationsById(db, [...new Set(rows.flatMap((row) => [row.station_id ?? [], row.next_station_id ?? []].flat()))]),
    namesOfStaff(db, [...new Set(rows.flatMap(({ rider_id }) => rider_id ?? []))]),
    gunnyNumbers(db, [...new Set(rows.flatMap(({ gunny_id }) => gunny_id ?? []))]),
  ])
  const named = (names: ReadonlyMap<string, string>, id: string | null) => {
    const name = id === null ? undefined : names.get(id)
    return id !== null && name !== undefined ? { id, name } : null
  }
  const stationNames = new Map([...stations].map(([id, { name }]) => [id, name]))
  return rows.map((row) => ({
    holder: row.holder,
    station: named(stationNames, row.station_id),
    rider: named(riders, row.rider_id),
    gunny: row.holder === 'gunny' ? (gunnies.get(row.gunny_id ?? '') ?? null) : null,
    nextStation: named(stationNames, row.next_station_id),
  }))
}

/** The name that an error's text gives the holder; '' where nobody is known. */
function nameOfHolder({ holder, station, rider, gunny, nextStation }: Custody): string {
  const names = { customer: null, station, rider, gunny: gunny ? { name: gunny } : null, carrier: nextStation }
  return names[holder]?.name ?? ''
}

/** Whether custody lets this caller scan the parcel somewhere: at their own station, or else where the parcel is. */
export function mayEverScan(row: ParcelRow, event: ScanEvent, caller: StaffCaller): boolean {
  return (
    custodyVerdict(parcelCustody(row), event, staffScanner(caller, caller.stationId ?? row.station_id)) !== 'refused'
  )
}

/** The refusal of a scan, with who has the parcel: `custody` of the contract, and its number. */
async function custodyError(
  db: DbOrTx,
  row: ParcelRow,
  code: 'custody_take_over' | 'custody_refused' | 'report_not_yours',
): Promise<AppError> {
  const [held] = (await presentCustody(db, [row])) as [Custody]
  const name = nameOfHolder(held)
  return new AppError(code, {
    vars: { context: name === '' ? 'unknown' : held.holder, name },
    details: { ...held, trackingNumber: row.tracking_number },
  })
}

/**
 * Lets a scan of a locked parcel through if the scanner has it, or takes it over with a reason, which is recorded.
 * Answers what the scan's line in the timeline says of that. Throws report_not_yours, custody_take_over and
 * custody_refused.
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
  const [held] = (await presentCustody(trx, [row])) as [Custody]
  const detail = { takenOverFrom: { holder: held.holder, name: nameOfHolder(held) }, takeOverReason: takeOver.reason }
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

/** For what is done with a parcel in the hand and is no scan. Throws custody_refused when somebody else has it. */
export async function requireHeld(trx: DbOrTx, row: ParcelRow, scanner: Scanner): Promise<void> {
  if (custodyVerdict(parcelCustody(row), 'sorted', scanner) !== 'holds')
    throw await custodyError(trx, row, 'custody_refused')
}

/** The stations where a return may end: where it was brought in, and the one that serves the sender. */
export async function listReturnStations(db: DbOrTx, row: ParcelRow): Promise<string[]> {
  const covering = row.sender ? await coveringStation(db, row.sender.country, row.sender.postcode) : null
  return [...new Set([covering?.station.id ?? [], row.drop_off_station_id ?? []].flat())]
}

/** Whether a parcel is on its way back to its sender. */
export const isGoingBack = (row: ParcelRow) => row.leg === 'return' || row.status === 'recall'

/** A station by its id, as alarms and errors name it. */
export type NamedStation = { id: string; name: string }

/** Names a station; null where there is none. */
export async function namedStation(db: DbOrTx, id: string | null | undefined): Promise<NamedStation | null> {
  const station = id ? (await findStationsById(db, [id])).get(id) : undefined
  return station ? { id: station.id, name: station.name } : null
}

/**
 * The station where a parcel should be, when it is scanned at another one: it was sent elsewhere, or its last stretch
 * starts elsewhere. Null: nothing is wrong.
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
  const right = await listLastStations(db, row)
  return right.includes(stationId) ? null : namedStation(db, right[0])
}

/** The stations where a parcel's way may end, the first the one to name; none where the network does not know. */
export async function listLastStations(db: DbOrTx, row: ParcelRow): Promise<string[]> {
  if (isGoingBack(row)) return listReturnStations(db, row)
  if (row.delivery_mode?.[2] === 'P') return row.self_collection_station_id ? [row.self_collection_station_id] : []
  const covering = row.receiver ? await coveringStation(db, row.receiver.country, row.receiver.postcode) : null
  return covering ? [covering.station.id] : []
}
