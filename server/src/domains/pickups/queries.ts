import type { PickupChoice } from '@waybill/contract/orders'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { PickupRequests } from '../../db/schema.ts'
import type { AccountId } from '../../http/caller.ts'

export type PickupRow = Selectable<PickupRequests>

export type NewPickup = {
  id: string
  accountId: AccountId
  orderId: string
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

/** A page of the account's requests and how many there are; the latest made first unless sorted otherwise. */
export async function listPickups(
  db: DbOrTx,
  accountId: AccountId,
  filter: { status?: string; sort: PickupSort[]; offset: number; limit: number },
): Promise<{ rows: PickupRow[]; total: number }> {
  let fitting = db.selectFrom('pickup_requests').where('account_id', '=', accountId)
  if (filter.status !== undefined) fitting = fitting.where('status', '=', filter.status)
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
