import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { createParcel as createParcelCall, getParcel } from '@waybill/contract/parcels/parcels'
import { recentScans, undoScan } from '@waybill/contract/parcels/scanning'
import { contestWeighing, decideDispute, getWeighing, reweighParcel } from '@waybill/contract/parcels/weighing'
import { type priceBreakdown, priceServices } from '@waybill/contract/pricing/pricing'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { notifyStuckParcels } from '../../src/domains/parcels/scanning/jobs.ts'
import { dayIn, days } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import {
  createCustomer,
  createDevice,
  createStaff,
  type TestCustomer,
  type TestStaff,
} from '../testing/factories/accounts.ts'
import { handedOver, parcelNow, scanned } from '../testing/factories/handed-over.ts'
import { listServiceCentres, seedTestNetwork } from '../testing/factories/network.ts'
import { orderParcels, payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createParcel, parcelBody, testParty, testReceiver } from '../testing/factories/parcels.ts'
import { fundWallet, setWalletPin, testPin } from '../testing/factories/wallet.ts'

describe('the expected day of a parcel', () => {
  let test: TestApp
  let owner: TestCustomer
  let stationId: string
  /** In Kelantan, which rests on Fridays. */
  let kotaBharu: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    test.clock.freeze()
    owner = await createCustomer(test)
    const stations = await listServiceCentres(test)
    stationId = stations.find(({ city }) => city === testParty().city)?.id ?? ''
    kotaBharu = stations.find(({ city }) => city === 'Kota Bharu')?.id ?? ''
    await fundWallet(test, owner, 1_000_000)
    await setWalletPin(test, owner)
  })

  const getToday = () => dayIn(test.clock.now(), 'Asia/Kuala_Lumpur')
  const track = async (number: string) => (await test.call(publicTrackGet, { query: { no: number } })).body.found[0]
  const readDays = (id: string) =>
    test.deps.db
      .selectFrom('parcels')
      .select(['expected_date', 'promised_date'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  /** The expected day of the same parcel if it were booked and handed over now. */
  const quoteNow = async (overrides: Partial<BodyIn<typeof priceServices>> = {}) => {
    const request = { sender: testParty(), receiver: testReceiver(), deliveryMode: 'P2D' as const, weightGrams: 1200 }
    const { body } = await test.call(priceServices, {
      body: { ...request, ...overrides, dimensions: { lengthMm: 300, widthMm: 200, heightMm: 100 } },
    })
    const quote = body.items.find(({ carrier, serviceType }) => carrier === 'own' && serviceType === 'e_parcel')
    return quote?.expectedDate ?? 'no quote'
  }
  const book = async () => {
    const order = await placeOrder(test, owner)
    expect((await payCredits(test, owner, order)).status).toBe(200)
    const id = order.parcels[0]?.id ?? ''
    return { id, number: (await parcelNow(test, owner, id)).trackingNumber ?? '' }
  }
  /** Sessions expire when the clock advances. */
  const wait = async (count: number): Promise<TestStaff> => {
    test.clock.advance(days(count))
    owner = { ...owner, token: await createDevice(test, owner) }
    return createStaff(test, { stationId })
  }

  it('counts from a drop-off that is later than the booking, and no mail reports a delay', async () => {
    const { id, number } = await book()
    const booked = await quoteNow()
    expect(await readDays(id)).toEqual({ expected_date: booked, promised_date: null })
    expect(await track(number)).toMatchObject({ expectedDate: null, promisedDate: null })
    const counter = await wait(8)

    await scanned(test, counter, number, 'accepted')
    const expected = await quoteNow()
    expect(expected > getToday()).toBe(true)
    expect(await track(number)).toMatchObject({ expectedDate: expected, promisedDate: null })
    const countMails = () => test.mailbox.mails().filter(({ subject }) => subject.includes(number)).length
    await test.settle()
    const before = countMails()
    await notifyStuckParcels(test.deps)
    await test.settle()
    expect(countMails()).toBe(before)

    const [entry] = (await test.call(recentScans, { token: counter.token })).body.items
    expect((await test.call(undoScan, { token: counter.token, params: { id: entry?.id ?? '' } })).status).toBe(200)
    expect(await readDays(id)).toEqual({ expected_date: booked, promised_date: null })
  })

  it('is that at the station where the parcel is collected, on every day of the week', async () => {
    const collected = { deliveryMode: 'P2P', receiver: testParty(), selfCollectionStationId: kotaBharu } as const
    for (let day = 0; day < 7; day += 1) {
      const counter = await wait(1)
      const { body } = await test.call(createParcelCall, {
        token: owner.token,
        body: parcelBody({ ...collected, addToCart: true }),
      })
      await payCredits(test, owner, await orderParcels(test, owner, [body], 'P2P'))
      const number = (await parcelNow(test, owner, body.id)).trackingNumber ?? ''
      await scanned(test, counter, number, 'accepted')
      expect(await track(number)).toMatchObject({ expectedDate: await quoteNow(collected) })
    }
  })

  it('keeps the day of the booking if the rate that was paid is no longer known', async () => {
    const { id, number } = await book()
    const booked = await quoteNow()
    const { price } = await test.deps.db
      .selectFrom('parcels')
      .select('price')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { inputs: _, ...bare } = price as z.infer<typeof priceBreakdown>
    await test.deps.db
      .updateTable('parcels')
      .set({ price: JSON.stringify(bare) })
      .where('id', '=', id)
      .execute()
    const counter = await wait(1)
    await scanned(test, counter, number, 'accepted')
    expect(await track(number)).toMatchObject({ expectedDate: booked, promisedDate: null })
  })

  describe('that was held for a weight difference', () => {
    const hold = async (count: number) => {
      const counter = await wait(0)
      const parcel = await handedOver(test, owner, counter)
      const promised = (await readDays(parcel.id)).expected_date
      const weighing = await test.call(reweighParcel, {
        token: counter.token,
        params: { id: parcel.id },
        body: { weightGrams: 5200, confirmed: true },
      })
      expect(weighing.body.dueMinor).toBeGreaterThan(0)
      return { ...parcel, promised, dueMinor: weighing.body.dueMinor, counter: await wait(count) }
    }
    const pay = async ({ id, dueMinor }: { id: string; dueMinor: number }) => {
      const body = { parcelIds: [id], totalSeenMinor: dueMinor, pin: testPin }
      expect((await test.call(payOutstanding, { token: owner.token, body })).status).toBe(200)
    }

    it('counts from a late payment', async () => {
      const parcel = await hold(12)
      await pay(parcel)
      expect(await track(parcel.number)).toMatchObject({
        expectedDate: await quoteNow({ dropOffStationId: stationId }),
        promisedDate: null,
      })
    })

    it('stays if the payment comes in time', async () => {
      const parcel = await hold(0)
      await pay(parcel)
      expect(await readDays(parcel.id)).toEqual({ expected_date: parcel.promised, promised_date: null })
    })

    it('counts from the decision if the difference is waived, and the promise stays', async () => {
      const parcel = await hold(0)
      const { token } = owner
      const params = { id: parcel.id }
      const reason = 'I weighed it at home'
      expect((await test.call(contestWeighing, { token, params, body: { reason } })).status).toBe(200)
      await wait(12)
      const judge = await createStaff(test, { role: 'account_manager' })
      const { weighing } = (await test.call(getWeighing, { token: owner.token, params })).body
      const { version = 0, id = '' } = weighing ?? {}
      const body = { version, note: 'Weighed again', decision: 'waive' as const }
      expect((await test.call(decideDispute, { token: judge.token, params: { id }, body })).status).toBe(200)
      expect(await track(parcel.number)).toMatchObject({
        expectedDate: await quoteNow({ dropOffStationId: stationId }),
        promisedDate: parcel.promised,
      })
    })
  })

  it('is not shown on the way back to the sender, except on the day of the delivery', async () => {
    const today = getToday()
    const states: [object, string | null][] = [
      [{ status: 'sorting', leg: 'return' }, null],
      [{ status: 'recall' }, null],
      [{ status: 'reverse_pickup' }, null],
      [{ status: 'delivering', leg: 'return' }, today],
    ]
    for (const [state, expectedDate] of states) {
      const { id } = await createParcel(test, owner, { ...state, expected_date: '2026-11-02' })
      const { body } = await test.call(getParcel, { token: owner.token, params: { id } })
      expect(body).toMatchObject({ expectedDate, promisedDate: null })
    }
  })
})
