/** Queries on the users of a company. */

import type { AccountStatus, MemberPermission } from '@waybill/contract/ground/enums'
import type { SortTerm } from '@waybill/contract/ground/paging'
import { sql } from 'kysely'
import { containing } from '../../../db/conditions/like.ts'
import { belongsTo, type DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { UserRow } from '../queries.ts'

type Page = { offset: number; limit: number }

const sortColumns: Record<string, string> = {
  name: 'lower(name)',
  email: 'lower(coalesce(invited_email, email))',
  lastLoginAt: 'last_login_at',
  createdAt: 'created_at',
}

/** A company's current users, the owner first, and their number by status. */
export async function memberPage(
  db: DbOrTx,
  accountId: AccountId,
  {
    search,
    status,
    sort,
    offset,
    limit,
  }: Page & { search: string | null; status: AccountStatus | null; sort: SortTerm[] },
): Promise<{ rows: UserRow[]; total: number; counts: Record<AccountStatus, number> }> {
  const part = search && containing(search)
  const there = sql`account_id = ${accountId}::uuid and removed_at is null`
  const fits = sql`${there} and (${status}::text is null or status = ${status}::text)
    and (${part}::text is null or name ilike ${part}
      or coalesce(invited_email, email) ilike ${part} or job_title ilike ${part} or cost_centre ilike ${part})`
  const order = sort.map(({ field, descending }) =>
    sql.raw(`${sortColumns[field] ?? 'lower(name)'} ${descending ? 'desc nulls last' : 'asc'}`),
  )
  const [{ rows }, totals, byStatus] = await Promise.all([
    sql<UserRow>`
      select *
      from users
      where ${fits}
      order by ${sql.join([sql`is_owner desc`, ...order, sql`lower(name)`, sql`id`])}
      offset ${offset}
      limit ${limit}`.execute(db),
    sql<{ total: number }>`select count(*) as total from users where ${fits}`.execute(db),
    sql<{ status: AccountStatus; count: number }>`
      select status, count(*) as count from users where ${there} group by status`.execute(db),
  ])
  const counts = { active: 0, inactive: 0, blacklisted: 0 }
  for (const each of byStatus.rows) counts[each.status] = each.count
  return { rows, total: totals.rows[0]?.total ?? 0, counts }
}

/** A current user of this company. */
export async function findMember(db: DbOrTx, accountId: AccountId, id: string): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select *
    from users
    where account_id = ${accountId}::uuid and id = ${id}::uuid and removed_at is null`.execute(db)
  return rows[0]
}

/** Whether a user of this company has this address, or was invited at it. */
export async function hasMemberAddress(db: DbOrTx, accountId: AccountId, email: string): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from users
    where account_id = ${accountId}::uuid
      and removed_at is null
      and lower(coalesce(invited_email, email)) = ${email}`.execute(db)
  return rows.length > 0
}

/** Makes the invited address the user's own. */
export async function confirmInvitedAddress(trx: DbOrTx, id: string, at: Date): Promise<void> {
  await trx
    .updateTable('users')
    .set((value) => ({ email: value.ref('invited_email').$notNull(), invited_email: null, updated_at: at }))
    .where('id', '=', id)
    .execute()
}

/** Users of this company, locked in a fixed order, so that two who change each other do not deadlock. */
export async function lockMembers(trx: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select *
    from users
    where ${belongsTo(accountId)} and id = any(${ids}::uuid[]) and removed_at is null
    order by id
    for no key update`.execute(trx)
  return rows
}

export type MemberSet = {
  name: string
  phone: string | null
  jobTitle: string | null
  costCentre: string | null
  permissions: readonly MemberPermission[]
  monthlyLimitMinor: number | null
}

/** Updates a user's name and rights. */
export async function updateMemberRow(trx: DbOrTx, id: string, set: MemberSet, at: Date): Promise<void> {
  await trx
    .updateTable('users')
    .set((value) => ({
      name: set.name,
      phone: set.phone,
      job_title: set.jobTitle,
      cost_centre: set.costCentre,
      permissions: [...set.permissions],
      monthly_limit_minor: set.monthlyLimitMinor,
      version: value('version', '+', 1),
      updated_at: at,
    }))
    .where('id', '=', id)
    .execute()
}

/** Updates a user's status. */
export async function updateMemberStatus(trx: DbOrTx, id: string, status: AccountStatus, at: Date): Promise<void> {
  await trx
    .updateTable('users')
    .set((value) => ({ status, version: value('version', '+', 1), updated_at: at }))
    .where('id', '=', id)
    .execute()
}

/**
 * Removes a user: no password, no rights, and neither address nor identity at a provider, with which the person may
 * sign in as another user afterwards. The name stays, because orders refer to it.
 */
export async function endMember(trx: DbOrTx, id: string, at: Date): Promise<void> {
  await trx.deleteFrom('identities').where('user_id', '=', id).execute()
  await trx
    .updateTable('users')
    .set((value) => ({
      status: 'blacklisted',
      email: `${id}@removed.invalid`,
      invited_email: null,
      phone: null,
      password_hash: null,
      permissions: [],
      removed_at: at,
      version: value('version', '+', 1),
      updated_at: at,
    }))
    .where('id', '=', id)
    .execute()
}

/** Who may approve a company's orders: the owner, and active users with both rights. */
export async function listApprovers(db: DbOrTx, accountId: AccountId): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select *
    from users
    where account_id = ${accountId}::uuid
      and status = 'active'
      and removed_at is null
      and invited_email is null
      and (is_owner or permissions @> array['users', 'pay'])
    order by is_owner desc, id`.execute(db)
  return rows
}

/** False if `version` is outdated. */
export async function updateApprovalRule(
  trx: DbOrTx,
  accountId: AccountId,
  set: { aboveMinor: number | null; version: number; at: Date },
): Promise<boolean> {
  const result = await trx
    .updateTable('accounts')
    .set({ approval_above_minor: set.aboveMinor, version: set.version + 1, updated_at: set.at })
    .where('id', '=', accountId)
    .where('version', '=', set.version)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
