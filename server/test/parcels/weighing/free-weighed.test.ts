import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { replayParcelPrice } from '@waybill/contract/pricing/price-replay'
import { putSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createPayer, expectSoundBooks, testPin } from '../../testing/factories/wallet.ts'

describe('a heavier parcel that its discount had made free', () => {
  let test: TestApp
  let customer: TestCustomer
  let counter: TestStaff
  let superadmin: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    ;({ counter } = await findCounter(test))
    superadmin = await createStaff(test, { type: 'superadmin' })
    customer = await createPayer(test)
    await discount(1_000)
  })
  const discount = (minor: number) =>
    test.deps.db
      .updateTable('accounts')
      .set({ discount_type: 'fixed', discount_value: minor })
      .where('id', '=', customer.accountId)
      .execute()

  it('costs what it would have cost with that weight: with tax and a charge in percent', async () => {
    const values = { 'price.serviceCharge': { type: 'percentage', value: 1_000 }, 'price.fuelBasisPoints': 0 }
    const { token } = superadmin
    expect((await test.call(putSettings, { token, body: { values } })).status).toBe(200)
    const { id, number } = await handedOver(test, customer, counter)
    expect((await parcelNow(test, customer, id)).priceMinor).toBe(0)
    const weighed = await test.call(reweighParcel, {
      token: counter.token,
      params: { id },
      body: { weightGrams: 9_000, confirmed: true },
    })
    const body = { parcelIds: [id], totalSeenMinor: weighed.body.dueMinor, pin: testPin }
    expect((await test.call(payOutstanding, { token: customer.token, body })).status).toBe(200)
    const { price } = await parcelNow(test, customer, id)
    expect(price?.lines.map(({ kind }) => kind)).toEqual(['freight', 'discount', 'service_charge', 'tax'])
    const replay = await test.call(replayParcelPrice, { token: counter.token, params: { no: number } })
    expect(replay.body).toMatchObject({ result: 'same', replayed: { totalMinor: price?.totalMinor } })
    await expectSoundBooks(test)
  })
})
