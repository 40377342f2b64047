import type { StaffCaller } from '../../http/caller.ts'

/**
 * Whether a member of staff may change what a station can fetch: operations staff of their own station only, admins of
 * every one.
 */
export function mayChangeCapacity(caller: StaffCaller, stationId: string): boolean {
  return caller.staffType !== 'staff' || caller.staffRole === 'admin' || caller.stationId === stationId
}
