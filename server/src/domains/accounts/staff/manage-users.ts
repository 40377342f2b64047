/** Customers' users for staff: the list, ending sessions, and resetting the second factor. */
import type { endUserSessions, listUsers } from '@waybill/contract/accounts/staff'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { AccountStatus } from '@waybill/contract/ground/enums/enums'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { endSessions, findUser, type UserRow } from '../queries.ts'
import { revokeTokens } from '../rights.ts'
import { mailFactorChange } from '../second-factor/mail.ts'
import { deleteFactor } from '../second-factor/queries.ts'
import { getStanding } from './queries-team.ts'
import { customerUserPage } from './queries-users.ts'
import { mayManageUser } from './rules.ts'

/** A page of the users of customers. */
export async function listCustomerUsers(
  deps: Deps,
  { search, offset, limit }: QueryOf<typeof listUsers>,
): Promise<ResponseOf<typeof listUsers>> {
  const filter = { search: search?.trim() || null, now: deps.clock.now() }
  const { rows, total } = await customerUserPage(deps.db, filter, { offset, limit })
  const items = rows.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    status: row.status as AccountStatus,
    accountName: row.account_name,
    lastLoginAt: row.last_login_at?.toISOString() ?? null,
    sessions: row.sessions,
  }))
  return { items, total, offset, limit }
}

/** @throws AppError not_found; user_rank for a user of a higher rank; user_is_you */
async function requireManaged(deps: Deps, caller: StaffCaller, id: string): Promise<UserRow> {
  const user = await findUser(deps.db, id)
  if (!user || user.removed_at !== null) throw new AppError('not_found')
  if (user.id === caller.userId) throw new AppError('user_is_you')
  if (!mayManageUser(caller, { id, standing: getStanding(user) })) throw new AppError('user_rank')
  return user
}

/** Signs a user out everywhere and voids their tokens. Throws not_found, user_rank, user_is_you. */
export async function endSessionsOfUser(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  ip: string,
): Promise<ResponseOf<typeof endUserSessions>> {
  const user = await requireManaged(deps, caller, id)
  return tx(deps.db, async (trx) => {
    const at = deps.clock.now()
    const sessionIds = await endSessions(trx, id, { except: null }, at)
    await revokeTokens(trx, deps, id, ...sessionIds)
    await recordActivity(trx, {
      action: 'users.sessionsEnded',
      level: 'NOTICE',
      accountId: user.account_id,
      userId: caller.userId,
      subject: id,
      detail: { sessions: sessionIds.length },
      ip,
      at,
    })
    return { ended: sessionIds.length }
  })
}

/**
 * Removes the second factor of a user who lost phone and recovery codes, ends their sessions, and mails them. Throws
 * not_found (also without a second factor), user_rank, user_is_you.
 */
export async function resetFactorOfUser(deps: Deps, caller: StaffCaller, id: string, ip: string): Promise<void> {
  const user = await requireManaged(deps, caller, id)
  await tx(deps.db, async (trx) => {
    const at = deps.clock.now()
    if (!(await deleteFactor(trx, id))) throw new AppError('not_found')
    await revokeTokens(trx, deps, id, ...(await endSessions(trx, id, { except: null }, at)))
    await recordActivity(trx, {
      action: 'users.secondFactorReset',
      level: 'WARNING',
      userId: caller.userId,
      subject: id,
      ip,
      at,
    })
    await mailFactorChange(trx, deps, user, 'second_factor_reset')
  })
}
