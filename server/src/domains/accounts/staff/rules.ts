/** Who may manage which users. */
import { staffRank } from '@waybill/contract/accounts/team'
import type { AdminUserType, StaffRole } from '@waybill/contract/ground/enums/enums'

/** Determines the rank of a member of staff and where they may manage others. */
export type Standing = { staffType: AdminUserType; staffRole: StaffRole | null; stationId: string | null }

/**
 * Whether the actor may manage a position: it has no higher rank than theirs, and is at their own station if they have
 * one. A superadmin may manage every position.
 */
export function reachesPosition(actor: Standing, position: Standing): boolean {
  if (actor.staffType === 'superadmin') return true
  const higher = staffRank(position.staffType, position.staffRole) > staffRank(actor.staffType, actor.staffRole)
  return !higher && (actor.stationId === null || actor.stationId === position.stationId)
}

/** Whether the actor may manage a user: never themselves. `standing` null: a customer, who has the lowest rank. */
export function mayManageUser(
  actor: Standing & { userId: string },
  user: { id: string; standing: Standing | null },
): boolean {
  if (actor.userId === user.id) return false
  return user.standing === null || reachesPosition(actor, user.standing)
}
