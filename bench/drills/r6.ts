/**
 * R6: random walks of parcels and their money against a model of docs/rules: checkouts, repeated and late payments,
 * cancellations, refunds to wallet and card, scans, recalls and returns, and forbidden actions. No state, or
 * combination of money and state, may occur that the model does not allow. Repeatable by its seed.
 *
 * node bench/drills/r6.ts [steps] [seed]
 */
import { buildApp } from '../../server/src/app.ts'
import { loadConfig } from '../../server/src/config.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { createDb, createPool } from '../../server/src/db/pool.ts'
import { seedNetwork } from '../../server/src/demo/network/network.ts'
import { walkWithMoney } from '../../server/test/testing/money-walk.ts'
import { startTemporaryPostgres } from '../../server/test/testing/temporary-postgres.ts'

const steps = Number(process.argv[2] ?? 100_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
/** Walks restart from time to time, so that first and last states are reached often. */
const perWalk = 5_000

const postgres = await startTemporaryPostgres(console.log)
const pool = createPool(postgres.url, { max: 10, name: 'waybill r6' })
const db = createDb(pool)
await migrate(postgres.url)
await seedNetwork(db)
const config = loadConfig(
  { NODE_ENV: 'test', SECRET_KEY: 'a secret of the drill that is long enough', LOG_LEVEL: 'error' },
  [],
)
const app = await buildApp({ config, pool, db, databaseUrl: postgres.url, smtpUrl: 'smtp://127.0.0.1:9' })
try {
  const begin = performance.now()
  const totals: Record<string, number> = {}
  let [walked, refused] = [0, 0]
  for (let walk = 0; walked < steps; walk += 1) {
    const walkResult = await walkWithMoney(app.deps, { steps: Math.min(perWalk, steps - walked), seed: seed + walk })
    walked += walkResult.steps
    refused += walkResult.refused
    for (const [name, count] of Object.entries(walkResult.done)) totals[name] = (totals[name] ?? 0) + count
    console.log(`${walked} steps in ${Math.round((performance.now() - begin) / 1000)} s`)
  }
  console.log(totals)
  console.log(
    `R6: ${walked} steps with seed ${seed}, ${refused} of them refused as they should be: ` +
      'no difference from the model.',
  )
} finally {
  await app.close()
  await pool.end()
  await postgres.stop()
}
