import type { Leg } from '@waybill/contract/ground/enums'
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import { type PickupTab, pickupTabs } from '@waybill/contract/pickups/pickups'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { PickupRequests } from '../../db/schema.ts'
import type { AccountId } from '../../http/caller.ts'

export type PickupRow = Selectable<PickupRequests>

export type NewPickup = {
  id: string
  accountId: AccountId
  /** Null: asked for after the payment. */
  orderId: string | null
  /** `return`: fetches from the recipient. Outbound when absent. */
  leg?: Leg
  choice: PickupChoice
  stationId: string | null
  parcelCount: number
  at: Date
}

/** Makes a request and answers its number. */
export async function insertPickup(trx: DbOrTx, pickup: NewPickup): Promise<string> {
  const { address, date, window } = pickup.choice
  const made = await trx
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
  return made.number
}

const sortColumns = { date: 'pickup_date', createdAt: 'created_at' } as const
export type PickupSort = { field: string; descending: boolean }

export type PickupFilter = {
  statuses: readonly string[] | null
  status?: string | undefined
  from?: string | undefined
  to?: string | undefined
  search?: string | undefined
  sort: PickupSort[]
  offset: number
  limit: number
}

/** How many of the account's requests each tab of the screen has. */
export async function countByTabs(db: DbOrTx, accountId: AccountId): Promise<Record<PickupTab, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) as count from pickup_requests where account_id = ${accountId}::uuid group by status`.execute(
    db,
  )
  const of = (statuses: readonly string[] | null) =>
    rows
      .filter(({ status }) => statuses === null || statuses.includes(status))
      .reduce((sum, { count }) => sum + count, 0)
  return { coming: of(pickupTabs.coming), failed: of(pickupTabs.failed), done: of(pickupTabs.done), all: of(null) }
}

/** A page of the account's requests and how many there are; the latest made first unless sorted otherwise. */
export async function listPickupRows(
  db: DbOrTx,
  accountId: AccountId,
  filter: PickupFilter,
): Promise<{ rows: PickupRow[]; total: number }> {
  let fitting = db.selectFrom('pickup_requests').where('account_id', '=', accountId)
  if (filter.statuses) fitting = fitting.where('status', 'in', filter.statuses)
  if (filter.status !== undefined) fitting = fitting.where('status', '=', filter.status)
  if (filter.from !== undefined) fitting = fitting.where('pickup_date', '>=', filter.from)
  if (filter.to !== undefined) fitting = fitting.where('pickup_date', '<=', filter.to)
  for (const word of (filter.search ?? '').toLowerCase().split(/\s+/).filter(Boolean)) {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`
    fitting = fitting.where(sql<boolean>`(lower(number) like ${pattern} or lower(address::text) like ${pattern})`)
  }
  let sorted = fitting.selectAll()
  for (const { field, descending } of filter.sort) {
    sorted = sorted.orderBy(sortColumns[field as keyof typeof sortColumns], descending ? 'desc' : 'asc')
  }
  const [rows, counted] = await Promise.all([
    sorted.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(filter.limit).offset(filter.offset).execute(),
    fitting.select((query) => query.fn.countAll<number>().as('total')).executeTakeFirst(),
  ])
  return { rows, total: counted?.total ?? 0 }
}
