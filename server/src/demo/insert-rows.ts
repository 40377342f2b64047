/** Inserts many rows of a table at once. */
import { type Insertable, sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { DB } from '../db/schema.ts'

/**
 * Inserts any number of rows in one statement, in their order (a ledger's triggers depend on it). Every row has the
 * same columns; a column that no row has takes its default. A Buffer becomes bytea, a Date a timestamp, an object or
 * array the column's own type.
 */
export async function insertRows<T extends keyof DB & string>(
  trx: Tx,
  table: T,
  rows: readonly Insertable<DB[T]>[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  const json = JSON.stringify(rows, (_, value: unknown) => (isBytes(value) ? bytesText(value) : value))
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${json}::jsonb)`.execute(trx)
}

/** The form of a Buffer when a JSON replacer sees it. */
type SerialisedBytes = { type: 'Buffer'; data: number[] }

function isBytes(value: unknown): value is SerialisedBytes {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value
}

const bytesText = (bytes: SerialisedBytes) => `\\x${Buffer.from(bytes.data).toString('hex')}`
