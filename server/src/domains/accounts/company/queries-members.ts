/** Queries on the users of a company. */

import { type MemberTab, memberTabs } from '@waybill/contract/accounts/company'
import type { AccountStatus, MemberPermission } from '@waybill/contract/ground/enums/enums'
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

/** As `isInvited` of sign-in. An owner registered the account, so there is no invitation. */
const isInvited = sql`(not is_owner and password_hash is null and last_login_at is null)`

/** Every user is in one tab besides `all`, so that the counts add up. */
function fitsTab(tab: MemberTab) {
  switch (tab) {
    case 'all':
      return sql`true`
    case 'invited':
      return sql`(status = 'active' and ${isInvited})`
    case 'active':
      return sql`(status = 'active' and not ${isInvited})`
    default:
      return sql`(status = ${tab}::text)`
  }
}

/** A company's current users, the owner first, and their number in each tab. */
export async function memberPage(
  db: DbOrTx,
  accountId: AccountId,
  { search, tab, sort, offset, limit }: Page & { search: string | null; tab: MemberTab; sort: SortTerm[] },
): Promise<{ rows: UserRow[]; counts: Record<MemberTab, number> }> {
  const part = search && containing(search)
  const fits = sql`account_id = ${accountId}::uuid and removed_at is null
    and (${part}::text is null or name ilike ${part}
      or coalesce(invited_email, email) ilike ${part} or job_title ilike ${part} or cost_centre ilike ${part})`
  const order = sort.map(({ field, descending }) =>
    sql.raw(`${sortColumns[field] ?? 'lower(name)'} ${descending ? 'desc nulls last' : 'asc'}`),
  )
  const tabs = memberTabs.map((each) => sql`count(*) filter (where ${fitsTab(each)})::int as ${sql.id(each)}`)
  const [{ rows }, counts] = await Promise.all([
    sql<UserRow>`
      select *
      from users
      where ${fits} and ${fitsTab(tab)}
      order by ${sql.join([sql`is_owner desc`, ...order, sql`lower(name)`, sql`id`])}
      offset ${offset}
      limit ${limit}`.execute(db),
    sql<Record<MemberTab, number>>`select ${sql.join(tabs)} from users where ${fits}`.execute(db),
  ])
  return { rows, counts: counts.rows[0] as Record<MemberTab, number> }
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
