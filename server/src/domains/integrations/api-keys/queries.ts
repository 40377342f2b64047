/** Queries on API keys and on what they spend. */
import { type ExpressionBuilder, type Insertable, type Selectable, sql } from 'kysely'
import { deleteOldRows } from '../../../db/batches.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { ApiKeys, DB } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'

export type ApiKeyRow = Selectable<ApiKeys>

/** Whether a key works: neither revoked nor expired. */
const isUsable = (where: ExpressionBuilder<DB, 'api_keys'>, now: Date) =>
  where.and([
    where('revoked_at', 'is', null),
    where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]),
  ])

/**
 * The keys of an account, newest first. `limit` drops revoked and expired ones: a key that works must be there to be
 * revoked.
 */
export async function listKeyRows(db: DbOrTx, accountId: AccountId, now: Date, limit: number): Promise<ApiKeyRow[]> {
  const { rows } = await sql<ApiKeyRow>`
    select *
    from (
      select *
      from api_keys
      where account_id = ${accountId}::uuid
      order by revoked_at is not null or coalesce(expires_at <= ${now}::timestamptz, false), created_at desc, id desc
      limit ${limit}::int
    ) listed
    order by created_at desc, id desc`.execute(db)
  return rows
}

/** The number of an account's keys that work: neither revoked nor expired. */
export async function countUsableKeys(db: DbOrTx, accountId: AccountId, now: Date): Promise<number> {
  const row = await db
    .selectFrom('api_keys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where((where) => isUsable(where, now))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Inserts a key. */
export async function insertKey(trx: DbOrTx, row: Insertable<ApiKeys>): Promise<ApiKeyRow> {
  return trx.insertInto('api_keys').values(row).returningAll().executeTakeFirstOrThrow()
}

/** A key by the hash of its secret; undefined if there is none, or if it was revoked or has expired. */
export async function findUsableKey(db: DbOrTx, secretHash: Buffer, now: Date): Promise<ApiKeyRow | undefined> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('secret_hash', '=', secretHash)
    .where((where) => isUsable(where, now))
    .executeTakeFirst()
}

/** Records a use, unless another process recorded one since `since`. */
export async function saveLastUse(db: DbOrTx, id: string, at: Date, since: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', since)]))
    .execute()
}

/** Revokes a key of an account. Returns the key; undefined if there is none. Repeating it changes nothing. */
export async function markRevoked(
  trx: DbOrTx,
  accountId: AccountId,
  id: string,
  at: Date,
): Promise<{ row: ApiKeyRow; changed: boolean } | undefined> {
  const changed = await trx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (changed) return { row: changed, changed: true }
  const row = await trx
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { row, changed: false }
}

/** Revokes the keys that a user of an account created. Returns those that were not revoked before. */
export async function revokeKeysOfUser(
  trx: DbOrTx,
  accountId: AccountId,
  userId: string,
  at: Date,
): Promise<ApiKeyRow[]> {
  return trx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('account_id', '=', accountId)
    .where('created_by', '=', userId)
    .where('revoked_at', 'is', null)
    .returningAll()
    .execute()
}

/**
 * Adds an amount to a key's spending on a day, if the key is still usable and the sum stays within its limit. Locks
 * the sum until the transaction ends. False: refused, nothing was added.
 */
export async function addSpending(
  trx: DbOrTx,
  { keyId, day, amountMinor, now }: { keyId: string; day: string; amountMinor: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into api_key_spending as s (api_key_id, day, spent_minor)
    select id, ${day}::date, ${amountMinor}::bigint
    from api_keys
    where id = ${keyId}::uuid and revoked_at is null and (expires_at is null or expires_at > ${now}::timestamptz)
      and daily_limit_minor >= ${amountMinor}::bigint
    for share
    on conflict (api_key_id, day) do update set spent_minor = s.spent_minor + excluded.spent_minor
    where s.spent_minor + excluded.spent_minor <= (select daily_limit_minor from api_keys where id = s.api_key_id)
    returning 1`.execute(trx)
  return rows.length > 0
}

/** What a key spent on a day. */
export async function findSpent(db: DbOrTx, keyId: string, day: string): Promise<number> {
  const { rows } = await sql<{ spent_minor: number }>`
    select spent_minor from api_key_spending where api_key_id = ${keyId}::uuid and day = ${day}::date`.execute(db)
  return rows[0]?.spent_minor ?? 0
}

/** Deletes sums of days before `before`. */
export async function deleteOldSpending(db: DbOrTx, before: string): Promise<void> {
  await deleteOldRows(db, 'api_key_spending', 'day', before)
}
