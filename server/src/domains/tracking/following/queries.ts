// Rows of `tracking_follows`.
import type { Locale } from '@waybill/contract/ground/constants'
import { type Selectable, sql } from 'kysely'
import { deleteOldRows } from '../../../db/batches.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { TrackingFollows } from '../../../db/schema.ts'

export type FollowRow = Omit<Selectable<TrackingFollows>, 'language'> & { language: Locale }

/**
 * Inserts a request to follow, or renews one that waits for its confirmation. A confirmed one is unchanged. Returns
 * the resulting row.
 */
export async function upsertFollow(
  trx: DbOrTx,
  follow: Pick<FollowRow, 'id' | 'account_id' | 'parcel_id' | 'email' | 'language' | 'created_at'>,
): Promise<FollowRow> {
  const { rows } = await sql<FollowRow>`
    insert into tracking_follows as f (id, account_id, parcel_id, email, language, created_at)
    values (
      ${follow.id}, ${follow.account_id}, ${follow.parcel_id}, ${follow.email}, ${follow.language},
      ${follow.created_at})
    on conflict (parcel_id, email) do update
    set created_at = case when f.confirmed_at is null then excluded.created_at else f.created_at end,
      language = excluded.language
    returning *`.execute(trx)
  return rows[0] as FollowRow
}

/** Follows with a browser. If it already follows the parcel, its keys and language are updated. Returns the id. */
export async function upsertPushFollow(
  db: DbOrTx,
  follow: Omit<FollowRow, 'email'> & { endpoint: string },
): Promise<string> {
  const { p256dh, auth, language } = follow
  const { id } = await db
    .insertInto('tracking_follows')
    .values(follow)
    .onConflict((conflict) => conflict.columns(['parcel_id', 'endpoint']).doUpdateSet({ p256dh, auth, language }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findFollow(db: DbOrTx, id: string): Promise<FollowRow | null> {
  const row = await db.selectFrom('tracking_follows').selectAll().where('id', '=', id).executeTakeFirst()
  return (row as FollowRow | undefined) ?? null
}

/** Confirms a request; repeating it changes nothing. */
export async function setConfirmed(trx: DbOrTx, id: string, at: Date, eventCount: number): Promise<void> {
  await sql`
    update tracking_follows
    set confirmed_at = ${at}, told_events = ${eventCount}
    where id = ${id}::uuid and confirmed_at is null`.execute(trx)
}

export async function deleteFollow(trx: DbOrTx, id: string): Promise<void> {
  await trx.deleteFrom('tracking_follows').where('id', '=', id).execute()
}

/** The parcels among these that have a confirmed follower. */
export async function listFollowedParcels(db: DbOrTx, parcelIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ parcel_id: string }>`
    select distinct parcel_id
    from tracking_follows
    where parcel_id = any(${parcelIds}::uuid[]) and confirmed_at is not null`.execute(db)
  return rows.map(({ parcel_id }) => parcel_id)
}

/** The confirmed followers of a parcel, locked until the transaction ends. */
export async function lockFollowers(trx: DbOrTx, parcelId: string): Promise<FollowRow[]> {
  const { rows } = await sql<FollowRow>`
    select *
    from tracking_follows
    where parcel_id = ${parcelId}::uuid and confirmed_at is not null
    order by id
    for update`.execute(trx)
  return rows
}

export async function setEventCount(trx: DbOrTx, ids: readonly string[], count: number): Promise<void> {
  await sql`update tracking_follows set told_events = ${count} where id = any(${ids}::uuid[])`.execute(trx)
}

export async function deleteFollows(trx: DbOrTx, ids: readonly string[]): Promise<void> {
  await sql`delete from tracking_follows where id = any(${ids}::uuid[])`.execute(trx)
}

/** Deletes requests that were never confirmed, and follows of parcels whose journeys never ended. */
export async function deleteOldFollows(
  db: DbOrTx,
  { unconfirmedBefore, before }: { unconfirmedBefore: Date; before: Date },
): Promise<void> {
  await deleteOldRows(db, 'tracking_follows', 'created_at', before)
  await deleteOldRows(db, 'tracking_follows', 'created_at', unconfirmedBefore, sql`confirmed_at is null`)
}
