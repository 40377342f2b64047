/**
 * A process that queries in a loop, by Kysely and in transactions, and prints how many bytes of old objects each query
 * leaves behind. Its argument is the URL of the database. Needs `--expose-gc`.
 */
import { getHeapSpaceStatistics } from 'node:v8'
import { sql } from 'kysely'
import { createDb, createPool, tx } from '../../src/db/pool.ts'

const [url = ''] = process.argv.slice(2)
const pool = createPool(url, { max: 4 })
const db = createDb(pool)
const count = 4_000

const readRows = () => sql`
  select n, repeat('x', 200) as text from generate_series(1, ${20}::int) as n
  -- ${sql.raw('a comment that makes the statement as long as real ones '.repeat(40))}`
const loops = {
  query: () => readRows().execute(db),
  transaction: () => tx(db, (trx) => readRows().execute(trx)),
}

const countOldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0

async function growth(work: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < 500; n += 1) await work()
  gc?.()
  const before = countOldBytes()
  for (let n = 0; n < count; n += 1) await work()
  return Math.round((countOldBytes() - before) / count)
}

const query = await growth(loops.query)
const transaction = await growth(loops.transaction)
console.log(JSON.stringify({ query, transaction }))
await pool.end()
