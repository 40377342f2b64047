import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import {
  acceptWeighing,
  contestWeighing,
  decideDispute,
  getWeighing,
  listDisputes,
  reweighParcel,
  type Weighing,
} from '@waybill/contract/parcels/weighing'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { expectSoundBooks, fundWallet, setWalletPin, testPin } from '../../testing/factories/wallet.ts'

describe('a parcel that is weighed again after its difference was paid', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  let there: TestStaff
  let judge: TestStaff
  let nextStationId: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    judge = await createStaff(test, { role: 'account_manager' })
    const stations = await findCounter(test)
    counter = stations.counter
    nextStationId = stations.there
    there = await createStaff(test, { stationId: nextStationId })
    await fundWallet(test, owner, 1_000_000)
    await setWalletPin(test, owner)
  })

  const weigh = (id: string, weightGrams: number, { token } = there) =>
    test.call(reweighParcel, { token, params: { id }, body: { weightGrams, confirmed: true } })
  const balance = async () => (await test.call(getWallet, { token: owner.token })).body.balanceMinor
  const contest = (id: string) =>
    test.call(contestWeighing, { token: owner.token, params: { id }, body: { reason: 'I weighed it at home' } })
  const decide = ({ id, version }: Weighing, decision: 'waive' | 'uphold') =>
    test.call(decideDispute, { token: judge.token, params: { id }, body: { version, note: 'Weighed again', decision } })
  const waive = (weighing: Weighing) => decide(weighing, 'waive')
  /** A heavier parcel whose difference is paid, at the next station. `start`: the wallet before the payment. */
  const moveOn = async () => {
    const parcel = await handedOver(test, owner, counter)
    const weighing = (await weigh(parcel.id, 5200, counter)).body
    const start = await balance()
    const payment = { parcelIds: [parcel.id], totalSeenMinor: weighing.dueMinor, pin: testPin }
    expect((await test.call(payOutstanding, { token: owner.token, body: payment })).status).toBe(200)
    await scanned(test, counter, parcel.number, 'departed', { nextStationId })
    await scanned(test, there, parcel.number, 'arrived')
    return { ...parcel, weighing, start, priceMinor: (await parcelNow(test, owner, parcel.id)).priceMinor ?? 0 }
  }
  const current = async (id: string) =>
    (await test.call(getWeighing, { token: owner.token, params: { id } })).body.weighing

  it.each([1200, 5200, 9200])(
    'moves on while the weight is disputed, and the dispute is decided (%i g)',
    async (grams) => {
      const { id, weighing, start, priceMinor } = await moveOn()
      const contested = await contest(id)
      const again = await weigh(id, grams)
      expect(again.body).toMatchObject({ state: 'noted', differenceMinor: 0, dueMinor: 0 })
      expect(await parcelNow(test, owner, id)).toMatchObject({ status: 'inbound', priceMinor, amountDueMinor: 0 })
      expect(await current(id)).toMatchObject({ id: weighing.id, state: 'contested' })
      expect(await balance()).toBe(start - weighing.dueMinor)
      const { items } = (await test.call(listDisputes, { token: judge.token, query: { limit: 200 } })).body
      const dispute = items.find((each) => each.id === weighing.id)
      expect(dispute?.laterReading).toMatchObject({ id: again.body.id, weightGrams: grams })
      expect((await waive(contested.body)).status).toBe(200)
      expect(await balance()).toBe(start)
      expect((await parcelNow(test, owner, id)).priceMinor).toBe(priceMinor - weighing.differenceMinor)
      await expectSoundBooks(test)
    },
  )

  it.each([1200, 3200, 9200])('is only noted while the unpaid difference is disputed (%i g)', async (grams) => {
    const { id, number } = await handedOver(test, owner, counter)
    const { body: weighing } = await weigh(id, 5200, counter)
    const staffView = async () => {
      const call = { token: counter.token, params: { no: number } }
      return (await test.call(staffParcelByNumber, call)).body
    }
    const contested = await contest(id)
    expect(await staffView()).toMatchObject({ status: 'outstanding', mayWeigh: true })
    const again = await weigh(id, grams, counter)
    expect(again.body).toMatchObject({ state: 'noted', differenceMinor: 0 })
    expect(await parcelNow(test, owner, id)).toMatchObject({ status: 'outstanding', amountDueMinor: weighing.dueMinor })
    expect(await current(id)).toMatchObject({ id: weighing.id, state: 'contested' })
    expect((await decide(contested.body, 'uphold')).status).toBe(200)
    expect(await current(id)).toMatchObject({ id: weighing.id, state: 'upheld' })
    // What is paid is the difference that holds the parcel, not the reading that was noted.
    const payment = { parcelIds: [id], totalSeenMinor: weighing.dueMinor, pin: testPin }
    expect((await test.call(payOutstanding, { token: owner.token, body: payment })).status).toBe(200)
    const paid = await parcelNow(test, owner, id)
    expect([paid.status, paid.price?.weightGrams]).toEqual(['inbound', 5200])
    await expectSoundBooks(test)
  })

  it('is weighed after sorting too, and then waits for the payment', async () => {
    const { id, number } = await handedOver(test, owner, counter)
    await scanned(test, counter, number, 'sorted')
    const view = await test.call(staffParcelByNumber, { token: counter.token, params: { no: number } })
    expect(view.body).toMatchObject({ status: 'sorting', mayWeigh: true })
    expect(view.body.latestReading).toBeNull()
    const { body } = await weigh(id, 5200, counter)
    expect(await parcelNow(test, owner, id)).toMatchObject({ status: 'outstanding', amountDueMinor: body.dueMinor })
    const weighed = await test.call(staffParcelByNumber, { token: counter.token, params: { no: number } })
    const { at, weightGrams, dimensions } = body
    expect(weighed.body.latestReading).toEqual({ at, weightGrams, dimensions })
  })

  it.each([5200, 9200])('can still be disputed until the deadline (%i g)', async (grams) => {
    const { id, weighing, start } = await moveOn()
    expect((await weigh(id, grams)).body).toMatchObject({
      state: 'noted',
      dueMinor: 0,
    })
    const parcel = await parcelNow(test, owner, id)
    expect(parcel.status).toBe('inbound')
    expect(parcel.allowedActions).toContain('contest_weight')
    const contested = await contest(id)
    expect(contested.body).toMatchObject({ id: weighing.id, state: 'contested' })
    expect((await waive(contested.body)).status).toBe(200)
    expect(await balance()).toBe(start)
  })

  it.each([true, false])(
    'is mailed after a lost dispute whether the difference is still due (paid: %s)',
    async (paid) => {
      const { id, number } = paid ? await moveOn() : await handedOver(test, owner, counter)
      if (!paid) expect((await weigh(id, 5200, counter)).status).toBe(200)
      expect((await decide((await contest(id)).body, 'uphold')).status).toBe(200)
      expect((await parcelNow(test, owner, id)).status).toBe(paid ? 'inbound' : 'outstanding')
      await test.settle()
      const { text } = await test.mailbox.waitFor(
        ({ to, subject }) => to.includes(owner.email) && subject.includes(number),
      )
      expect([text.includes('already paid'), text.includes('remains due')]).toEqual([paid, !paid])
    },
  )

  it('is charged for more weight once the sender has accepted the first difference', async () => {
    const { id } = await moveOn()
    expect((await test.call(acceptWeighing, { token: owner.token, params: { id } })).status).toBe(200)
    const again = await weigh(id, 9200)
    expect(again.body.state).toBe('open')
    expect(await parcelNow(test, owner, id)).toMatchObject({
      status: 'outstanding',
      amountDueMinor: again.body.dueMinor,
    })
    expect(await current(id)).toMatchObject({ id: again.body.id })
  })

  it('refunds a part for less weight, and a dispute refunds only the rest', async () => {
    const { id, weighing, start, priceMinor } = await moveOn()
    const again = await weigh(id, 3200)
    expect(again.body.differenceMinor).toBeLessThan(0)
    const leftMinor = weighing.differenceMinor + again.body.differenceMinor
    expect(await balance()).toBe(start - leftMinor)
    expect((await parcelNow(test, owner, id)).allowedActions).toContain('contest_weight')
    expect(await current(id)).toMatchObject({ id: weighing.id, differenceMinor: leftMinor, dueMinor: 0 })
    const contested = await contest(id)
    expect((await waive(contested.body)).status).toBe(200)
    expect(await balance()).toBe(start)
    expect((await parcelNow(test, owner, id)).priceMinor).toBe(priceMinor - weighing.differenceMinor)
    await expectSoundBooks(test)
  })

  it('leaves nothing to dispute if the whole difference is refunded', async () => {
    const { id, start } = await moveOn()
    const again = await weigh(id, 1200)
    expect(await balance()).toBe(start)
    expect((await parcelNow(test, owner, id)).allowedActions).not.toContain('contest_weight')
    expect((await contest(id)).error.code).toBe('contest_over')
    expect(await current(id)).toMatchObject({ id: again.body.id, state: 'noted' })
    const query = test.deps.db.selectFrom('parcel_weighings').select('state').where('parcel_id', '=', id)
    expect(await query.orderBy('created_at').orderBy('id').execute()).toEqual([
      { state: 'withdrawn' },
      { state: 'noted' },
    ])
  })
})
