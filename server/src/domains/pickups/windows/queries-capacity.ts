// Pickup capacities of stations.
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { StationPickupCapacity } from '../../../db/schema.ts'
import type { CapacityPlan } from '../rules.ts'

type WindowCapacity = { window: string; pickups: number }
export type CapacityRow = Pick<Selectable<StationPickupCapacity>, 'per_window' | 'version'>

/** The usual capacity of a station; null if none is set. */
export async function capacityRow(db: DbOrTx, stationId: string): Promise<CapacityRow | null> {
  const { rows } = await sql<CapacityRow>`
    select per_window, version
    from station_pickup_capacity
    where station_id = ${stationId}::uuid`.execute(db)
  return rows[0] ?? null
}

/**
 * A station's capacity for the days from `from` to `to` (null: all later ones). `perWindow` is null unless it is set.
 */
export async function capacityPlan(
  db: DbOrTx,
  stationId: string,
  from: string,
  to: string | null,
): Promise<Omit<CapacityPlan, 'perWindow'> & { perWindow: number | null }> {
  const [row, week, days] = await Promise.all([
    capacityRow(db, stationId),
    sql<WindowCapacity & { weekday: number }>`
      select weekday, pickup_window as window, pickups
      from station_pickup_week
      where station_id = ${stationId}::uuid
      order by weekday, pickup_window`.execute(db),
    sql<WindowCapacity & { day: string }>`
      select day, pickup_window as window, pickups
      from station_pickup_days
      where station_id = ${stationId}::uuid
        and day >= ${from}::date
        and (${to}::date is null or day <= ${to}::date)
      order by day, pickup_window`.execute(db),
  ])
  return { perWindow: row?.per_window ?? null, week: week.rows, days: days.rows }
}

/** Writes the usual capacity if its version is `version` (0: none is set). False if the version is outdated. */
export async function writeCapacity(
  trx: DbOrTx,
  stationId: string,
  perWindow: number,
  version: number,
): Promise<boolean> {
  const { rows } =
    version === 0
      ? await sql`
          insert into station_pickup_capacity (station_id, per_window)
          values (${stationId}::uuid, ${perWindow}::int)
          on conflict do nothing
          returning station_id`.execute(trx)
      : await sql`
          update station_pickup_capacity
          set per_window = ${perWindow}::int, version = version + 1
          where station_id = ${stationId}::uuid and version = ${version}::int
          returning station_id`.execute(trx)
  return rows.length === 1
}

/** Replaces the capacities of the weekdays, and those of single days from `from` on. */
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
    from json_to_recordset(${JSON.stringify(week)}::json)
      as w(weekday smallint, "window" text, pickups integer)`.execute(trx)
  await sql`
    insert into station_pickup_days (station_id, day, pickup_window, pickups)
    select ${stationId}::uuid, d.day, d.window, d.pickups
    from json_to_recordset(${JSON.stringify(days)}::json) as d(day date, "window" text, pickups integer)`.execute(trx)
}
