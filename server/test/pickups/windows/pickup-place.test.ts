// A rider fetches parcels only where it costs as much as at the address that their price is for.
import { createOrder } from '@waybill/contract/orders/orders'
import { createParcel as createParcelCall, type Parcel } from '@waybill/contract/parcels/parcels'
import {
  bookPickup,
  cancelPickup,
  getPickupRequest,
  listPickupRequests,
  reschedulePickup,
} from '@waybill/contract/pickups/pickups'
import { priceSummary } from '@waybill/contract/pricing/pricing'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { fillCart, payCredits, placeOrder, quoteTotal, testPickup } from '../../testing/factories/orders.ts'
import { parcelBody, testParty } from '../../testing/factories/parcels.ts'
import { fundWallet, setWalletPin } from '../../testing/factories/wallet.ts'

const kinabalu = testParty({ line1: '50 Jalan Gaya', postcode: '88000', city: 'Kota Kinabalu', state: 'Sabah' })
/** In the zone of Kuala Lumpur, but on an island with a surcharge. */
const island = testParty({ line1: '1 Jalan Jeti', postcode: '42940', city: 'Pulau Ketam', state: 'Selangor' })
const shahAlam = testParty({ line1: '23 Jalan Tengku', postcode: '40100', city: 'Shah Alam', state: 'Selangor' })
const nowhere = testParty({ postcode: '00000' })

const anotherPrice = {
  en: 'Postcode: a pickup here has another price than at the address of the parcels. Choose a place near that address.',
  zh: '邮编：在此处取件的价格与包裹所填地址不同，请选择该地址附近的地点。',
}

describe('the place of a pickup', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    await fundWallet(test, owner, 1_000_000)
    await setWalletPin(test, owner)
  })

  type Answer = { status: number; error: { errors?: { field: string; message: string }[] } }
  const refusal = ({ status, error }: Answer) => [status, ...(error.errors ?? []).map(({ field }) => field)]
  const order = async (parcels: readonly Pick<Parcel, 'id'>[], address: typeof kinabalu, language = 'en') => {
    const selected = { parcelIds: parcels.map(({ id }) => id), pickup: testPickup(test, { address }) }
    const expectedTotalMinor = await quoteTotal(test, owner, parcels as Parcel[])
    const call = { token: owner.token, language }
    const summary = await test.call(priceSummary, { ...call, body: selected })
    const placed = await test.call(createOrder, { ...call, body: { ...selected, expectedTotalMinor } })
    return { summary, placed }
  }
  const bookedPickup = async (line1: string) => {
    const pickup = testPickup(test, { address: testParty({ line1 }) })
    const paid = await placeOrder(test, owner, { mode: 'D2D', pickup })
    expect((await payCredits(test, owner, paid)).status).toBe(200)
    const { items } = (await test.call(listPickupRequests, { token: owner.token })).body
    const request = items.find(({ address }) => address.line1 === line1)
    if (!request) throw new Error('no pickup')
    return { request, parcelIds: paid.parcels.map(({ id }) => id) }
  }
  const move = ({ id, version }: { id: string; version: number }, address: typeof kinabalu) =>
    test.call(reschedulePickup, {
      token: owner.token,
      params: { id },
      body: { ...testPickup(test, { address }), version },
    })

  it.each([
    ['another zone', kinabalu],
    ['a surcharge', island],
    ['no riders', nowhere],
  ])('is refused by the quote and by the order: %s', async (_, address) => {
    const parcels = await fillCart(test, owner, 2, 'D2D')
    const { summary, placed } = await order(parcels, address)
    expect(refusal(summary)).toEqual([422, 'pickup.address.postcode'])
    expect(refusal(placed)).toEqual([422, 'pickup.address.postcode'])
  })

  it.each(['en', 'zh'] as const)('is explained at its field: %s', async (language) => {
    const { summary, placed } = await order(await fillCart(test, owner, 1, 'D2D'), kinabalu, language)
    for (const answer of [summary, placed]) {
      expect(answer.error.errors?.map(({ message }) => message)).toEqual([anotherPrice[language]])
    }
  })

  it('may be any other place with the same price', async () => {
    const { summary, placed } = await order(await fillCart(test, owner, 1, 'D2D'), shahAlam)
    expect([summary.status, placed.status]).toEqual([200, 200])
    expect(placed.body.totalMinor).toBe(summary.body.totalMinor)
    // Abroad the whole country is one zone.
    const abroad = await test.call(createParcelCall, {
      token: owner.token,
      body: parcelBody({
        scope: 'international',
        serviceType: 'document',
        contentType: 'document',
        receiver: testParty({
          country: 'sg',
          postcode: '018956',
          phone: '+6561234567',
          city: 'Singapore',
          state: 'Singapore',
        }),
        addToCart: true,
      }),
    })
    expect(abroad.status, JSON.stringify(abroad.error)).toBe(200)
    expect((await order([abroad.body], kinabalu)).summary.status).toBe(200)
  })

  it('has to fit every parcel of the order', async () => {
    const [near] = await fillCart(test, owner, 1, 'D2D')
    const far = await test.call(createParcelCall, {
      token: owner.token,
      body: parcelBody({ sender: kinabalu, addToCart: true }),
    })
    for (const address of [testParty(), kinabalu]) {
      const { summary, placed } = await order([near as Parcel, far.body], address)
      expect(refusal(summary)).toEqual([422, 'pickup.address.postcode'])
      expect(refusal(placed)).toEqual([422, 'pickup.address.postcode'])
    }
  })

  it('cannot change to one with another price once the parcels are paid', async () => {
    const { request, parcelIds } = await bookedPickup('31 Jalan Telawi')
    expect(refusal(await move(request, kinabalu))).toEqual([422, 'address.postcode'])
    expect(refusal(await move(request, island))).toEqual([422, 'address.postcode'])
    const change = await move(request, shahAlam)
    expect(change.body.address.postcode).toBe('40100')
    const { version } = (await test.call(getPickupRequest, { token: owner.token, params: { id: request.id } })).body
    await test.call(cancelPickup, { token: owner.token, params: { id: request.id }, body: { version } })
    const book = (address: typeof kinabalu) =>
      test.call(bookPickup, { token: owner.token, body: { ...testPickup(test, { address }), parcelIds } })
    expect(refusal(await book(kinabalu))).toEqual([422, 'address.postcode'])
    expect((await book(testParty())).status).toBe(200)
  })
})
