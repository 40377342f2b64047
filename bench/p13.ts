import { Agent } from 'node:http'
import { makeTrackingNumber } from '../server/src/domains/parcels/tracking-number.ts'
import { call, percentile } from './calls.ts'
import { newShopper, parcelsPerOrder } from './checkouts.ts'
import type { BenchDatabase } from './database.ts'
import { measure, warmUpPieces } from './measure.ts'
import { idsOfShopper, ownFigures, type Piece, prepareOwnFloors } from './own-floors.ts'
import { preparePgbench } from './pgbench.ts'
import { against, alone, type Figure } from './results.ts'
import type { RunningServer } from './server.ts'

const scanners = 16
const rounds = 5
const parcelsInRound = 20
const parcelsWithWarmUp = warmUpPieces + parcelsInRound
const scansOfParcel = 6

/** A clerk of the demo with their station. */
export type Clerk = { token: string; stationId: string }

const proof = { recipientName: 'Lim Wei', signaturePath: 'M10,20 L30,40 L60,20' }

/** P13: 16 concurrent scanners take parcels from the counter to the door, compared with pgbench as in P3. */
export async function p13(server: RunningServer, database: BenchDatabase): Promise<Figure[]> {
  const floor = await preparePgbench(database, 'P13')
  if (!floor) return []
  const here = await signInClerk(server, 'kl@waybill.example')
  const there = await signInClerk(server, 'penang@waybill.example')
  const clerks = [here, there] as const
  const customers = await Promise.all(
    Array.from({ length: scanners }, () => addParcels(database, (1 + rounds) * parcelsWithWarmUp)),
  )
  await database.query('vacuum analyze')
  const agent = new Agent({ keepAlive: true, maxSockets: scanners })
  const times: number[] = []

  const deliverAll = (from: number, to: number) =>
    Promise.all(
      customers.map(async ({ parcels }) => {
        const durations: number[] = []
        for (const { number } of parcels.slice(from, to))
          durations.push(...(await deliver(server, agent, clerks, number)))
        return durations
      }),
    )
  const ours = async (round: number) => {
    const from = (round + 1) * parcelsWithWarmUp
    await deliverAll(from, from + warmUpPieces)
    const begin = performance.now()
    const scans = await deliverAll(from + warmUpPieces, from + parcelsWithWarmUp)
    if (round >= 0) times.push(...scans.flat())
    return scans.flat().length / ((performance.now() - begin) / 1000)
  }
  const deliverAgain = (number: string, connections: Agent) => deliver(server, connections, clerks, number)
  const floors = await prepareOwnFloors(database, (count) => prepareDeliveries(database, count, deliverAgain))
  const own = async (round: number) => scansOfParcel * (await floors.own(round))
  const bare = async (round: number) => scansOfParcel * (await floors.bare(round))
  const medians = await measure({ ours, floor, own, bare }, rounds).finally(() => {
    agent.destroy()
    floors.stop()
  })
  return [
    against({
      id: 'P13',
      what: 'scans from the counter to the door (six a parcel), 16 scanners at once, against pgbench TPC-B',
      ...medians,
      unit: 'transactions/s',
      goal: { compare: 'at least', value: 0.3 },
    }),
    ...ownFigures('P13', 'such scans', medians),
    alone({
      id: 'P13 p95',
      what: '95 of 100 such scans take at most',
      ours: percentile(times, 0.95),
      unit: 'ms',
      goal: { compare: 'at most', value: 40 },
    }),
  ]
}

/**
 * Scans a parcel from the counter of the first clerk's station to the door. Returns the durations of the six scans in
 * milliseconds.
 */
export async function deliver(
  server: RunningServer,
  agent: Agent,
  [here, there]: readonly [Clerk, Clerk],
  trackingNumber: string,
): Promise<number[]> {
  const steps = [
    [here, { event: 'accepted' }],
    [here, { event: 'sorted' }],
    [here, { event: 'departed', nextStationId: there.stationId }],
    [there, { event: 'arrived' }],
    [there, { event: 'out_for_delivery' }],
    [there, { event: 'delivered', ...proof }],
  ] as const
  const durations: number[] = []
  for (const [{ token }, scan] of steps) {
    const begin = performance.now()
    await call(server, agent, token, '/api/staff/scans', { trackingNumber, ...scan })
    durations.push(performance.now() - begin)
  }
  return durations
}

/** Signs in a clerk of the demo. */
export async function signInClerk(server: RunningServer, email: string): Promise<Clerk> {
  const answer = await fetch(`${server.address}/api/staff/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'waybill-demo' }),
  })
  if (!answer.ok) throw new Error(`${email}: ${answer.status}`)
  const { token, user } = (await answer.json()) as { token: string; user: { staff: { stationId: string } } }
  return { token, stationId: user.staff.stationId }
}

/** Parcels of one new customer with all their scans, for the individual floor. */
async function prepareDeliveries(
  database: BenchDatabase,
  count: number,
  deliver: (trackingNumber: string, agent: Agent) => Promise<unknown>,
): Promise<Piece[]> {
  const { shopper, parcels } = await addParcels(database, count)
  return parcels.map(({ id, number }) => ({
    ids: { ...idsOfShopper(shopper), parcel: id, number },
    run: (agent) => deliver(number, agent),
  }))
}

/** This many paid parcels of a new customer that wait to be dropped off, for a door in Penang. */
async function addParcels(database: BenchDatabase, count: number) {
  const shopper = await newShopper(database, Math.ceil(count / parcelsPerOrder))
  const rows = await database.query<{ id: string; serial: number }>(
    "select id, nextval('tracking_serial') as serial from parcels where account_id = $1 limit $2",
    [shopper.accountId, count],
  )
  const parcels = rows.map(({ id, serial }) => ({ id, number: makeTrackingNumber('WB', serial) }))
  await database.query(
    `update parcels p
     set status = 'pending_dropoff', tracking_number = n.number,
       receiver = receiver || '{"postcode": "10050", "city": "George Town", "state": "Penang"}'
     from unnest($2::uuid[], $3::text[]) n(id, number)
     where p.account_id = $1 and p.id = n.id`,
    [shopper.accountId, parcels.map(({ id }) => id), parcels.map(({ number }) => number)],
  )
  return { shopper, parcels }
}
