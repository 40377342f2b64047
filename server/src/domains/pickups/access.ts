// Who may change pickup capacities.
import type { StaffCaller } from '../../http/caller.ts'

/** Whether a member of staff may change a station's capacity: admins of any station, others of their own. */
export function mayChangeCapacity(caller: StaffCaller, stationId: string): boolean {
  return caller.staffType !== 'staff' || caller.staffRole === 'admin' || caller.stationId === stationId
}
