/** Queries on offers of ownership. */
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { OwnershipOffers } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'

export type OfferRow = Pick<
  Selectable<OwnershipOffers>,
  'id' | 'account_id' | 'from_user_id' | 'to_user_id' | 'created_at' | 'expires_at'
>

const columns = sql`id, account_id, from_user_id, to_user_id, created_at, expires_at`

/** The open offer of an account. Expired offers no longer count as open. */
export async function findOpenOffer(db: DbOrTx, accountId: AccountId, now: Date): Promise<OfferRow | undefined> {
  const { rows } = await sql<OfferRow>`
    select ${columns}
    from ownership_offers
    where account_id = ${accountId}::uuid and status = 'pending' and expires_at > ${now}`.execute(db)
  return rows[0]
}

/** An offer of this account, whatever its status. */
export async function findOffer(db: DbOrTx, accountId: AccountId, id: string): Promise<OfferRow | undefined> {
  const { rows } = await sql<OfferRow>`
    select ${columns} from ownership_offers where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(db)
  return rows[0]
}

/** Locks an open offer, so that it is decided once. False if it is no longer open. */
export async function lockOpenOffer(trx: DbOrTx, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from ownership_offers
    where id = ${id}::uuid and status = 'pending' and expires_at > ${now}
    for update`.execute(trx)
  return rows.length > 0
}

/** Marks expired offers, so that a new one can be made. */
export async function expireOffers(trx: DbOrTx, accountId: AccountId, now: Date): Promise<void> {
  await sql`
    update ownership_offers
    set status = 'expired', decided_at = expires_at
    where account_id = ${accountId}::uuid and status = 'pending' and expires_at <= ${now}`.execute(trx)
}

/** Inserts an offer. False if there is an open one. The status is a literal, so that the partial index is used. */
export async function insertOffer(trx: DbOrTx, row: OfferRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('ownership_offers')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').where('status', '=', sql.lit('pending')).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Stores how an offer ended. */
export async function decideOffer(
  trx: DbOrTx,
  id: string,
  status: 'accepted' | 'declined' | 'withdrawn',
  at: Date,
): Promise<void> {
  await trx.updateTable('ownership_offers').set({ status, decided_at: at }).where('id', '=', id).execute()
}

/** Withdraws the open offer to a member who is no longer one. */
export async function withdrawOffersTo(trx: DbOrTx, userId: string, at: Date): Promise<void> {
  await trx
    .updateTable('ownership_offers')
    .set({ status: 'withdrawn', decided_at: at })
    .where('to_user_id', '=', userId)
    .where('status', '=', 'pending')
    .execute()
}

/** Swaps the rights of owner and member in one statement, so that a company never has two owners, or none. */
export async function swapOwner(trx: DbOrTx, offer: OfferRow, at: Date): Promise<void> {
  await sql`
    update users u
    set is_owner = o.is_owner, permissions = o.permissions, monthly_limit_minor = o.monthly_limit_minor,
      version = u.version + 1, updated_at = ${at}
    from users o
    where (u.id, o.id) in (
      (${offer.from_user_id}::uuid, ${offer.to_user_id}::uuid), (${offer.to_user_id}::uuid, ${offer.from_user_id}::uuid)
    )`.execute(trx)
}
