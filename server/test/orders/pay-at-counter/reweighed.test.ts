import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { exportOutstanding, payInStore, printPaymentSlip } from '@waybill/contract/parcels/outstanding'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { openDrawer, takeCash } from '@waybill/contract/payments/cash-desk'
import { putSettings } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, createStaff, type TestCustomer } from '../../testing/factories/accounts.ts'
import { findCounter, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'

describe('an order that is paid at the counter and re-weighed', () => {
  let test: TestApp
  let member: TestCustomer
  let order: OrderDetail
  const readOrder = async ({ id }: { id: string }) =>
    (await test.call(getOrder, { token: member.token, params: { id } })).body
  const slip = () => test.call(printPaymentSlip, { token: member.token, params: { id: order.id } })
  /** What the member has spent today, as the next order shows it. */
  const spent = async () => (await placeOrder(test, member)).approval?.spentMinor

  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const { here, counter } = await findCounter(test)
    const clerk = await createStaff(test, { stationId: here })
    const owner = await createCustomer(test, { userType: 'corporate' })
    member = await createMember(test, owner, ['parcels.create', 'pay'])
    order = await placeOrder(test, member)
    await test.call(payInStore, {
      token: member.token,
      params: { id: order.id },
      body: { expectedTotalMinor: order.totalMinor },
    })
    await sql`update accounts set approval_above_minor = 1 where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    expect((await slip()).status).toBe(200)
    expect(await spent()).toBe(order.totalMinor)

    const { token } = clerk
    await test.call(openDrawer, { token, body: { drawerNumber: 1, floatMinor: 10_000, currency: 'MYR' } })
    const cash = {
      drawerNumber: 1,
      code: order.number,
      totalSeenMinor: order.totalMinor,
      givenMinor: 10_000,
      currency: 'MYR',
    }
    expect((await test.call(takeCash, { token, body: cash })).status).toBe(200)
    const [parcel] = (await readOrder(order)).parcels
    await scanned(test, counter, parcel?.trackingNumber ?? '', 'accepted')
    const body = { weightGrams: 5200, dimensions: null }
    const weighed = await test.call(reweighParcel, { token: counter.token, params: { id: parcel?.id ?? '' }, body })
    expect(weighed.status).toBe(200)
    await test.settle()
    expect(await readOrder(order)).toMatchObject({ status: 'outstanding', paymentMethod: 'store' })
  })

  it('has no payment slip, and does not count as spent again', async () => {
    expect((await slip()).status).toBe(404)
    expect(await spent()).toBe(0)
  })

  it("is exported with its weights in the deployment's unit", async () => {
    const read = async () =>
      (await test.call(exportOutstanding, { token: member.token, query: { format: 'csv' } })).raw.toString()
    expect(await read()).toMatch(/\(kg\)[\s\S]*\b5\.2\b/)
    const { token } = await createStaff(test, { type: 'superadmin' })
    await test.call(putSettings, { token, body: { values: { 'units.weight': 'lb' } } })
    const sheet = await read()
    expect(sheet).toMatch(/\(lb\)[\s\S]*\b11\.464\b/)
    expect(sheet).not.toContain('kg')
  })
})
