/** Queries on second factors. */
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { SecondFactors } from '../../../db/schema.ts'

type FactorRow = Selectable<SecondFactors>

/** A user's factor. */
export async function findFactor(db: DbOrTx, userId: string): Promise<FactorRow | undefined> {
  return db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** The factor, locked, so that a code that is sent twice at once is accepted once. */
export async function lockFactor(trx: DbOrTx, userId: string): Promise<FactorRow | undefined> {
  return trx.selectFrom('second_factors').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()
}

/** Stores a new secret alongside the current one until it is confirmed. */
export async function savePendingSecret(trx: DbOrTx, userId: string, secret: string, at: Date): Promise<void> {
  await trx
    .insertInto('second_factors')
    .values({ user_id: userId, pending_secret: secret, created_at: at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ pending_secret: secret }))
    .execute()
}

/** Activates the pending secret, with new recovery codes. */
export async function confirmPendingSecret(
  trx: DbOrTx,
  userId: string,
  set: { lastStep: number; recoveryHashes: Buffer[]; at: Date },
): Promise<void> {
  await sql`
    update second_factors
    set secret = pending_secret, pending_secret = null, last_step = ${set.lastStep}::bigint,
      recovery_hashes = ${set.recoveryHashes}::bytea[], confirmed_at = ${set.at}::timestamptz
    where user_id = ${userId}::uuid`.execute(trx)
}

/** Stores the step of the last code, so that a code is accepted once. */
export async function updateLastStep(trx: DbOrTx, userId: string, step: number): Promise<void> {
  await trx.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', userId).execute()
}

/** Uses up a recovery code. False if there is none with this hash. */
export async function removeRecoveryHash(trx: DbOrTx, userId: string, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update second_factors
    set recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
    where user_id = ${userId}::uuid and ${hash}::bytea = any(recovery_hashes)
    returning 1`.execute(trx)
  return rows.length > 0
}

/** False if there was none. */
export async function deleteFactor(trx: DbOrTx, userId: string): Promise<boolean> {
  const result = await trx.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** The factors of all staff. */
export async function listFactors(db: DbOrTx): Promise<FactorRow[]> {
  return db.selectFrom('second_factors').selectAll().execute()
}

/** Replaces an encrypted secret, unless it changed since it was read. */
export async function replaceTotpSecret(db: DbOrTx, userId: string, before: string, after: string): Promise<void> {
  await sql`
    update second_factors
    set secret = case when secret = ${before}::text then ${after}::text else secret end,
      pending_secret = case when pending_secret = ${before}::text then ${after}::text else pending_secret end
    where user_id = ${userId}::uuid`.execute(db)
}
