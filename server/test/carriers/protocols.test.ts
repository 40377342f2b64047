import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CarrierClient } from '../../src/domains/carriers/carrier.ts'
import { dhlClient } from '../../src/domains/carriers/dhl/client.ts'
import { carrierReference } from '../../src/domains/carriers/rules.ts'
import { yundaClient } from '../../src/domains/carriers/yunda/client.ts'
import { days, later } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { testReceiver } from '../testing/factories/parcels.ts'
import { type DhlExpressPeer, startDhlExpressPeer } from '../testing/peers/dhl-express.ts'
import { startDhlTrackingPeer } from '../testing/peers/dhl-tracking.ts'
import { type Fault, type FaultyPeer, withoutPatience } from '../testing/peers/misbehaving.ts'
import { startYundaPeer, type YundaPeer } from '../testing/peers/yunda.ts'
import { abroad, clock, faults, shipment, timeoutMs } from './shipments.ts'

describe('DHL Express', () => {
  let peer: DhlExpressPeer
  let client: CarrierClient
  /** The body of the last booking request. */
  const getLastBooking = <T>() => (peer.dhl.shipments.at(-1)?.request ?? {}) as T
  beforeAll(async () => {
    peer = await startDhlExpressPeer(clock.now)
    client = dhlClient({ ...peer.dhl.access, tracking: null }, timeoutMs, clock)
  })
  beforeEach(() => {
    peer.fault = null
  })

  it('books with the headers, dates and parts that the API requires', async () => {
    const booking = shipment()
    const { carrierNumber, label } = await client.book(booking)
    expect(carrierNumber).toMatch(/^\d{10}$/)
    expect(label?.subarray(0, 5).toString()).toBe('%PDF-')
    const headers = peer.requests.at(-1)?.headers ?? {}
    expect(headers['message-reference']).toBe(booking.reference)
    expect(headers['x-version']).toBe('3.1.0')
    expect(headers['accept-language']).toBe('eng')
    const request = getLastBooking<Record<string, never>>()
    expect(request).toMatchObject({
      pickup: { isRequested: false },
      productCode: 'N',
      content: {
        isCustomsDeclarable: false,
        unitOfMeasurement: 'metric',
        packages: [{ weight: 1.25, dimensions: { length: 30, width: 21, height: 10 } }],
      },
    })
    expect(request.plannedShippingDateAndTime).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}GMT\+08:00$/)
  })

  it('sends the customs declaration of the sender', async () => {
    await client.book(abroad)
    const { content, productCode } = getLastBooking<Record<string, Record<string, unknown>>>()
    expect(productCode).toBe('P')
    expect(content).toMatchObject({
      isCustomsDeclarable: true,
      declaredValue: 156.5,
      declaredValueCurrency: 'MYR',
      exportDeclaration: {
        exportReasonType: 'commercial_purpose_or_sale',
        invoice: { number: 'INV-7' },
        lineItems: [
          {
            number: 1,
            price: 45.5,
            quantity: { value: 3, unitOfMeasurement: 'PCS' },
            manufacturerCountry: 'MY',
            weight: { netValue: 0.9 },
            commodityCodes: [{ typeCode: 'outbound', value: '620520' }],
          },
          { number: 2, price: 20, manufacturerCountry: 'ID', weight: { netValue: 0.312 } },
        ],
      },
    })
  })

  it('declares nothing for documents, and rejects goods without a declaration', async () => {
    const documents = shipment({
      ...abroad,
      serviceType: 'document',
      reference: carrierReference(newId()),
      customs: null,
    })
    await client.book(documents)
    expect(peer.dhl.shipments.at(-1)?.request).toMatchObject({
      productCode: 'D',
      content: { isCustomsDeclarable: false },
    })
    await expect(client.book({ ...abroad, customs: null })).rejects.toMatchObject({ problem: 'incomplete' })
  })

  it('splits addresses into lines of 45 characters, and reports an address that is too long', async () => {
    const long = testReceiver({
      line1: `Unit 12-3A, Block B, ${'Menara Kinabalu '.repeat(4)}`.trim(),
      line2: 'Jalan Tun Razak',
    })
    await client.book(shipment({ receiver: long }))
    const { customerDetails } = getLastBooking<{
      customerDetails: Record<string, { postalAddress: Record<string, string> }>
    }>()
    const lines = [1, 2, 3].map((n) => customerDetails.receiverDetails?.postalAddress[`addressLine${n}`])
    expect(lines.join(' ')).toBe(`${long.line1} ${long.line2} ${long.state}`)
    const endless = testReceiver({ line1: 'x'.repeat(120), line2: 'y'.repeat(120) })
    await expect(client.book(shipment({ receiver: endless }))).rejects.toMatchObject({ problem: 'incomplete' })
  })

  it('finds a booking by its reference if the answer was lost', async () => {
    const request = shipment()
    expect(await client.find(request)).toBeNull()
    peer.fault = 'drop_after'
    await expect(client.book(request)).rejects.toMatchObject({ problem: 'unreachable' })
    peer.fault = null
    expect((await client.find(request))?.carrierNumber).toBe(peer.dhl.shipments.at(-1)?.number)
  })

  it('reads the price in the billing currency at any position, and omits services without one', async () => {
    const rates = await client.rate(shipment({ weightGrams: 2000 }))
    expect(rates).toEqual([
      { product: 'P', name: 'EXPRESS WORLDWIDE', priceMinor: 6500, currency: 'MYR', days: 3 },
      { product: 'Y', name: 'EXPRESS 12:00', priceMinor: 7800, currency: 'MYR', days: 2 },
    ])
  })

  it('fetches the label of a parcel that is booked on the last day of a month and shipped in the next', async () => {
    const bookedAt = new Date('2026-08-31T10:00:00Z')
    const monthEnd = { now: () => bookedAt }
    const lastDayPeer = await startDhlExpressPeer(monthEnd.now)
    const lastDayClient = dhlClient({ ...lastDayPeer.dhl.access, tracking: null }, timeoutMs, monthEnd)
    const { carrierNumber } = await lastDayClient.book(shipment({ readyAt: later(bookedAt, days(1)) }))
    expect(lastDayPeer.dhl.shipments[0]?.request.plannedShippingDateAndTime).toMatch(/^2026-09-01T/)
    expect((await lastDayClient.label(carrierNumber, bookedAt))?.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('fetches the label later, and accepts only a PDF', async () => {
    const { carrierNumber } = await client.book(shipment())
    expect((await client.label(carrierNumber, clock.now()))?.subarray(0, 5).toString()).toBe('%PDF-')
    expect(await client.label('4818240420', clock.now())).toBeNull()
    peer.fault = { status: 200, body: { documents: [{ content: Buffer.from('<html>').toString('base64') }] } }
    expect(await client.label(carrierNumber, clock.now())).toBeNull()
  })

  it("reports the message of DHL's refusal", async () => {
    await expect(client.book(shipment({ readyAt: later(clock.now(), days(12)) }))).rejects.toMatchObject({
      problem: 'refused',
      detail: expect.stringContaining('10 days'),
    })
  })

  it('reads checkpoints with their time zones, oldest first, and only for the requested numbers', async () => {
    const { carrierNumber } = await client.book(shipment())
    const report = (code: string, at: string) =>
      peer.dhl.addEvent(carrierNumber, { at: new Date(at), code, description: `said ${code}`, place: 'KUALA LUMPUR' })
    report('PL', '2026-11-20T04:00:00Z')
    report('PU', '2026-11-20T02:00:00Z')
    report('SA', '2026-11-20T01:00:00Z')
    const checkpoints = await client.track([carrierNumber, '4818240420'], 'Asia/Kuala_Lumpur')
    expect([...checkpoints.keys()]).toEqual([carrierNumber])
    expect(checkpoints.get(carrierNumber)).toMatchObject([
      {
        at: new Date('2026-11-20T02:00:00Z'),
        code: 'PU',
        milestone: 'collected',
        place: 'KUALA LUMPUR',
        detail: 'said PU',
      },
      { at: new Date('2026-11-20T04:00:00Z'), code: 'PL', milestone: 'processed' },
    ])
  })

  it('rejects an invalid tracking number in an answer', async () => {
    for (const number of ['9356579891', '', 'WB123', '../../etc'])
      await expectNonsense({ status: 201, body: { shipmentTrackingNumber: number } })
  })
  const expectNonsense = async (fault: Fault) => {
    peer.fault = fault
    if (fault === 'slow') withoutPatience()
    await expect(client.book(shipment())).rejects.toMatchObject({ problem: 'nonsense' })
  }

  it.each(faults)('reports the problem if it %s', async (_name, fault, problem) => {
    peer.fault = fault
    if (fault === 'slow') withoutPatience()
    await expect(client.book(shipment())).rejects.toMatchObject({ name: 'CarrierError', problem })
    await expect(client.rate(shipment())).rejects.toMatchObject({ name: 'CarrierError', problem })
    await expect(client.track(['9356579890'], 'UTC')).rejects.toMatchObject({ name: 'CarrierError', problem })
  })
})

describe('DHL Shipment Tracking – Unified', () => {
  it('is used if the MyDHL API does not respond, and accepts numbers as ids', async () => {
    const express = await startDhlExpressPeer(clock.now)
    const unifiedPeer = await startDhlTrackingPeer(express.dhl)
    const { url: _, ...access } = { ...express.dhl.access, url: '' }
    const client = dhlClient(
      { ...access, tracking: { url: `${unifiedPeer.url}/track`, key: 'simulated-key' } },
      timeoutMs,
      clock,
    )
    const { carrierNumber } = await client.book(shipment())
    const at = new Date('2026-11-20T02:00:00Z')
    express.dhl.addEvent(carrierNumber, { at, code: 'OK', description: 'Delivered', place: 'Ipoh' })
    express.fault = 'down'
    const checkpoints = await client.track([carrierNumber, '4818240420'], 'UTC')
    expect(checkpoints.get(carrierNumber)).toMatchObject([{ at, milestone: 'delivered', place: 'Ipoh' }])
    expect(checkpoints.has('4818240420')).toBe(false)
    expect(unifiedPeer.requests[0]?.query.get('service')).toBe('express')
    expect(unifiedPeer.requests[0]?.headers['dhl-api-key']).toBe('simulated-key')
    unifiedPeer.fault = { status: 429, body: { title: 'Too Many Requests' } }
    await expect(client.track([carrierNumber], 'UTC')).rejects.toMatchObject({ problem: 'busy' })
  })
})

describe('Yunda', () => {
  let peer: YundaPeer
  let client: CarrierClient
  beforeAll(async () => {
    peer = await startYundaPeer(clock.now)
    client = yundaClient(peer.yunda.access, timeoutMs, clock)
  })
  beforeEach(() => {
    peer.fault = null
    peer.faultAt = null
  })

  it.each(['mailno', 'mail_no'] as const)('books and reads the tracking number from %s', async (field) => {
    peer.yunda.numberField = field
    const request = shipment({ receiver: testReceiver({ contactName: '王小明' }) })
    const confirmation = await client.book(request)
    expect(confirmation.carrierNumber).toMatch(/^\d{13}$/)
    expect(confirmation.label?.subarray(0, 5).toString()).toBe('%PDF-')
    expect(peer.yunda.orders.at(-1)?.request).toMatchObject({
      order_serial_no: request.reference,
      order_type: 'common',
      node_id: '350',
      weight: 1.25,
      size: '0.30,0.20,0.10',
      receiver: { name: '王小明' },
    })
  })

  it('treats a repeated serial number as an existing booking', async () => {
    const request = shipment()
    peer.fault = 'drop_after'
    await expect(client.book(request)).rejects.toMatchObject({ problem: 'unreachable' })
    peer.fault = null
    const before = peer.yunda.orders.length
    const secondBooking = await client.book(request)
    expect(secondBooking.carrierNumber).toBe(peer.yunda.orders.at(-1)?.mailno)
    expect(peer.yunda.orders).toHaveLength(before)
  })

  it('subscribes before it tracks, and skips unknown numbers', async () => {
    const request = shipment()
    const { carrierNumber } = await client.book(request)
    peer.yunda.addEvent(carrierNumber, {
      at: new Date('2026-11-20T02:00:00Z'),
      action: 'GOT',
      description: '已揽收',
      city: '吉隆坡',
    })
    expect((await client.track([carrierNumber], 'UTC')).size).toBe(0)
    expect(await client.subscribe([{ carrierNumber, reference: request.reference }])).toEqual([carrierNumber])
    const checkpoints = await client.track(['3129999999999', carrierNumber], 'UTC')
    // The time is Beijing time, although the format does not say so.
    expect(checkpoints.get(carrierNumber)).toMatchObject([
      { at: new Date('2026-11-20T02:00:00Z'), milestone: 'collected', place: '吉隆坡' },
    ])
    expect(checkpoints.size).toBe(1)
  })

  it('cancels a booking, and treats an unknown one as cancelled', async () => {
    const request = shipment()
    const { carrierNumber } = await client.book(request)
    await client.cancel(carrierNumber, request.reference)
    expect(peer.yunda.orders.at(-1)?.cancelled).toBe(true)
    await client.cancel('3129999999999', 'unheard of')
    expect(await client.find(request)).toBeNull()
  })

  it('returns prices and labels', async () => {
    expect(await client.rate(shipment({ weightGrams: 3000 }))).toMatchObject([{ priceMinor: 1100, currency: 'CNY' }])
    const { carrierNumber } = await client.book(shipment())
    expect((await client.label(carrierNumber, clock.now()))?.subarray(0, 5).toString()).toBe('%PDF-')
    expect(await client.label('3129999999999', clock.now())).toBeNull()
  })

  it('distinguishes a rejected signature from a rejected order', async () => {
    const stranger = yundaClient({ ...peer.yunda.access, appSecret: 'wrong' }, timeoutMs, clock)
    await expect(stranger.book(shipment())).rejects.toMatchObject({ problem: 'credentials' })
  })

  it('rejects an answer about another order, or a tracking number of the wrong length', async () => {
    const request = shipment()
    const answers = (order: object): Fault => ({ status: 200, body: { result: true, code: '0000', data: [order] } })
    for (const order of [
      { order_serial_no: 'another', mailno: '3120052228790', status: '1' },
      { order_serial_no: request.reference, mailno: '12', status: '1' },
      { order_serial_no: request.reference, status: '1' },
    ]) {
      peer.fault = answers(order)
      await expect(client.book(request)).rejects.toMatchObject({ problem: 'nonsense' })
    }
    peer.fault = { status: 200, body: { result: 'true', data: [] } }
    await expect(client.book(request)).rejects.toMatchObject({ problem: 'nonsense' })
  })

  it.each(faults)('reports the problem if it %s', async (_name, fault, problem) => {
    peer.fault = fault
    if (fault === 'slow') withoutPatience()
    await expect(client.book(shipment())).rejects.toMatchObject({ name: 'CarrierError', problem })
    await expect(client.track(['3120052228790'], 'UTC')).rejects.toMatchObject({ name: 'CarrierError', problem })
  })
})

describe('a carrier with an endless answer', () => {
  it('is disconnected in time', async () => {
    const peer: FaultyPeer = await startYundaPeer(clock.now)
    peer.fault = { status: 200, body: 'x'.repeat(13 * 1024 * 1024) }
    const client = yundaClient(
      { simulated: true, baseUrl: peer.url, appKey: 'a', appSecret: 'b', partnerId: 'c', partnerSecret: 'd' },
      5000,
      clock,
    )
    await expect(client.book(shipment())).rejects.toMatchObject({ problem: 'nonsense' })
  })
})
