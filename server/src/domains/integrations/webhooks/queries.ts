/** Queries on webhooks. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Webhooks } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'

export type WebhookRow = Selectable<Webhooks>

/** The webhooks of an account, newest first. */
export async function listWebhookRows(db: DbOrTx, accountId: AccountId): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** A webhook of an account. */
export async function findAccountWebhook(
  db: DbOrTx,
  accountId: AccountId,
  id: string,
): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A webhook of an account, locked. */
export async function lockAccountWebhook(
  trx: DbOrTx,
  accountId: AccountId,
  id: string,
): Promise<WebhookRow | undefined> {
  return trx
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** A webhook of any account, for jobs. */
export async function findWebhook(db: DbOrTx, id: string): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Active webhooks of these accounts, locked in a fixed order so that two batches of events cannot deadlock. */
export async function lockActiveWebhooks(trx: DbOrTx, accountIds: readonly string[]): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    select *
    from webhooks
    where account_id = any(${accountIds}::uuid[]) and status = 'active'
    order by id
    for no key update`.execute(trx)
  return rows
}

/** Inserts a webhook. */
export async function insertWebhook(trx: DbOrTx, row: Insertable<Webhooks>): Promise<WebhookRow> {
  return trx.insertInto('webhooks').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Changes a locked webhook. */
export async function updateWebhookRow(trx: DbOrTx, id: string, set: Partial<WebhookRow>): Promise<void> {
  await trx.updateTable('webhooks').set(set).where('id', '=', id).execute()
}

/** Deletes a webhook of an account with its log. False if there is none. */
export async function deleteWebhook(trx: DbOrTx, accountId: AccountId, id: string): Promise<boolean> {
  const result = await trx
    .deleteFrom('webhooks')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Resets the failure state, after the receiver answered or when nothing is left to deliver. */
export async function forgetFailures(db: DbOrTx, id: string): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ failures: 0, failing_since: null, retry_at: null })
    .where('id', '=', id)
    .where('failures', '>', 0)
    .execute()
}

/**
 * Records another failure of the receiver. Returns the webhook; undefined if it was removed or switched off meanwhile.
 */
export async function markFailing(
  trx: DbOrTx,
  id: string,
  { at, retryAt }: { at: Date; retryAt: Date },
): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`
    update webhooks
    set failures = failures + 1, failing_since = coalesce(failing_since, ${at}::timestamptz),
      retry_at = ${retryAt}::timestamptz
    where id = ${id}::uuid and status = 'active'
    returning *`.execute(trx)
  return rows[0]
}

/** Replaces an encrypted secret, unless another one has replaced it meanwhile. */
export async function replaceWebhookSecret(db: DbOrTx, id: string, before: string, after: string): Promise<void> {
  await sql`
    update webhooks
    set secret = case when secret = ${before}::text then ${after}::text else secret end,
      previous_secret = case when previous_secret = ${before}::text then ${after}::text else previous_secret end
    where id = ${id}::uuid`.execute(db)
}

/** Every webhook's encrypted secrets, for the rotation of the server's own key. */
export async function listSecrets(db: DbOrTx): Promise<Pick<WebhookRow, 'id' | 'secret' | 'previous_secret'>[]> {
  return db.selectFrom('webhooks').select(['id', 'secret', 'previous_secret']).execute()
}
