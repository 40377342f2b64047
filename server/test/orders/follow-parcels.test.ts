import { getOrder } from '@waybill/contract/orders/orders'
import { getParcelActions, returnParcel } from '@waybill/contract/parcels/allowed-actions'
import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import type { TestCustomer, TestStaff } from '../testing/factories/accounts.ts'
import { delivered, findCounter, handedOver } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { createPayer, testPin } from '../testing/factories/wallet.ts'

describe('the status of an order', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    counter = (await findCounter(test)).counter
    owner = await createPayer(test)
  })

  const getStatus = async (id: string) => {
    await test.settle()
    return (await test.call(getOrder, { token: owner.token, params: { id } })).body.status
  }

  it('becomes completed with its last parcel, and reopens when that parcel is to be returned', async () => {
    const { id, number, orderId } = await handedOver(test, owner, counter)
    expect(await getStatus(orderId)).toBe('pending')
    await delivered(test, counter, number)
    expect(await getStatus(orderId)).toBe('completed')
    const { token } = owner
    const actions = (await test.call(getParcelActions, { token, params: { id } })).body
    const body = { version: actions.version, expectedFeeMinor: actions.return.fee.totalMinor, pin: testPin }
    expect((await test.call(returnParcel, { token, params: { id }, body })).status).toBe(200)
    expect(await getStatus(orderId)).toBe('pending')
  })
  it('becomes outstanding while the difference for a heavier parcel is unpaid', async () => {
    const { id, orderId } = await handedOver(test, owner, counter)
    const weighed = await test.call(reweighParcel, {
      token: counter.token,
      params: { id },
      body: { weightGrams: 5200 },
    })
    expect(await getStatus(orderId)).toBe('outstanding')
    const body = { parcelIds: [id], totalSeenMinor: weighed.body.dueMinor, pin: testPin }
    expect((await test.call(payOutstanding, { token: owner.token, body })).status).toBe(200)
    expect(await getStatus(orderId)).toBe('pending')
  })

  it('is no longer outstanding once the weight is corrected', async () => {
    const { id, orderId } = await handedOver(test, owner, counter)
    const weigh = (weightGrams: number) =>
      test.call(reweighParcel, { token: counter.token, params: { id }, body: { weightGrams } })
    await weigh(5200)
    expect(await getStatus(orderId)).toBe('outstanding')
    expect((await weigh(1200)).body.dueMinor).toBe(0)
    expect(await getStatus(orderId)).toBe('pending')
  })
})
