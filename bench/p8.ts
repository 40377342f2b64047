import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createDb, createPool, tx } from '../server/src/db/pool.ts'
import { addUpChanges } from '../server/src/domains/dashboard/queries-figures.ts'
import { asAccountId } from '../server/src/http/caller.ts'
import { createTokens } from '../server/src/http/tokens.ts'
import { keyRing } from '../server/src/lib/crypto.ts'
import { type BenchDatabase, joinDatabase } from './database.ts'
import { grow, type LargeAccount } from './growth.ts'
import { measure, timeSeconds } from './measure.ts'
import { type Case, getCases } from './p8-cases.ts'
import { against, alone, type Figure, median } from './results.ts'
import { benchSecret, keptDataFolder, newDataFolder, type RunningServer, startServer } from './server.ts'

const smallSize = 10_000
/** Parcels in the large database; five million need about 25 GB of disk under the folder for temporary files. */
const largeSize = Number(process.env.P8_PARCELS ?? 1_000_000)
const rounds = Number(process.env.P8_ROUNDS ?? 25)
const warmUp = 4
const changesAtOnce = 500_000
/** A folder in which filled databases are kept for the next run, by size and by how they are filled. */
const keep = process.env.P8_KEEP
const filling = createHash('sha256')
  .update(readFileSync(join(import.meta.dirname, 'growth.ts')))
  .digest('hex')
  .slice(0, 8)
const bigTables = ['parcels', 'parcel_search', 'orders', 'carrier_bookings', 'tracking_events%']

type Grown = {
  size: number
  server: RunningServer
  database: BenchDatabase
  token: string
  cases: Case[]
  close(): Promise<void>
}

/**
 * P8: the calls of the largest account, over HTTP, alternately in a small and a large database. A tenth of all parcels
 * are that account's. The figures are the median and the worst ratio of medians, and the sequential scans of big
 * tables.
 */
export async function p8(): Promise<Figure[]> {
  const small = await grown(smallSize)
  try {
    const big = await grown(largeSize)
    try {
      return await compare(small, big)
    } finally {
      await big.close()
    }
  } finally {
    await small.close()
  }
}

async function compare(small: Grown, big: Grown): Promise<Figure[]> {
  const before = await countScans(big.database)
  const ratios: { what: string; ours: number; floor: number; value: number }[] = []
  for (const [n, ours] of big.cases.entries()) {
    const floor = small.cases[n]
    if (!floor) continue
    const rows = await countRows(small, floor)
    const ms = await measure(
      {
        floor: async () => 1000 * (await timeSeconds(() => ask(small, limited(floor, rows)))),
        ours: async () => 1000 * (await timeSeconds(() => ask(big, limited(ours, rows)))),
      },
      rounds,
      warmUp,
    )
    const value = ms.ours / ms.floor
    ratios.push({ what: ours.what, ...ms, value })
    console.log(`  ${value.toFixed(2)}  ${ms.floor.toFixed(1)} -> ${ms.ours.toFixed(1)} ms  ${ours.what}`)
  }
  const after = await countScans(big.database)
  const scans = [...after].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name)
  console.log(scans.length === 0 ? '  no sequential scan of a big table' : `  SEQUENTIAL SCANS: ${scans.join(', ')}`)
  // The dashboard is not a list: it reads counters.
  const dashboard = ratios.splice(
    ratios.findIndex(({ what }) => what === 'dashboard'),
    1,
  )
  const grownCalls = ratios.filter(({ value }) => value > 1.5)
  const slowest = grownCalls.toSorted((a, b) => b.ours - a.ours)[0]
  const at = `${largeSize.toLocaleString('en')} parcels against ${smallSize.toLocaleString('en')}`
  const goal = { compare: 'at most', value: 1.5 } as const
  return [
    against({
      id: 'P8',
      what:
        'lists, filters, searches, tracking of the largest account: ' +
        `the middle one of ${ratios.length} calls, ${at}`,
      ours: median(ratios.map(({ ours }) => ours)),
      floor: median(ratios.map(({ floor }) => floor)),
      unit: 'ms',
      goal,
    }),
    alone({
      id: 'P8 slowest',
      what:
        `the slowest of the ${grownCalls.length} calls of ${ratios.length} that take more than 1.5 times as long` +
        (slowest ? ` (${slowest.what}, ${slowest.value.toFixed(1)} times)` : ''),
      ours: slowest?.ours ?? 0,
      unit: 'ms',
      goal: { compare: 'at most', value: 40 },
    }),
    ...dashboard.map(({ ours, floor }) =>
      against({ id: 'P8b', what: `the dashboard, ${at}`, ours, floor, unit: 'ms', goal }),
    ),
    alone({
      id: 'P8 scans',
      what: 'big tables that were read through',
      ours: scans.length,
      unit: 'tables',
      goal: { compare: 'at most', value: 0 },
    }),
  ]
}

/** A server with `size` parcels. A database that was kept from an earlier run is migrated, not filled again. */
async function grown(size: number): Promise<Grown> {
  const folder = keep ? keptDataFolder(join(keep, `${size}-${filling}`)) : newDataFolder()
  const notePath = join(folder.path, 'large-account.json')
  let server = await startServer(folder.path)
  const database = await joinDatabase(folder.path)
  const close = async () => {
    await database.close()
    await server.stop()
    folder.remove()
  }
  try {
    if (!existsSync(notePath)) {
      const start = performance.now()
      // Autovacuum would repeatedly scan tables whose indexes are temporarily dropped.
      await server.stop()
      const large = await grow(database, size, (line) => console.log(line))
      console.log(`  ${size.toLocaleString('en')} parcels in ${((performance.now() - start) / 1000).toFixed(0)} s`)
      writeFileSync(notePath, JSON.stringify(large))
      server = await startServer(folder.path)
    }
    await addUpFigures(database)
    const large = JSON.parse(readFileSync(notePath, 'utf8')) as LargeAccount
    return {
      size,
      server,
      database,
      token: await signToken(large),
      cases: await getCases(database, large, size),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Adds up the recorded changes of figures, as the job `dashboard:add-up` does after every few writes. */
async function addUpFigures({ url, query }: BenchDatabase): Promise<void> {
  const pool = createPool(url, { max: 1, name: 'waybill bench figures', unlimited: true })
  const db = createDb(pool)
  while ((await tx(db, (trx) => addUpChanges(trx, changesAtOnce))) === changesAtOnce);
  await pool.end()
  await query('vacuum (analyze) account_figures, account_figure_changes')
}

function signToken({ accountId, members }: LargeAccount): Promise<string> {
  const tokens = createTokens(keyRing(benchSecret).derivations('access tokens'), { now: () => new Date() })
  return tokens.sign(
    {
      k: 'c',
      sub: members[0] ?? '',
      sid: randomUUID(),
      a: asAccountId(accountId),
      ut: 'corporate',
      as: 'active',
      us: 'active',
      o: true,
      p: [],
    },
    { readAt: new Date() },
  )
}

/**
 * The number of sequential scans of the big tables so far. Sessions report theirs with a delay of at most ten seconds.
 */
async function countScans(database: BenchDatabase): Promise<Map<string, number>> {
  await delay(12_000)
  const rows = await database.query<{ relname: string; seq_scan: string }>(
    'select relname, seq_scan from pg_stat_user_tables where relname like any($1::text[]) and n_live_tup > 1000',
    [bigTables],
  )
  return new Map(rows.map(({ relname, seq_scan }) => [relname, Number(seq_scan)]))
}

async function ask({ server, token }: Grown, { what, path, body, open }: Case): Promise<string> {
  const answer = await fetch(`${server.address}${path}`, {
    headers: {
      ...(open ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${text}`)
  return text
}

/** The number of rows in a list; null if the response is not a list. */
async function countRows(small: Grown, request: Case): Promise<number | null> {
  const answer = JSON.parse(await ask(small, request)) as { items?: unknown[]; limit?: number }
  return answer.items && answer.limit !== undefined ? answer.items.length : null
}

/** The same call for at most `rows` rows, because the small database may have less than a page of them. */
function limited(request: Case, rows: number | null): Case {
  if (rows === null || rows >= 50) return request
  return { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}limit=${Math.max(1, rows)}` }
}
