/** Queries on holidays. */
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Holidays } from '../../../db/schema.ts'

export type HolidayRow = Selectable<Holidays>

/** Public holidays of every country; a holiday without a state applies to the whole country. */
export async function listAllHolidays(db: DbOrTx): Promise<Omit<HolidayRow, 'id'>[]> {
  return db.selectFrom('holidays').select(['country', 'day', 'state', 'name']).orderBy('day').execute()
}

/** A country's holidays between two days, both included. */
export async function holidaysBetween(db: DbOrTx, country: string, from: string, to: string): Promise<HolidayRow[]> {
  const { rows } = await sql<HolidayRow>`
    select id, country, day, state, name
    from holidays
    where country = ${country}::text and day between ${from}::date and ${to}::date
    order by day, name, state`.execute(db)
  return rows
}

/** The countries that have holidays. */
export async function listCountriesWithHolidays(db: DbOrTx): Promise<string[]> {
  const { rows } = await sql<{ country: string }>`select distinct country from holidays order by country`.execute(db)
  return rows.map(({ country }) => country)
}

/** Locks a day of a country's calendar: without rows there is nothing else to lock. */
export async function lockDay(trx: DbOrTx, country: string, day: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`holiday ${country} ${day}`}, 0))`.execute(trx)
}

/** Inserts holidays. */
export async function insertHolidays(trx: DbOrTx, rows: readonly HolidayRow[]): Promise<void> {
  await trx
    .insertInto('holidays')
    .values([...rows])
    .execute()
}

/** Holidays by id, locked until the transaction ends. */
export async function lockHolidays(trx: DbOrTx, ids: readonly string[]): Promise<HolidayRow[]> {
  const { rows } = await sql<HolidayRow>`
    select id, country, day, state, name
    from holidays
    where id = any(${ids}::uuid[])
    order by day, name, state
    for update`.execute(trx)
  return rows
}

/** Deletes holidays. */
export async function deleteHolidays(trx: DbOrTx, ids: readonly string[]): Promise<void> {
  await sql`delete from holidays where id = any(${ids}::uuid[])`.execute(trx)
}
