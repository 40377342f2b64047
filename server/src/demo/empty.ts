/** Whether a database is empty, so that the demo may be created. */
import type { DbOrTx } from '../db/pool.ts'

/**
 * Whether there are no accounts yet; only then is the demo data created. In a separate file, so that later starts do
 * not load the simulation.
 */
export async function isEmpty(db: DbOrTx): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
}
