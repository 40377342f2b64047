import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { asAccountId } from '../server/src/http/caller.ts'
import { createTokens } from '../server/src/http/tokens.ts'
import { keyRing } from '../server/src/lib/crypto.ts'
import { type BenchDatabase, joinDatabase } from './database.ts'
import { grow, type LargeAccount } from './growth.ts'
import { measure, secondsOf } from './measure.ts'
import { against, alone, type Figure, median } from './results.ts'
import { benchSecret, keptDataFolder, newDataFolder, type RunningServer, startServer } from './server.ts'

const smallSize = 10_000
/** Parcels in the large database; five million need about 25 GB of disk under the folder for temporary files. */
const largeSize = Number(process.env.P8_PARCELS ?? 1_000_000)
const rounds = Number(process.env.P8_ROUNDS ?? 25)
const warmUp = 4
/** A folder in which filled databases stay for the next run, each by its size and by how it is filled. */
const keep = process.env.P8_KEEP
const filling = createHash('sha256')
  .update(readFileSync(join(import.meta.dirname, 'growth.ts')))
  .digest('hex')
  .slice(0, 8)
const bigTables = ['parcels', 'parcel_search', 'orders', 'carrier_bookings', 'tracking_events%']

type Case = { what: string; path: string; body?: unknown; open?: true }

type Grown = {
  size: number
  server: RunningServer
  database: BenchDatabase
  token: string
  cases: Case[]
  close(): Promise<void>
}

/**
 * P8: what the largest account of a carrier asks for, over HTTP, in a small database and a large one, in turns; a tenth
 * of all parcels are that account's. The figures are the worst ratio of medians and the middle one; no big table may be
 * read through.
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
  const before = await scansOf(big.database)
  const ratios: { what: string; ours: number; floor: number; value: number }[] = []
  for (const [n, ours] of big.cases.entries()) {
    const floor = small.cases[n]
    if (!floor) continue
    const rows = await rowsOf(small, floor)
    const ms = await measure(
      {
        floor: async () => 1000 * (await secondsOf(() => ask(small, limited(floor, rows)))),
        ours: async () => 1000 * (await secondsOf(() => ask(big, limited(ours, rows)))),
      },
      rounds,
      warmUp,
    )
    const value = ms.ours / ms.floor
    ratios.push({ what: ours.what, ...ms, value })
    console.log(`  ${value.toFixed(2)}  ${ms.floor.toFixed(1)} -> ${ms.ours.toFixed(1)} ms  ${ours.what}`)
  }
  const after = await scansOf(big.database)
  const scans = [...after].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name)
  console.log(scans.length === 0 ? '  no sequential scan of a big table' : `  SEQUENTIAL SCANS: ${scans.join(', ')}`)
  // It is no list: what it counts of the last thirty days is more where more is sent.
  const beside = ratios.splice(
    ratios.findIndex(({ what }) => what === 'dashboard'),
    1,
  )
  const worst = ratios.reduce((most, each) => (each.value > most.value ? each : most))
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
    against({
      id: 'P8 worst',
      what: `the one that grows most (${worst.what})`,
      ours: worst.ours,
      floor: worst.floor,
      unit: 'ms',
      goal,
    }),
    ...beside.map(({ ours, floor }) =>
      against({ id: 'P8 beside', what: `the dashboard, which is no list, ${at}`, ours, floor, unit: 'ms', goal }),
    ),
    alone({
      id: 'P8 over',
      what: `calls of ${ratios.length} that take more than 1.5 times as long`,
      ours: ratios.filter(({ value }) => value > 1.5).length,
      unit: 'calls',
      goal: { compare: 'at most', value: 0 },
    }),
    alone({
      id: 'P8 scans',
      what: 'big tables that were read through',
      ours: scans.length,
      unit: 'tables',
      goal: { compare: 'at most', value: 0 },
    }),
  ]
}

/**
 * A database of `size` parcels, filled unless it is kept from an earlier run; migrations that it has not had come upon
 * it full.
 */
async function grown(size: number): Promise<Grown> {
  const folder = keep ? keptDataFolder(join(keep, `${size}-${filling}`)) : newDataFolder()
  const noted = join(folder.path, 'large-account.json')
  let server = await startServer(folder.path)
  const database = await joinDatabase(folder.path)
  const close = async () => {
    await database.close()
    await server.stop()
    folder.remove()
  }
  try {
    if (!existsSync(noted)) {
      const began = performance.now()
      // Its housekeeping would read tables that have no index for a while, again and again.
      await server.stop()
      const large = await grow(database, size, (line) => console.log(line))
      console.log(`  ${size.toLocaleString('en')} parcels in ${((performance.now() - began) / 1000).toFixed(0)} s`)
      writeFileSync(noted, JSON.stringify(large))
      server = await startServer(folder.path)
    }
    const large = JSON.parse(readFileSync(noted, 'utf8')) as LargeAccount
    return { size, server, database, token: await tokenOf(large), cases: await casesOf(database, large, size), close }
  } catch (error) {
    await close()
    throw error
  }
}

function tokenOf({ accountId, members }: LargeAccount): Promise<string> {
  const tokens = createTokens(keyRing(benchSecret).derivations('access tokens'), { now: () => new Date() })
  return tokens.sign({
    k: 'c',
    sub: members[0] ?? '',
    sid: randomUUID(),
    a: asAccountId(accountId),
    ut: 'corporate',
    as: 'active',
    us: 'active',
    o: true,
    p: [],
  })
}

/** Sequential scans of the big tables so far; sessions that have been quiet for ten seconds have told theirs. */
async function scansOf(database: BenchDatabase): Promise<Map<string, number>> {
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

/** How many rows a list has; null where nothing is listed. */
async function rowsOf(small: Grown, wanted: Case): Promise<number | null> {
  const answer = JSON.parse(await ask(small, wanted)) as { items?: unknown[]; limit?: number }
  return answer.items && answer.limit !== undefined ? answer.items.length : null
}

/**
 * The same call for so many rows: what is compared is finding them, and the small database may have fewer than a page.
 */
function limited(wanted: Case, rows: number | null): Case {
  if (rows === null || rows >= 50) return wanted
  return { ...wanted, path: `${wanted.path}${wanted.path.includes('?') ? '&' : '?'}limit=${Math.max(1, rows)}` }
}

async function casesOf(database: BenchDatabase, large: LargeAccount, size: number): Promise<Case[]> {
  const [sample] = await database.query<
    Record<'tracking_number' | 'reference' | 'name' | 'phone' | 'postcode' | 'order_id' | 'batch_id', string>
  >(
    `select tracking_number, reference, receiver ->> 'contactName' as name, receiver ->> 'phone' as phone,
      receiver ->> 'postcode' as postcode, order_id, batch_id
     from parcels where account_id = $1 and tracking_number is not null and reference is not null
       and order_id is not null and batch_id is not null
     order by created_at desc offset 20 limit 1`,
    [large.accountId],
  )
  if (!sample) throw new Error('no parcel to look for')
  const numbers = await database.query<{ tracking_number: string }>(
    `select tracking_number from parcels where account_id = $1 and tracking_number is not null order by created_at desc
      limit 30`,
    [large.accountId],
  )
  const [booking] = await database.query<{ carrier_number: string }>(
    'select carrier_number from carrier_bookings where account_id = $1 limit 1',
    [large.accountId],
  )
  const [order] = await database.query<{ number: string }>(
    'select number from orders where account_id = $1 order by created_at desc offset 20 limit 1',
    [large.accountId],
  )
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const list = (what: string, query: Record<string, string>) => ({
    what: `parcels: ${what}`,
    path: `/api/customer/parcels?${new URLSearchParams(query)}`,
  })
  const orders = (what: string, query: Record<string, string>) => ({
    what: `orders: ${what}`,
    path: `/api/customer/orders?${new URLSearchParams(query)}`,
  })
  // The last page that the screen offers.
  const deep = String(Math.min(9_950, Math.max(0, Math.floor(size / 10) - 60)))
  const all = numbers.map(({ tracking_number }) => tracking_number)
  return [
    list('first page', {}),
    list('last page offered', { offset: deep }),
    list('oldest first', { sort: '+createdAt' }),
    list('by change', { sort: '-updatedAt' }),
    list('by status', { sort: '+status' }),
    list('by receiver', { sort: '+receiverName' }),
    ...['draft', 'unpaid', 'to_hand_over', 'moving', 'delivered', 'problem', 'cancelled'].map((tab) =>
      list(`tab ${tab}`, { tab }),
    ),
    list('status completed', { status: 'completed' }),
    list('status fail-to-deliver', { status: 'fail-to-deliver' }),
    list('abroad', { scope: 'international' }),
    list('documents', { serviceType: 'document' }),
    list('mode P2P', { deliveryMode: 'P2P' }),
    list('carrier dhl', { carrier: 'dhl' }),
    list('carrier own', { carrier: 'own' }),
    list('method credit_card', { paymentMethod: 'credit_card' }),
    list('state', { state: 'Perlis' }),
    list('city', { city: 'Kuala Lumpur' }),
    list('postcode', { postcode: sample.postcode }),
    list('a week long ago', { from: day(207), to: day(200) }),
    list('one member', { createdBy: large.members[1] ?? '' }),
    list('a batch', { batchId: sample.batch_id }),
    list('an order', { orderId: sample.order_id }),
    list('with COD', { withCod: 'true' }),
    list('unpaid', { unpaid: 'true' }),
    list('dhl + document', { carrier: 'dhl', serviceType: 'document' }),
    list('city + COD + days', { city: 'Ipoh', withCod: 'true', from: day(100), to: day(70) }),
    list('completed + dhl', { status: 'completed', carrier: 'dhl' }),
    list('moving + state', { tab: 'moving', state: 'Selangor' }),
    list('abroad + delivered + method', { scope: 'international', tab: 'delivered', paymentMethod: 'store' }),
    list('documents by receiver', { serviceType: 'document', sort: '+receiverName' }),
    list('search number', { search: sample.tracking_number }),
    list('search beginning of number', { search: sample.tracking_number.slice(0, 9) }),
    list('search last digits', { search: sample.tracking_number.slice(-6) }),
    list('search reference', { search: sample.reference }),
    list('search name', { search: sample.name }),
    list('search words of a name', { search: sample.name.split(' ').slice(1).join(' ') }),
    list('search one word', { search: sample.name.split(' ').at(-1) ?? '' }),
    list('search end of phone', { search: sample.phone.slice(-6) }),
    list('search phone', { search: `0${sample.phone.slice(3)}` }),
    list('search carrier number', { search: booking?.carrier_number ?? '' }),
    list('search postcode', { search: sample.postcode }),
    list('search nothing there', { search: 'zzyzx quux' }),
    { what: 'parcel by number', path: `/api/customer/parcels/trackno/${sample.tracking_number}` },
    { what: 'tracks of 30', path: '/api/customer/parcels/tracks', body: { numbers: all } },
    {
      what: 'public tracking of one',
      path: '/api/public/parcels/tracking',
      body: { numbers: all.slice(0, 1) },
      open: true,
    },
    { what: 'public tracking of 30', path: '/api/public/parcels/tracking', body: { numbers: all }, open: true },
    { what: 'cart', path: '/api/customer/parcels/cart' },
    { what: 'cart counts', path: '/api/customer/parcels/cartCount' },
    { what: 'outstanding', path: '/api/customer/parcels/outstanding' },
    orders('first page', {}),
    orders('by number', { search: order?.number ?? '' }),
    orders('by total', { sort: '-totalMinor' }),
    orders('status + method', { status: 'completed', paymentMethod: 'store' }),
    orders('status', { status: 'completed' }),
    orders('method', { paymentMethod: 'store' }),
    orders('a month', { from: day(130), to: day(100) }),
    { what: 'dashboard', path: '/api/customer/dashboard' },
  ]
}
