import { memberUsage } from '@waybill/contract/accounts/company'
import { getBilling, payCorporate, putConsent } from '@waybill/contract/orders/monthly-billing'
import type { OrderDetail } from '@waybill/contract/orders/orders'
import { cancelOrder } from '@waybill/contract/orders/refunds'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextMonth } from '../../testing/calendar.ts'
import { createCustomer, createMember, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'

describe('the limits of members, when orders are cancelled', () => {
  let test: TestApp
  let owner: TestCustomer
  let member: TestCustomer
  let colleague: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  /** A company with two members who see, pay and cancel all of its orders. */
  const createCompany = async () => {
    owner = await createCustomer(test, { userType: 'corporate' })
    await sql`update accounts set credit_limit_minor = 1000000
      where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    await test.call(putConsent, { token: owner.token, body: { version: '2026-01', accept: true } })
    const join = () => createMember(test, owner, ['parcels.create', 'parcels.view_all', 'pay', 'reports'])
    ;[member, colleague] = [await join(), await join()]
  }
  const bill = async ({ token }: TestCustomer, order: OrderDetail) => {
    const body = { expectedTotalMinor: order.totalMinor }
    return test.call(payCorporate, { token, params: { id: order.id }, body })
  }
  const billOrder = async (by: TestCustomer) => {
    const order = await placeOrder(test, by)
    expect((await bill(by, order)).status).toBe(200)
    return order
  }
  const cancel = async ({ token }: TestCustomer, { id }: OrderDetail) =>
    expect((await test.call(cancelOrder, { token, params: { id }, body: { refundTo: 'wallet' } })).status).toBe(200)
  const readState = async ({ token }: TestCustomer) => (await test.call(getBilling, { token })).body

  it("count refunds of the member's orders of this month, whoever cancels them, and no others", async () => {
    await createCompany()
    const limitMinor = 500_00
    await sql`update users set monthly_limit_minor = ${limitMinor}
      where id = ${member.userId}::uuid`.execute(test.deps.db)
    const listUsage = async () => {
      const { items } = (await test.call(memberUsage, { token: owner.token })).body
      const billed = new Map(items.map(({ userId, billedMinor }) => [userId, billedMinor]))
      return [member, colleague].map(({ userId }) => billed.get(userId))
    }
    await cancel(owner, await billOrder(member))
    expect((await readState(owner)).usedMinor).toBe(0)
    expect([(await readState(member)).memberLeftMinor, await listUsage()]).toEqual([limitMinor, [0, undefined]])

    const [first, second] = [await billOrder(colleague), await billOrder(colleague)]
    await cancel(member, first)
    expect((await readState(member)).memberLeftMinor).toBe(limitMinor)
    expect(await listUsage()).toEqual([0, second.totalMinor])

    const oldOrder = await billOrder(member)
    moveToNextMonth(test)
    const claims = JSON.parse(atob(member.token.split('.')[1] ?? ''))
    const later = { ...member, token: await test.deps.tokens.sign(claims, { readAt: test.clock.now() }) }
    const newOrder = await billOrder(later)
    await cancel(later, oldOrder)
    expect((await readState(later)).memberLeftMinor).toBe(limitMinor - newOrder.totalMinor)
  })

  it('count the same per day, above which an order needs an approval', async () => {
    await createCompany()
    const first = await billOrder(member)
    const one = first.totalMinor
    await sql`update accounts set approval_above_minor = ${one}
      where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    await billOrder(colleague)
    await cancel(colleague, first)
    await billOrder(member)
    const refusal = await bill(colleague, await placeOrder(test, colleague))
    expect(refusal.error).toMatchObject({ code: 'approval_needed', details: { spentMinor: one, neededMinor: one } })
  })
})
