import {
  cancelCarrierBooking,
  getCarrierLabel,
  listCarrierBookings,
  listCarriers,
  retryCarrierBooking,
} from '@waybill/contract/carriers/carriers'
import { listNotifications } from '@waybill/contract/notifications/notifications'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { carrierReference, maxAttempts } from '../../src/domains/carriers/rules.ts'
import { bookCarriers } from '../../src/domains/parcels/carrier-handover/bookings.ts'
import type { ParcelRow } from '../../src/domains/parcels/queries.ts'
import { hours, later, minutes } from '../../src/lib/clock.ts'
import { listActivities } from '../testing/activities.ts'
import { buildTestApp, type TestApp, unreachableCarriers } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { testReceiver } from '../testing/factories/parcels.ts'
import { type DhlExpressPeer, startDhlExpressPeer } from '../testing/peers/dhl-express.ts'
import { type Fault, withoutPatience } from '../testing/peers/misbehaving.ts'
import { startYundaPeer, type YundaPeer } from '../testing/peers/yunda.ts'
import { findBooking, freshToken, move, pass, payParcel, sendParcel } from './carrier-parcels.ts'

describe('bookings at carriers', () => {
  let test: TestApp
  let dhl: DhlExpressPeer
  let yunda: YundaPeer
  let customer: TestCustomer
  let staff: { token: string }
  let staffToken: string
  beforeAll(async () => {
    let now = () => new Date()
    dhl = await startDhlExpressPeer(() => now())
    yunda = await startYundaPeer(() => now())
    test = await buildTestApp({ ...dhl.environment, ...yunda.environment })
    now = test.clock.now
    customer = await createCustomer(test)
    staff = await createStaff(test, { role: 'normal_staff' })
  })
  beforeEach(async () => {
    staffToken = await freshToken(test, staff)
    customer.token = await freshToken(test, customer)
    dhl.fault = null
    dhl.faultAt = null
    yunda.fault = null
    yunda.faultAt = null
  })

  const listAtDhl = ({ id }: ParcelRow) =>
    dhl.dhl.shipments.filter(({ reference }) => reference === carrierReference(id))
  const listAtYunda = ({ id }: ParcelRow) => yunda.yunda.orders.filter(({ serial }) => serial === carrierReference(id))
  const listBookings = async (
    row: ParcelRow,
    tab: 'attention' | 'waiting' | 'booked' | 'cancelled' | 'all' = 'all',
  ) => {
    const query = { tab, search: row.tracking_number ?? '' }
    return (await test.call(listCarrierBookings, { token: staffToken, query })).body.items[0]
  }

  it('are made after the payment, with the number and the label for the sender', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const booking = await findBooking(test, customer, row)
    const [shipment] = listAtDhl(row)
    expect(booking).toMatchObject({
      carrier: 'dhl',
      state: 'booked',
      carrierNumber: shipment?.number,
      hasLabel: true,
      simulated: true,
      lastError: null,
      nextTryAt: null,
    })
    expect(booking?.trackingUrl).toContain(shipment?.number)
    const label = await test.call(getCarrierLabel, { token: customer.token, params: { id: row.id } })
    expect(label.status).toBe(200)
    expect(label.headers['content-type']).toContain('application/pdf')
    expect(label.raw.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('are made at Yunda with its protocol', async () => {
    const row = await sendParcel(test, customer, { carrier: 'yunda', delivery_mode: 'P2D' })
    expect(await findBooking(test, customer, row)).toMatchObject({
      carrier: 'yunda',
      state: 'booked',
      carrierNumber: listAtYunda(row)[0]?.mailno,
      hasLabel: true,
    })
  })

  it("are not needed for the courier's own network", async () => {
    const row = await sendParcel(test, customer, { carrier: 'own' })
    expect(await findBooking(test, customer, row)).toBeNull()
    expect((await test.call(getCarrierLabel, { token: customer.token, params: { id: row.id } })).status).toBe(404)
  })

  it('are visible only to their own account', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const { token } = await createCustomer(test)
    expect((await test.call(getCarrierLabel, { token, params: { id: row.id } })).status).toBe(404)
    await expect(findBooking(test, await createCustomer(test), row)).rejects.toThrow('not_found')
  })

  const troubles: [name: string, fault: Fault, words: RegExp][] = [
    ['is unreachable', 'down', /is not responding/],
    ['is slow', 'slow', /is not responding/],
    ['answers 500', { status: 500, body: '<h1>Error</h1>', type: 'text/html' }, /technical problem/],
    ['is busy', { status: 429, body: {} }, /busy/],
    ['refuses our credentials', { status: 401, body: {} }, /credentials/],
    ['gives an invalid answer', { status: 200, body: '{"shipments": "none"}' }, /invalid response/],
    ['books but loses its answer', 'drop_after', /is not responding/],
  ]

  it.each(troubles)('are made once at DHL if it %s and then recovers', async (_name, fault, words) => {
    dhl.fault = fault
    if (fault === 'slow') withoutPatience()
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const pendingBooking = await findBooking(test, customer, row)
    expect(pendingBooking).toMatchObject({ state: 'waiting', attempts: 1, carrierNumber: null })
    expect(pendingBooking?.lastError).toMatch(words)
    expect(new Date(pendingBooking?.nextTryAt ?? 0).getTime()).toBeGreaterThan(test.clock.now().getTime())
    await pass(test, 2)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'waiting', attempts: 2 })
    dhl.fault = null
    await pass(test, 10)
    await pass(test, 10)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'booked', lastError: null })
    expect(listAtDhl(row)).toHaveLength(1)
    expect((await findBooking(test, customer, row))?.carrierNumber).toBe(listAtDhl(row)[0]?.number)
  })

  it.each(troubles)('are made once at Yunda if it %s and then recovers', async (_name, fault, words) => {
    yunda.fault = fault
    const row = await sendParcel(test, customer, { carrier: 'yunda' })
    const pendingBooking = await findBooking(test, customer, row)
    expect(pendingBooking).toMatchObject({ state: 'waiting', attempts: 1 })
    expect(pendingBooking?.lastError).toMatch(words)
    yunda.fault = null
    await pass(test, 10)
    expect(await findBooking(test, customer, row)).toMatchObject({
      state: 'booked',
      carrierNumber: listAtYunda(row)[0]?.mailno,
    })
    expect(listAtYunda(row)).toHaveLength(1)
  })

  it('fetch the label later if it did not come with the answer', async () => {
    dhl.fault = 'drop_after'
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    dhl.fault = null
    await pass(test, 2)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'booked', hasLabel: false })
    await pass(test, 2)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'booked', hasLabel: true })
    expect(listAtDhl(row)).toHaveLength(1)
  })

  it('are not made twice if two jobs run at the same moment', async () => {
    const row = await payParcel(test, customer, { carrier: 'dhl' })
    await test.deps.outbox.drain()
    const { bookCarrier } = await import('../../src/domains/parcels/carrier-handover/bookings.ts')
    await Promise.all(Array.from({ length: 6 }, () => bookCarrier(test.deps, { parcelId: row.id })))
    await test.settle()
    expect(listAtDhl(row)).toHaveLength(1)
  })

  it('do not delay the sender while the carrier is slow', async () => {
    dhl.fault = 'slow'
    // A payment that waited for the carrier would end only after this time-out, with the failure on record.
    withoutPatience(1500)
    const row = await payParcel(test, customer, { carrier: 'dhl' })
    expect(row.status).toBe('pending_pickup')
    expect((await findBooking(test, customer, row))?.lastError ?? null).toBeNull()
    await test.settle()
    expect((await findBooking(test, customer, row))?.lastError).toMatch(/is not responding/)
  })

  it('wait behind a single attempt while the carrier is down', async () => {
    dhl.fault = 'down'
    const rows = await Promise.all([1, 2, 3].map(() => sendParcel(test, customer, { carrier: 'dhl' })))
    const before = dhl.requests.length
    await pass(test, 2)
    expect(dhl.requests.length - before).toBeLessThanOrEqual(2)
    dhl.fault = null
    await pass(test, 5)
    for (const row of rows) expect(listAtDhl(row)).toHaveLength(1)
  })

  it('are retried at one carrier while hundreds wait for another one that is down', async () => {
    const { db, clock } = test.deps
    dhl.fault = 'down'
    yunda.fault = 'down'
    const [atDhl, atYunda] = [
      await sendParcel(test, customer, { carrier: 'dhl' }),
      await sendParcel(test, customer, { carrier: 'yunda' }),
    ]
    // DHL is tried with its oldest booking. The others stand for parcels that are not tried.
    const ago = (ms: number) => later(clock.now(), -ms)
    await db
      .updateTable('carrier_bookings')
      .set({ next_try_at: ago(hours(2)) })
      .where('parcel_id', '=', atDhl.id)
      .execute()
    await sql`
      insert into carrier_bookings (account_id, parcel_id, carrier, tracking_number, next_try_at)
      select ${customer.accountId}::uuid, gen_random_uuid(), 'dhl', 'crowd', ${ago(hours(1))}::timestamptz
      from generate_series(1, 500)`.execute(db)
    yunda.fault = null
    await pass(test, 10)
    await db.deleteFrom('carrier_bookings').where('tracking_number', '=', 'crowd').execute()
    expect(await findBooking(test, customer, atDhl)).toMatchObject({ state: 'waiting' })
    expect(await findBooking(test, customer, atYunda)).toMatchObject({ state: 'booked' })
    dhl.fault = null
    await pass(test, 10)
    expect(await findBooking(test, customer, atDhl)).toMatchObject({ state: 'booked' })
  })

  it('are shown to staff in both languages if the carrier refuses, and retried on request', async () => {
    const row = await sendParcel(test, customer, {
      carrier: 'dhl',
      receiver: testReceiver({ line1: 'x'.repeat(120), line2: 'y'.repeat(120) }),
    })
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'failed', nextTryAt: null })
    const listKinds = async (token: string) =>
      (await test.call(listNotifications, { token })).body.items.map(({ kind }) => kind)
    expect(await listKinds(await freshToken(test, customer))).toContain('carrier_booking_failed')
    expect(await listKinds(staffToken)).toContain('carrier_booking_attention')
    const mails = test.mailbox.mails().filter(({ subject }) => subject.includes(row.tracking_number ?? ''))
    expect(mails.map(({ to }) => to)).toEqual([[customer.email]])
    const item = await listBookings(row, 'attention')
    expect(item).toMatchObject({ problem: 'incomplete', trackingNumber: row.tracking_number, cancelling: false })
    const query = { tab: 'attention' as const, search: row.tracking_number ?? '' }
    const chinese = await test.call(listCarrierBookings, { token: staffToken, query, language: 'zh' })
    expect(chinese.body.items[0]?.lastError).toContain('资料')
    await test.deps.db
      .updateTable('parcels')
      .set({ receiver: JSON.stringify(testReceiver()) })
      .where('id', '=', row.id)
      .execute()
    const stale = { params: { id: row.id }, token: staffToken, body: { version: 1 } }
    expect((await test.call(retryCarrierBooking, stale)).error.code).toBe('version_conflict')
    const body = { version: item?.version ?? 0 }
    const again = await test.call(retryCarrierBooking, { params: { id: row.id }, token: staffToken, body })
    expect(again.body).toMatchObject({ state: 'waiting', attempts: 0, lastError: null })
    await test.settle()
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'booked' })
    const log = await listActivities(test, { subject: row.id })
    expect(log.map(({ action, level }) => `${action} ${level}`)).toEqual(
      expect.arrayContaining(['carriers.failed ERROR', 'carriers.retry INFO']),
    )
  })

  it('are shown to staff after the maximum number of attempts', async () => {
    dhl.fault = { status: 503, body: '' }
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    for (let n = 1; n < maxAttempts; n += 1) await pass(test, 300)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'failed', attempts: maxAttempts })
    staffToken = await freshToken(test, staff)
    const item = await listBookings(row, 'attention')
    const body = { version: item?.version ?? 0 }
    const cancellation = await test.call(cancelCarrierBooking, { params: { id: row.id }, token: staffToken, body })
    expect(cancellation.status).toBe(200)
    dhl.fault = null
    await test.settle()
    await pass(test, 2)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'cancelled' })
    expect(listAtDhl(row)).toHaveLength(0)
  })

  it('are cancelled at the carrier when the parcel is cancelled', async () => {
    const row = await sendParcel(test, customer, { carrier: 'yunda' })
    await move(test, row, 'cancelled')
    await test.settle()
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'cancelled' })
    expect(listAtYunda(row)[0]?.cancelled).toBe(true)
  })

  it('never reach the carrier if the parcel is cancelled first', async () => {
    const row = await payParcel(test, customer, { carrier: 'yunda' })
    await move(test, row, 'cancelled')
    await test.settle()
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'cancelled' })
    expect(listAtYunda(row).filter(({ cancelled }) => !cancelled)).toHaveLength(0)
  })

  it('are cancelled, or never made, if the parcel is recalled before the carrier has it', async () => {
    const p2d = { carrier: 'yunda', delivery_mode: 'P2D' } as const
    const recall = async (row: ParcelRow) => {
      await move(test, row, 'accepted')
      await move(test, row, 'recalled')
    }
    const booked = await sendParcel(test, customer, p2d)
    await recall(booked)
    await test.settle()
    expect(await findBooking(test, customer, booked)).toMatchObject({ state: 'cancelled' })
    expect(listAtYunda(booked)).toMatchObject([{ cancelled: true }])
    yunda.fault = 'down'
    const waiting = await sendParcel(test, customer, p2d)
    yunda.fault = null
    await recall(waiting)
    test.clock.advance(minutes(10))
    // Before the outbox is handled, the booking is due.
    await bookCarriers(test.deps)
    expect(await findBooking(test, customer, waiting)).toMatchObject({ state: 'cancelled' })
    expect(listAtYunda(waiting)).toEqual([])
    await test.settle()
  })

  it('are cancelled at the carrier even if its answer to the booking was lost', async () => {
    yunda.fault = 'drop_after'
    const row = await sendParcel(test, customer, { carrier: 'yunda' })
    await move(test, row, 'cancelled')
    await test.settle()
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'waiting' })
    expect(await listBookings(row)).toMatchObject({ cancelling: true })
    yunda.fault = null
    await pass(test, 10)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'cancelled' })
    expect(listAtYunda(row)).toMatchObject([{ cancelled: true }])
  })

  it('report which carriers are available', async () => {
    const { items } = (await test.call(listCarriers, { token: staffToken })).body
    expect(items.map(({ carrier, open }) => [carrier, open])).toEqual([
      ['own', true],
      ['yunda', true],
      ['dhl', true],
    ])
  })
})

describe('a carrier without credentials', () => {
  it('is unavailable and gives the reason', async () => {
    const unset = Object.fromEntries(Object.keys(unreachableCarriers).map((name) => [name, '']))
    const test = await buildTestApp(unset)
    const { token } = await createStaff(test, { role: 'normal_staff' })
    const { items } = (await test.call(listCarriers, { token })).body
    expect(items.find(({ carrier }) => carrier === 'dhl')).toMatchObject({ open: false, simulated: false })
    expect(items.find(({ carrier }) => carrier === 'dhl')?.reason).toContain('credentials')
    const customer = await createCustomer(test)
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const booking = await findBooking(test, customer, row)
    expect(booking).toMatchObject({ state: 'waiting' })
    expect(booking?.lastError).toContain('not connected')
  })
})
