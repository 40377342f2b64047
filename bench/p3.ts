import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { benchPin, newShopper, orderTotalMinor, type Shopper } from './checkouts.ts'
import type { BenchDatabase } from './database.ts'
import { measure } from './measure.ts'
import { runAndRead } from './processes.ts'
import { against, alone, type Figure } from './results.ts'
import type { RunningServer } from './server.ts'

const shoppers = 16
const rounds = 5
const ordersPerRound = 60
const warmUp = 20
const floorSeconds = 6

/**
 * P3: 16 customers at once pay orders of three parcels with credits over HTTP (durable, double entry, events, invoice
 * number, one transaction each), against pgbench's TPC-B-like transactions on the same PostgreSQL, 16 clients,
 * synchronous_commit on.
 */
export async function p3(server: RunningServer, database: BenchDatabase): Promise<Figure[]> {
  const pgbench = findPgbench()
  if (!pgbench) {
    console.log('  P3 is left out: pgbench is not installed (Debian: apt-get install postgresql-contrib)')
    return []
  }
  const floorUrl = await prepareFloor(pgbench, database)
  const people = await Promise.all(
    Array.from({ length: shoppers }, () => newShopper(database, warmUp + rounds * ordersPerRound)),
  )
  await database.query('vacuum analyze')
  const agent = new Agent({ keepAlive: true, maxSockets: shoppers })
  const times: number[] = []
  const ours = async (round: number) => {
    const [from, to] =
      round < 0 ? [0, warmUp] : [warmUp + round * ordersPerRound, warmUp + (round + 1) * ordersPerRound]
    const begin = performance.now()
    const payments = await payAll(server, agent, people, from, to)
    if (round >= 0) times.push(...payments)
    return payments.length / ((performance.now() - begin) / 1000)
  }
  const floor = (round: number) => runFloor(pgbench, floorUrl, round < 0 ? 2 : floorSeconds)
  const medians = await measure({ ours, floor }, rounds).finally(() => agent.destroy())
  times.sort((a, b) => a - b)
  return [
    against({
      id: 'P3',
      what: 'checkout of a 3-parcel order paid with credits, 16 customers at once, against pgbench TPC-B',
      ...medians,
      unit: 'transactions/s',
      goal: { compare: 'at least', value: 0.25 },
    }),
    alone({
      id: 'P3 p95',
      what: '95 of 100 such checkouts take at most',
      ours: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
      unit: 'ms',
      goal: { compare: 'at most', value: 50 },
    }),
  ]
}

/** Each shopper pays order after order. Returns the duration of each payment in milliseconds. */
async function payAll(
  server: RunningServer,
  agent: Agent,
  people: readonly Shopper[],
  from: number,
  to: number,
): Promise<number[]> {
  const times: number[] = []
  await Promise.all(
    people.map(async ({ token, orderIds }) => {
      for (const id of orderIds.slice(from, to)) {
        const begin = performance.now()
        await pay(server, agent, token, id)
        times.push(performance.now() - begin)
      }
    }),
  )
  return times
}

function pay(server: RunningServer, agent: Agent, token: string, orderId: string): Promise<void> {
  const body = JSON.stringify({ pin: benchPin, expectedTotalMinor: orderTotalMinor })
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${server.address}/api/customer/payments/express_credit/${orderId}`,
      {
        method: 'POST',
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'idempotency-key': randomUUID(),
        },
      },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode}: ${text}`)),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function findPgbench(): string | null {
  const folders = (process.env.PATH ?? '').split(':')
  const debian = '/usr/lib/postgresql'
  if (existsSync(debian)) for (const version of readdirSync(debian)) folders.push(join(debian, version, 'bin'))
  return folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path)) ?? null
}

async function prepareFloor(pgbench: string, database: BenchDatabase): Promise<string> {
  await database.query('create database bench_floor')
  const url = new URL(database.url)
  url.pathname = '/bench_floor'
  await runAndRead(pgbench, ['-i', '-q', '-s', String(shoppers), url.href])
  return url.href
}

/** TPC-B-like transactions a second. */
async function runFloor(pgbench: string, url: string, seconds: number): Promise<number> {
  const args = ['-c', String(shoppers), '-j', '2', '-M', 'prepared', '-T', String(seconds), '-n', url]
  const output = await runAndRead(pgbench, args)
  const rate = /tps = ([\d.]+)/.exec(output)?.[1]
  if (!rate) throw new Error(`pgbench reported no rate:\n${output}`)
  return Number(rate)
}
