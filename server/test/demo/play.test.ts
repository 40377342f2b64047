import { randomUUID } from 'node:crypto'
import {
  labelValues,
  orderStatusLabels,
  parcelStatusLabels,
  paymentStatusLabels,
  staffRoleLabels,
  taskStatusLabels,
} from '@waybill/contract/ground/enums'
import { readTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { ConfigError, loadConfig } from '../../src/config.ts'
import { seedDemo } from '../../src/demo/play.ts'
import { demoPassword, demoPin } from '../../src/demo/story/logins.ts'
import { parcelCount } from '../../src/demo/story/plan.ts'
import type { Deps } from '../../src/deps.ts'
import { computeDebts } from '../../src/domains/orders/monthly-billing/service.ts'
import { nextParcelState, type ParcelEvent, type ParcelState, transitions } from '../../src/domains/parcels/status.ts'
import { replayPrice } from '../../src/domains/pricing/service.ts'
import { checkBooks } from '../../src/domains/wallet/ledger/books.ts'
import { asAccountId } from '../../src/http/caller.ts'
import { afterFile } from '../testing/after-file.ts'
import { unreachableCarriers } from '../testing/app.ts'
import { createTestDatabase } from '../testing/database.ts'

/** A Thursday afternoon in Malaysia. */
const afternoon = new Date('2026-11-19T06:20:00Z')

/** Ninety days are played in some seconds, and in more on a busy machine. */
const playTimeout = 180_000

let app: FastifyInstance
let deps: Deps

beforeAll(async () => {
  app = await serverAt(afternoon)
  deps = app.deps
  await seedDemo(deps)
}, playTimeout)

/**
 * A server on an empty database at that moment. No jobs run: by the clock on the wall every payment that waits for the
 * bank has expired.
 */
async function demoAt(moment: Date, environment: Record<string, string> = { DEMO: 'on' }): Promise<Deps> {
  return (await serverAt(moment, environment)).deps
}

async function serverAt(moment: Date, environment: Record<string, string> = { DEMO: 'on' }): Promise<FastifyInstance> {
  const database = await createTestDatabase()
  const config = loadConfig(
    {
      NODE_ENV: 'test',
      SECRET_KEY: 'a secret of the tests that is long enough',
      LOG_LEVEL: 'error',
      ...unreachableCarriers,
      ...environment,
    },
    [],
  )
  const app = await buildApp({
    config,
    pool: database.pool,
    db: database.db,
    databaseUrl: database.url,
    smtpUrl: 'smtp://127.0.0.1:9',
    clock: { now: () => moment },
  })
  afterFile(() => app.close())
  return app
}

const getRows = async <R>(query: string, on: Deps = deps): Promise<R[]> => (await sql.raw<R>(query).execute(on.db)).rows

/** The number of rows of each table and a digest of them, without salts and hashes, which are random. */
async function getContent(on: Deps): Promise<Record<string, string>> {
  const tables = await getRows<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not like 'tracking_events_%' and table_name not in ('schema_migrations', 'rate_limits')
     order by 1`,
    on,
  )
  const content: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await getRows<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t, '|' order by t)), '') as hash from (
         select (to_jsonb(r) - 'password_hash' - 'salt' - 'pin_mac' - 'search_text')::text as t from ${name} r) x`,
      on,
    )
    content[name] = row?.hash ?? ''
  }
  return content
}

describe('the demo', () => {
  test('has prices that come out the same when they are worked out again', async () => {
    const prices = await getRows<{ price: PriceBreakdown }>(
      'select price from parcels where price is not null order by id',
    )
    expect(prices.length).toBeGreaterThan(100)
    for (const { price } of prices) {
      expect((await replayPrice(deps, price))?.totalMinor).toBe(price.totalMinor)
    }
  })

  test(
    'is the same in another database on the same day',
    async () => {
      const elsewhere = await demoAt(afternoon)
      await seedDemo(elsewhere)
      expect(await getContent(elsewhere)).toEqual(await getContent(deps))
    },
    playTimeout,
  )

  test('is set up once only', async () => {
    const before = await getContent(deps)
    expect(await seedDemo(deps)).toBe(false)
    expect(await getContent(deps)).toEqual(before)
  })

  test.each(['2026-11-21T18:10:00Z', '2026-11-22T00:05:00Z', '2026-07-01T11:45:00Z'])(
    'has every status of parcels, orders, payments and pickups at %s, and nothing from the future',
    async (moment) => {
      const then = await demoAt(new Date(moment))
      await seedDemo(then)
      await expectEverything(then, moment)
    },
    playTimeout,
  )

  test('has every status in the afternoon too', async () => {
    await expectEverything(deps, afternoon.toISOString())
  })

  test('shows every feature in every state that staff and senders look for', async () => {
    const getStates = async (table: string, column = 'status') =>
      (await getRows<{ state: string }>(`select distinct ${column} as state from ${table} order by 1`)).map(
        ({ state }) => state,
      )
    expect(await getStates('parcel_weighings', 'state')).toEqual(['accepted', 'contested', 'open'])
    expect(await getStates('order_approvals')).toEqual(['declined', 'pending'])
    expect(await getStates('refunds')).toEqual(['done', 'requested'])
    expect(await getStates('refunds', 'destination')).toEqual(['card', 'wallet'])
    expect(await getStates('gunnies')).toEqual(['closed', 'open'])
    expect(await getStates('delivery_tasks')).toEqual(['completed', 'failed', 'open'])
    expect(await getStates('gateway_messages', 'reason')).toEqual(['amount', 'currency'])
    expect(await getStates('bulk_batches')).toEqual(['reading'])
    expect(await getStates('payments', 'method')).toEqual([
      'credit_card',
      'express_credit',
      'ipay88',
      'monthly_billing',
    ])
    expect(await getStates('parcels', 'leg')).toEqual(['outbound', 'return'])
    expect(await getStates('parcels', 'scope')).toEqual(['domestic', 'international'])
    expect(await getStates('carrier_bookings', 'carrier')).toEqual(['yunda'])
  })

  test('has work for the operations login: pickups in every state, a drawer that is open, cash handed in', async () => {
    const atWork = `from users u where u.email = 'kl@waybill.example'`
    const pickups = await getRows<{ status: string }>(
      `select distinct status from pickup_requests where cancelled_at is null
         and station_id = (select u.station_id ${atWork}) order by 1`,
    )
    expect(pickups.map(({ status }) => status)).toEqual(['completed', 'failed', 'in_progress', 'new', 'open'])
    const drawers = await getRows<{ open: boolean; difference_minor: number | null }>(
      `select closed_at is null as open, difference_minor from cash_drawers
       where station_id = (select u.station_id ${atWork}) order by opened_at`,
    )
    expect(drawers).toEqual([
      { open: false, difference_minor: 0 },
      { open: false, difference_minor: -200 },
      { open: true, difference_minor: null },
    ])
    const [cash] = await getRows<{ handed_in: number; held: number; paid_out: number }>(
      `select count(*) filter (where handed_in_at is not null) as handed_in,
         count(*) filter (where handed_in_at is null) as held,
         count(*) filter (where payout_id is not null) as paid_out from cod_collections`,
    )
    for (const count of Object.values(cash ?? {})) expect(count).toBeGreaterThan(0)
  })

  test('never runs in production, and not where it is switched off', async () => {
    const off = await demoAt(afternoon, {})
    expect(await seedDemo(off)).toBe(false)
    expect(await getRows('select id from accounts', off)).toEqual([])
    expect(() => loadConfig({ NODE_ENV: 'production', DEMO: 'on' }, [])).toThrow(ConfigError)
    expect(() => loadConfig({ NODE_ENV: 'production', DEMO: 'on' }, [])).toThrow(/DEMO: must be off in production/)
  })
})

async function expectEverything(on: Deps, moment: string): Promise<void> {
  const statuses = async (table: string) =>
    new Set((await getRows<{ status: string }>(`select distinct status from ${table}`, on)).map(({ status }) => status))
  expect(await statuses('parcels')).toEqual(new Set(labelValues(parcelStatusLabels)))
  expect(await statuses('orders')).toEqual(new Set(labelValues(orderStatusLabels)))
  expect(await statuses('payments')).toEqual(new Set(labelValues(paymentStatusLabels)))
  expect(await statuses('pickup_requests')).toEqual(new Set(labelValues(taskStatusLabels)))
  const [parcels] = await getRows<{ count: number; late: number }>(
    `select count(*) as count, count(*) filter (where last_event_at > '${moment}') as late from parcels`,
    on,
  )
  expect(parcels).toEqual({ count: parcelCount, late: 0 })
  const [events] = await getRows<{ late: number }>(
    `select count(*) as late from tracking_events where at > '${moment}'`,
    on,
  )
  expect(events?.late).toBe(0)
}

describe('histories', () => {
  type Line = { parcel_id: string; at: Date; event: string; from_status: string | null; status: string; leg: string }
  type Parcel = ParcelState & { id: string; last_event_at: Date; version: number }
  let histories: Map<string, Line[]>
  let parcels: Parcel[]

  beforeAll(async () => {
    const lines = await getRows<Line>('select * from tracking_events order by parcel_id, at, id')
    histories = Map.groupBy(lines, ({ parcel_id }) => parcel_id)
    parcels = await getRows<Parcel>(
      `select id, status, delivery_mode as "deliveryMode", handed_over as "handedOver", leg, last_event_at, version
       from parcels`,
    )
  })

  test('replay on the table of transitions, each to the present state of its parcel', () => {
    for (const parcel of parcels) {
      const [created, ...moves] = histories.get(parcel.id) ?? []
      expect(created).toMatchObject({ event: 'created', from_status: null, status: 'pending' })
      let state: ParcelState = {
        status: 'pending',
        deliveryMode: parcel.deliveryMode,
        handedOver: false,
        leg: 'outbound',
      }
      for (const { event, from_status, status, leg } of moves) {
        expect(transitions.some((line) => line.event === event)).toBe(true)
        expect(from_status).toBe(state.status)
        const next = nextParcelState(state, event as ParcelEvent)
        expect(next, `${event} at ${JSON.stringify(state)}`).toMatchObject({ status, leg })
        state = next as ParcelState
      }
      expect(state).toEqual({
        status: parcel.status,
        deliveryMode: parcel.deliveryMode,
        handedOver: parcel.handedOver,
        leg: parcel.leg,
      })
      expect(parcel.version).toBe(1 + moves.length)
    }
  })

  test('go forward in time and end when the parcel last moved', () => {
    for (const parcel of parcels) {
      const times = (histories.get(parcel.id) ?? []).map(({ at }) => at.getTime())
      for (const [index, time] of times.entries()) if (index > 0) expect(time).toBeGreaterThan(times[index - 1] ?? 0)
      expect(times.at(-1)).toBe(parcel.last_event_at.getTime())
    }
  })

  test('name a station at every scan, and the town of the station or of the door', async () => {
    const odd = await getRows(
      `select e.event, e.place, s.city
       from tracking_events e join parcels p on p.id = e.parcel_id left join stations s on s.id = e.station_id
       where case
         when e.event in ('accepted', 'sorted', 'departed', 'arrived', 'out_for_delivery', 'next_attempt',
             'handed_over', 'reweighed_heavier')
           then e.actor_id is null or e.place is distinct from s.city
         when e.event in ('picked_up', 'return_received')
           then e.actor_id is null or s.id is null or e.place is distinct from p.sender ->> 'city'
         when e.event in ('delivered', 'attempt_failed')
           then e.actor_id is null or s.id is null or e.place not in (p.sender ->> 'city', p.receiver ->> 'city')
         when e.event = 'return_picked_up' then e.place is distinct from p.receiver ->> 'city'
         else e.place is not null or s.id is not null end`,
    )
    expect(odd).toEqual([])
  })

  test('respect custody: each scan happens where the parcel is, and the holder follows from the scans', async () => {
    type Scan = {
      parcel_id: string
      event: string
      station_id: string | null
      actor_id: string | null
      next: string | null
    }
    const scans = await getRows<Scan>(
      `select parcel_id, event, station_id, actor_id, detail ->> 'nextStationId' as next from tracking_events
       where station_id is not null order by parcel_id, at, id`,
    )
    const byParcel = Map.groupBy(scans, ({ parcel_id }) => parcel_id)
    const odd: string[] = []
    for (const [id, lines] of byParcel) {
      let at: string | null = null
      let sentTo: string | null = null
      for (const { event, station_id, next } of lines) {
        const expected: string | null = event === 'arrived' ? sentTo : at
        if (expected !== null && expected !== station_id) odd.push(`${id} ${event}`)
        at = event === 'departed' ? null : station_id
        sentTo = event === 'departed' ? next : null
        // A return is fetched at the receiver's, which is where it was delivered.
        if (event === 'delivered' || event === 'handed_over') at = null
      }
    }
    expect(odd).toEqual([])
    const holders = await getRows<{ id: string }>(
      `select id from parcels where holder is distinct from case
         when not handed_over or status in ('completed', 'collected', 'reverse_pickup') then 'customer'
         when status in ('delivering', 'fail-to-deliver') then 'rider'
         when status = 'outbound' then 'carrier' else holder end
       or (holder = 'station' and (station_id is null or rider_id is not null))
       or (holder = 'rider' and (station_id is null or rider_id is null))
       or (holder = 'carrier' and station_id is not null)
       or (handed_over and status in ('inbound', 'sorting', 'recall') and holder = 'customer')`,
    )
    expect(holders).toEqual([])
  })

  test('give each rider the tasks of the parcels they hold, and each return a pickup at its receiver’s', async () => {
    const tasks = await getRows(
      `select p.id from parcels p left join delivery_tasks t on t.account_id = p.account_id and t.parcel_id = p.id
       where p.holder = 'rider' and p.status in ('delivering', 'fail-to-deliver')
         and (t.rider_id is distinct from p.rider_id or t.station_id is distinct from p.station_id)`,
    )
    expect(tasks).toEqual([])
    const returns = await getRows<{ status: string; pickup: string | null }>(
      `select p.status, k.status as pickup from parcels p
       left join pickup_requests k on k.account_id = p.account_id and k.id = p.return_pickup_id and k.leg = 'return'
         and k.station_id is not null and k.address ->> 'postcode' = p.receiver ->> 'postcode'
       where p.status = 'reverse_pickup'`,
    )
    expect(returns.length).toBeGreaterThan(0)
    for (const { pickup } of returns) expect(pickup).toBe('new')
    const [mine] = await getRows<{ count: number }>(
      `select count(*) as count from delivery_tasks t join users u on u.id = t.rider_id
       where u.email = 'kl@waybill.example' and t.status = 'open'`,
    )
    expect(mine?.count).toBeGreaterThan(0)
  })

  test('lie in partitions of their months, so that the months of the year can still be made', async () => {
    const [inDefault] = await getRows<{ count: number }>('select count(*) as count from only tracking_events_default')
    expect(inDefault?.count).toBe(0)
  })

  test('show some parcels that nobody has scanned for 36 hours', async () => {
    const [stuck] = await getRows<{ count: number }>(
      `select count(*) as count from parcels
       where status in ('inbound', 'sorting', 'outbound', 'delivering', 'fail-to-deliver', 'recall')
       and last_event_at < '${afternoon.toISOString()}'::timestamptz - interval '36 hours'`,
    )
    expect(stuck?.count).toBeGreaterThanOrEqual(3)
    expect(stuck?.count).toBeLessThanOrEqual(12)
  })
})

describe('people and places', () => {
  test('there is staff of every type and role, and customers of both kinds', async () => {
    const roles = await getRows<{ staff_role: string | null }>(
      `select distinct staff_role from users where kind = 'staff'`,
    )
    expect(new Set(roles.map(({ staff_role }) => staff_role))).toEqual(new Set([null, ...labelValues(staffRoleLabels)]))
    const types = await getRows<{ user_type: string; count: number }>(
      'select user_type, count(*) as count from accounts group by 1 order by 1',
    )
    expect(types).toEqual([
      { user_type: 'corporate', count: 1 },
      { user_type: 'customer', count: 3 },
    ])
  })

  test('every phone number of users and addresses is a valid one', async () => {
    const phones = await getRows<{ phone: string }>('select phone from users union select phone from addresses')
    for (const { phone } of phones) expect(parsePhoneNumberFromString(phone)?.isValid(), phone).toBe(true)
  })

  test('address books hold 10 to 25 addresses with one default sender, and cover all sixteen states', async () => {
    const books = await getRows<{ count: number; defaults: number }>(
      'select count(*) as count, count(*) filter (where is_default) as defaults from addresses group by account_id',
    )
    expect(books).toHaveLength(4)
    for (const { count, defaults } of books) {
      expect(count).toBeGreaterThanOrEqual(10)
      expect(count).toBeLessThanOrEqual(25)
      expect(defaults).toBe(1)
    }
    expect(await getRows('select distinct state from addresses')).toHaveLength(16)
  })
})

describe('numbers and money', () => {
  test('tracking numbers are right, and the next ones are new', async () => {
    const numbers = await getRows<{ no: string }>(
      'select tracking_number as no from parcels where tracking_number is not null',
    )
    for (const { no } of numbers) expect(readTrackingNumber(no, 'WB').kind).toBe('own')
    const [serial] = await getRows<{ next: number }>(`select nextval('tracking_serial') as next`)
    expect(serial?.next).toBe(numbers.length + 1)
  })

  test('every entry of the books sums to zero, and every balance is the sum of its postings', async () => {
    expect(
      await getRows('select entry_id from journal_postings group by entry_id, currency having sum(amount_minor) <> 0'),
    ).toEqual([])
    expect(
      await getRows(
        `select a.id from ledger_accounts a left join journal_postings p on p.ledger_account_id = a.id where a.guarded
         group by a.id having a.balance_minor <> coalesce(sum(p.amount_minor), 0)`,
      ),
    ).toEqual([])
    const wallets = await getRows<{ balance_minor: number }>(
      `select balance_minor from ledger_accounts where kind = 'customer_wallet'`,
    )
    expect(wallets).toHaveLength(4)
    for (const { balance_minor } of wallets) expect(balance_minor).toBeGreaterThan(0)
  })

  test('the company has statements that the books bear out: the newest open, those before it paid', async () => {
    const { rows } = await sql<{ id: string }>`select id from accounts where user_type = 'corporate'`.execute(deps.db)
    const accountId = asAccountId(rows[0]?.id ?? '')
    const debts = (await computeDebts(deps, deps.db, [accountId])).get(accountId)
    const [newest, ...older] = debts?.statements ?? []
    expect(older.length).toBeGreaterThan(0)
    expect(older.map(({ unpaidMinor }) => unpaidMinor)).toEqual(older.map(() => 0))
    expect(newest?.unpaidMinor).toBe(newest?.closing_minor)
    expect(newest?.receipts_minor).toBe(older[0]?.closing_minor)
    expect((await checkBooks(deps.db))?.problems).toEqual([])
  })

  test('invoice numbers have no gaps and follow the clock; the counter stands at the last', async () => {
    const years = await getRows<{ year: number; last: number; count: number }>(
      `select c.year, c.last, (select count(*) from invoices i where i.number like '%' || c.year || '%') as count
       from document_counters c where c.series = 'INV'`,
    )
    expect(years.length).toBeGreaterThan(0)
    for (const { last, count } of years) expect(count).toBe(last)
    const numbers = await getRows<{ number: string }>('select number from invoices order by issued_at, number')
    expect(numbers).toEqual([...numbers].sort((a, b) => a.number.localeCompare(b.number)))
  })

  test('every order is the sum of its parcels and their pickup, and is paid where it says so', async () => {
    expect(
      await getRows(
        // A pickup costs 2.00 and 6 % tax, unless it joins another order's visit. The difference of a heavier parcel
        // is an order of its own.
        `select o.number, o.total_minor, sum(p.price_minor) from orders o join parcels p on p.order_id = o.id
         left join parcel_weighings w on w.parcel_id = p.id
         group by o.account_id, o.id having o.total_minor <> sum(p.price_minor - coalesce(w.paid_minor, 0))
             + case when o.pickup is null or o.pickup ->> 'visitId' is not null then 0 else 212 end
           or o.parcel_count <> count(*)`,
      ),
    ).toEqual([])
    expect(
      await getRows(
        `select o.number from orders o left join payments p on p.id = o.payment_id
         where o.status in ('pending', 'completed')
           and (o.paid_minor < o.total_minor or p.status is distinct from 'succeeded')`,
      ),
    ).toEqual([])
  })
})

test('a customer signs in and pays with credits; what the services write has the same fields as the demo', async () => {
  const call = async (method: 'GET' | 'POST', url: string, token: string | null, payload?: object) => {
    const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), 'idempotency-key': randomUUID() }
    const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  const { token } = await call('POST', '/api/customer/auth/login', null, {
    email: 'priya@example.com',
    password: demoPassword,
  })
  const cart = await call('GET', '/api/customer/parcels/cart?tab=dropoff', token)
  const parcelIds = cart.items.map(({ id }: { id: string }) => id)
  const { totalMinor: expectedTotalMinor } = await call('POST', '/api/customer/prices/summary', token, { parcelIds })
  const order = await call('POST', '/api/customer/orders', token, { parcelIds, expectedTotalMinor })
  await call('POST', `/api/customer/payments/express_credit/${order.id}`, token, { pin: demoPin, expectedTotalMinor })

  /** Columns that are set, and the keys of what is in them as JSON. */
  const getFields = async (table: string, row: string) => {
    const [found] = await getRows<{ row: Record<string, unknown> }>(
      `select to_jsonb(r) as row from ${table} r where ${row} limit 1`,
      app.deps,
    )
    const keysIn = (value: unknown): string[] => {
      const inner = Array.isArray(value) ? value[0] : value
      return inner !== null && typeof inner === 'object' ? Object.keys(inner) : []
    }
    return Object.entries(found?.row ?? {})
      .filter(([, value]) => value !== null)
      .map(([column, value]) => [column, ...keysIn(value).sort()].join(' '))
      .sort()
  }
  const seeded = `(select o.id from orders o
    where o.payment_method = 'express_credit' and o.pickup is null and o.status = 'pending'
    and o.parcel_count = ${parcelIds.length} and o.id <> '${order.id}' limit 1)`
  for (const [table, column] of [
    ['orders', 'id'],
    ['payments', 'order_id'],
    ['invoices', 'order_id'],
    ['journal_entries', 'order_id'],
  ] as const) {
    const fields = await getFields(table, `${column} = '${order.id}'`)
    expect(fields.length).toBeGreaterThan(0)
    expect(await getFields(table, `${column} = ${seeded}`), table).toEqual(fields)
  }
  // What a sender may leave out differs from parcel to parcel.
  const plain = `status = 'pending_dropoff' and delivery_mode = 'P2D' and reference is null
    and insured_value_minor is null and length_mm is not null
    and customs is null and cod_amount_minor is null and gunny_id is null`
  const parcel = await getFields('parcels', `order_id = '${order.id}' and ${plain}`)
  expect(parcel.length).toBeGreaterThan(0)
  expect(await getFields('parcels', `order_id <> '${order.id}' and ${plain}`)).toEqual(parcel)
})
