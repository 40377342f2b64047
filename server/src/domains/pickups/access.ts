// Who may change pickup capacities.
import { decide } from '@waybill/contract/ground/access'
import type { StaffCaller } from '../../http/caller.ts'
import { isOwnStation } from '../parcels/custody/service.ts'

/**
 * Whether a member of staff may change a station's capacity: its own staff, supervisors of it, and supervisors without
 * a station. All staff may read it: it names no customer, and a counter also advises on other stations.
 */
export function mayChangeCapacity(caller: StaffCaller, stationId: string): boolean {
  const supervises = decide('staff.supervise', caller) === 'pass' && isOwnStation(caller, stationId)
  return supervises || caller.stationId === stationId
}
