/** Queries on the staff as a team: list, one member, and changes. */

import type { AccountStatus, AdminUserType, StaffRole } from '@waybill/contract/ground/enums/enums'
import { countLimit } from '@waybill/contract/ground/paging'
import { sql } from 'kysely'
import { containing } from '../../../db/conditions/like.ts'
import { keysetClauses, type ReadFrom } from '../../../db/keyset.ts'
import { countRows } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { UserRow } from '../queries.ts'
import type { Standing } from './rules.ts'

/** The rank and the station of a member of staff; null for a customer. */
export function getStanding(row: {
  staff_type: string | null
  staff_role: string | null
  station_id: string | null
}): Standing | null {
  if (row.staff_type === null) return null
  return {
    staffType: row.staff_type as AdminUserType,
    staffRole: row.staff_role as StaffRole | null,
    stationId: row.station_id,
  }
}

export type ColleagueRow = UserRow & { sessions: number; has_factor: boolean }

const columns = (now: Date) => sql`
  u.*, (
    select count(*) from sessions s where s.user_id = u.id and s.ended_at is null and s.expires_at > ${now}
  ) as sessions,
  exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as has_factor`

/** Staff who have not been removed. A literal, so that the planner can prove that the partial index covers it. */
const isEmployed = sql`u.kind = 'staff' and u.removed_at is null`

export type TeamFilter = {
  search: string | null
  type: AdminUserType | null
  role: StaffRole | null
  stationId: string | null
  tab: 'all' | 'invited' | AccountStatus
}

/** As `isInvited` of sign-in. */
const isInvited = sql`(u.password_hash is null and u.last_login_at is null)`

/** Every colleague is in one tab besides `all`, so that the counts add up. */
function fitsTab(tab: TeamFilter['tab']) {
  switch (tab) {
    case 'all':
      return sql`true`
    case 'invited':
      return sql`(u.status = 'active' and ${isInvited})`
    case 'active':
      return sql`(u.status = 'active' and not ${isInvited})`
    default:
      return sql`u.status = ${tab}::text`
  }
}

function teamFilter({ search, type, role, stationId, tab }: TeamFilter) {
  const part = search && containing(search)
  return sql`${isEmployed} and ${fitsTab(tab)}
    and (${type}::text is null or u.staff_type = ${type}::text)
    and (${role}::text is null or u.staff_role = ${role}::text)
    and (${stationId}::uuid is null or u.station_id = ${stationId}::uuid)
    and (${part}::text is null or u.name ilike ${part} or u.email ilike ${part} or u.phone ilike ${part})`
}

/** The staff, newest first. */
export async function listTeamRows(
  db: DbOrTx,
  filter: TeamFilter,
  from: ReadFrom,
  now: Date,
): Promise<(ColleagueRow & { at_exactly: string })[]> {
  const { beyond, order } = keysetClauses(from, { at: 'u.created_at', id: 'u.id' })
  const { rows } = await sql<ColleagueRow & { at_exactly: string }>`
    select ${columns(now)}, u.created_at::text as at_exactly
    from users u
    where ${teamFilter(filter)} ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

/** The number of matching staff, at most `countLimit`. */
export async function countTeam(db: DbOrTx, filter: TeamFilter): Promise<number> {
  return countRows(db, sql`from users u where ${teamFilter(filter)}`, countLimit)
}

/** A member of staff who has not been removed. */
export async function findColleague(db: DbOrTx, id: string, now: Date): Promise<ColleagueRow | undefined> {
  const { rows } = await sql<ColleagueRow>`
    select ${columns(now)} from users u where u.id = ${id}::uuid and ${isEmployed}`.execute(db)
  return rows[0]
}

/** Members of staff, locked in a fixed order, so that two who change each other do not deadlock. */
export async function lockStaff(trx: DbOrTx, ids: readonly string[]): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select u.* from users u where u.id = any(${ids}::uuid[]) and ${isEmployed} order by u.id
    for no key update`.execute(trx)
  return rows
}

/** Waits for others who create superadmins: two first ones must not be created at once. */
export async function lockSuperadmins(trx: DbOrTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('superadmins', 0))`.execute(trx)
}

/** Superadmins who are not blocked or suspended, invited ones included. */
export async function listActiveSuperadmins(db: DbOrTx): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select u.*
    from users u
    where ${isEmployed} and u.staff_type = 'superadmin' and u.status = 'active'
    order by u.created_at, u.id`.execute(db)
  return rows
}

type ColleagueSet = Standing & { name: string; phone: string | null }

/** Updates name, role and station. */
export async function updateColleagueRow(trx: DbOrTx, id: string, set: ColleagueSet, at: Date): Promise<void> {
  await trx
    .updateTable('users')
    .set((value) => ({
      name: set.name,
      phone: set.phone,
      staff_type: set.staffType,
      staff_role: set.staffRole,
      station_id: set.stationId,
      version: value('version', '+', 1),
      updated_at: at,
    }))
    .where('id', '=', id)
    .execute()
}
