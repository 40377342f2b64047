// Who may change pickup capacities.
import { decide } from '@waybill/contract/ground/access'
import type { StaffCaller } from '../../http/caller.ts'
import { isOwnStation } from '../parcels/custody/service.ts'

/**
 * Whether a member of staff may change a station's capacity: its own people, supervisors of it, and supervisors without
 * a station. Everybody may read it: it names no customer, and a counter advises on other stations too.
 */
export function mayChangeCapacity(caller: StaffCaller, stationId: string): boolean {
  const supervises = decide('staff.supervise', caller) === 'pass' && isOwnStation(caller, stationId)
  return supervises || caller.stationId === stationId
}
