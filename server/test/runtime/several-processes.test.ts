/** Two real server processes share one database, with clocks ten minutes apart. Each sees the changes of the other. */
import { getProfile, logout } from '@waybill/contract/accounts/sign-in'
import { getOrder } from '@waybill/contract/orders/orders'
import { scan } from '@waybill/contract/parcels/scanning'
import { payWithCredits } from '@waybill/contract/payments/payments'
import { createReportFile, downloadReportFile, getReportFile } from '@waybill/contract/reports/files'
import { accountEvents } from '@waybill/contract/tracking/account-events'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import { unlockTracking } from '@waybill/contract/tracking/unlock'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { minutes } from '../../src/lib/clock.ts'
import { afterUse } from '../testing/after-use.ts'
import { buildTestApp, fillPath, type TestApp } from '../testing/app.ts'
import { createTestDatabase } from '../testing/database.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { testImage } from '../testing/factories/attachments.ts'
import { findCounter } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { placeOrder } from '../testing/factories/orders.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { createPayer, testPin } from '../testing/factories/wallet.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { openStream } from '../testing/streams.ts'

/** Sets the machine's clock ahead, for one process. */
const clockAhead = (milliseconds: number) =>
  `--import=data:text/javascript,${encodeURIComponent(
    `const Real = Date; globalThis.Date = class extends Real {
      constructor(...parts) { parts.length > 0 ? super(...parts) : super(Real.now() + ${milliseconds}) }
      static now() { return Real.now() + ${milliseconds} }
    }`,
  )}`

/** Calls of the contract over HTTP to a process. */
const callAt =
  (address: string): TestApp['call'] =>
  async (endpoint, options = {}) => {
    const { params, query } = options as { params?: Record<string, unknown>; query?: Record<string, unknown> }
    const response = await fetch(`${address}${fillPath(endpoint, params, query)}`, {
      method: endpoint.method,
      headers: {
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    const headers = Object.fromEntries(response.headers)
    const raw = Buffer.from(await response.arrayBuffer())
    const json = String(headers['content-type']).includes('json') ? JSON.parse(raw.toString()) : undefined
    return { status: response.status, body: json, error: json, headers, raw }
  }

describe('two processes', () => {
  let test: TestApp
  let processes: ServerProcess[]
  let addresses: [ahead: string, right: string]
  let ahead: TestApp['call']
  let right: TestApp['call']
  beforeAll(async () => {
    // No jobs run in the test's process, so the two processes must run them.
    test = await buildTestApp({}, { database: await createTestDatabase() })
    await seedTestNetwork(test)
    const environment = {
      DATABASE_URL: test.databaseUrl,
      DATA_DIR: test.deps.config.dataDir,
      SECRET_KEY: 'a secret of the tests that is long enough',
      SMTP_URL: test.mailbox.url,
      DEMO: 'off',
    }
    processes = [
      startServerProcess({ ...environment, ROLE: 'web', NODE_OPTIONS: clockAhead(minutes(10)) }),
      startServerProcess({ ...environment, ROLE: 'all' }),
    ]
    afterUse(async () => {
      for (const { child, ended } of processes) {
        child.kill('SIGTERM')
        await ended
      }
    })
    const [first = '', second = ''] = await Promise.all(processes.map(({ ready }) => ready()))
    addresses = [first, second]
    ahead = callAt(first)
    right = callAt(second)
  }, 60_000)

  it('end a session in both when it ends in one', async () => {
    const { token } = await createCustomer(test)
    for (const call of [ahead, right]) expect((await call(getProfile, { token })).status).toBe(200)
    expect((await right(logout, { token })).status).toBe(200)
    await expect.poll(async () => (await ahead(getProfile, { token })).status, { timeout: 10_000 }).toBe(401)
  })

  it('charge an order once if it is paid in both at once', async () => {
    const payer = await createPayer(test)
    const order = await placeOrder(test, payer)
    const body = { pin: testPin, expectedTotalMinor: order.totalMinor }
    const answers = await Promise.all(
      [ahead, right].map((call, n) =>
        call(payWithCredits, {
          token: payer.token,
          params: { id: order.id },
          body,
          headers: { 'idempotency-key': `${order.id}-${n}` },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const paid = await right(getOrder, { token: payer.token, params: { id: order.id } })
    expect(paid.body).toMatchObject({ status: 'pending', paidMinor: order.totalMinor })
    // One key is charged once, whichever process receives the second attempt.
    const another = await placeOrder(test, payer)
    const request = {
      token: payer.token,
      params: { id: another.id },
      body: { pin: testPin, expectedTotalMinor: another.totalMinor },
      headers: { 'idempotency-key': another.id },
    }
    const [one, two] = [await ahead(payWithCredits, request), await right(payWithCredits, request)]
    expect([one.status, two.body]).toEqual([200, one.body])
  })

  it('show a timeline consistent with the status, whichever clock its entries have', async () => {
    const customer = await createCustomer(test)
    const { counter } = await findCounter(test)
    const parcel = await createParcel(test, customer, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const number = parcel.tracking_number ?? ''
    const scans = [
      ['accepted', 'inbound'],
      ['sorted', 'sorting'],
      ['out_for_delivery', 'delivering'],
      ['attempt_failed', 'fail-to-deliver'],
      ['out_for_delivery', 'delivering'],
    ] as const
    for (const [n, [event, status]] of scans.entries()) {
      const words = event === 'attempt_failed' ? { failureReason: 'not_home' as const } : {}
      const body = { trackingNumber: number, event, ...words }
      const answer = await (n % 2 === 0 ? ahead : right)(scan, { token: counter.token, body })
      expect([event, answer.status]).toEqual([event, 200])
      const { rows } = await sql<{ status: string; now: string; late: number }>`
        select e.status, p.status as now, abs(extract(epoch from clock_timestamp() - e.at))::float as late
        from tracking_events e
        join parcels p on p.account_id = e.account_id and p.id = e.parcel_id
        where e.parcel_id = ${parcel.id}::uuid
        order by e.at desc
        limit 1`.execute(test.deps.db)
      expect(rows[0]).toMatchObject({ status, now: status })
      expect(rows[0]?.late).toBeLessThan(60)
    }
    for (const call of [ahead, right]) {
      const { body } = await call(publicTrackGet, { query: { no: number } })
      expect(body.found[0]).toMatchObject({ status: 'delivering', trackingStatus: 'out_for_delivery' })
    }
  })

  it('send events of one to the clients of the other immediately', async () => {
    const customer = await createCustomer(test)
    const { counter } = await findCounter(test)
    for (const [listener, call] of [
      [addresses[0], right],
      [addresses[1], ahead],
    ] as const) {
      const parcel = await createParcel(test, customer, { status: 'pending_dropoff', delivery_mode: 'P2D' })
      const stream = await openStream(listener, accountEvents, { token: customer.token })
      const body = { trackingNumber: parcel.tracking_number ?? '', event: 'accepted' as const }
      expect((await call(scan, { token: counter.token, body })).status).toBe(200)
      expect((await stream.next()).event).toBe('parcel')
      await stream.close()
    }
  })

  it('count attempts in both against one limit', async () => {
    const customer = await createCustomer(test)
    const { tracking_number: number } = await createParcel(test, customer, { status: 'delivering' })
    const codes: string[] = []
    for (let n = 0; n < 6; n += 1) {
      const body = { number: number ?? '', postcode: '10300', phoneDigits: '0000' }
      codes.push((await (n % 2 === 0 ? ahead : right)(unlockTracking, { body })).error.code)
    }
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'unlock_wrong'), 'unlock_attempts'])
  })

  it('create a report in either process and serve it, and photos, from both', async () => {
    const { token } = await createCustomer(test)
    const { body: file } = await ahead(createReportFile, { token, body: { format: 'csv' } })
    const params = { id: file.id }
    await expect
      .poll(async () => (await ahead(getReportFile, { token, params })).body.state, { timeout: 20_000 })
      .toBe('ready')
    const [one, two] = [
      await ahead(downloadReportFile, { token, params }),
      await right(downloadReportFile, { token, params }),
    ]
    expect([one.status, two.raw.equals(one.raw)]).toEqual([200, true])

    const form = new FormData()
    form.set('purpose', 'parcel_photo')
    form.set('file', new File([await testImage()], 'photo.jpg', { type: 'image/jpeg' }))
    const headers = { authorization: `Bearer ${token}` }
    const upload = await fetch(`${addresses[0]}/api/attachments/create`, { method: 'POST', headers, body: form })
    const { link } = (await upload.json()) as { link: string }
    const { pathname, search } = new URL(link, addresses[1])
    const photo = await fetch(`${addresses[1]}${pathname}${search}`)
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  })

  // This is the last test because it stops the process whose clock is ahead.
  it('continue with one after the other stops: its streams end, and no event is missed', async () => {
    const customer = await createCustomer(test)
    const { counter } = await findCounter(test)
    const parcel = await createParcel(test, customer, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const stream = await openStream(addresses[0], accountEvents, { token: customer.token })
    const [first] = processes
    first?.child.kill('SIGKILL')
    await first?.ended
    await expect(stream.next()).rejects.toThrow()
    const body = { trackingNumber: parcel.tracking_number ?? '', event: 'accepted' as const }
    expect((await right(scan, { token: counter.token, body })).status).toBe(200)
    // After a reconnect, a browser reads again what events change.
    const { body: tracking } = await right(publicTrackGet, { query: { no: parcel.tracking_number ?? '' } })
    expect(tracking.found[0]).toMatchObject({ status: 'inbound' })
  })
})
