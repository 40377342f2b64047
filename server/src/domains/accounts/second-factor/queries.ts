import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { SecondFactors } from '../../../db/schema.ts'

type FactorRow = Selectable<SecondFactors>

export async function findFactor(db: DbOrTx, userId: string): Promise<FactorRow | undefined> {
  return db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** The factor, held so that a code that is sent twice at once is accepted once. */
export async function lockFactor(trx: DbOrTx, userId: string): Promise<FactorRow | undefined> {
  return trx.selectFrom('second_factors').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()
}

/** Keeps a new secret beside the present one until it is confirmed. */
export async function savePendingSecret(trx: DbOrTx, userId: string, secret: string, at: Date): Promise<void> {
  await trx
    .insertInto('second_factors')
    .values({ user_id: userId, pending_secret: secret, created_at: at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ pending_secret: secret }))
    .execute()
}

/** Makes the pending secret the one that counts, with new recovery codes. */
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

export async function updateLastStep(trx: DbOrTx, userId: string, step: number): Promise<void> {
  await trx.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', userId).execute()
}

/** Spends a recovery code; false when there is no such one. */
export async function removeRecoveryHash(trx: DbOrTx, userId: string, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update second_factors
    set recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
    where user_id = ${userId}::uuid and ${hash}::bytea = any(recovery_hashes)
    returning 1`.execute(trx)
  return rows.length > 0
}

/** False when there was none. */
export async function deleteFactor(trx: DbOrTx, userId: string): Promise<boolean> {
  const result = await trx.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Every member of staff's factor: as many rows as there are staff. */
export async function listFactors(db: DbOrTx): Promise<FactorRow[]> {
  return db.selectFrom('second_factors').selectAll().execute()
}

/** Writes an encrypted secret anew, where it is still the one that was read. */
export async function replaceSecret(db: DbOrTx, userId: string, before: string, after: string): Promise<void> {
  await sql`
    update second_factors
    set secret = case when secret = ${before}::text then ${after}::text else secret end,
      pending_secret = case when pending_secret = ${before}::text then ${after}::text else pending_secret end
    where user_id = ${userId}::uuid`.execute(db)
}
