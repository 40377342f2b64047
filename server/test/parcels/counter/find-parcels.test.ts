import { maxFoundParcels, searchAllForStaff, searchParcelsForStaff } from '@waybill/contract/search/search'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { orderNow, payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createParcel, testReceiver } from '../../testing/factories/parcels.ts'
import { createPayer } from '../../testing/factories/wallet.ts'

describe('a counter', () => {
  let test: TestApp
  let sender: TestCustomer
  let counter: TestStaff
  let here: string
  let there: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    sender = await createCustomer(test, { name: 'Kedai Bunga' })
    ;({ counter, here, there } = await findCounter(test))
  })

  const search = async (q: string, { token }: TestStaff = counter, stationId?: string) => {
    const answer = await test.call(searchParcelsForStaff, { token, query: { q, ...(stationId ? { stationId } : {}) } })
    expect(answer.status).toBe(200)
    return answer.body
  }
  const find = async (...args: Parameters<typeof search>) =>
    (await search(...args)).items.map(({ trackingNumber }) => trackingNumber)

  /** A parcel of the sender that waits here for its receiver. */
  async function waitingParcel(contactName: string, phone: string): Promise<string> {
    const row = await createParcel(test, sender, {
      status: 'outbound',
      delivery_mode: 'D2P',
      self_collection_station_id: here,
      receiver: testReceiver({ contactName, phone }),
    })
    const number = row.tracking_number ?? ''
    await scanned(test, counter, number, 'arrived')
    return number
  }

  it('finds the parcels of an order by its number, in any spelling', async () => {
    const payer = await createPayer(test, { name: 'Siti Aminah' })
    const order = await placeOrder(test, payer, { count: 2 })
    expect(await find(order.number)).toEqual([])
    expect((await payCredits(test, payer, order)).status).toBe(200)
    const { parcels } = await orderNow(test, payer, order)
    const numbers = parcels.map(({ trackingNumber }) => trackingNumber)
    expect((await find(order.number)).sort()).toEqual(numbers.sort())
    expect(await find(order.number.toLowerCase().replace('-', '- '))).toHaveLength(2)
    expect((await search(order.number)).items[0]).toMatchObject({
      status: 'pending_dropoff',
      leg: 'outbound',
      receiverName: 'Ahmad bin Ismail',
      receiverCity: 'George Town',
      accountName: 'Siti Aminah',
    })
    expect(await find('ORD-00000000')).toEqual([])
  })

  it('finds parcels to a phone number, at any station and of any account', async () => {
    const receiver = testReceiver({ phone: '+60127770001' })
    const other = await createCustomer(test)
    const parcels = [
      await createParcel(test, sender, { status: 'completed', receiver }),
      await createParcel(test, other, { status: 'outbound', receiver }),
    ]
    const numbers = parcels.map((row) => row.tracking_number).sort()
    for (const q of ['012-777 0001', '+60 12 777 0001']) expect((await find(q)).sort()).toEqual(numbers)
    const elsewhere = await createStaff(test, { stationId: there })
    expect((await find('0127770001', elsewhere)).sort()).toEqual(numbers)
    // Drafts have no number.
    await createParcel(test, sender, { status: 'pending', receiver, tracking_number: null })
    expect(await find('0127770001')).toHaveLength(2)
  })

  it('finds a name, or the end of a phone number, only among parcels that wait at its own station', async () => {
    const number = await waitingParcel('Wong Kah Wai', '+60127770002')
    await createParcel(test, sender, { status: 'outbound', receiver: testReceiver({ contactName: 'Wong Kah Wai' }) })
    for (const q of ['wong', 'Kah Wai Wong', '70002']) expect(await find(q), q).toEqual([number])
    const elsewhere = await createStaff(test, { stationId: there })
    expect(await find('Wong Kah Wai', elsewhere)).toEqual([])
    // A clerk of another station cannot look through the parcels of this one.
    expect(await find('Wong Kah Wai', elsewhere, here)).toEqual([])
    const supervisor = await createStaff(test, { type: 'admin' })
    expect(await find('Wong Kah Wai', supervisor)).toEqual([])
    expect(await find('Wong Kah Wai', supervisor, here)).toEqual([number])

    const { items } = (await test.call(searchAllForStaff, { token: counter.token, query: { q: 'kah wai' } })).body
    expect(items).toMatchObject([{ kind: 'parcel', title: number, detail: 'Wong Kah Wai · George Town' }])

    const identity = { idDocument: 'identity_card', idLast4: '1234' }
    const proof = { recipientName: 'Wong Kah Wai', signaturePath: 'M 1 1 L 9 9', ...identity }
    await scanned(test, counter, number, 'handed_over', proof)
    expect(await find('Wong Kah Wai')).toEqual([])
  })

  it('shows the first parcels of many, and says that there are more', async () => {
    const receiver = testReceiver({ phone: '+60127770003' })
    for (let n = 0; n <= maxFoundParcels; n += 1) await createParcel(test, sender, { status: 'outbound', receiver })
    const { items, more } = await search('0127770003')
    expect([items.length, more]).toEqual([maxFoundParcels, true])
  })

  it.each([
    "'; drop table parcels; --",
    '%%',
    '__',
    '\\\\',
    '１２３',
    '订单',
    'ORD-',
    '0'.repeat(120),
    'x'.repeat(100),
  ])('finds nothing for %s', async (q) => {
    expect(await search(q)).toEqual({ items: [], more: false })
  })
})
