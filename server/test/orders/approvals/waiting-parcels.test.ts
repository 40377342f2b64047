import { approveOrder, askApproval } from '@waybill/contract/orders/approvals'
import { putConsent } from '@waybill/contract/orders/monthly-billing'
import { listParcels } from '@waybill/contract/parcels/list'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { payWithIpay88 } from '@waybill/contract/payments/payments'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'

it('marks the parcels that wait for an approval, but not those that wait for a payment', async () => {
  const test = await buildTestApp()
  await seedTestNetwork(test)
  const owner = await createCustomer(test, { userType: 'corporate' })
  await sql`update accounts set credit_limit_minor = 1000000, approval_above_minor = 100
    where id = ${owner.accountId}::uuid`.execute(test.deps.db)
  await test.call(putConsent, { token: owner.token, body: { version: '2026-01', accept: true } })
  const clerk = await createMember(test, owner, ['parcels.create', 'pay'])
  /** Status and mark of an order's parcels: in the list, and of the first on its page. */
  const marks = async ({ token }: TestCustomer, { id: orderId }: { id: string }) => {
    const { items } = (await test.call(listParcels, { token, query: { orderId } })).body
    const { body } = await test.call(getParcel, { token, params: { id: items[0]?.id ?? '' } })
    return [...items, body].map(({ status, waitsForApproval }) => [status, waitsForApproval])
  }

  const order = await placeOrder(test, clerk)
  const request = await test.call(askApproval, { token: clerk.token, body: { orderId: order.id, note: null } })
  expect(await marks(clerk, order)).toEqual(Array(2).fill(['pending_payment', true]))

  const body = { expectedTotalMinor: order.totalMinor }
  await test.call(approveOrder, { token: owner.token, params: { id: request.body.id }, body })
  expect(await marks(clerk, order)).toEqual(Array(2).fill(['pending_dropoff', false]))

  const own = await placeOrder(test, owner)
  await test.call(payWithIpay88, {
    token: owner.token,
    params: { id: own.id },
    body: { expectedTotalMinor: own.totalMinor },
  })
  expect(await marks(owner, own)).toEqual(Array(2).fill(['pending_payment', false]))
})
