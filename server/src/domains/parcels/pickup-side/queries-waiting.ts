// Parcels of pickups.
import { type RawBuilder, sql } from 'kysely'
import { belongsTo, type DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import { findParcels, type ParcelRow } from '../queries.ts'

/** The current pickup of a parcel: that of its return if the sender requested one, else the outbound one. */
export function currentPickupId(row: ParcelRow): string | null {
  return row.status === 'reverse_pickup' || row.leg === 'return' ? row.return_pickup_id : row.pickup_request_id
}

/** `currentPickupId` of a parcel `p` in a query. */
export const currentPickup = sql`case when p.status = 'reverse_pickup' or p.leg = 'return' then p.return_pickup_id
  else p.pickup_request_id end`

/** The parcels of pickups of any account, by id. */
export async function listParcelsOfPickups(db: DbOrTx, pickupIds: readonly string[]): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where pickup_request_id = any(${pickupIds}::uuid[]) or return_pickup_id = any(${pickupIds}::uuid[])
    order by id`.execute(db)
  return rows
}

/** The condition that a user has a parcel on a pickup, on either leg. `pickupId` is a column. */
export const buildSenderFilter = (pickupId: RawBuilder<unknown>, userId: string) => sql<boolean>`
  exists (
    select 1
    from parcels p
    where (p.pickup_request_id = ${pickupId} or p.return_pickup_id = ${pickupId}) and p.created_by = ${userId}::uuid
  )`

/** The parcels of one pickup, locked until the transaction ends. */
export async function lockPickupParcels(trx: DbOrTx, pickupId: string): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where pickup_request_id = ${pickupId}::uuid or return_pickup_id = ${pickupId}::uuid
    order by id
    for update`.execute(trx)
  return rows
}

/** Parcels of an account by id. */
export async function listParcelsById(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<ParcelRow[]> {
  return findParcels(db, accountId, ids, null)
}

/**
 * Parcels that wait for a rider on either leg and are not on an open pickup (`isOpen` of a pickup's id), the oldest
 * first; `createdBy` null: of all users of the account.
 */
export async function listParcelsWithoutPickup(
  db: DbOrTx,
  accountId: AccountId,
  createdBy: string | null,
  isOpen: (pickupId: RawBuilder<unknown>) => RawBuilder<boolean>,
  limit: number,
): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select p.*
    from parcels p
    where p.account_id = ${accountId}::uuid
      and p.status in ('pending_pickup', 'reverse_pickup')
      and (${createdBy}::uuid is null or p.created_by = ${createdBy}::uuid)
      and not ${isOpen(currentPickup)}
    order by p.created_at, p.id
    limit ${limit}::int`.execute(db)
  return rows
}

/** Sets the pickup of parcels on their leg, or clears it (null). This does not count as an edit, so versions stay. */
export async function setPickup(
  trx: DbOrTx,
  accountId: string,
  ids: readonly string[],
  pickupId: string | null,
): Promise<void> {
  await sql`
    update parcels
    set pickup_request_id = case when status = 'reverse_pickup' then pickup_request_id else ${pickupId}::uuid end,
      return_pickup_id = case when status = 'reverse_pickup' then ${pickupId}::uuid else return_pickup_id end
    where ${belongsTo(accountId)} and id = any(${ids}::uuid[])`.execute(trx)
}
