import { makeDeliveryChoice, quoteDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { generateNotes } from '@waybill/contract/parcels/labels'
import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { replayParcelPrice } from '@waybill/contract/pricing/price-replay'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { testReceiver } from '../../testing/factories/parcels.ts'
import { fundWallet, setWalletPin, testPin } from '../../testing/factories/wallet.ts'
import { openPaper } from '../../testing/paper.ts'

describe('the price of a parcel, computed again', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    ;({ counter } = await findCounter(test))
    await fundWallet(test, owner, 500_000)
    await setWalletPin(test, owner)
  })
  const replay = (no: string) => test.call(replayParcelPrice, { token: counter.token, params: { no } })
  const priceNow = async (id: string) => (await parcelNow(test, owner, id)).price

  async function payDifference(id: string, totalSeenMinor: number) {
    const body = { parcelIds: [id], totalSeenMinor, pin: testPin }
    expect((await test.call(payOutstanding, { token: owner.token, body })).status).toBe(200)
  }

  /** Fails a delivery and corrects the address to another place; returns the fee. */
  async function sendTo({ id, number }: { id: string; number: string }, place: Record<string, string>) {
    await scanned(test, counter, number, 'out_for_delivery')
    await scanned(test, counter, number, 'attempt_failed', { failureReason: 'not_home' })
    const body = { kind: 'correct' as const, receiver: testReceiver({ line1: '1 Jalan Gaya', ...place }) }
    const quote = await test.call(quoteDeliveryChoice, { token: owner.token, params: { id }, body })
    const { feeMinor, otherZone } = quote.body
    expect(otherZone).toBe(true)
    const choice = await test.call(makeDeliveryChoice, {
      token: owner.token,
      params: { id },
      body: { ...body, expectedFeeMinor: feeMinor, pin: testPin },
    })
    expect(choice.status).toBe(200)
  }
  const near = { postcode: '50480', city: 'Kuala Lumpur', state: 'Kuala Lumpur' }
  const far = { postcode: '88000', city: 'Kota Kinabalu', state: 'Sabah' }

  it('is what was paid, whatever the settings are now', async () => {
    const order = await placeOrder(test, owner, { mode: 'D2D' })
    expect((await payCredits(test, owner, order)).status).toBe(200)
    const { id = '' } = order.parcels[0] ?? {}
    const { trackingNumber, price } = await parcelNow(test, owner, id)
    const set = { key: 'price.fuelBasisPoints', value: JSON.stringify(900) }
    await test.deps.db.insertInto('settings').values(set).execute()
    await test.deps.settings.reload()
    onTestFinished(async () => {
      await test.deps.db.deleteFrom('settings').where('key', '=', set.key).execute()
      await test.deps.settings.reload()
    })
    const { body } = await replay(trackingNumber ?? '')
    expect(body.price).toEqual(price)
    expect(body.price.lines.map(({ kind }) => kind)).toContain('pickup')
    expect(body).toMatchObject({ result: 'same', replayed: { lines: price?.lines, totalMinor: price?.totalMinor } })
    expect(body.validity?.from).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  it('is the same after a paid re-weighing', async () => {
    const { id, number } = await handedOver(test, owner, counter)
    const dimensions = { lengthMm: 400, widthMm: 300, heightMm: 250 }
    const weighed = await test.call(reweighParcel, {
      token: counter.token,
      params: { id },
      body: { weightGrams: 5200, dimensions },
    })
    await payDifference(id, weighed.body.dueMinor)
    const { body } = await replay(number)
    expect([body.price.weightGrams, body.price.volumetricGrams]).toEqual([5200, 6000])
    expect(body.result).toBe('same')

    await sendTo({ id, number }, far)
    const after = (await replay(number)).body
    expect(after.price).toMatchObject({ weightGrams: 5200, volumetricGrams: 6000 })
    expect(after.result).toBe('same')
  })

  it('stays the paid one after a correction to a cheaper zone, but the label has the new zone', async () => {
    const parcel = await handedOver(test, owner, counter)
    const before = await priceNow(parcel.id)
    await sendTo(parcel, near)
    const now = await parcelNow(test, owner, parcel.id)
    expect(now).toMatchObject({ status: 'outbound', receiver: { city: 'Kuala Lumpur' }, price: before })
    expect((await replay(parcel.number)).body.result).toBe('same')
    const note = await test.call(generateNotes, { token: owner.token, query: { ids: parcel.id } })
    const { pages } = await openPaper(note.raw)
    expect(before?.destinationZone).not.toBe('KV')
    expect(pages[0]?.text).toMatch(/ KV\n/)
  })

  it('is that of a dearer zone after a correction to it', async () => {
    const parcel = await handedOver(test, owner, counter)
    const before = await priceNow(parcel.id)
    await sendTo(parcel, far)
    const { body } = await replay(parcel.number)
    expect(body.price.totalMinor).toBeGreaterThan(before?.totalMinor ?? Infinity)
    expect([body.price.destinationZone === before?.destinationZone, body.result]).toEqual([false, 'same'])
  })

  it('names a difference, and says when it cannot be computed', async () => {
    const { id, number } = await handedOver(test, owner, counter)
    const price = await priceNow(id)
    await sql`update parcels set price = jsonb_set(price::jsonb, '{lines,0,amountMinor}', '1')
      where id = ${id}`.execute(test.deps.db)
    const wrong = (await replay(number)).body
    expect([wrong.result, wrong.replayed?.lines]).toEqual(['different', price?.lines])
    await sql`update parcels set price = price::jsonb - 'inputs' where id = ${id}`.execute(test.deps.db)
    expect((await replay(number)).body).toMatchObject({ result: 'impossible', replayed: null })
    expect((await replay('WB0000000000')).status).toBe(404)
  })
})
