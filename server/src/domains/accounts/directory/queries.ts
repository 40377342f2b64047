/** Queries on accounts as staff see them: list, users, and changes of the status. */
import type { accountTabs } from '@waybill/contract/accounts/directory'
import type { AccountStatus } from '@waybill/contract/ground/enums/enums'
import { countLimit } from '@waybill/contract/ground/paging'
import { type Selectable, sql } from 'kysely'
import { keysetClauses, type ReadFrom } from '../../../db/keyset.ts'
import { countRows } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountStatusChanges } from '../../../db/schema.ts'
import type { AccountRow, UserRow } from '../queries.ts'

export type ListedAccountRow = Pick<AccountRow, 'id' | 'number' | 'name' | 'user_type' | 'status' | 'created_at'> & {
  email: string | null
  phone: string | null
  at_exactly: string
}

/** `patterns`: LIKE patterns over the search text, in lower case; all must match. */
export type AccountFilter = { tab: (typeof accountTabs)[number]; patterns: readonly string[] }

/** Written as literals, so that the planner can prove that the tab's index covers them. */
function buildCondition({ tab, patterns }: AccountFilter) {
  const all = [sql`true`]
  if (tab === 'customer' || tab === 'corporate') all.push(sql`a.user_type = ${sql.lit(tab)}`)
  if (tab === 'inactive' || tab === 'blacklisted') all.push(sql`a.status = ${sql.lit(tab)}`)
  for (const pattern of patterns) {
    // Without three consecutive letters or digits the trigram index would be scanned completely.
    const indexed = /[\p{L}\p{N}]{3}/u.test(pattern)
    all.push(indexed ? sql`a.search_text like ${pattern}` : sql`a.search_text || '' like ${pattern}`)
  }
  return sql.join(all, sql` and `)
}

/** Accounts, newest first. */
export async function listAccountRows(db: DbOrTx, filter: AccountFilter, from: ReadFrom): Promise<ListedAccountRow[]> {
  const { beyond, order } = keysetClauses(from, { at: 'a.created_at', id: 'a.id' })
  const { rows } = await sql<ListedAccountRow>`
    with page as (
      select a.id, a.created_at
      from accounts a
      where ${buildCondition(filter)} ${beyond}
      order by ${order}
      limit ${from.limit}::int
    )
    select a.id, a.number, a.name, a.user_type, a.status, a.created_at, a.created_at::text as at_exactly,
      o.email, o.phone
    from page
    join accounts a on a.id = page.id
    left join lateral (
      select u.email, u.phone
      from users u
      where u.account_id = a.id and u.is_owner and u.removed_at is null
      order by u.created_at
      limit 1
    ) o on true
    order by ${keysetClauses(from, { at: 'page.created_at', id: 'page.id' }).order}`.execute(db)
  return rows
}

/** The number of matching accounts, at most `countLimit`. */
export async function countAccounts(db: DbOrTx, filter: AccountFilter): Promise<number> {
  return countRows(db, sql`from accounts a where ${buildCondition(filter)}`, countLimit)
}

/** Locks an account for a change of its status. */
export async function lockAccountById(trx: DbOrTx, id: string): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select * from accounts where id = ${id}::uuid for no key update`.execute(trx)
  return rows[0]
}

/** The current users of an account, the owner first, and their number. */
export async function listAccountUsers(
  db: DbOrTx,
  accountId: string,
  limit: number,
): Promise<{ rows: UserRow[]; total: number }> {
  const members = sql`users where account_id = ${accountId}::uuid and removed_at is null`
  const [{ rows }, totals] = await Promise.all([
    sql<UserRow>`select * from ${members} order by is_owner desc, lower(name), id limit ${limit}::int`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from ${members}`.execute(db),
  ])
  return { rows, total: totals.rows[0]?.total ?? 0 }
}

/** Updates the status of an account. */
export async function updateAccountStatus(trx: DbOrTx, id: string, status: AccountStatus, at: Date): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((value) => ({ status, version: value('version', '+', 1), updated_at: at }))
    .where('id', '=', id)
    .execute()
}

export type StatusChangeRow = Selectable<AccountStatusChanges>

/** Stores a change of the status. */
export async function insertStatusChange(trx: DbOrTx, row: StatusChangeRow): Promise<void> {
  await trx.insertInto('account_status_changes').values(row).execute()
}

/** The latest changes of an account's status, newest first. */
export async function listStatusChanges(db: DbOrTx, accountId: string, limit: number): Promise<StatusChangeRow[]> {
  return db
    .selectFrom('account_status_changes')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Ends every session of every user of an account. Returns the ids of those that were open. */
export async function endSessionsOfAccount(trx: DbOrTx, accountId: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update sessions s
    set ended_at = ${at}
    from users u
    where u.id = s.user_id and u.account_id = ${accountId}::uuid and s.ended_at is null
    returning s.id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Inserts a view by staff. */
export async function insertView(
  trx: DbOrTx,
  row: { id: string; account_id: string; staff_id: string; started_at: Date; expires_at: Date },
): Promise<void> {
  await trx.insertInto('account_views').values(row).execute()
}

/** Ends a view. False if it has ended already. */
export async function endViewRow(trx: DbOrTx, id: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('account_views')
    .set({ ended_at: at })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
