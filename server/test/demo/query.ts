// Shared by the tests of the demo.
import { sql } from 'kysely'
import type { Deps } from '../../src/deps.ts'

/** A Thursday afternoon in Malaysia. */
export const demoAfternoon = new Date('2026-11-19T06:20:00Z')

/** The rows of a plain query. */
export async function queryRows<R>(query: string, deps: Deps): Promise<R[]> {
  return (await sql.raw<R>(query).execute(deps.db)).rows
}
