import { randomUUID } from 'node:crypto'
import { paymentStatusLabels, staffRoleLabels, taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { orderStatusLabels, parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import type { FastifyInstance } from 'fastify'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { ConfigError, loadConfig } from '../../src/config.ts'
import { shopParcelCount } from '../../src/demo/play/shop.ts'
import { seedDemo } from '../../src/demo/play.ts'
import { demoPassword, demoPin } from '../../src/demo/story/logins.ts'
import { parcelCount } from '../../src/demo/story/plan.ts'
import type { Deps } from '../../src/deps.ts'
import { replayPrice } from '../../src/domains/pricing/service.ts'
import { afterUse } from '../testing/after-use.ts'
import { unreachableCarriers } from '../testing/app.ts'
import { createTestDatabase } from '../testing/database.ts'
import { describeHistories } from './histories.ts'
import { describeMoney } from './money.ts'
import { demoAfternoon, queryRows } from './query.ts'
import { describeAnswers } from './through-api.ts'
import { describeValues } from './value-coverage.ts'

/** Generating ninety days takes some seconds, and longer on a busy machine. */
const playTimeout = 180_000

let app: FastifyInstance
let deps: Deps

beforeAll(async () => {
  app = await startServer(demoAfternoon)
  deps = app.deps
  await seedDemo(deps)
}, playTimeout)

/**
 * Starts a server on an empty database at that moment. No jobs run: by the real time every payment that waits for the
 * bank has expired.
 */
async function startDemo(moment: Date, environment: Record<string, string> = { DEMO: 'on' }): Promise<Deps> {
  return (await startServer(moment, environment)).deps
}

async function startServer(
  moment: Date,
  environment: Record<string, string> = { DEMO: 'on' },
): Promise<FastifyInstance> {
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
  afterUse(() => app.close())
  return app
}

const getRows = <R>(query: string, on: Deps = deps) => queryRows<R>(query, on)

/** Columns whose values differ in each run. */
const random =
  '{password_hash,salt,pin_mac,search_text,prefix,secret_hash,secret,token_hash,link_hash,code_hash,payload}'

/** The number of rows of each table and a hash of them, without salts, hashes and secrets, which are random. */
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
         select (to_jsonb(r) - '${random}'::text[])::text as t from ${name} r) x`,
      on,
    )
    content[name] = row?.hash ?? ''
  }
  return content
}

describe('the demo', () => {
  test('has prices that are the same when they are calculated again', async () => {
    const prices = await getRows<{ price: PriceBreakdown }>(
      'select price from parcels where price is not null order by id',
    )
    expect(prices.length).toBeGreaterThan(100)
    for (const { price } of prices) {
      expect((await replayPrice(deps, price))?.totalMinor).toBe(price.totalMinor)
    }
  })

  test(
    'is identical in another database on the same day',
    async () => {
      const elsewhere = await startDemo(demoAfternoon)
      await seedDemo(elsewhere)
      expect(await getContent(elsewhere)).toEqual(await getContent(deps))
    },
    playTimeout,
  )

  test('is created only once', async () => {
    const before = await getContent(deps)
    expect(await seedDemo(deps)).toBe(false)
    expect(await getContent(deps)).toEqual(before)
  })

  test.each(['2026-11-21T18:10:00Z', '2026-11-22T00:05:00Z', '2026-07-01T11:45:00Z'])(
    'has every status of parcels, orders, payments and pickups at %s, and nothing in the future',
    async (moment) => {
      const demo = await startDemo(new Date(moment))
      await seedDemo(demo)
      await expectEverything(demo, moment)
    },
    playTimeout,
  )

  test('has every status in the afternoon too', async () => {
    await expectEverything(deps, demoAfternoon.toISOString())
  })

  test('shows every feature in every state that staff and senders look for', async () => {
    const getStates = async (table: string, column = 'status') =>
      (await getRows<{ state: string }>(`select distinct ${column} as state from ${table} order by 1`)).map(
        ({ state }) => state,
      )
    expect(await getStates('parcel_weighings', 'state')).toEqual([
      'accepted',
      'adjusted',
      'contested',
      'noted',
      'open',
      'upheld',
      'waived',
      'withdrawn',
    ])
    expect(await getStates('order_approvals')).toEqual(['approved', 'declined', 'expired', 'pending', 'withdrawn'])
    expect(await getStates('refunds')).toEqual(['done', 'failed', 'requested'])
    expect(await getStates('refunds', 'destination')).toEqual(['card', 'receivable', 'wallet'])
    expect(await getStates('gunnies')).toEqual(['at_station', 'closed', 'dissolved', 'in_transit', 'open'])
    expect(await getStates('delivery_tasks')).toEqual(['completed', 'failed', 'open'])
    expect(await getStates('gateway_messages', 'reason')).toEqual([
      'amount',
      'currency',
      'merchant',
      'signature',
      'status',
    ])
    expect(await getStates('bulk_batches')).toEqual(['columns', 'failed', 'ready'])
    expect(await getStates('payments', 'method')).toEqual([
      'credit_card',
      'express_credit',
      'ipay88',
      'monthly_billing',
      'store',
    ])
    expect(await getStates('parcels', 'leg')).toEqual(['outbound', 'return'])
    expect(await getStates('parcels', 'scope')).toEqual(['domestic', 'international'])
    expect(await getStates('carrier_bookings', 'carrier')).toEqual(['dhl', 'yunda'])
  })

  test('has texts in both languages for every action of the activity log', async () => {
    const rows = await getRows<{ action: string }>('select distinct action from activity_log order by 1')
    expect(rows.length).toBeGreaterThan(20)
    for (const language of ['en', 'cn_zh'] as const) {
      const t = deps.translations(language)
      const isNamed = (action: string) => t(`action.${action}`, { defaultValue: '' }) !== ''
      expect(
        rows.filter(({ action }) => !isNamed(action)),
        language,
      ).toEqual([])
    }
  })

  test('has work for the operations user: pickups in every state, an open drawer, and handed-in cash', async () => {
    const atWork = `from users u where u.email = 'kl@waybill.example'`
    const pickups = await getRows<{ status: string }>(
      `select distinct status from pickup_requests where cancelled_at is null
         and station_id = (select u.station_id ${atWork}) order by 1`,
    )
    expect(pickups.map(({ status }) => status)).toEqual(['completed', 'failed', 'in_progress', 'new', 'open'])
    const shifts = await getRows<{ shift: string }>(
      `select concat_ws('/', number, shift, difference_minor, reopen_reason) as shift
       from cash_drawers
       where station_id = (select u.station_id ${atWork}) order by number, opened_at`,
    )
    const openShift = '1/1'
    const recounted = '2/2/0/The note lay below the tray'
    expect(shifts.map(({ shift }) => shift)).toEqual(['1/1/0', '1/1/-200', openShift, '2/1/0', recounted])
    const [cash] = await getRows<{ handed_in: number; held: number; paid_out: number }>(
      `select count(*) filter (where handed_in_at is not null) as handed_in,
         count(*) filter (where handed_in_at is null) as held,
         count(*) filter (where payout_id is not null) as paid_out from cod_collections`,
    )
    for (const count of Object.values(cash ?? {})) expect(count).toBeGreaterThan(0)
  })

  test('never runs in production, or where it is switched off', async () => {
    const off = await startDemo(demoAfternoon, {})
    expect(await seedDemo(off)).toBe(false)
    expect(await getRows('select id from accounts', off)).toEqual([])
    expect(() => loadConfig({ NODE_ENV: 'production', DEMO: 'on' }, [])).toThrow(ConfigError)
    expect(() => loadConfig({ NODE_ENV: 'production', DEMO: 'on' }, [])).toThrow(/DEMO: must be off in production/)
  })
})

async function expectEverything(on: Deps, moment: string): Promise<void> {
  const movingParcels = await getRows<{ count: number }>(
    `select count(*)::int as count from parcels where scope = 'international' and handed_over and status = 'inbound'`,
    on,
  )
  expect(movingParcels[0]?.count, 'a parcel on its way abroad').toBeGreaterThan(0)
  const listStatuses = async (table: string) =>
    new Set((await getRows<{ status: string }>(`select distinct status from ${table}`, on)).map(({ status }) => status))
  expect(await listStatuses('parcels')).toEqual(new Set(labelValues(parcelStatusLabels)))
  expect(await listStatuses('orders')).toEqual(new Set(labelValues(orderStatusLabels)))
  expect(await listStatuses('payments')).toEqual(new Set(labelValues(paymentStatusLabels)))
  expect(await listStatuses('pickup_requests')).toEqual(new Set(labelValues(taskStatusLabels)))
  const [parcels] = await getRows<{ count: number; late: number }>(
    `select count(*) as count, count(*) filter (where last_event_at > '${moment}') as late from parcels`,
    on,
  )
  expect(parcels).toEqual({ count: parcelCount + shopParcelCount, late: 0 })
  const [events] = await getRows<{ late: number }>(
    `select count(*) as late from tracking_events where at > '${moment}'`,
    on,
  )
  expect(events?.late).toBe(0)
}

describeHistories(() => deps)
describe('the enumerations of the demo', () => describeValues(() => deps))
describe('the API of the demo', () => describeAnswers(() => app))

describe('the people and places of the demo', () => {
  test('include staff of every type and role, and customers of both kinds', async () => {
    const roles = await getRows<{ staff_role: string | null }>(
      `select distinct staff_role from users where kind = 'staff'`,
    )
    expect(new Set(roles.map(({ staff_role }) => staff_role))).toEqual(new Set([null, ...labelValues(staffRoleLabels)]))
    const types = await getRows<{ user_type: string; count: number }>(
      'select user_type, count(*) as count from accounts group by 1 order by 1',
    )
    expect(types).toEqual([
      { user_type: 'corporate', count: 3 },
      { user_type: 'customer', count: 5 },
    ])
  })

  test('have valid phone numbers for all users and addresses', async () => {
    const phones = await getRows<{ phone: string }>(
      'select phone from users where phone is not null union select phone from addresses',
    )
    for (const { phone } of phones) expect(parsePhoneNumberFromString(phone)?.isValid(), phone).toBe(true)
  })

  test('have address books of 10 to 25 addresses, one default sender each, in all sixteen states', async () => {
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

describeMoney(() => deps)

test('include a customer who signs in and pays with credits; services write the same fields as the demo', async () => {
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

  /** Columns that are set, and the keys of their JSON values. */
  const getFields = async (table: string, condition: string) => {
    const [row] = await getRows<{ row: Record<string, unknown> }>(
      `select to_jsonb(r) as row from ${table} r where ${condition} limit 1`,
      app.deps,
    )
    const listKeys = (value: unknown): string[] => {
      const inner = Array.isArray(value) ? value[0] : value
      return inner !== null && typeof inner === 'object' ? Object.keys(inner) : []
    }
    return Object.entries(row?.row ?? {})
      .filter(([, value]) => value !== null)
      .map(([column, value]) => [column, ...listKeys(value).sort()].join(' '))
      .sort()
  }
  const seededOrder = `(select o.id from orders o
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
    expect(await getFields(table, `${column} = ${seededOrder}`), table).toEqual(fields)
  }
  // Optional fields differ from parcel to parcel.
  const plain = `status = 'pending_dropoff' and delivery_mode = 'P2D' and reference is null
    and insured_value_minor is null and length_mm is not null
    and customs is null and cod_amount_minor is null and gunny_id is null`
  const parcel = await getFields('parcels', `order_id = '${order.id}' and ${plain}`)
  expect(parcel.length).toBeGreaterThan(0)
  expect(await getFields('parcels', `order_id <> '${order.id}' and ${plain}`)).toEqual(parcel)
})
