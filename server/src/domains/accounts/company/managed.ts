/** Which users of a company a caller may manage, under a lock. */
import type { Tx } from '../../../db/pool.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { UserRow } from '../queries.ts'
import { lockMembers } from './queries-members.ts'
import { manageRefusal, type Rights } from './rules.ts'

/** The rights of a user of a company, as the rules compare them. */
export const getRights = (user: UserRow): Rights => ({
  id: user.id,
  isOwner: user.is_owner,
  permissions: user.permissions,
  monthlyLimitMinor: user.monthly_limit_minor,
})

/**
 * Locks the caller and the target, and checks that the caller may change the target. Throws not_found, session_expired,
 * member_is_owner, member_rights.
 */
export async function lockManaged(
  trx: Tx,
  caller: CustomerCaller,
  id: string,
): Promise<{ actor: UserRow; user: UserRow }> {
  const rows = await lockMembers(trx, caller.accountId, [caller.userId, id])
  const user = rows.find((row) => row.id === id)
  const actor = rows.find((row) => row.id === caller.userId)
  if (!user) throw new AppError('not_found')
  if (!actor) throw new AppError('session_expired')
  const why = manageRefusal(getRights(actor), getRights(user))
  if (why) throw new AppError(why)
  return { actor, user }
}
