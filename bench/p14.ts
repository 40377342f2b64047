import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { call } from './calls.ts'
import { newShopper, party, type Shopper, signIn } from './checkouts.ts'
import { type BenchDatabase, deliveredNumbers, joinDatabase } from './database.ts'
import { measure } from './measure.ts'
import { downloadOrders, withOrders } from './p7.ts'
import { shipOrder } from './p12.ts'
import { type Clerk, deliver, signInClerk } from './p13.ts'
import { alone, type Figure } from './results.ts'
import { newDataFolder, type RunningServer, startServer } from './server.ts'

const minutes = Number(process.env.P14_MINUTES ?? 60)
const workers = 8
/** Shoppers with ten event streams each. */
const shoppers = 50
const streamsEach = 10
const exportedOrders = 20_000
/** Access tokens last ten minutes. */
const renewAfterMs = 8 * 60_000
const sampleEveryMs = 2_000

type Sample = { minute: number; bytes: number }

/** The state that the workers of the load share. */
type Load = {
  server: RunningServer
  database: BenchDatabase
  agent: Agent
  numbers: readonly string[]
  people: Shopper[]
  exporter: Shopper
  clerks: [Clerk, Clerk]
}

/**
 * P14: the memory of one process during an hour of mixed load (or `P14_MINUTES`) with 500 event streams: its maximum,
 * and its growth over the last half, by a line fitted to its samples.
 */
export async function p14(): Promise<Figure[]> {
  const folder = newDataFolder()
  const server = await startServer(folder.path)
  const database = await joinDatabase(folder.path)
  const agent = new Agent({ keepAlive: true, maxSockets: workers })
  const end = new AbortController()
  try {
    const load: Load = {
      server,
      database,
      agent,
      numbers: await deliveredNumbers(database, 30),
      people: await Promise.all(Array.from({ length: shoppers }, () => newShopper(database, 0))),
      exporter: await withOrders(database, exportedOrders),
      clerks: await signInClerks(server),
    }
    const renewing = renewTokens(load, end.signal)
    for (const who of load.people) for (let n = 0; n < streamsEach; n += 1) follow(server, who, end.signal)
    const samples: Sample[] = []
    const works = Array.from({ length: workers }, (_, n) => work(load, n, end.signal))
    const peak = async () => {
      const begin = performance.now()
      for (let minute = 0; minute < minutes; minute = (performance.now() - begin) / 60_000) {
        samples.push({ minute, bytes: server.memory() })
        if (samples.length % 30 === 0) report(samples)
        await Promise.race([wait(sampleEveryMs), ...works])
      }
      return Math.max(...samples.map(({ bytes }) => bytes)) / 1_000_000
    }
    const medians = await measure({ peak }, 1, 0)
    end.abort()
    await Promise.all([renewing, ...works])
    return [
      alone({
        id: 'P14',
        what: `most resident memory of one process in ${minutes} minutes of mixed load with 500 event streams`,
        ours: medians.peak,
        unit: 'MB',
        goal: { compare: 'at most', value: 400 },
      }),
      alone({
        id: 'P14 growth',
        what: 'resident memory at the end of the second half of that time, against its beginning',
        ours: growth(samples.filter(({ minute }) => minute >= minutes / 2)),
        unit: 'times',
        goal: { compare: 'at most', value: 1.05 },
      }),
    ]
  } finally {
    end.abort()
    agent.destroy()
    await database.close()
    await server.stop()
    folder.remove()
  }
}

/** The growth of a line fitted to the samples (least squares). */
function growth(samples: readonly Sample[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [minute, bytes] = [mean(samples.map((sample) => sample.minute)), mean(samples.map((sample) => sample.bytes))]
  const slope =
    mean(samples.map((sample) => (sample.minute - minute) * (sample.bytes - bytes))) /
    mean(samples.map((sample) => (sample.minute - minute) ** 2))
  const at = (sample: Sample | undefined) => bytes + slope * ((sample?.minute ?? 0) - minute)
  return at(samples.at(-1)) / at(samples[0])
}

function report(samples: readonly Sample[]): void {
  const last = samples.slice(-30).map(({ bytes }) => Math.round(bytes / 1_000_000))
  const minute = samples.at(-1)?.minute.toFixed(0)
  console.log(`  minute ${minute}: ${Math.min(...last)} to ${Math.max(...last)} MB`)
}

const signInClerks = async (server: RunningServer): Promise<[Clerk, Clerk]> => [
  await signInClerk(server, 'kl@waybill.example'),
  await signInClerk(server, 'penang@waybill.example'),
]

async function renewTokens(load: Load, signal: AbortSignal): Promise<void> {
  while (await wait(renewAfterMs, true, { signal }).catch(() => false)) {
    for (const who of [...load.people, load.exporter]) who.token = await signIn(who)
    load.clerks = await signInClerks(load.server)
  }
}

/** Holds one event stream open, as a browser does: reconnects when it ends. */
function follow(server: RunningServer, who: Shopper, signal: AbortSignal): void {
  const again = () =>
    void wait(2_000, null, { signal }).then(
      () => follow(server, who, signal),
      () => undefined,
    )
  const headers = { authorization: `Bearer ${who.token}` }
  const request = get(`${server.address}/api/customer/events`, { headers, agent: false, signal }, (answer) => {
    answer.resume()
    answer.once('close', again)
  })
  request.once('error', again)
}

async function read(server: RunningServer, path: string, token?: string): Promise<void> {
  const answer = await fetch(server.address + path, token ? { headers: { authorization: `Bearer ${token}` } } : {})
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  await answer.arrayBuffer()
}

const penang = { ...party, contactName: 'Lim Wei', postcode: '10050', city: 'George Town', state: 'Penang' }

/** One thousand turns are 450 of tracking, 250 lists, 200 prices, 60 journeys, 35 parcels scanned and 5 exports. */
async function work(load: Load, worker: number, signal: AbortSignal): Promise<void> {
  const { server, database, agent, numbers } = load
  for (let turn = worker * 125; !signal.aborted; turn += 1) {
    const who = load.people[(turn * workers + worker) % shoppers] as Shopper
    // A step without a common divisor mixes the kinds of turns evenly.
    const lot = (turn * 617) % 1000
    if (lot < 400) await read(server, `/api/public/parcels/tracking?no=${numbers[turn % numbers.length]}`)
    else if (lot < 450) await read(server, `/api/public/parcels/tracking?no=${numbers.join(',')}`)
    else if (lot < 550) await read(server, '/api/customer/parcels', who.token)
    else if (lot < 650) await read(server, '/api/customer/orders', who.token)
    else if (lot < 700) await read(server, '/api/customer/dashboard', who.token)
    else if (lot < 900) await call(server, agent, who.token, 'prices/services', quote(turn))
    else if (lot < 960) await shipOrder(server, agent, who.token, 1 + (turn % 3))
    else if (lot < 995) {
      const order = await shipOrder(server, agent, who.token, 1, penang)
      const [parcel] = await database.query<{ tracking_number: string }>(
        'select tracking_number from parcels where order_id = $1',
        [order],
      )
      await deliver(server, agent, load.clerks, parcel?.tracking_number ?? '')
    } else await downloadOrders(server, load.exporter.token, turn % 2 === 0 ? 'xlsx' : 'csv')
  }
}

/** A parcel whose weight and size differ from turn to turn. */
const quote = (turn: number) => ({
  sender: { postcode: '50480' },
  receiver: { postcode: turn % 3 === 0 ? '80000' : '10050' },
  weightGrams: 500 + (turn % 5000),
  dimensions: { lengthMm: 200 + (turn % 200), widthMm: 200, heightMm: 100 },
})
