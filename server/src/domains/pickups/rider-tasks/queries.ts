// Pickup requests as riders' tasks.
import type { Party } from '@waybill/contract/addresses/addresses'
import { countLimit } from '@waybill/contract/ground/paging'
import { type RawBuilder, sql } from 'kysely'
import { readPage } from '../../../db/page.ts'
import { belongsTo, type DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { PickupRow } from '../queries.ts'

/** A pickup of an account, locked until the transaction ends. */
export async function lockAccountPickup(trx: DbOrTx, accountId: AccountId, id: string): Promise<PickupRow | null> {
  const { rows } = await sql<PickupRow>`
    select *
    from pickup_requests
    where account_id = ${accountId}::uuid and id = ${id}::uuid
    for update`.execute(trx)
  return rows[0] ?? null
}

export async function findAnyPickup(db: DbOrTx, accountId: AccountId, id: string): Promise<PickupRow | null> {
  const { rows } = await sql<PickupRow>`
    select *
    from pickup_requests
    where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

/** A pickup of any account, for staff. */
export async function findPickupOfAnyAccount(db: DbOrTx, id: string): Promise<PickupRow | null> {
  const { rows } = await sql<PickupRow>`select * from pickup_requests where id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

/** A pickup of any account, locked until the transaction ends. */
export async function lockAnyPickup(trx: DbOrTx, id: string): Promise<PickupRow | null> {
  const [row] = await lockAnyPickups(trx, [id])
  return row ?? null
}

/** Pickups of any account, locked in the order of their ids. */
export async function lockAnyPickups(trx: DbOrTx, ids: readonly string[]): Promise<PickupRow[]> {
  const { rows } = await sql<PickupRow>`
    select *
    from pickup_requests
    where id = any(${ids}::uuid[])
    order by id
    for update`.execute(trx)
  return rows
}

/** Neither completed nor cancelled, for a request `r`. */
const isOpen = sql`r.status <> 'completed' and r.cancelled_at is null`

/** The condition that an account's pickup is neither completed nor cancelled. `pickupId` is a column. */
export const buildOpenFilter = (accountId: AccountId, pickupId: RawBuilder<unknown>) => sql<boolean>`
  exists (
    select 1
    from pickup_requests r
    where r.account_id = ${accountId}::uuid and r.id = ${pickupId} and ${isOpen}
  )`

/** The pickups among these that are neither completed nor cancelled. */
export async function openPickups(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select r.id
    from pickup_requests r
    where ${belongsTo(accountId, 'r')} and r.id = any(${ids}::uuid[]) and ${isOpen}`.execute(db)
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

/** Writes an edit of a locked pickup. Returns the updated row. */
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

/** The number of a station's pickups by day and window; `except` is not counted. */
export async function countTakenWindows(
  db: DbOrTx,
  stationId: string,
  from: string,
  to: string,
  except: string | null,
): Promise<{ day: string; window: string; taken: number }[]> {
  const { rows } = await sql<{ day: string; window: string; taken: number }>`
    select pickup_date as day, pickup_window as window, count(*) as taken
    from pickup_requests
    where station_id = ${stationId}::uuid
      and pickup_date between ${from}::date and ${to}::date
      and cancelled_at is null
      and (${except}::uuid is null or id <> ${except}::uuid)
    group by 1, 2`.execute(db)
  return rows
}

/** Pickups with these ids, locked in the order of their ids. */
export async function lockPickupRows(trx: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<PickupRow[]> {
  const { rows } = await sql<PickupRow>`
    select *
    from pickup_requests
    where ${belongsTo(accountId)} and id = any(${ids}::uuid[])
    order by id
    for update`.execute(trx)
  return rows
}

/** Serialises bookings of a window, because two might take the last place. */
export async function lockWindow(trx: DbOrTx, stationId: string, day: string, window: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pickup ${stationId} ${day} ${window}`}, 0))`.execute(trx)
}

export type PickupTaskFilter = {
  stationId: string | null
  day: string | null
  riderId: string | null
  withoutRider: boolean
  status: string | null
  number: string | null
}

const buildCondition = ({ stationId, day, riderId, withoutRider, status, number }: PickupTaskFilter) => sql`
      cancelled_at is null
      and (${stationId}::uuid is null or station_id = ${stationId}::uuid)
      and (${day}::date is null or pickup_date = ${day}::date)
      and (${riderId}::uuid is null or rider_id = ${riderId}::uuid)
      and (not ${withoutRider}::boolean or rider_id is null)
      and (${status}::text is null or status = ${status}::text)
      ${number === null ? sql`` : sql`and number = ${number}::text`}`

/** A page of tasks by day, window and postcode. */
export async function listPickupTaskRows(
  db: DbOrTx,
  filter: PickupTaskFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: PickupRow[]; total: number }> {
  return readPage(
    db,
    sql<PickupRow>`
      select *
      from pickup_requests
      where ${buildCondition(filter)}
      order by pickup_date, pickup_window, address ->> 'postcode', id
      limit ${limit}::int offset ${offset}::int`,
    sql`pickup_requests where ${buildCondition(filter)}`,
    countLimit,
  )
}
