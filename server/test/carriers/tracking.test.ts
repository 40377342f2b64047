import { getParcel, getParcelByNumber } from '@waybill/contract/parcels/parcels'
import { publicTrack } from '@waybill/contract/tracking/tracking'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ParcelRow } from '../../src/domains/parcels/queries.ts'
import { minutes } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { type DhlExpressPeer, startDhlExpressPeer } from '../testing/peers/dhl-express.ts'
import { startDhlTrackingPeer } from '../testing/peers/dhl-tracking.ts'
import type { FaultyPeer } from '../testing/peers/misbehaving.ts'
import { startYundaPeer, type YundaPeer } from '../testing/peers/yunda.ts'
import { findBooking, freshToken, move, pass, sendParcel } from './carrier-parcels.ts'

describe('what carriers tell of their parcels', () => {
  let test: TestApp
  let dhl: DhlExpressPeer
  let unified: FaultyPeer
  let yunda: YundaPeer
  let customer: TestCustomer
  beforeAll(async () => {
    let now = () => new Date()
    dhl = await startDhlExpressPeer(() => now())
    const tracking = await startDhlTrackingPeer(dhl.dhl)
    unified = tracking
    yunda = await startYundaPeer(() => now())
    test = await buildTestApp({
      ...dhl.environment,
      ...tracking.environment,
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

  const getNumber = async (row: ParcelRow) => (await findBooking(test, customer, row))?.carrierNumber ?? ''
  const detail = async ({ id }: ParcelRow) =>
    (await test.call(getParcel, { token: await freshToken(test, customer), params: { id } })).body
  const look = () => pass(test, 30, 'parcels:track-carriers')
  /** DHL reports an event that happened `ago` minutes ago. */
  const tell = (number: string, code: string, ago = 1, overrides: object = {}) =>
    dhl.dhl.tell(number, {
      at: new Date(test.clock.now().getTime() - minutes(ago)),
      code,
      description: `said ${code}`,
      place: 'IPOH',
      ...overrides,
    })

  it('moves them along, from the first checkpoint to the proof', async () => {
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
      tell(number, code)
      await look()
      expect((await detail(row)).status, code).toBe(status)
    }
    tell(number, 'OK', 1, { signedBy: 'S. LIM' })
    await look()
    const parcel = await detail(row)
    expect(parcel.status).toBe('completed')
    expect(parcel.proof).toMatchObject({ recipientName: 'S. LIM', signaturePath: null })
    expect(parcel.events.find(({ event }) => event === 'attempt_failed')?.note).toContain('Nobody')
    expect(parcel.events[0]).toMatchObject({ event: 'delivered', place: 'IPOH', note: 'said OK' })
    // A finished journey is no longer polled.
    const requestCount = dhl.requests.length
    await look()
    expect(dhl.requests).toHaveLength(requestCount)
  })

  it('tells each checkpoint once, however often the carrier does, and whichever of its services', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    tell(number, 'PU')
    tell(number, 'OH')
    await look()
    await look()
    dhl.fault = 'down'
    await look()
    dhl.fault = null
    await look()
    const events = (await detail(row)).events.map(({ event }) => event)
    expect(events.filter((event) => event === 'picked_up')).toHaveLength(1)
    expect(events.filter((event) => event === 'carrier_on_hold')).toHaveLength(1)
  })

  it('never moves them backwards', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    tell(number, 'PU', 20)
    tell(number, 'DF', 10)
    await look()
    expect((await detail(row)).status).toBe('outbound')
    // Older than the reported events, and reported late.
    tell(number, 'PL', 45)
    await look()
    const parcel = await detail(row)
    expect(parcel.status).toBe('outbound')
    expect(parcel.events[0]).toMatchObject({ event: 'carrier_note', status: 'outbound', note: 'said PL' })
  })

  it('keeps what changes no status as a line that the public may see, without its words', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    tell(number, 'PU', 30)
    tell(number, 'IC', 20)
    tell(number, 'ZZ', 10)
    await look()
    const parcel = await detail(row)
    expect(parcel.status).toBe('inbound')
    expect(parcel.events.slice(0, 2).map(({ event }) => event)).toEqual(['carrier_note', 'carrier_customs'])
    const entry = (await test.call(publicTrack, { body: { numbers: [row.tracking_number ?? ''] } })).body.found[0]
    expect(entry?.events.map(({ event }) => event)).toContain('carrier_customs')
    expect(JSON.stringify(entry)).not.toContain('said')
  })

  it('takes in the steps that the carrier did not tell', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    tell(await getNumber(row), 'OK')
    await look()
    const parcel = await detail(row)
    expect(parcel.status).toBe('completed')
    expect(
      parcel.events
        .slice(0, 3)
        .map(({ event }) => event)
        .reverse(),
    ).toEqual(['picked_up', 'out_for_delivery', 'delivered'])
  })

  it('does not believe checkpoints of another year, or of next week', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    tell(number, 'OK', 60 * 24 * 300)
    tell(number, 'WC', -60 * 24 * 7)
    await look()
    expect((await detail(row)).status).toBe('pending_pickup')
  })

  it('follows with the unified service while the MyDHL API is down', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    tell(await getNumber(row), 'OK')
    dhl.fault = { status: 503, body: '' }
    await look()
    expect((await detail(row)).status).toBe('completed')
  })

  it('changes nothing while the carrier does not answer, and continues later', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    tell(await getNumber(row), 'PU')
    dhl.fault = 'down'
    unified.fault = { status: 200, body: { shipments: [{ id: {} }] } }
    await look()
    expect((await detail(row)).status).toBe('pending_pickup')
    dhl.fault = null
    await look()
    expect((await detail(row)).status).toBe('inbound')
  })

  it('asks about up to 200 parcels in one call', async () => {
    const rows = await Promise.all(Array.from({ length: 12 }, () => sendParcel(test, customer, { carrier: 'dhl' })))
    const before = dhl.requests.length
    await look()
    const calls = dhl.requests.slice(before).filter(({ path }) => path.endsWith('/tracking'))
    expect(calls).toHaveLength(1)
    expect(calls[0]?.query.get('shipmentTrackingNumber')?.split(',').length).toBeGreaterThanOrEqual(rows.length)
  })

  it('is asked of Yunda after a subscription', async () => {
    const row = await sendParcel(test, customer, { carrier: 'yunda', delivery_mode: 'P2D' })
    const number = await getNumber(row)
    const at = new Date(test.clock.now().getTime() - minutes(5))
    yunda.yunda.tell(number, { at, action: 'GOT', description: '已揽收', city: '吉隆坡' })
    await look()
    expect((await detail(row)).status).toBe('inbound')
    const paths = yunda.requests.map(({ path }) => path)
    expect(paths.indexOf('/openapi/outer/logictis/subscribe')).toBeLessThan(
      paths.indexOf('/openapi/outer/logictis/query'),
    )
    yunda.yunda.tell(number, { at: test.clock.now(), action: 'REJECTION', description: '拒收', city: '吉隆坡' })
    await look()
    const parcel = await detail(row)
    expect(parcel.status).toBe('fail-to-deliver')
    expect(paths.filter((path) => path.endsWith('subscribe'))).toHaveLength(1)
  })

  it('is no longer asked of a cancelled parcel', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    tell(await getNumber(row), 'PU')
    await move(test, row, 'cancelled')
    await test.settle()
    await look()
    expect((await detail(row)).status).toBe('cancel')
  })

  it("finds a parcel by its carrier's number, for the public and for its sender, once", async () => {
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
    const own = await test.call(getParcelByNumber, { token: customer.token, params: { no: number } })
    expect(own.body.id).toBe(row.id)
    const { token } = await createCustomer(test)
    expect((await test.call(getParcelByNumber, { token, params: { no: number } })).status).toBe(404)
  })
})
