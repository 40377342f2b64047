import { startStandby } from '../server/test/testing/standby.ts'
import type { BenchDatabase } from './database.ts'
import { requestRate } from './load.ts'
import { measure } from './measure.ts'
import { startFloor } from './processes.ts'
import { against, type Figure } from './results.ts'
import { type RunningServer, startServer } from './server.ts'

/** Transactions that the replica has answered so far. */
const answered = 'select xact_commit::int as count from pg_stat_database where datname = current_database()'

/**
 * P9: P1 with two server processes that read from a replica, compared with one process on the primary only. Both are
 * behind the same proxy, so that only the servers differ.
 */
export async function p9(
  server: RunningServer,
  database: BenchDatabase,
  dataDir: string,
  number: string,
): Promise<Figure[]> {
  const stops: (() => unknown)[] = []
  try {
    const standby = await startStandby(database.url)
    stops.push(() => standby.stop())
    const variables = { DATABASE_URL: database.url, DATABASE_REPLICA_URL: standby.url, ROLE: 'web' }
    const pair: RunningServer[] = []
    for (let n = 0; n < 2; n += 1) {
      const process = await startServer(dataDir, variables)
      stops.push(() => process.stop())
      pair.push(process)
    }
    const toPair = await startFloor('proxy.ts', ...pair.map(({ address }) => address))
    stops.push(() => toPair.stop())
    const toOne = await startFloor('proxy.ts', server.address)
    stops.push(() => toOne.stop())

    const path = `/api/public/parcels/tracking?no=${number}`
    const [before] = await standby.query<{ count: number }>(answered)
    const medians = await measure(
      {
        ours: (round) => requestRate(`${toPair.address}${path}`, round),
        floor: (round) => requestRate(`${toOne.address}${path}`, round),
      },
      5,
    )
    const [after] = await standby.query<{ count: number }>(answered)
    const reads = (after?.count ?? 0) - (before?.count ?? 0)
    if (reads < 1_000) throw new Error(`the replica answered only ${reads} statements: it took no part`)
    return [
      against({
        id: 'P9',
        what: 'P1 by two processes behind a proxy that read from a replica, against one process behind it without',
        ...medians,
        unit: 'requests/s',
        goal: { compare: 'at least', value: 1.6 },
      }),
    ]
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}
