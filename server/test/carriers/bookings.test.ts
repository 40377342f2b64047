import {
  cancelCarrierBooking,
  getCarrierLabel,
  listCarrierBookings,
  listCarriers,
  retryCarrierBooking,
} from '@waybill/contract/carriers/carriers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { carrierReference, mostAttempts } from '../../src/domains/carriers/rules.ts'
import type { ParcelRow } from '../../src/domains/parcels/queries.ts'
import { buildTestApp, type TestApp, unreachableCarriers } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { testReceiver } from '../testing/factories/parcels.ts'
import { type DhlExpressPeer, startDhlExpressPeer } from '../testing/peers/dhl-express.ts'
import { type Fault, withoutPatience } from '../testing/peers/misbehaving.ts'
import { startYundaPeer, type YundaPeer } from '../testing/peers/yunda.ts'
import { findBooking, freshToken, move, pass, payParcel, sendParcel } from './carrier-parcels.ts'

describe('parcels of other carriers', () => {
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

  const atDhl = ({ id }: ParcelRow) => dhl.dhl.shipments.filter(({ reference }) => reference === carrierReference(id))
  const atYunda = ({ id }: ParcelRow) => yunda.yunda.orders.filter(({ serial }) => serial === carrierReference(id))
  const listed = async (row: ParcelRow, tab: 'attention' | 'waiting' | 'booked' | 'cancelled' | 'all' = 'all') => {
    const query = { tab, search: row.tracking_number ?? '' }
    return (await test.call(listCarrierBookings, { token: staffToken, query })).body.items[0]
  }

  it('are booked once they are paid, with the number and the label for their sender', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const booking = await findBooking(test, customer, row)
    const [shipment] = atDhl(row)
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

  it('are booked at Yunda under the other protocol', async () => {
    const row = await sendParcel(test, customer, { carrier: 'yunda', delivery_mode: 'P2D' })
    expect(await findBooking(test, customer, row)).toMatchObject({
      carrier: 'yunda',
      state: 'booked',
      carrierNumber: atYunda(row)[0]?.mailno,
      hasLabel: true,
    })
  })

  it('of the own network need no booking', async () => {
    const row = await sendParcel(test, customer, { carrier: 'own' })
    expect(await findBooking(test, customer, row)).toBeNull()
    expect((await test.call(getCarrierLabel, { token: customer.token, params: { id: row.id } })).status).toBe(404)
  })

  it('show their booking only to their account', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const { token } = await createCustomer(test)
    expect((await test.call(getCarrierLabel, { token, params: { id: row.id } })).status).toBe(404)
    await expect(findBooking(test, await createCustomer(test), row)).rejects.toThrow('not_found')
  })

  const troubles: [name: string, fault: Fault, words: RegExp][] = [
    ['is down', 'down', /is not responding/],
    ['is slow', 'slow', /is not responding/],
    ['has a fault', { status: 500, body: '<h1>Error</h1>', type: 'text/html' }, /technical problem/],
    ['is busy', { status: 429, body: {} }, /busy/],
    ['refuses our credentials', { status: 401, body: {} }, /credentials/],
    ['answers nonsense', { status: 200, body: '{"shipments": "none"}' }, /invalid response/],
    ['books, but its answer is lost', 'drop_after', /is not responding/],
  ]

  it.each(troubles)('are booked once at DHL when it %s and comes back', async (_name, fault, words) => {
    dhl.fault = fault
    if (fault === 'slow') withoutPatience()
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const waiting = await findBooking(test, customer, row)
    expect(waiting).toMatchObject({ state: 'waiting', attempts: 1, carrierNumber: null })
    expect(waiting?.lastError).toMatch(words)
    expect(new Date(waiting?.nextTryAt ?? 0).getTime()).toBeGreaterThan(test.clock.now().getTime())
    await pass(test, 2)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'waiting', attempts: 2 })
    dhl.fault = null
    await pass(test, 10)
    await pass(test, 10)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'booked', lastError: null })
    expect(atDhl(row)).toHaveLength(1)
    expect((await findBooking(test, customer, row))?.carrierNumber).toBe(atDhl(row)[0]?.number)
  })

  it.each(troubles)('are booked once at Yunda when it %s and comes back', async (_name, fault, words) => {
    yunda.fault = fault
    const row = await sendParcel(test, customer, { carrier: 'yunda' })
    const waiting = await findBooking(test, customer, row)
    expect(waiting).toMatchObject({ state: 'waiting', attempts: 1 })
    expect(waiting?.lastError).toMatch(words)
    yunda.fault = null
    await pass(test, 10)
    expect(await findBooking(test, customer, row)).toMatchObject({
      state: 'booked',
      carrierNumber: atYunda(row)[0]?.mailno,
    })
    expect(atYunda(row)).toHaveLength(1)
  })

  it('have their label fetched when it did not come with the booking', async () => {
    dhl.fault = 'drop_after'
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    dhl.fault = null
    await pass(test, 2)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'booked', hasLabel: false })
    await pass(test, 2)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'booked', hasLabel: true })
    expect(atDhl(row)).toHaveLength(1)
  })

  it('are not booked twice when the job runs twice at once', async () => {
    const row = await payParcel(test, customer, { carrier: 'dhl' })
    await test.deps.outbox.drain()
    const { bookCarrier } = await import('../../src/domains/parcels/carrier-handover/bookings.ts')
    await Promise.all(Array.from({ length: 6 }, () => bookCarrier(test.deps, { parcelId: row.id })))
    await test.settle()
    expect(atDhl(row)).toHaveLength(1)
  })

  it('keep their sender from waiting while the carrier is slow', async () => {
    dhl.fault = 'slow'
    withoutPatience(1500)
    const start = performance.now()
    await payParcel(test, customer, { carrier: 'dhl' })
    expect(performance.now() - start).toBeLessThan(1500)
    await test.settle()
  })

  it('wait in line behind one try while the carrier is down', async () => {
    dhl.fault = 'down'
    const rows = await Promise.all([1, 2, 3].map(() => sendParcel(test, customer, { carrier: 'dhl' })))
    const before = dhl.requests.length
    await pass(test, 2)
    expect(dhl.requests.length - before).toBeLessThanOrEqual(2)
    dhl.fault = null
    await pass(test, 5)
    for (const row of rows) expect(atDhl(row)).toHaveLength(1)
  })

  it('go to staff in both languages when the carrier refuses, and are retried on request', async () => {
    const row = await sendParcel(test, customer, {
      carrier: 'dhl',
      receiver: testReceiver({ line1: 'x'.repeat(120), line2: 'y'.repeat(120) }),
    })
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'failed', nextTryAt: null })
    const item = await listed(row, 'attention')
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
    const log = await test.deps.db.selectFrom('activity_log').selectAll().where('subject', '=', row.id).execute()
    expect(log.map(({ action }) => action)).toContain('carriers.retry')
  })

  it('go to staff when the carrier has been asked often enough', async () => {
    dhl.fault = { status: 503, body: '' }
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    for (let n = 1; n < mostAttempts; n += 1) await pass(test, 300)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'failed', attempts: mostAttempts })
    staffToken = await freshToken(test, staff)
    const item = await listed(row, 'attention')
    const body = { version: item?.version ?? 0 }
    const cancellation = await test.call(cancelCarrierBooking, { params: { id: row.id }, token: staffToken, body })
    expect(cancellation.status).toBe(200)
    dhl.fault = null
    await test.settle()
    await pass(test, 2)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'cancelled' })
    expect(atDhl(row)).toHaveLength(0)
  })

  it('are cancelled at the carrier with their parcel', async () => {
    const row = await sendParcel(test, customer, { carrier: 'yunda' })
    await move(test, row, 'cancelled')
    await test.settle()
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'cancelled' })
    expect(atYunda(row)[0]?.cancelled).toBe(true)
  })

  it('that were cancelled before the carrier heard of them never get there', async () => {
    const row = await payParcel(test, customer, { carrier: 'yunda' })
    await move(test, row, 'cancelled')
    await test.settle()
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'cancelled' })
    expect(atYunda(row).filter(({ cancelled }) => !cancelled)).toHaveLength(0)
  })

  it('whose answer was lost and which were cancelled then are cancelled at the carrier', async () => {
    yunda.fault = 'drop_after'
    const row = await sendParcel(test, customer, { carrier: 'yunda' })
    await move(test, row, 'cancelled')
    await test.settle()
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'waiting' })
    expect(await listed(row)).toMatchObject({ cancelling: true })
    yunda.fault = null
    await pass(test, 10)
    expect(await findBooking(test, customer, row)).toMatchObject({ state: 'cancelled' })
    expect(atYunda(row)).toMatchObject([{ cancelled: true }])
  })

  it('say which carriers are open', async () => {
    const { items } = (await test.call(listCarriers, { token: staffToken })).body
    expect(items.map(({ carrier, open }) => [carrier, open])).toEqual([
      ['own', true],
      ['yunda', true],
      ['dhl', true],
    ])
  })
})

describe('without credentials', () => {
  it('a carrier is closed and says why', async () => {
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
