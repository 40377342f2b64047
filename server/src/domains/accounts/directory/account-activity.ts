/** The activity of an account, for staff and for its owner. */
import type { AccountAction, staffAccountActivity } from '@waybill/contract/accounts/directory'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { type AccountActionRow, countActionsOfAccount, listActionsOfAccount } from '../../../activity.ts'
import { readKeysetPage } from '../../../db/keyset.ts'
import type { Deps } from '../../../deps.ts'
import { type AccountId, asAccountId } from '../../../http/caller.ts'
import { findStaffNames, findUserNames } from '../service.ts'
import { requireAccount } from './service.ts'

/** Actions whose entries only staff can see. */
export const staffOnlyActions = ['accounts.noteAdded', 'accounts.noteDeleted'] as const

async function presentActions(deps: Deps, rows: readonly AccountActionRow[]): Promise<AccountAction[]> {
  const ids = [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]
  const [names, staff] = await Promise.all([findUserNames(deps.db, ids), findStaffNames(deps.db, ids)])
  return rows.map(({ id, action, level, user_id: userId, at }) => {
    const name = userId === null ? undefined : names.get(userId)
    const by = userId === null || name === undefined ? null : { name, staff: staff.has(userId) }
    return { id, action, level, by, at: at.toISOString() }
  })
}

type ActivityQuery = QueryOf<typeof staffAccountActivity>
type ActivityPage = ResponseOf<typeof staffAccountActivity>

async function readActivity(
  deps: Deps,
  accountId: AccountId,
  query: ActivityQuery,
  hidden: readonly string[],
): Promise<ActivityPage> {
  const [{ rows, next, previous }, total] = await Promise.all([
    readKeysetPage(query, (from) => listActionsOfAccount(deps.db, accountId, hidden, from)),
    countActionsOfAccount(deps.db, accountId, hidden),
  ])
  return { items: await presentActions(deps, rows), total, limit: query.limit, next, previous }
}

/** The activity of an account, newest first, for staff. Throws not_found; validation for an invalid cursor. */
export async function readActivityForStaff(deps: Deps, id: string, query: ActivityQuery): Promise<ActivityPage> {
  await requireAccount(deps, id)
  return readActivity(deps, asAccountId(id), query, [])
}
