import { join } from 'node:path'
import { startEmbeddedPostgres } from '../server/src/db/embedded.ts'
import { createPool } from '../server/src/db/pool.ts'

export type BenchDatabase = {
  url: string
  /** The file that PostgreSQL logs to. */
  logFile: string
  query<T>(sql: string, values?: unknown[]): Promise<T[]>
  close(): Promise<void>
}

/** Joins the embedded PostgreSQL that the server under `dataDir` runs, or starts it. */
export async function joinDatabase(dataDir: string): Promise<BenchDatabase> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const pool = createPool(postgres.url, { max: 4, name: 'waybill bench', unlimited: true })
  return {
    url: postgres.url,
    logFile: join(postgres.folder, 'postgres.log'),
    async query(sql, values = []) {
      return (await pool.query(sql, values)).rows
    },
    async close() {
      await pool.end()
      await postgres.stop()
    },
  }
}

/** The number of a delivered demo parcel. */
export async function deliveredNumber(database: BenchDatabase): Promise<string> {
  const [number = ''] = await deliveredNumbers(database, 1)
  return number
}

/** `deliveredNumber` of several parcels, the newest first. */
export async function deliveredNumbers(database: BenchDatabase, count: number): Promise<string[]> {
  const rows = await database.query<{ tracking_number: string }>(
    `select tracking_number from parcels where status = 'completed' and leg = 'outbound'
     order by created_at desc limit $1`,
    [count],
  )
  if (rows.length < count) throw new Error(`the demo has ${rows.length} delivered parcels, not ${count}`)
  return rows.map((row) => row.tracking_number)
}
