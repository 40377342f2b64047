/** Inserts many rows of a table at once. */
import { type Insertable, sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { DB } from '../db/schema.ts'

/**
 * Inserts any number of rows by one statement, in their order (a ledger's triggers see it). Every row names the same
 * columns; a column that none names takes its default. A Buffer becomes bytea, a Date an instant, an object or array
 * whatever its column is.
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

/** What a Buffer has become by the time that a replacer sees it. */
type SerialisedBytes = { type: 'Buffer'; data: number[] }

function isBytes(value: unknown): value is SerialisedBytes {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value
}

const bytesText = (bytes: SerialisedBytes) => `\\x${Buffer.from(bytes.data).toString('hex')}`
