import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'

export type StaffName = { id: string; name: string }

/** Members of staff by their ids. */
export async function findStaff(db: DbOrTx, ids: readonly string[]): Promise<StaffName[]> {
  const { rows } = await sql<StaffName>`
    select id, name from users where kind = 'staff' and id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** The stations where members of staff work; null for those without one, no entry for who is no staff. */
export async function stationsOfStaff(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; station_id: string | null }>`
    select id, station_id
    from users
    where kind = 'staff' and status = 'active' and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, station_id }) => [id, station_id]))
}

export async function findUserNames(db: DbOrTx, ids: readonly string[]): Promise<StaffName[]> {
  const { rows } = await sql<StaffName>`select id, name from users where id = any(${ids}::uuid[])`.execute(db)
  return rows
}

export async function findAccountNames(db: DbOrTx, ids: readonly string[]): Promise<StaffName[]> {
  const { rows } = await sql<StaffName>`select id, name from accounts where id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** Active operations staff of a station (null: of none), and one more who asks; by name. */
export async function listOperators(db: DbOrTx, stationId: string | null, also: string): Promise<StaffName[]> {
  const { rows } = await sql<StaffName>`
    select id, name
    from users
    where kind = 'staff'
      and status = 'active'
      and (id = ${also}::uuid or (station_id = ${stationId}::uuid and staff_role = 'normal_staff'))
    order by name, id
    limit 200`.execute(db)
  return rows
}

export type StaffContact = {
  email: string
  name: string
  language: string
  staff_type: string | null
  staff_role: string | null
}

/** Everybody who works here now. */
export async function activeStaff(db: DbOrTx): Promise<StaffContact[]> {
  const { rows } = await sql<StaffContact>`
    select email, name, language, staff_type, staff_role
    from users
    where kind = 'staff' and status = 'active'
    order by email`.execute(db)
  return rows
}
