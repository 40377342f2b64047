/** Queries on the confirmed steps of the setup. */
import type { DbOrTx } from '../../db/pool.ts'

/** When each confirmed step was confirmed last. */
export async function listConfirmations(db: DbOrTx): Promise<Map<string, Date>> {
  const rows = await db.selectFrom('setup_confirmations').select(['step', 'confirmed_at']).execute()
  return new Map(rows.map(({ step, confirmed_at }) => [step, confirmed_at]))
}

/** Confirms a step, again if it was confirmed before. */
export async function upsertConfirmation(trx: DbOrTx, step: string, userId: string, at: Date): Promise<void> {
  const values = { confirmed_at: at, confirmed_by: userId }
  await trx
    .insertInto('setup_confirmations')
    .values({ step, ...values })
    .onConflict((conflict) => conflict.column('step').doUpdateSet(values))
    .execute()
}
