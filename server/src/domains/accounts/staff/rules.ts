/** Rules of managing users. */
import type { AdminUserType } from '@waybill/contract/ground/enums'

const rank: Record<AdminUserType, number> = { superadmin: 3, admin: 2, staff: 1 }

/**
 * Whether an administrator may act on a user: not on themselves, and not on a higher rank. Customers have the lowest.
 */
export function mayManageUser(
  caller: { userId: string; staffType: AdminUserType },
  user: { id: string; staffType: AdminUserType | null },
): boolean {
  if (caller.userId === user.id) return false
  return user.staffType === null || rank[caller.staffType] >= rank[user.staffType]
}
