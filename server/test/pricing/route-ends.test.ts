// The price is for the way that a parcel really takes: from and to the chosen stations, if there are any.
import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'
import { createOrder } from '@waybill/contract/orders/orders'
import { editBulk } from '@waybill/contract/parcels/bulk'
import { changeSelfCollection, changeSelfCollections } from '@waybill/contract/parcels/cart'
import { makeDeliveryChoice, quoteDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { createParcel, type Parcel, updateParcel } from '@waybill/contract/parcels/parcels'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { priceSummary } from '@waybill/contract/pricing/pricing'
import { quoteForCustomer } from '@waybill/contract/pricing/staff-quotes'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { createSender, readRows } from '../testing/factories/bulk.ts'
import { parcelNow, scanned } from '../testing/factories/handed-over.ts'
import { listServiceCentres, seedTestNetwork, type TestStation } from '../testing/factories/network.ts'
import { orderParcels, payCredits, testPickup } from '../testing/factories/orders.ts'
import { parcelBody, testParty, testReceiver } from '../testing/factories/parcels.ts'
import { fundWallet, setWalletPin, testPin } from '../testing/factories/wallet.ts'
import { askPrices, quoteParcel } from './quotes.ts'

const inTown = testParty({ contactName: 'Bee', line1: '8 Jalan Telawi' })
const measures = { weightGrams: 10_000, dimensions: { lengthMm: 100, widthMm: 100, heightMm: 100 } }

describe('the price of a parcel that starts or ends at a station', () => {
  let test: TestApp
  let owner: TestCustomer
  let town: TestStation
  let kinabalu: TestStation
  let kuching: TestStation
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createSender(test)
    await fundWallet(test, owner, 5_000_000)
    await setWalletPin(test, owner)
    const stations = await listServiceCentres(test)
    const findIn = (city: string) => stations.find((station) => station.city === city) as TestStation
    ;[town, kinabalu, kuching] = [findIn('Kuala Lumpur'), findIn('Kota Kinabalu'), findIn('Kuching')]
  })

  const body = (overrides: Parameters<typeof parcelBody>[0]) =>
    parcelBody({ ...measures, receiver: inTown, addToCart: true, ...overrides })
  const addToCart = async (overrides: Parameters<typeof parcelBody>[0]): Promise<Parcel> => {
    const answer = await test.call(createParcel, { token: owner.token, body: body(overrides) })
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    return answer.body
  }
  const toStation = (station: TestStation) => addToCart({ deliveryMode: 'P2P', selfCollectionStationId: station.id })
  const pay = async (parcel: Parcel) => {
    const order = await orderParcels(test, owner, [parcel], 'P2P')
    const payment = await payCredits(test, owner, order)
    expect(payment.status).toBe(200)
    return { id: parcel.id, number: (await parcelNow(test, owner, parcel.id)).trackingNumber ?? '' }
  }

  it.each<[DeliveryMode, string, string]>([
    ['D2D', 'Klang Valley', 'Klang Valley'],
    ['D2P', 'Klang Valley', 'Sarawak'],
    ['P2D', 'Sabah and Labuan', 'Klang Valley'],
    ['P2P', 'Sabah and Labuan', 'Sarawak'],
  ])('is what was quoted and what is charged, with stations in other zones: %s', async (mode, origin, destination) => {
    const stations = { dropOffStationId: kinabalu.id, selfCollectionStationId: kuching.id }
    const places = { sender: { postcode: '59100' }, receiver: { postcode: '59100' } }
    const request = { ...places, ...stations, ...measures, deliveryMode: mode }
    const quote = await quoteParcel(test, request, owner.token)
    const quotedMinor = quote.price?.totalMinor ?? 0
    expect(quote.price?.zoneNames).toMatchObject({ origin, destination })
    // The price is that of an address beside the station.
    const beside = await quoteParcel(test, {
      ...measures,
      deliveryMode: mode,
      sender: { postcode: mode[0] === 'P' ? kinabalu.postcode : '59100' },
      receiver: { postcode: mode[2] === 'P' ? kuching.postcode : '59100' },
    })
    expect(quotedMinor).toBe(beside.price?.totalMinor)
    const sales = await createStaff(test, { role: 'inside_sales_representative' })
    const forCustomer = { ...request, customerEmail: owner.email }
    const offered = await test.call(quoteForCustomer, { token: sales.token, body: forCustomer })
    expect(offered.body.items.find(({ code }) => code === quote.code)?.price?.totalMinor).toBe(quotedMinor)

    const parcel = await addToCart({ deliveryMode: mode, ...stations })
    const pickup = mode[0] === 'D' ? testPickup(test, { address: testParty({ line1: `1 Jalan ${mode}` }) }) : null
    const selected = { parcelIds: [parcel.id], pickup }
    const summary = await test.call(priceSummary, { token: owner.token, body: selected })
    const order = await test.call(createOrder, {
      token: owner.token,
      body: { ...selected, expectedTotalMinor: quotedMinor },
    })
    const payment = await payCredits(test, owner, order.body)
    expect(summary.body.totalMinor).toBe(quotedMinor)
    expect(order.body.totalMinor).toBe(quotedMinor)
    expect(payment.body.amountMinor).toBe(quotedMinor)
    const paid = await parcelNow(test, owner, parcel.id)
    expect(paid.priceMinor).toBe(quotedMinor)
    expect(paid.price?.zoneNames).toMatchObject({ origin, destination })
    const tracked = await test.call(publicTrackGet, { query: { no: paid.trackingNumber ?? '' } })
    expect(tracked.body.found[0]?.destinationCity).toBe(mode[2] === 'P' ? 'Kuching' : 'Kuala Lumpur')
  })

  it('changes with the station until the parcel is paid, and never afterwards', async () => {
    const near = await toStation(town)
    const far = await toStation(kinabalu)
    expect(far.priceMinor).toBeGreaterThan((near.priceMinor ?? 0) * 2)
    const change = { version: near.version, selfCollectionStationId: kinabalu.id }
    const toKinabalu = await test.call(changeSelfCollection, {
      token: owner.token,
      params: { id: near.id },
      body: change,
    })
    expect(toKinabalu.body.priceMinor).toBe(far.priceMinor)
    const many = { ids: [near.id], selfCollectionStationId: town.id }
    const back = await test.call(changeSelfCollections, { token: owner.token, body: many })
    expect(back.body.items[0]?.priceMinor).toBe(near.priceMinor)
    const edited = await test.call(updateParcel, {
      token: owner.token,
      body: {
        ...body({ deliveryMode: 'P2P', dropOffStationId: kinabalu.id, selfCollectionStationId: town.id }),
        id: near.id,
        version: back.body.items[0]?.version ?? 0,
      },
    })
    expect(edited.body.price?.zoneNames).toMatchObject({ origin: 'Sabah and Labuan', destination: 'Klang Valley' })

    const paid = await pay(far)
    const { version } = await parcelNow(test, owner, paid.id)
    const late = await test.call(changeSelfCollection, {
      token: owner.token,
      params: { id: paid.id },
      body: { version, selfCollectionStationId: town.id },
    })
    expect([late.status, late.error.code]).toEqual([409, 'transition_forbidden'])
  })

  it('keeps its zones when it is dropped off elsewhere and weighed again', async () => {
    const { id, number } = await pay(await toStation(kinabalu))
    const before = await parcelNow(test, owner, id)
    const counter = await createStaff(test, { stationId: kuching.id })
    await scanned(test, counter, number, 'accepted')
    expect(await parcelNow(test, owner, id)).toMatchObject({ amountDueMinor: 0, priceMinor: before.priceMinor })
    const weighed = await test.call(reweighParcel, {
      token: counter.token,
      params: { id },
      body: { weightGrams: 15_000, confirmed: true },
    })
    const heavier = await quoteParcel(test, {
      sender: { postcode: '59100' },
      receiver: { postcode: kinabalu.postcode },
      deliveryMode: 'P2P',
      weightGrams: 15_000,
    })
    expect(weighed.body.dueMinor).toBe((heavier.price?.totalMinor ?? 0) - (before.priceMinor ?? 0))
  })

  it('is corrected from the zone that was paid for, wherever the parcel was dropped off', async () => {
    const parcel = await addToCart({ deliveryMode: 'P2D', receiver: testReceiver() })
    const { id, number } = await pay(parcel)
    const counter = await createStaff(test, { stationId: kinabalu.id })
    await scanned(test, counter, number, 'accepted')
    await scanned(test, counter, number, 'out_for_delivery')
    await scanned(test, counter, number, 'attempt_failed', { failureReason: 'not_home' })
    const receiver = testReceiver({ postcode: '88000', city: 'Kota Kinabalu', state: 'Sabah' })
    const choice = { kind: 'correct' as const, receiver }
    const { feeMinor } = (await test.call(quoteDeliveryChoice, { token: owner.token, params: { id }, body: choice }))
      .body
    await test.call(makeDeliveryChoice, {
      token: owner.token,
      params: { id },
      body: { ...choice, expectedFeeMinor: feeMinor, pin: testPin },
    })
    const { price } = await parcelNow(test, owner, id)
    const direct = await quoteParcel(test, {
      ...measures,
      deliveryMode: 'P2D',
      sender: { postcode: '59100' },
      receiver: { postcode: '88000' },
    })
    expect(price?.zoneNames).toMatchObject({ origin: 'Klang Valley', destination: 'Sabah and Labuan' })
    expect(price?.totalMinor).toBe(direct.price?.totalMinor)
  })

  it('is that of the station in a spreadsheet, too, also after an edit', async () => {
    const row = (station: string) => ({
      receiverName: 'Bee',
      phone: '0123456789',
      line1: `8 Jalan ${station}`,
      postcode: '59100',
      city: 'Kuala Lumpur',
      state: 'Kuala Lumpur',
      weight: '10',
      length: '10',
      width: '10',
      height: '10',
      contentDescription: 'Shirts',
      deliveryMode: 'P2P',
      collectionStation: station,
    })
    const { batch, items } = await readRows(test, owner, [row(town.name), row(kinabalu.name)])
    const [near, far] = [await toStation(town), await toStation(kinabalu)]
    expect(items.map(({ priceMinor }) => priceMinor)).toEqual([near.priceMinor, far.priceMinor])
    const [first] = items
    const edit = { row: first?.row ?? 0, version: first?.version ?? 0, cells: { collectionStation: kinabalu.name } }
    const edited = await test.call(editBulk, { token: owner.token, body: { id: batch.id, edits: [edit] } })
    expect(edited.body.items[0]?.priceMinor).toBe(far.priceMinor)
  })

  it('is refused for a station that is not open, at its field', async () => {
    const nowhere = '0197b1a6-5b7e-7c3d-9a52-6f1d2c8e4b90'
    const request = { deliveryMode: 'P2P' as const, dropOffStationId: nowhere, selfCollectionStationId: nowhere }
    const refused = await askPrices(test, request)
    expect(refused.status).toBe(422)
    expect(refused.error.errors?.map(({ field }) => field)).toEqual(['dropOffStationId', 'selfCollectionStationId'])
    // A mode without stations does not use them.
    expect((await askPrices(test, { ...request, deliveryMode: 'D2D' })).status).toBe(200)
  })

  it('has no hint for a collection at the serving station if that is in another zone', async () => {
    const listModes = async (postcode: string) => {
      const { hints } = await quoteParcel(test, { ...measures, receiver: { postcode } })
      return hints.flatMap((hint) => (hint.kind === 'delivery_mode' ? [hint.deliveryMode] : []))
    }
    expect(await listModes('07000')).toContain('D2P')
    // The Cameron Highlands, on the East Coast, are served from Ipoh in the north.
    expect(await listModes('39000')).not.toContain('D2P')
  })
})
