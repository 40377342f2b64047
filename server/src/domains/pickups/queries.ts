// Pickup requests as their senders see them. Riders' tasks are in rider-tasks/queries.ts.

import type { Leg } from '@waybill/contract/ground/enums/parcel-enums'
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import { type PickupTab, pickupTabs } from '@waybill/contract/pickups/pickups'
import { type Selectable, sql } from 'kysely'
import { wordPatterns } from '../../db/conditions/like.ts'
import { belongsTo, type DbOrTx } from '../../db/pool.ts'
import type { PickupRequests } from '../../db/schema.ts'
import type { AccountId } from '../../http/caller.ts'
import { buildSenderFilter } from '../parcels/pickup-side/queries-waiting.ts'

export type PickupRow = Selectable<PickupRequests>

export type NewPickup = {
  id: string
  accountId: AccountId
  /** Null: requested after the payment. */
  orderId: string | null
  /** `return`: from the receiver. If absent, outbound. */
  leg?: Leg
  choice: PickupChoice
  stationId: string | null
  parcelCount: number
  at: Date
}

/** Inserts a pickup request and returns its number. */
export async function insertPickup(trx: DbOrTx, pickup: NewPickup): Promise<string> {
  const { address, date, window } = pickup.choice
  const { number } = await trx
    .insertInto('pickup_requests')
    .values({
      account_id: pickup.accountId,
      id: pickup.id,
      number: sql<string>`'PU-' || lpad(nextval('pickup_serial')::text, 8, '0')`,
      order_id: pickup.orderId,
      leg: pickup.leg ?? 'outbound',
      address: JSON.stringify(address),
      pickup_date: date,
      pickup_window: window,
      parcel_count: pickup.parcelCount,
      station_id: pickup.stationId,
      created_at: pickup.at,
      updated_at: pickup.at,
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  return number
}

// A window starts with its hour, `09:00-12:00`, so its text sorts by the time of day.
const sortColumns = { date: ['pickup_date', 'pickup_window'], createdAt: ['created_at'] } as const
export type PickupSort = { field: string; descending: boolean }

export type PickupFilter = {
  /** Only pickups with a parcel of this user; null: all of the account. */
  createdBy: string | null
  statuses: readonly string[] | null
  status?: string | undefined
  from?: string | undefined
  to?: string | undefined
  search?: string | undefined
  sort: PickupSort[]
  offset: number
  limit: number
}

type Narrowing = Pick<PickupFilter, 'createdBy' | 'from' | 'to' | 'search'>

/** The number of the account's requests in each tab, within the search and the days of the list. */
export async function countByTabs(
  db: DbOrTx,
  accountId: AccountId,
  narrowing: Narrowing,
): Promise<Record<PickupTab, number>> {
  const rows = await filterPickups(db, accountId, narrowing)
    .select(['status', (query) => query.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  const sum = (statuses: readonly string[] | null) =>
    rows
      .filter(({ status }) => statuses === null || statuses.includes(status))
      .reduce((total, { count }) => total + count, 0)
  return { coming: sum(pickupTabs.coming), failed: sum(pickupTabs.failed), done: sum(pickupTabs.done), all: sum(null) }
}

function filterPickups(db: DbOrTx, accountId: AccountId, { createdBy, from, to, search = '' }: Narrowing) {
  let filtered = db.selectFrom('pickup_requests').where('account_id', '=', accountId)
  if (createdBy !== null) filtered = filtered.where(buildSenderFilter(sql.ref('pickup_requests.id'), createdBy))
  if (from !== undefined) filtered = filtered.where('pickup_date', '>=', from)
  if (to !== undefined) filtered = filtered.where('pickup_date', '<=', to)
  for (const pattern of wordPatterns(search)) {
    filtered = filtered.where(sql<boolean>`(lower(number) like ${pattern} or lower(address::text) like ${pattern})`)
  }
  return filtered
}

/** A page of the account's requests and their number, the latest first unless sorted otherwise. */
export async function listPickupRows(
  db: DbOrTx,
  accountId: AccountId,
  filter: PickupFilter,
): Promise<{ rows: PickupRow[]; total: number }> {
  let filtered = filterPickups(db, accountId, filter)
  if (filter.statuses) filtered = filtered.where('status', 'in', filter.statuses)
  if (filter.status !== undefined) filtered = filtered.where('status', '=', filter.status)
  let sorted = filtered.selectAll()
  for (const { field, descending } of filter.sort) {
    for (const column of sortColumns[field as keyof typeof sortColumns]) {
      sorted = sorted.orderBy(column, descending ? 'desc' : 'asc')
    }
  }
  const [rows, count] = await Promise.all([
    sorted.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(filter.limit).offset(filter.offset).execute(),
    filtered.select((query) => query.fn.countAll<number>().as('total')).executeTakeFirst(),
  ])
  return { rows, total: count?.total ?? 0 }
}

/** An account's requests by id, the next one first. */
export async function findPickups(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<PickupRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<PickupRow>`
    select *
    from pickup_requests
    where ${belongsTo(accountId)} and id = any(${ids}::uuid[])
    order by pickup_date, pickup_window, number`.execute(db)
  return rows
}

/** An account's requests by number. */
export async function findPickupsByNumber(
  db: DbOrTx,
  accountId: AccountId,
  numbers: readonly string[],
): Promise<PickupRow[]> {
  const { rows } = await sql<PickupRow>`
    select * from pickup_requests where ${belongsTo(accountId)} and number = any(${numbers}::text[])`.execute(db)
  return rows
}

/** Sets the remaining number of parcels of pickups. A pickup without parcels fails, marked as cancelled. */
export async function setParcelsLeft(
  trx: DbOrTx,
  accountId: AccountId,
  parcelCounts: ReadonlyMap<string, number>,
  at: Date,
): Promise<void> {
  const values = JSON.stringify([...parcelCounts].map(([id, parcels]) => ({ id, parcels })))
  await sql`
    update pickup_requests p
    set parcel_count = v.parcels,
      version = p.version + 1,
      updated_at = ${at}::timestamptz,
      status = case when v.parcels = 0 then 'failed' else p.status end,
      cancelled_at = case when v.parcels = 0 then ${at}::timestamptz else p.cancelled_at end
    from json_to_recordset(${values}::json) as v(id uuid, parcels integer)
    where ${belongsTo(accountId, 'p')} and p.id = v.id and p.status <> 'completed'`.execute(trx)
}
