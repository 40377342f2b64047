/** Who may give which rights in a company. */
import type { MemberPermission } from '@waybill/contract/ground/enums/enums'

/** A user's rights, as far as they limit what the user may give to others. */
export type Rights = {
  id: string
  isOwner: boolean
  permissions: readonly string[]
  monthlyLimitMinor: number | null
}
type RightsInput = { permissions: readonly MemberPermission[]; monthlyLimitMinor: number | null }

/**
 * Why the actor cannot change the target; null if they can. A user with fewer rights must not, because they could take
 * over the target's.
 */
export function manageRefusal(actor: Rights, target: Rights): 'member_is_owner' | 'member_rights' | null {
  if (target.isOwner) return 'member_is_owner'
  if (actor.isOwner) return null
  return target.permissions.every((each) => actor.permissions.includes(each)) ? null : 'member_rights'
}

/** Whether a user may approve orders: the owner, and active users with both rights. */
export const mayApprove = (user: { is_owner: boolean; status: string; permissions: readonly string[] }): boolean =>
  user.status === 'active' && (user.is_owner || ['users', 'pay'].every((each) => user.permissions.includes(each)))

/**
 * The fields that would grant more than the actor has. Only the owner may do that. A limit that is already stored may
 * stay.
 */
export function excessiveRights(
  actor: Rights,
  grant: RightsInput,
  before: Rights | null,
): ('permissions' | 'monthlyLimitMinor')[] {
  if (actor.isOwner) return []
  const fields: ('permissions' | 'monthlyLimitMinor')[] = []
  if (!grant.permissions.every((each) => actor.permissions.includes(each))) fields.push('permissions')
  const same = before !== null && before.monthlyLimitMinor === grant.monthlyLimitMinor
  const most = actor.monthlyLimitMinor
  const more = most !== null && (grant.monthlyLimitMinor === null || grant.monthlyLimitMinor > most)
  if (more && !same) fields.push('monthlyLimitMinor')
  return fields
}
