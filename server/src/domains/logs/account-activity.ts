/** The activity of an account, for staff. */
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { AccountAction, staffAccountActivity } from '@waybill/contract/logs/account-activity'
import { type AccountActionRow, countActionsOfAccount, listActionsOfAccount } from '../../activity.ts'
import { readKeysetPage } from '../../db/keyset.ts'
import type { Deps } from '../../deps.ts'
import { type AccountId, asAccountId } from '../../http/caller.ts'
import { requireAccount } from '../accounts/directory/service.ts'
import { findStaffNames, findUserNames } from '../accounts/service.ts'
import { findSubjects } from './find-subjects.ts'

type ActivityPage = ResponseOf<typeof staffAccountActivity>

async function presentActions(
  deps: Deps,
  accountId: AccountId,
  rows: readonly AccountActionRow[],
): Promise<AccountAction[]> {
  const ids = [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]
  const [names, staff, subjects] = await Promise.all([
    findUserNames(deps.db, ids),
    findStaffNames(deps.db, ids),
    findSubjects(deps.db, accountId, rows),
  ])
  return rows.map(({ id, action, level, user_id: userId, subject, at }) => {
    const name = userId === null ? undefined : names.get(userId)
    const by = userId === null || name === undefined ? null : { name, staff: staff.has(userId) }
    const about = subject === null ? undefined : subjects.get(subject)
    return { id, action, level, by, at: at.toISOString(), ...(about && { about }) }
  })
}

/** The activity of an account, newest first, for staff. Throws not_found; validation for an invalid cursor. */
export async function readActivityForStaff(
  deps: Deps,
  id: string,
  query: QueryOf<typeof staffAccountActivity>,
): Promise<ActivityPage> {
  await requireAccount(deps, id)
  const accountId = asAccountId(id)
  const [{ rows, next, previous }, total] = await Promise.all([
    readKeysetPage(query, (from) => listActionsOfAccount(deps.db, accountId, from)),
    countActionsOfAccount(deps.db, accountId),
  ])
  return { items: await presentActions(deps, accountId, rows), total, limit: query.limit, next, previous }
}
