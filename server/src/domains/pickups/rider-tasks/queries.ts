import type { Party } from '@waybill/contract/addresses/addresses'
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { PickupRow } from '../queries.ts'

/** A pickup of an account, locked until the transaction ends. */
export async function lockAccountPickup(trx: DbOrTx, accountId: AccountId, id: string): Promise<PickupRow | null> {
  const { rows } = await sql<PickupRow>`
    select * from pickup_requests where account_id = ${accountId}::uuid and id = ${id}::uuid for update`.execute(trx)
  return rows[0] ?? null
}

export async function findAnyPickup(db: DbOrTx, accountId: AccountId, id: string): Promise<PickupRow | null> {
  const { rows } = await sql<PickupRow>`
    select * from pickup_requests where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

/** Any account's: for staff. */
export async function anyPickup(db: DbOrTx, id: string): Promise<PickupRow | null> {
  const { rows } = await sql<PickupRow>`select * from pickup_requests where id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

export async function lockAnyPickup(trx: DbOrTx, id: string): Promise<PickupRow | null> {
  const { rows } = await sql<PickupRow>`select * from pickup_requests where id = ${id}::uuid for update`.execute(trx)
  return rows[0] ?? null
}

/** Which of these are still to come: their parcels are taken. */
export async function openPickups(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from pickup_requests where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      and status <> 'completed' and cancelled_at is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export type PickupChanges = Partial<
  Pick<
    PickupRow,
    | 'status'
    | 'pickup_date'
    | 'pickup_window'
    | 'station_id'
    | 'rider_id'
    | 'started_at'
    | 'finished_at'
    | 'cancelled_at'
    | 'failure_reason'
    | 'failure_note'
    | 'parcel_count'
    | 'extra_parcel_ids'
    | 'missing_parcel_ids'
  >
> & { address?: Party }

export async function changePickup(trx: DbOrTx, row: PickupRow, changes: PickupChanges, at: Date): Promise<PickupRow> {
  const { address, ...plain } = changes
  return trx
    .updateTable('pickup_requests')
    .set({
      ...plain,
      ...(address ? { address: JSON.stringify(address) } : {}),
      version: row.version + 1,
      updated_at: at,
    })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** How many pickups riders of a station have in the windows of some days; `except`: without this one. */
export async function countTakenWindows(
  db: DbOrTx,
  stationId: string,
  from: string,
  to: string,
  except: string | null,
): Promise<{ day: string; window: string; taken: number }[]> {
  const { rows } = await sql<{ day: string; window: string; taken: number }>`
    select pickup_date as day, pickup_window as window, count(*) as taken from pickup_requests
    where station_id = ${stationId}::uuid and pickup_date between ${from}::date and ${to}::date and cancelled_at is null
      and (${except}::uuid is null or id <> ${except}::uuid)
    group by 1, 2`.execute(db)
  return rows
}

/**
 * Visits of an account that no rider has begun, at one time or from a day on; `lock` holds them until the transaction
 * ends.
 */
export async function openVisits(
  db: DbOrTx,
  accountId: AccountId,
  at: { date: string; window: string } | { from: string },
  { lock }: { lock: boolean },
): Promise<PickupRow[]> {
  const when =
    'from' in at
      ? sql`pickup_date >= ${at.from}::date`
      : sql`pickup_date = ${at.date}::date and pickup_window = ${at.window}::text`
  const { rows } = await sql<PickupRow>`
    select * from pickup_requests where account_id = ${accountId}::uuid and ${when}
      and cancelled_at is null and status in ('new', 'open') and leg = 'outbound'
    order by pickup_date, pickup_window, id ${lock ? sql`for update` : sql``}`.execute(db)
  return rows
}

/** Only one order of an account at a time joins or books a visit of this day and window. */
export async function lockVisits(trx: DbOrTx, accountId: AccountId, day: string, window: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`visit ${accountId} ${day} ${window}`}, 0))`.execute(trx)
}

/** Pickups with these ids, locked in the order of their ids. */
export async function lockPickupRows(trx: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<PickupRow[]> {
  const { rows } = await sql<PickupRow>`
    select * from pickup_requests where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
    order by id for update`.execute(trx)
  return rows
}

export async function findPickupRows(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<PickupRow[]> {
  const { rows } = await sql<PickupRow>`
    select * from pickup_requests where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** Only one at a time decides about the last place in a window. */
export async function lockWindow(trx: DbOrTx, stationId: string, day: string, window: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pickup ${stationId} ${day} ${window}`}, 0))`.execute(trx)
}

export type TaskFilter = {
  stationId: string | null
  day: string | null
  riderId: string | null
  withoutRider: boolean
  status: string | null
}

const fitting = ({ stationId, day, riderId, withoutRider, status }: TaskFilter) => sql`
  cancelled_at is null and (${stationId}::uuid is null or station_id = ${stationId}::uuid)
  and (${day}::date is null or pickup_date = ${day}::date) and (${riderId}::uuid is null or rider_id = ${riderId}::uuid)
  and (not ${withoutRider}::boolean or rider_id is null) and (${status}::text is null or status = ${status}::text)`

/** A page of a station's tasks by day and window. */
export async function listTaskRows(
  db: DbOrTx,
  filter: TaskFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: PickupRow[]; total: number }> {
  const [found, counted] = await Promise.all([
    sql<PickupRow>`
      select * from pickup_requests where ${fitting(filter)}
      order by pickup_date, pickup_window, address ->> 'postcode', id limit ${limit}::int offset ${offset}::int`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*) as total from pickup_requests where ${fitting(filter)}`.execute(db),
  ])
  return { rows: found.rows, total: counted.rows[0]?.total ?? 0 }
}
