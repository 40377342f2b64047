/** Who holds a parcel, who may scan it, and where its way ends. Pure: a test walks all of it for dead ends. */
import type { Leg } from '@waybill/contract/ground/enums'
import type { Holder, ScanEvent } from '@waybill/contract/parcels/scanning'

export type CustodyState = {
  holder: Holder
  /** The station that has it, or whose rider has it. */
  stationId: string | null
  riderId: string | null
  nextStationId: string | null
}

/** Who scans, and where: `stationId` is where the scan is made, `homeStationId` where they work. */
export type Scanner = {
  userId: string
  homeStationId: string | null
  stationId: string | null
  /** Their role may take a parcel over. */
  mayTakeOver: boolean
  /** They supervise: everywhere, or within their own station where they have one. */
  supervisor: boolean
}

/** `take_over`: somebody else is recorded as the holder; with a reason this scanner becomes it. */
export type Verdict = 'holds' | 'take_over' | 'refused'

/** Reports of what happened at a door: the rider's own. */
export const doorReports: readonly ScanEvent[] = ['delivered', 'attempt_failed']

/** Whether somebody's work is that of this station: they have none of their own, or this one. */
export function worksAt(homeStationId: string | null, stationId: string | null): boolean {
  return homeStationId === null || stationId === null || homeStationId === stationId
}

/** Whether somebody acts for the riders of this station. */
export function supervises(
  { supervisor, homeStationId }: Pick<Scanner, 'supervisor' | 'homeStationId'>,
  stationId: string | null,
): boolean {
  return supervisor && worksAt(homeStationId, stationId)
}

/** Whether the scanner has the parcel by what is recorded. */
function holds(custody: CustodyState, event: ScanEvent, scanner: Scanner): boolean {
  const { holder, stationId, riderId } = custody
  const atStation =
    scanner.stationId !== null && scanner.stationId === stationId && worksAt(scanner.homeStationId, stationId)
  switch (holder) {
    case 'customer':
      return true
    case 'station':
      // Parcels of before custody was recorded are at a station that nobody noted.
      return stationId === null || atStation
    case 'rider':
      // Riders bring what they have to their own station; one without a station, to any.
      return riderId === scanner.userId || atStation || (stationId === null && scanner.stationId !== null)
    case 'carrier':
      return event === 'arrived'
    case 'gunny':
      return false
  }
}

/** Whether somebody may scan a parcel as it is held now. */
export function custodyVerdict(custody: CustodyState, event: ScanEvent, scanner: Scanner): Verdict {
  if (doorReports.includes(event)) {
    const own = custody.riderId !== null && custody.riderId === scanner.userId
    return own || supervises(scanner, custody.stationId) ? 'holds' : 'refused'
  }
  if (holds(custody, event, scanner)) return 'holds'
  // What a rider carries, perhaps with money to collect, is taken from them by a supervisor alone.
  if (custody.holder === 'rider') return supervises(scanner, scanner.stationId) ? 'take_over' : 'refused'
  return scanner.mayTakeOver ? 'take_over' : 'refused'
}

/** What a way's end depends on. `homes`: the sender's own stations, where a return may end; none known: anywhere. */
export type WayEnd = {
  leg: Leg
  stationId: string | null
  holder: Holder
  selfCollectionStationId: string | null
  homes: readonly string[]
}

/** Whether a hand-over that ends a parcel's way may be made at this station: the right one, and the parcel is there. */
export function mayEndAt(event: ScanEvent, way: WayEnd, stationId: string | null): boolean {
  const isThere = stationId !== null && way.stationId === stationId
  if (event === 'handed_over') return isThere && way.selfCollectionStationId === stationId
  if (event !== 'return_received') return true
  const isHome = stationId !== null && (way.homes.length === 0 || way.homes.includes(stationId))
  // A rider may have it with them at the sender's door.
  return isHome && (isThere || way.stationId === null)
}

/** Whether a rider may go out once more; a choice of the sender's that was taken in time is still kept. */
export function mayTryAgain(attempts: number, maxAttempts: number, choiceMade: boolean): boolean {
  return attempts < maxAttempts || choiceMade
}
