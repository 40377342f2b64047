import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { CapacityPlan } from '../rules.ts'

type Of = { window: string; pickups: number }
export type CapacityRow = { per_window: number; version: number }

/** What somebody has set for a station; null where nobody has. */
export async function capacityRow(db: DbOrTx, stationId: string): Promise<CapacityRow | null> {
  const { rows } = await sql<CapacityRow>`
    select per_window, version from station_pickup_capacity where station_id = ${stationId}::uuid`.execute(db)
  return rows[0] ?? null
}

/**
 * A station's numbers for the days from `from` to `to` (null: and ever after). `perWindow` is null where nobody has set
 * it.
 */
export async function capacityPlan(
  db: DbOrTx,
  stationId: string,
  from: string,
  to: string | null,
): Promise<Omit<CapacityPlan, 'perWindow'> & { perWindow: number | null }> {
  const [row, week, days] = await Promise.all([
    capacityRow(db, stationId),
    sql<Of & { weekday: number }>`
      select weekday, pickup_window as window, pickups from station_pickup_week where station_id = ${stationId}::uuid
      order by weekday, pickup_window`.execute(db),
    sql<Of & { day: string }>`
      select day, pickup_window as window, pickups from station_pickup_days where station_id = ${stationId}::uuid
        and day >= ${from}::date and (${to}::date is null or day <= ${to}::date)
      order by day, pickup_window`.execute(db),
  ])
  return { perWindow: row?.per_window ?? null, week: week.rows, days: days.rows }
}

/** Writes the usual number if it stands at `version` (0: nobody has set one); answers whether it did. */
export async function writeCapacity(
  trx: DbOrTx,
  stationId: string,
  perWindow: number,
  version: number,
): Promise<boolean> {
  const { rows } =
    version === 0
      ? await sql`
          insert into station_pickup_capacity (station_id, per_window) values (${stationId}::uuid, ${perWindow}::int)
          on conflict do nothing returning station_id`.execute(trx)
      : await sql`
          update station_pickup_capacity set per_window = ${perWindow}::int, version = version + 1
          where station_id = ${stationId}::uuid and version = ${version}::int returning station_id`.execute(trx)
  return rows.length === 1
}

/** Writes the weekdays' numbers, and those of the days from `from` on; what was there before is gone. */
export async function replacePlan(
  trx: DbOrTx,
  stationId: string,
  from: string,
  { week, days }: Pick<CapacityPlan, 'week' | 'days'>,
): Promise<void> {
  await sql`delete from station_pickup_week where station_id = ${stationId}::uuid`.execute(trx)
  await sql`delete from station_pickup_days where station_id = ${stationId}::uuid and day >= ${from}::date`.execute(trx)
  await sql`
    insert into station_pickup_week (station_id, weekday, pickup_window, pickups)
    select ${stationId}::uuid, w.weekday, w.window, w.pickups
    from json_to_recordset(${JSON.stringify(week)}::json) as w(weekday smallint, "window" text, pickups integer)`.execute(
    trx,
  )
  await sql`
    insert into station_pickup_days (station_id, day, pickup_window, pickups)
    select ${stationId}::uuid, d.day, d.window, d.pickups
    from json_to_recordset(${JSON.stringify(days)}::json) as d(day date, "window" text, pickups integer)`.execute(trx)
}
