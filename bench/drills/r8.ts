/**
 * R8: migrates a filled database of an older release, and measures how long the writers of its big tables wait. The
 * folder was kept by P8 (`P8_KEEP`) and filled by the older release.
 *
 * node bench/drills/r8.ts <folder>
 */
import { setTimeout as delay } from 'node:timers/promises'
import { migrate } from '../../server/src/db/migrate.ts'
import { createPool } from '../../server/src/db/pool.ts'
import { joinDatabase } from '../database.ts'

const limitMs = 1_000
const everyMs = 20
const tables = ['parcels', 'parcel_search', 'tracking_events', 'orders', 'journal_postings', 'outbox'] as const

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: node bench/drills/r8.ts <folder that P8 has kept>')
const database = await joinDatabase(folder)
const pool = createPool(database.url, { max: tables.length, name: 'waybill r8', unlimited: true })
const longest = new Map<string, number>()
/** The longest wait since the last migration was applied. */
let wait = { table: '', ms: 0 }
let migrating = true

/** Repeatedly takes a writer's lock. */
async function probe(table: string): Promise<void> {
  const client = await pool.connect()
  try {
    while (migrating) {
      await client.query('begin')
      const begin = performance.now()
      await client.query(`lock table ${table} in row exclusive mode`)
      const ms = performance.now() - begin
      longest.set(table, Math.max(longest.get(table) ?? 0, ms))
      if (ms > wait.ms) wait = { table, ms }
      await client.query('commit')
      await delay(everyMs)
    }
  } finally {
    client.release()
  }
}

try {
  const probes = Promise.all(tables.map(probe))
  const begin = performance.now()
  const applied = await migrate(database.url, {
    log(line) {
      const seconds = ((performance.now() - begin) / 1000).toFixed(1)
      console.log(`${seconds} s  ${line}  (a writer of ${wait.table} waited ${wait.ms.toFixed(0)} ms)`)
      wait = { table: '', ms: 0 }
    },
  }).finally(() => {
    migrating = false
  })
  await probes
  for (const [table, ms] of longest) console.log(`${table}: a writer waited ${ms.toFixed(0)} ms at most`)
  const holds = applied.length > 0 && [...longest.values()].every((ms) => ms < limitMs)
  console.log(holds ? `R8 holds: ${applied.length} migrations.` : 'R8 DOES NOT HOLD, or nothing was left to migrate.')
  process.exitCode = holds ? 0 : 1
} finally {
  await pool.end()
  await database.close()
}
