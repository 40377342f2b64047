import type { MemberPermission } from '@waybill/contract/ground/enums'

/** What somebody in a company may do, as far as it decides what they may give to others. */
export type Rights = {
  id: string
  isOwner: boolean
  permissions: readonly string[]
  monthlyLimitMinor: number | null
}
type Given = { permissions: readonly MemberPermission[]; monthlyLimitMinor: number | null }

/**
 * Why somebody can't change another user; null when they can. Whoever may do less than that user can't: else they could
 * take the user's place.
 */
export function manageRefusal(actor: Rights, target: Rights): 'member_is_owner' | 'member_rights' | null {
  if (target.isOwner) return 'member_is_owner'
  if (actor.isOwner) return null
  return target.permissions.every((each) => actor.permissions.includes(each)) ? null : 'member_rights'
}

/**
 * The fields in which somebody would give more than they have: nobody but the owner does, to others or to themselves. A
 * limit that is there already may stay.
 */
export function excessiveRights(
  actor: Rights,
  given: Given,
  before: Rights | null,
): ('permissions' | 'monthlyLimitMinor')[] {
  if (actor.isOwner) return []
  const fields: ('permissions' | 'monthlyLimitMinor')[] = []
  if (!given.permissions.every((each) => actor.permissions.includes(each))) fields.push('permissions')
  const same = before !== null && before.monthlyLimitMinor === given.monthlyLimitMinor
  const most = actor.monthlyLimitMinor
  const more = most !== null && (given.monthlyLimitMinor === null || given.monthlyLimitMinor > most)
  if (more && !same) fields.push('monthlyLimitMinor')
  return fields
}
