/** Finds the logins of the demo in a database. */
import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { demoMembers, demoStaff } from './story/logins.ts'

/** The email of any demo login in this database; null if there is none. */
export async function findDemoLogin(db: Db): Promise<string | null> {
  const emails = [...demoMembers, ...demoStaff].map(({ email }) => email)
  const row = await db
    .selectFrom('users')
    .select('email')
    // Both kinds, so that the index on kind and email can be used.
    .where('kind', 'in', ['customer', 'staff'])
    .where(sql<string>`lower(email)`, 'in', emails)
    .limit(1)
    .executeTakeFirst()
  return row?.email ?? null
}
