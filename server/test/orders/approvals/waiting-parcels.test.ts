import { getDashboard } from '@waybill/contract/dashboard/dashboard'
import { approveOrder, askApproval } from '@waybill/contract/orders/approvals'
import { putConsent } from '@waybill/contract/orders/monthly-billing'
import { exportOrders } from '@waybill/contract/orders/orders'
import { exportParcels, listParcels } from '@waybill/contract/parcels/list'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { payWithIpay88 } from '@waybill/contract/payments/payments'
import { exportOrderReport, reportOrders } from '@waybill/contract/reports/orders'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { readSheet } from '../../../src/lib/sheet/read.ts'
import { buildTestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'

/** A company whose clerk needs an approval for every order. */
async function createCompany() {
  const test = await buildTestApp()
  await seedTestNetwork(test)
  const owner = await createCustomer(test, { userType: 'corporate' })
  await sql`update accounts set credit_limit_minor = 1000000, approval_above_minor = 100
    where id = ${owner.accountId}::uuid`.execute(test.deps.db)
  await test.call(putConsent, { token: owner.token, body: { version: '2026-01', accept: true } })
  const clerk = await createMember(test, owner, ['parcels.create', 'pay'])
  return { test, owner, clerk }
}

it('marks the parcels that wait for an approval, but not those that wait for a payment', async () => {
  const { test, owner, clerk } = await createCompany()
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

it('names the approval in spreadsheets and the report, and does not count it as unpaid at home', async () => {
  const { test, owner, clerk } = await createCompany()
  const order = await placeOrder(test, clerk, { count: 2 })
  await test.call(askApproval, { token: clerk.token, body: { orderId: order.id, note: null } })
  const unpaid = await placeOrder(test, owner, { count: 1 })
  await test.call(payWithIpay88, {
    token: owner.token,
    params: { id: unpaid.id },
    body: { expectedTotalMinor: unpaid.totalMinor },
  })

  const { token } = owner
  for (const endpoint of [exportOrders, exportOrderReport, exportParcels]) {
    const { raw } = await test.call(endpoint, { token, query: {} })
    const waiting: unknown[] = []
    for await (const { cells } of readSheet(raw, { rows: 1_000, bytes: 10_000_000, ratio: 1_000 }))
      waiting.push(...cells.filter((cell) => cell === 'Waiting for approval' || cell === 'Waiting for payment'))
    const parcels = endpoint === exportParcels ? 2 : 1
    expect(waiting.sort()).toEqual([...Array(parcels).fill('Waiting for approval'), 'Waiting for payment'])
  }
  const { items } = (await test.call(reportOrders, { token, query: {} })).body
  expect(items.map(({ id, waitsForApproval }) => [id, waitsForApproval])).toEqual([
    [unpaid.id, false],
    [order.id, true],
  ])
  const { todo } = (await test.call(getDashboard, { token })).body
  expect(todo).toMatchObject({ unpaid: 1, approvals: 1 })
  expect(todo.unpaidUntil).not.toBeNull()
})
