// Who holds a parcel, who may scan it, and where its journey ends. Pure: a test searches all states for dead ends.
import type { Leg } from '@waybill/contract/ground/enums/parcel-enums'
import type { Holder, ScanEvent } from '@waybill/contract/parcels/scanning'

export type CustodyState = {
  holder: Holder
  /** The station that has the parcel, or whose rider has it. */
  stationId: string | null
  riderId: string | null
  nextStationId: string | null
}

/**
 * The member of staff who scans. `stationId` is the station of the scan, `homeStationId` the station where they work.
 */
export type Scanner = {
  userId: string
  homeStationId: string | null
  stationId: string | null
  /** Whether their role may take parcels over. */
  mayTakeOver: boolean
  /** Whether they supervise their own station, or all stations if they have none. */
  supervisor: boolean
}

/** `take_over`: somebody else is recorded as the holder; with a reason the scanner becomes the holder. */
export type CustodyVerdict = 'holds' | 'take_over' | 'refused'

/** Scans at a door; only the rider makes them, or a supervisor on the rider's behalf. */
export const doorReports: readonly ScanEvent[] = ['delivered', 'attempt_failed']

/** Whether a member of staff works at a station; a null station matches any. */
export function worksAt(homeStationId: string | null, stationId: string | null): boolean {
  return homeStationId === null || stationId === null || homeStationId === stationId
}

/** Whether somebody may act on behalf of the riders of this station. */
export function supervises(
  { supervisor, homeStationId }: Pick<Scanner, 'supervisor' | 'homeStationId'>,
  stationId: string | null,
): boolean {
  return supervisor && worksAt(homeStationId, stationId)
}

/** Whether the scanner has the parcel according to the records. */
function holds(custody: CustodyState, event: ScanEvent, scanner: Scanner): boolean {
  const { holder, stationId, riderId } = custody
  const atStation =
    scanner.stationId !== null && scanner.stationId === stationId && worksAt(scanner.homeStationId, stationId)
  switch (holder) {
    case 'customer':
      return true
    case 'station':
      // Parcels from before custody was recorded have no station.
      return stationId === null || atStation
    case 'rider':
      // Riders bring parcels back to their own station; a rider without a station to any.
      return riderId === scanner.userId || atStation || (stationId === null && scanner.stationId !== null)
    case 'carrier':
      return event === 'arrived'
    case 'gunny':
      return false
  }
}

/** Whether a member of staff may scan a parcel in its current custody. */
export function custodyVerdict(custody: CustodyState, event: ScanEvent, scanner: Scanner): CustodyVerdict {
  if (doorReports.includes(event)) {
    const own = custody.riderId !== null && custody.riderId === scanner.userId
    return own || supervises(scanner, custody.stationId) ? 'holds' : 'refused'
  }
  if (holds(custody, event, scanner)) return 'holds'
  // A rider may have collected money for the parcel, so only a supervisor takes it over.
  if (custody.holder === 'rider') return supervises(scanner, scanner.stationId) ? 'take_over' : 'refused'
  return scanner.mayTakeOver ? 'take_over' : 'refused'
}

/** The data that determines where a journey may end. `homes`: the stations where a return may end; none: anywhere. */
export type JourneyEnd = {
  leg: Leg
  stationId: string | null
  holder: Holder
  selfCollectionStationId: string | null
  homes: readonly string[]
}

/** Whether a journey may end with this scan at this station: it is the right station, and the parcel is there. */
export function mayEndAt(event: ScanEvent, way: JourneyEnd, stationId: string | null): boolean {
  const isThere = stationId !== null && way.stationId === stationId
  if (event === 'handed_over') return isThere && way.selfCollectionStationId === stationId
  if (event !== 'return_received') return true
  const isHome = stationId !== null && (way.homes.length === 0 || way.homes.includes(stationId))
  // At the sender's door a rider holds it, not a station.
  return isHome && (isThere || way.stationId === null)
}

/** Whether another attempt is allowed. A delivery choice that the sender made in time is always honoured. */
export function mayTryAgain(attempts: number, maxAttempts: number, choiceMade: boolean): boolean {
  return attempts < maxAttempts || choiceMade
}
