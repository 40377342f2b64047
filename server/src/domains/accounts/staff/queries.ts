/** Queries on staff. */
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'

export type StaffName = { id: string; name: string }

/** Staff by id. */
export async function findStaff(db: DbOrTx, ids: readonly string[]): Promise<StaffName[]> {
  const { rows } = await sql<StaffName>`
    select id, name from users where kind = 'staff' and id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** The stations of active staff; null for staff without one, no entry for other users. */
export async function findStaffStations(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; station_id: string | null }>`
    select id, station_id
    from users
    where kind = 'staff' and status = 'active' and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, station_id }) => [id, station_id]))
}

/** Names of users by id. */
export async function listUserNames(db: DbOrTx, ids: readonly string[]): Promise<StaffName[]> {
  const { rows } = await sql<StaffName>`select id, name from users where id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** Names of accounts by id. */
export async function findAccountNames(db: DbOrTx, ids: readonly string[]): Promise<StaffName[]> {
  const { rows } = await sql<StaffName>`select id, name from accounts where id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** Active operations staff of a station (null: none), and one more user, by name. */
export async function listOperators(db: DbOrTx, stationId: string | null, also: string): Promise<StaffName[]> {
  const { rows } = await sql<StaffName>`
    select id, name
    from users
    where kind = 'staff'
      and status = 'active'
      and (id = ${also}::uuid or (station_id = ${stationId}::uuid and staff_role = 'normal_staff'))
    order by name, id`.execute(db)
  return rows
}

export type StaffContact = {
  id: string
  email: string
  name: string
  language: string
  staff_type: string | null
  staff_role: string | null
}

/** All active staff. */
export async function listActiveStaff(db: DbOrTx): Promise<StaffContact[]> {
  const { rows } = await sql<StaffContact>`
    select id, email, name, language, staff_type, staff_role
    from users
    where kind = 'staff' and status = 'active'
    order by email`.execute(db)
  return rows
}
