import { getParcelByNumber } from '@waybill/contract/parcels/parcels'
import { publicTrack } from '@waybill/contract/tracking/tracking'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { trackCarriers } from '../../src/domains/parcels/carrier-handover/tracking.ts'
import type { ParcelRow } from '../../src/domains/parcels/queries.ts'
import { minutes } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { breakRow } from '../testing/broken-row.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { type DhlExpressPeer, startDhlExpressPeer } from '../testing/peers/dhl-express.ts'
import { startDhlTrackingPeer } from '../testing/peers/dhl-tracking.ts'
import type { FaultyPeer } from '../testing/peers/misbehaving.ts'
import { startYundaPeer, type YundaPeer } from '../testing/peers/yunda.ts'
import { findCarrierNumber, freshToken, move, pass, readDetail, reportByDhl, sendParcel } from './carrier-parcels.ts'

describe('tracking of parcels at carriers', () => {
  let test: TestApp
  let dhl: DhlExpressPeer
  let unified: FaultyPeer
  let yunda: YundaPeer
  let customer: TestCustomer
  beforeAll(async () => {
    let now = () => new Date()
    dhl = await startDhlExpressPeer(() => now())
    const unifiedPeer = await startDhlTrackingPeer(dhl.dhl)
    unified = unifiedPeer
    yunda = await startYundaPeer(() => now())
    test = await buildTestApp({
      ...dhl.environment,
      ...unifiedPeer.environment,
      ...yunda.environment,
    })
    now = test.clock.now
    customer = await createCustomer(test)
  })
  beforeEach(async () => {
    customer.token = await freshToken(test, customer)
    dhl.fault = null
    unified.fault = null
    yunda.fault = null
  })

  const getNumber = (row: ParcelRow) => findCarrierNumber(test, customer, row)
  const getDetail = (row: ParcelRow) => readDetail(test, customer, row)
  const look = () => pass(test, 30, 'parcels:track-carriers')
  const report = (number: string, code: string, ago?: number, overrides?: object) =>
    reportByDhl(test, dhl, number, code, ago, overrides)

  it('updates parcels from the first checkpoint to the proof of delivery', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    const steps: [code: string, status: string][] = [
      ['PU', 'inbound'],
      ['PL', 'sorting'],
      ['DF', 'outbound'],
      ['AR', 'inbound'],
      ['WC', 'delivering'],
      ['NH', 'fail-to-deliver'],
      ['WC', 'delivering'],
    ]
    for (const [code, status] of steps) {
      report(number, code)
      await look()
      expect((await getDetail(row)).status, code).toBe(status)
    }
    report(number, 'OK', 1, { signedBy: 'S. LIM' })
    await look()
    const parcel = await getDetail(row)
    expect(parcel.status).toBe('completed')
    expect(parcel.proof).toMatchObject({ recipientName: 'S. LIM', signaturePath: null })
    expect(parcel.events.find(({ event }) => event === 'attempt_failed')?.note).toContain('Nobody')
    expect(parcel.events[0]).toMatchObject({ event: 'delivered', place: 'IPOH', note: null })
    // A delivered parcel is no longer polled.
    const requestCount = dhl.requests.length
    await look()
    expect(dhl.requests).toHaveLength(requestCount)
  })

  it('records each checkpoint once, even if several services of the carrier report it again', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    report(number, 'PU')
    report(number, 'OH')
    await look()
    await look()
    dhl.fault = 'down'
    await look()
    dhl.fault = null
    await look()
    const events = (await getDetail(row)).events.map(({ event }) => event)
    expect(events.filter((event) => event === 'picked_up')).toHaveLength(1)
    expect(events.filter((event) => event === 'carrier_on_hold')).toHaveLength(1)
  })

  it('never moves a parcel backwards', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    report(number, 'PU', 20)
    report(number, 'DF', 10)
    await look()
    expect((await getDetail(row)).status).toBe('outbound')
    // It is older than the recorded events, and reported late.
    report(number, 'PL', 45)
    await look()
    const parcel = await getDetail(row)
    expect(parcel.status).toBe('outbound')
    expect(parcel.events[0]).toMatchObject({ event: 'carrier_note', status: 'outbound', note: 'said PL' })
  })

  it("shows checkpoints without a change of status to the public, without the carrier's text", async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    report(number, 'PU', 30)
    report(number, 'IC', 20)
    report(number, 'ZZ', 10)
    await look()
    const parcel = await getDetail(row)
    expect(parcel.status).toBe('inbound')
    expect(parcel.events.slice(0, 2).map(({ event }) => event)).toEqual(['carrier_note', 'carrier_customs'])
    const entry = (await test.call(publicTrack, { body: { numbers: [row.tracking_number ?? ''] } })).body.found[0]
    expect(entry?.events.map(({ event }) => event)).toContain('carrier_customs')
    expect(JSON.stringify(entry)).not.toContain('said')
  })

  it('adds the steps that the carrier did not report', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    report(await getNumber(row), 'OK')
    await look()
    const parcel = await getDetail(row)
    expect(parcel.status).toBe('completed')
    expect(
      parcel.events
        .slice(0, 3)
        .map(({ event }) => event)
        .reverse(),
    ).toEqual(['picked_up', 'out_for_delivery', 'delivered'])
  })

  it('ignores checkpoints from a year ago or from next week', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    report(number, 'OK', 60 * 24 * 300)
    report(number, 'WC', -60 * 24 * 7)
    await look()
    expect((await getDetail(row)).status).toBe('pending_pickup')
  })

  it('uses the unified service while the MyDHL API is down', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    report(await getNumber(row), 'OK')
    dhl.fault = { status: 503, body: '' }
    await look()
    expect((await getDetail(row)).status).toBe('completed')
  })

  it('changes nothing while the carrier does not answer, and continues later', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    report(await getNumber(row), 'PU')
    dhl.fault = 'down'
    unified.fault = { status: 200, body: { shipments: [{ id: {} }] } }
    await look()
    expect((await getDetail(row)).status).toBe('pending_pickup')
    dhl.fault = null
    await look()
    expect((await getDetail(row)).status).toBe('inbound')
  })

  it('updates all other parcels if one fails every time, and that one once it works', async () => {
    const rows = [
      await sendParcel(test, customer, { carrier: 'dhl' }),
      await sendParcel(test, customer, { carrier: 'dhl' }),
    ]
    const [broken, other] = rows as [ParcelRow, ParcelRow]
    for (const row of rows) report(await getNumber(row), 'PU')
    test.clock.advance(minutes(30))
    const mend = await breakRow(test.deps.db, 'parcels', 'id', broken.id)
    await expect(trackCarriers(test.deps)).rejects.toThrow('this row is broken')
    expect([(await getDetail(broken)).status, (await getDetail(other)).status]).toEqual(['pending_pickup', 'inbound'])
    await mend()
    await look()
    expect((await getDetail(broken)).status).toBe('inbound')
  })

  it('updates all other parcels if DHL refuses one number, or answers nonsense about it', async () => {
    for (const fault of [
      { status: 400, body: { detail: 'shipmentTrackingNumber is not valid' } },
      { status: 200, body: { shipments: [{ shipmentTrackingNumber: null }] } },
    ]) {
      const rows = await Promise.all(Array.from({ length: 5 }, () => sendParcel(test, customer, { carrier: 'dhl' })))
      const numbers = await Promise.all(rows.map(getNumber))
      for (const number of numbers) report(number, 'PU')
      Object.assign(dhl, { fault, faultAt: '/tracking', faultFor: numbers[1] })
      unified.fault = 'down'
      await look()
      const statuses = async () => (await Promise.all(rows.map(getDetail))).map(({ status }) => status)
      expect(await statuses()).toEqual(['inbound', 'pending_pickup', 'inbound', 'inbound', 'inbound'])
      Object.assign(dhl, { fault: null, faultAt: null, faultFor: null })
      unified.fault = null
      await look()
      expect(await statuses()).toEqual(Array(5).fill('inbound'))
    }
  })

  it('requests up to 200 parcels in one call', async () => {
    const rows = await Promise.all(Array.from({ length: 12 }, () => sendParcel(test, customer, { carrier: 'dhl' })))
    const before = dhl.requests.length
    await look()
    const calls = dhl.requests.slice(before).filter(({ path }) => path.endsWith('/tracking'))
    expect(calls).toHaveLength(1)
    expect(calls[0]?.query.get('shipmentTrackingNumber')?.split(',').length).toBeGreaterThanOrEqual(rows.length)
  })

  it('subscribes at Yunda before it polls', async () => {
    const row = await sendParcel(test, customer, { carrier: 'yunda', delivery_mode: 'P2D' })
    const number = await getNumber(row)
    const at = new Date(test.clock.now().getTime() - minutes(5))
    yunda.yunda.addEvent(number, { at, action: 'GOT', description: '已揽收', city: '吉隆坡' })
    await look()
    expect((await getDetail(row)).status).toBe('inbound')
    const paths = yunda.requests.map(({ path }) => path)
    expect(paths.indexOf('/openapi/outer/logictis/subscribe')).toBeLessThan(
      paths.indexOf('/openapi/outer/logictis/query'),
    )
    yunda.yunda.addEvent(number, { at: test.clock.now(), action: 'REJECTION', description: '拒收', city: '吉隆坡' })
    await look()
    const parcel = await getDetail(row)
    expect(parcel.status).toBe('fail-to-deliver')
    expect(paths.filter((path) => path.endsWith('subscribe'))).toHaveLength(1)
  })

  it('stops polling a cancelled parcel', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    report(await getNumber(row), 'PU')
    await move(test, row, 'cancelled')
    await test.settle()
    await look()
    expect((await getDetail(row)).status).toBe('cancel')
  })

  it("finds a parcel by its carrier's number, once, for the public and for its sender", async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const other = await sendParcel(test, customer, { carrier: 'yunda' })
    const [number, yundas] = [await getNumber(row), await getNumber(other)]
    const ours = row.tracking_number ?? ''
    const numbers = [`${number.slice(0, 3)} ${number.slice(3)}`, ours, yundas, '4818240420', '9356579891']
    const answer = (await test.call(publicTrack, { body: { numbers } })).body
    expect(answer.found.map(({ trackingNumber }) => trackingNumber)).toEqual([ours, other.tracking_number])
    expect(answer.notFound.map(({ number: each, reason }) => [each, reason])).toEqual([
      ['4818240420', 'unknown'],
      ['9356579891', 'slip'],
    ])
    const ownParcel = await test.call(getParcelByNumber, { token: customer.token, params: { no: number } })
    expect(ownParcel.body.id).toBe(row.id)
    const { token } = await createCustomer(test)
    expect((await test.call(getParcelByNumber, { token, params: { no: number } })).status).toBe(404)
  })

  it('subscribes and tracks all other parcels at Yunda if one is refused', async () => {
    const rows = await Promise.all(
      Array.from({ length: 3 }, () => sendParcel(test, customer, { carrier: 'yunda', delivery_mode: 'P2D' })),
    )
    const numbers = await Promise.all(rows.map(getNumber))
    const fault = { status: 200, body: { result: false, code: '4001', message: 'mailno is not valid' } }
    Object.assign(yunda, { fault, faultAt: '/logictis/', faultFor: numbers[0] })
    for (const number of numbers)
      yunda.yunda.addEvent(number, { at: test.clock.now(), action: 'GOT', description: '已揽收', city: '吉隆坡' })
    await look()
    const statuses = async () => (await Promise.all(rows.map(getDetail))).map(({ status }) => status)
    expect(await statuses()).toEqual(['pending_dropoff', 'inbound', 'inbound'])
    // The refused number is the only one that is announced now, and is refused again.
    for (const number of numbers)
      yunda.yunda.addEvent(number, { at: test.clock.now(), action: 'SENT', description: '派送中', city: '吉隆坡' })
    await look()
    expect(await statuses()).toEqual(['pending_dropoff', 'delivering', 'delivering'])
    Object.assign(yunda, { fault: null, faultAt: null, faultFor: null })
    await look()
    expect(await statuses()).toEqual(['delivering', 'delivering', 'delivering'])
  })

  it("tracks all batches of a carrier's parcels, even if one of each fails every time", async () => {
    // A request to Yunda contains at most 50 parcels.
    const rows = await Promise.all(
      Array.from({ length: 51 }, () => sendParcel(test, customer, { carrier: 'yunda', delivery_mode: 'P2D' })),
    )
    for (const row of rows)
      yunda.yunda.addEvent(await getNumber(row), {
        at: test.clock.now(),
        action: 'GOT',
        description: '已揽收',
        city: '怡保',
      })
    const { rows: due } = await sql<{ parcel_id: string }>`
      select parcel_id from carrier_bookings where carrier = 'yunda' order by next_look_at limit 1`.execute(
      test.deps.db,
    )
    const [broken] = due.map(({ parcel_id }) => parcel_id)
    const mend = await breakRow(test.deps.db, 'parcels', 'id', broken ?? '')
    test.clock.advance(minutes(30))
    await expect(trackCarriers(test.deps)).rejects.toThrow('this row is broken')
    await mend()
    for (const row of rows)
      expect((await getDetail(row)).status).toBe(row.id === broken ? 'pending_dropoff' : 'inbound')
  })
})
