import { getDashboard } from '@waybill/contract/dashboard/dashboard'
import type { MemberPermission } from '@waybill/contract/ground/enums/enums'
import { approveOrder, askApproval } from '@waybill/contract/orders/approvals'
import { getInvoice, getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { putSettings } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../../../src/domains/wallet/ledger/books.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, createStaff, type TestCustomer } from '../../testing/factories/accounts.ts'
import { allowBilling } from '../../testing/factories/billing.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'

describe('those who decide an approval', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const company = async (limitMinor = 1_000_000) => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    await allowBilling(test, owner, limitMinor)
    await sql`update accounts set approval_above_minor = 100 where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    const join = (permissions: MemberPermission[]) => createMember(test, owner, permissions)
    return { owner, clerk: await join(['parcels.create', 'pay']), join }
  }
  const ask = ({ token }: TestCustomer, { id }: OrderDetail) =>
    test.call(askApproval, { token, body: { orderId: id, note: null } })
  const approve = ({ token }: TestCustomer, id: string, expectedTotalMinor: number) =>
    test.call(approveOrder, { token, params: { id }, body: { expectedTotalMinor } })
  const read = ({ token }: TestCustomer, { id }: OrderDetail) => test.call(getOrder, { token, params: { id } })

  it('can open the orders that they decide, and are told only of those', async () => {
    const { owner, clerk, join } = await company()
    const decider = await join(['users', 'pay', 'parcels.create'])
    const colleague = await join(['pay', 'parcels.create'])
    const [order, own, plain] = [
      await placeOrder(test, clerk),
      await placeOrder(test, decider),
      await placeOrder(test, clerk),
    ]
    const { body: approval } = await ask(clerk, order)
    expect((await ask(decider, own)).status).toBe(200)
    expect((await read(decider, order)).body.number).toBe(order.number)
    expect((await read(colleague, order)).status).toBe(404)
    expect((await read(decider, plain)).status).toBe(404)
    const count = async ({ token }: TestCustomer) => (await test.call(getDashboard, { token })).body.todo.approvals
    expect([await count(owner), await count(decider), await count(colleague)]).toEqual([2, 1, 0])

    expect((await approve(decider, approval.id, order.totalMinor)).status).toBe(200)
    expect((await read(decider, order)).status).toBe(200)
    const invoice = (who: TestCustomer) => test.call(getInvoice, { token: who.token, params: { id: order.id } })
    expect([(await invoice(decider)).status, (await invoice(colleague)).status]).toEqual([200, 404])
    expect(await count(decider)).toBe(0)
  })

  it('are not asked for an order that could not be billed', async () => {
    const { owner, clerk } = await company(500)
    const order = await placeOrder(test, clerk)
    const billing = ({ methods }: OrderDetail) => methods.find(({ method }) => method === 'monthly_billing')?.reason
    expect(billing(order)).toBe('over_limit')
    const refusal = await ask(clerk, order)
    expect(refusal.error).toMatchObject({ code: 'payment_method_closed', details: { reason: 'over_limit' } })
    expect((await read(clerk, order)).body).toMatchObject({ waitsForApproval: false, status: 'pending_payment' })
    await sql`update accounts set credit_limit_minor = 1000000 where id = ${owner.accountId}::uuid`.execute(
      test.deps.db,
    )
    expect(billing((await read(clerk, order)).body)).toBe('approval_needed')
    expect((await ask(clerk, order)).status).toBe(200)
  })

  it('see a total that has changed, and may accept it', async () => {
    const { owner, clerk } = await company()
    const order = await placeOrder(test, clerk, { mode: 'D2D' })
    const { body: approval } = await ask(clerk, order)
    const { token } = await createStaff(test, { type: 'superadmin' })
    await test.call(putSettings, { token, body: { values: { 'price.pickupFeeMinor': 900 } } })
    const refusal = await approve(owner, approval.id, order.totalMinor)
    expect(refusal.error.code).toBe('price_changed')
    const today = Number(refusal.error.details?.totalMinor)
    expect(today).toBeGreaterThan(order.totalMinor)
    expect((await approve(owner, approval.id, today - 1)).error.code).toBe('price_changed')
    expect((await read(owner, order)).body).toMatchObject({ status: 'pending_payment', totalMinor: order.totalMinor })
    expect((await approve(owner, approval.id, today)).body).toMatchObject({ status: 'approved', amountMinor: today })
    const { body } = await read(clerk, order)
    expect(body).toMatchObject({ status: 'pending', totalMinor: today, paidMinor: today })
    expect(body.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(today)
    const invoice = await test.call(getInvoice, { token: clerk.token, params: { id: order.id } })
    expect(invoice.body.totalMinor).toBe(today)
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  })
})
