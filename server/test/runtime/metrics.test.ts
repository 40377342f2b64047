import { forgetPassword } from '@waybill/contract/accounts/sign-in'
import { getOrder } from '@waybill/contract/orders/orders'
import { getGeneralSettings } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { createDb, createPool } from '../../src/db/pool.ts'
import { saveNightlyTrialBalance } from '../../src/domains/wallet/ledger/books.ts'
import { addJob } from '../../src/jobs/jobs.ts'
import { newId } from '../../src/lib/ids.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { listenForOperators } from '../../src/metrics/server.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { payAtGateway, placeOrder } from '../testing/factories/orders.ts'
import { startWire } from '../testing/peers/wire.ts'

const metrics = createMetrics()
let test: TestApp
let address: string

beforeAll(async () => {
  test = await buildTestApp({}, { metrics })
  const operators = await listenForOperators(test.deps, metrics, { host: '127.0.0.1', port: 0 })
  address = operators.address
  return () => operators.stop()
})

/** Collects once. `value` finds a sample by its name with labels, in the order in which they are written. */
async function collect(from = address) {
  const answer = await fetch(`${from}/metrics`)
  const text = await answer.text()
  const samples = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
  return { answer, text, value: (name: string) => samples.get(name) }
}

it('is an OpenMetrics document, which Prometheus reads', async () => {
  const { answer, text } = await collect()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  expect(text.endsWith('# EOF\n')).toBe(true)
  expect(text).toContain('# TYPE waybill_http_requests counter')
  expect(text).toContain('# TYPE process_resident_memory_bytes gauge')
})

it('counts requests by route and status, never by path', async () => {
  const { token } = await createCustomer(test)
  const ids = [newId(), newId()]
  for (const id of ids) await test.call(getOrder, { params: { id }, token })
  await test.call(getGeneralSettings)
  await test.app.inject('/api/no-such-call')
  const { text, value } = await collect()
  const route = (pattern: string, status: number) =>
    value(`waybill_http_requests_total{method="GET",route="${pattern}",status="${status}"}`)
  expect(route(getOrder.path, 404)).toBe(2)
  expect(route(getGeneralSettings.path, 200)).toBe(1)
  expect(value(`waybill_http_request_seconds_count{method="GET",route="${getOrder.path}"}`)).toBe(2)
  for (const id of ids) expect(text).not.toContain(id)
  expect(text).not.toContain('no-such-call')
})

it('counts jobs by outcome, and shows those that wait or failed permanently', async () => {
  const customer = await createCustomer(test)
  await test.call(forgetPassword, { body: { email: customer.email } })
  await addJob(test.deps.db, 'parcels:book-carrier', { parcelId: 'not an id' }, { maxAttempts: 1 })
  await addJob(test.deps.db, 'payments:check', { paymentId: newId() }, { runAt: new Date('2040-01-01') })
  await test.settle()
  const { value } = await collect()
  expect(value('waybill_jobs_total{task="mail:send",outcome="succeeded"}')).toBe(1)
  expect(value('waybill_jobs_total{task="parcels:book-carrier",outcome="failed"}')).toBe(1)
  expect(value('waybill_queue_failed_jobs{task="parcels:book-carrier"}')).toBe(1)
  // A job that is planned for later is not waiting.
  expect(value('waybill_queue_jobs{task="payments:check"}')).toBe(0)
  expect(value('waybill_queue_jobs{task="mail:send"}')).toBeUndefined()
})

it('shows the age of unhandled events', async () => {
  await sql`
    insert into outbox (topic, payload, created_at)
    values ('from.a-newer-release', '{}', now() - interval '1 hour')`.execute(test.deps.db)
  const { value } = await collect()
  expect(value('waybill_outbox_events')).toBe(1)
  expect(value('waybill_outbox_oldest_seconds')).toBeGreaterThanOrEqual(3600)
  expect(value('waybill_outbox_parked_events')).toBe(0)
})

it('shows payments that the gateway has not settled', async () => {
  await seedTestNetwork(test)
  const customer = await createCustomer(test)
  const order = await placeOrder(test, customer)
  const before = await collect()
  await payAtGateway(test, customer, order)
  const after = await collect()
  expect([before.value('waybill_gateway_pending_payments'), after.value('waybill_gateway_pending_payments')]).toEqual([
    0, 1,
  ])
  expect(after.value('waybill_gateway_open_reviews')).toBe(0)
})

it('shows the result of the last check of the books', async () => {
  await sql`update schema_migrations set applied_at = applied_at - interval '3 days'`.execute(test.deps.db)
  const never = await collect()
  expect(never.value('waybill_ledger_problems')).toBeUndefined()
  expect(never.value('waybill_ledger_proof_age_seconds')).toBeGreaterThan(172_800)
  await saveNightlyTrialBalance(test.deps)
  const sound = await collect()
  expect(sound.value('waybill_ledger_problems')).toBe(0)
  expect(sound.value('waybill_ledger_proof_age_seconds')).toBeLessThan(60)
  await sql`update trial_balances set problems = '[{}, {}]'`.execute(test.deps.db)
  expect((await collect()).value('waybill_ledger_problems')).toBe(2)
})

it('works while the database is unavailable, and shows no old values', async () => {
  const wire = await startWire(test.databaseUrl)
  const pool = createPool(wire.url, { max: 2 })
  const ownMetrics = createMetrics()
  const operators = await listenForOperators({ ...test.deps, pool, db: createDb(pool) }, ownMetrics, {
    host: '127.0.0.1',
    port: 0,
  })
  onTestFinished(async () => {
    await operators.stop()
    await pool.end()
    await wire.stop()
  })
  expect((await collect(operators.address)).value('waybill_database_up')).toBe(1)
  await wire.cut()
  const away = await collect(operators.address)
  expect(away.answer.status).toBe(200)
  expect(away.value('waybill_database_up')).toBe(0)
  expect(away.value('waybill_outbox_events')).toBeUndefined()
  expect((await fetch(`${operators.address}/readyz`)).status).toBe(503)
  expect((await fetch(`${operators.address}/healthz`)).status).toBe(200)
})

it('is not available on the public port', async () => {
  const answer = await test.app.inject('/metrics')
  expect(answer.body).not.toContain('waybill_http_requests')
})
