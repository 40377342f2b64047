import { Agent } from 'node:http'
import { call, percentile } from './calls.ts'
import { benchPin, newShopper, orderTotalMinor, type Shopper } from './checkouts.ts'
import type { BenchDatabase } from './database.ts'
import { measure, warmUpPieces } from './measure.ts'
import { idsOfShopper, ownFigures, type Piece, prepareOwnFloors } from './own-floors.ts'
import { preparePgbench } from './pgbench.ts'
import { against, alone, type Figure } from './results.ts'
import type { RunningServer } from './server.ts'

const shoppers = 16
const rounds = 5
const ordersPerRound = 60
const ordersWithWarmUp = warmUpPieces + ordersPerRound

/**
 * P3: 16 concurrent customers pay orders of three parcels with credits over HTTP (durable, double entry, events,
 * invoice number, one transaction each), compared with pgbench's TPC-B-like transactions on the same PostgreSQL, 16
 * clients, synchronous_commit on.
 */
export async function p3(server: RunningServer, database: BenchDatabase): Promise<Figure[]> {
  const floor = await preparePgbench(database, 'P3')
  if (!floor) return []
  const people = await Promise.all(
    Array.from({ length: shoppers }, () => newShopper(database, (1 + rounds) * ordersWithWarmUp)),
  )
  await database.query('vacuum analyze')
  const agent = new Agent({ keepAlive: true, maxSockets: shoppers })
  const times: number[] = []
  const ours = async (round: number) => {
    const from = (round + 1) * ordersWithWarmUp
    await payAll(server, agent, people, from, from + warmUpPieces)
    const begin = performance.now()
    const payments = await payAll(server, agent, people, from + warmUpPieces, from + ordersWithWarmUp)
    if (round >= 0) times.push(...payments)
    return payments.length / ((performance.now() - begin) / 1000)
  }
  const { own, bare, stop } = await prepareOwnFloors(database, (count) => preparePayments(server, database, count))
  const medians = await measure({ ours, floor, own, bare }, rounds).finally(() => {
    agent.destroy()
    stop()
  })
  return [
    against({
      id: 'P3',
      what: 'checkout of a 3-parcel order paid with credits, 16 customers at once, against pgbench TPC-B',
      ...medians,
      unit: 'transactions/s',
      goal: { compare: 'at least', value: 0.25 },
    }),
    ...ownFigures('P3', 'such checkouts', medians),
    alone({
      id: 'P3 p95',
      what: '95 of 100 such checkouts take at most',
      ours: percentile(times, 0.95),
      unit: 'ms',
      goal: { compare: 'at most', value: 50 },
    }),
  ]
}

/** Payments of one new customer, for the individual floor. */
async function preparePayments(server: RunningServer, database: BenchDatabase, count: number): Promise<Piece[]> {
  const shopper = await newShopper(database, count)
  const rows = await database.query<{ order_id: string; ids: string[] }>(
    'select order_id, array_agg(id order by id) as ids from parcels where account_id = $1 group by order_id',
    [shopper.accountId],
  )
  return rows.map(({ order_id: orderId, ids }) => ({
    ids: { ...idsOfShopper(shopper), orderId, ...Object.fromEntries(ids.map((id, n) => [`parcel ${n}`, id])) },
    run: (agent) => pay(server, agent, shopper.token, orderId),
  }))
}

const pay = (server: RunningServer, agent: Agent, token: string, orderId: string) =>
  call(server, agent, token, `payments/express_credit/${orderId}`, {
    pin: benchPin,
    expectedTotalMinor: orderTotalMinor,
  })

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
