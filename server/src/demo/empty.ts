import type { DbOrTx } from '../db/pool.ts'

/**
 * Whether nobody has an account yet: the demo's data is set up only then. Apart from the seed, so that a later start
 * doesn't load it.
 */
export async function isEmpty(db: DbOrTx): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
}
