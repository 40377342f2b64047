import {
  getBilling,
  listStatements,
  payCorporate,
  printStatement,
  type Statement,
} from '@waybill/contract/orders/monthly-billing'
import type { OrderDetail } from '@waybill/contract/orders/orders'
import { cancelOrder } from '@waybill/contract/orders/refunds'
import { putSettings } from '@waybill/contract/settings/settings'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeStatements } from '../../../src/domains/orders/monthly-billing/statements.ts'
import { days } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextMonth } from '../../testing/calendar.ts'
import { createCustomer, createStaff, type TestCustomer } from '../../testing/factories/accounts.ts'
import { allowBilling } from '../../testing/factories/billing.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'

describe('statements', () => {
  let test: TestApp
  beforeEach(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const company = async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    await allowBilling(test, owner)
    return owner
  }
  const year = new Date().getUTCFullYear() + 1
  const moveTo = (time: string) => test.clock.advance(Date.parse(`${year}-${time}:00Z`) - test.clock.now().getTime())
  const again = (owner: TestCustomer) => createCustomer(test, { accountId: owner.accountId, userType: 'corporate' })
  const billOrder = async (customer: TestCustomer): Promise<OrderDetail> => {
    const order = await placeOrder(test, customer)
    const body = { expectedTotalMinor: order.totalMinor }
    expect((await test.call(payCorporate, { token: customer.token, params: { id: order.id }, body })).status).toBe(200)
    return order
  }
  const list = async ({ token }: TestCustomer) => (await test.call(listStatements, { token })).body.items
  const print = async ({ token }: TestCustomer, id: string) => {
    const answer = await test.call(printStatement, { token, params: { id }, query: { format: 'csv' } })
    expect(answer.status).toBe(200)
    return answer.raw.toString()
  }

  it('keep their period when the time zone changes, and each begins where the last one ends', async () => {
    const owner = await company()
    // The first hour of a month in Kuala Lumpur is still the previous month in New York.
    moveTo('01-31T16:30')
    let late = await again(owner)
    const first = await billOrder(late)
    moveTo('02-28T17:00')
    await makeStatements(test.deps)
    late = await again(owner)
    const [issued] = (await list(late)) as [Statement]
    expect(issued).toMatchObject({ month: `${year}-02`, openingMinor: 0, closingMinor: first.totalMinor })
    const second = await billOrder(late)

    const { token } = await createStaff(test, { type: 'superadmin' })
    const changed = await test.call(putSettings, { token, body: { values: { timezone: 'America/New_York' } } })
    expect(changed.status).toBe(200)
    expect(await print(late, issued.id)).toContain(first.number)
    moveTo('04-02T00:00')
    await makeStatements(test.deps)
    late = await again(owner)
    const [next] = (await list(late)) as [Statement]
    expect(next).toMatchObject({
      month: `${year}-03`,
      openingMinor: first.totalMinor,
      chargesMinor: second.totalMinor,
      closingMinor: first.totalMinor + second.totalMinor,
    })
    expect(await print(late, next.id)).toContain(second.number)
    expect(await print(late, next.id)).not.toContain(first.number)
  })

  it('are due on the day after their terms, also if summer time ends before', async () => {
    const { token } = await createStaff(test, { type: 'superadmin' })
    const changed = await test.call(putSettings, { token, body: { values: { timezone: 'America/New_York' } } })
    expect(changed.status).toBe(200)
    const owner = await company()
    moveTo('10-15T12:00')
    await billOrder(await again(owner))
    // Half past midnight in New York, in the last week of summer time.
    moveTo('11-01T04:30')
    await makeStatements(test.deps)
    expect(await list(await again(owner))).toMatchObject([{ month: `${year}-10`, dueOn: `${year}-11-15` }])
  })

  it('count the refund of an order in the month in which the order was charged', async () => {
    const owner = await company()
    const first = await billOrder(owner)
    moveToNextMonth(test)
    await makeStatements(test.deps)
    let late = await again(owner)
    const body = { refundTo: 'wallet' as const }
    expect((await test.call(cancelOrder, { token: late.token, params: { id: first.id }, body })).status).toBe(200)
    const second = await billOrder(late)
    test.clock.advance(days(16))
    late = await again(owner)
    expect((await test.call(getBilling, { token: late.token })).body).toMatchObject({
      usedMinor: second.totalMinor,
      overdueMinor: 0,
      closed: null,
    })
    expect(await list(late)).toMatchObject([{ unpaidMinor: 0, state: 'paid' }])
  })

  it('of a month without charges are not called paid while an older debt is open', async () => {
    const owner = await company()
    const { totalMinor } = await billOrder(owner)
    moveToNextMonth(test)
    await makeStatements(test.deps)
    test.clock.advance(days(32))
    await makeStatements(test.deps)
    expect(await list(await again(owner))).toMatchObject([
      { openingMinor: totalMinor, chargesMinor: 0, closingMinor: totalMinor, unpaidMinor: 0, state: 'nothing' },
      { unpaidMinor: totalMinor, state: 'overdue' },
    ])
  })
})
