import { Agent } from 'node:http'
import { call, percentile } from './calls.ts'
import { benchPin, newShopper, party, type Shopper } from './checkouts.ts'
import type { BenchDatabase } from './database.ts'
import { measure, warmUpPieces } from './measure.ts'
import { idsOfShopper, ownFigures, type Piece, prepareOwnFloors } from './own-floors.ts'
import { preparePgbench } from './pgbench.ts'
import { against, alone, type Figure } from './results.ts'
import type { RunningServer } from './server.ts'

const shoppers = 16
const rounds = 5
const journeysInRound = 30

const parcel = {
  serviceType: 'e_parcel',
  deliveryMode: 'P2D',
  sender: party,
  receiver: { ...party, contactName: 'Lim Wei', postcode: '50480' },
  contentType: 'clothing',
  dimensions: { lengthMm: 300, widthMm: 200, heightMm: 100 },
  addToCart: true,
}

/**
 * P12: 16 concurrent customers each create one to three parcels, make one order of them and pay it with credits,
 * compared with pgbench's TPC-B-like transactions as in P3.
 */
export async function p12(server: RunningServer, database: BenchDatabase): Promise<Figure[]> {
  const floor = await preparePgbench(database, 'P12')
  if (!floor) return []
  const people = await Promise.all(Array.from({ length: shoppers }, () => newShopper(database, 0)))
  const agent = new Agent({ keepAlive: true, maxSockets: shoppers })
  const times: number[] = []
  const ours = async (round: number) => {
    await Promise.all(people.map((shopper) => ship(server, agent, shopper, warmUpPieces)))
    const begin = performance.now()
    const journeys = await Promise.all(people.map((shopper) => ship(server, agent, shopper, journeysInRound)))
    if (round >= 0) times.push(...journeys.flat())
    return (shoppers * journeysInRound) / ((performance.now() - begin) / 1000)
  }
  const { own, bare, stop } = await prepareOwnFloors(database, (count) => prepareJourneys(server, database, count))
  const medians = await measure({ ours, floor, own, bare }, rounds).finally(() => {
    agent.destroy()
    stop()
  })
  return [
    against({
      id: 'P12',
      what: 'one to three parcels created, ordered and paid with credits, 16 customers at once, against pgbench TPC-B',
      ...medians,
      unit: 'transactions/s',
      goal: { compare: 'at least', value: 0.06 },
    }),
    ...ownFigures('P12', 'such journeys', medians),
    alone({
      id: 'P12 p95',
      what: '95 of 100 such journeys take at most',
      ours: percentile(times, 0.95),
      unit: 'ms',
      goal: { compare: 'at most', value: 120 },
    }),
  ]
}

/** One customer's journeys, one after the other. Returns their durations in milliseconds. */
async function ship(server: RunningServer, agent: Agent, { token }: Shopper, count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n += 1) {
    const begin = performance.now()
    await shipOrder(server, agent, token, 1 + (n % 3))
    times.push(performance.now() - begin)
  }
  return times
}

/** Creates this many parcels, makes one order of them and pays it with credits. Returns the id of the order. */
export async function shipOrder(
  server: RunningServer,
  agent: Agent,
  token: string,
  count: number,
  receiver: object = parcel.receiver,
): Promise<string> {
  const parcels: { id: string; priceMinor: number }[] = []
  for (let n = 0; n < count; n += 1)
    parcels.push(await call(server, agent, token, 'parcels', { ...parcel, receiver, weightGrams: 1200 + n }))
  const total = parcels.reduce((sum, { priceMinor }) => sum + priceMinor, 0)
  const order = await call<{ id: string }>(server, agent, token, 'orders', {
    parcelIds: parcels.map(({ id }) => id),
    expectedTotalMinor: total,
  })
  const payment = { pin: benchPin, expectedTotalMinor: total }
  await call(server, agent, token, `payments/express_credit/${order.id}`, payment)
  return order.id
}

/** Journeys of one new customer for the individual floor, with two parcels, the average of one to three. */
async function prepareJourneys(server: RunningServer, database: BenchDatabase, count: number): Promise<Piece[]> {
  const shopper = await newShopper(database, 0)
  const run = async (agent: Agent) => {
    await shipOrder(server, agent, shopper.token, 2)
  }
  return Array.from({ length: count }, () => ({ ids: idsOfShopper(shopper), run }))
}
