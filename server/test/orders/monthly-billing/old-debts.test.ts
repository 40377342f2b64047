import { getBilling, listStatements, payCorporate, recordReceipt } from '@waybill/contract/orders/monthly-billing'
import { cancelOrder } from '@waybill/contract/orders/refunds'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeStatements } from '../../../src/domains/orders/monthly-billing/statements.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextMonth } from '../../testing/calendar.ts'
import { createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { allowBilling } from '../../testing/factories/billing.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'

/** What happens in a month: an order, the refund of an earlier one, and a receipt of a part of the debt. */
type Month = { isBilled: boolean; refunds: number | null; paidPercent: number }
/** A charge of a month, less its refund. */
type Charge = { month: number; orderId: string; amountMinor: number }

/** The unpaid part of each month, oldest first: receipts settle the oldest charges first. */
function settle(charges: readonly Charge[], receivedMinor: number, months: number): number[] {
  let rest = receivedMinor
  const unpaid = Array.from({ length: months }, () => 0)
  for (const { month, amountMinor } of charges) {
    const settledMinor = Math.min(rest, amountMinor)
    rest -= settledMinor
    unpaid[month] = (unpaid[month] ?? 0) + amountMinor - settledMinor
  }
  return unpaid
}

describe('the debts of a company', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const month = fc.record({
    isBilled: fc.boolean(),
    refunds: fc.option(fc.nat(20), { freq: 3 }),
    paidPercent: fc.constantFrom(0, 0, 0, 40, 100),
  })

  it('are those of all its charges, refunds and receipts, however many years it has been a customer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(month, { minLength: 14, maxLength: 18 }), async (months) => playMonths(test, months)),
      // The first months always stay unpaid, so that more statements are open than are read at first.
      { numRuns: 3, examples: [[Array.from({ length: 15 }, (_, n) => ({ ...quiet, isBilled: n % 4 !== 3 }))]] },
    )
  }, 240_000)
})

const quiet: Month = { isBilled: true, refunds: null, paidPercent: 0 }

async function playMonths(test: TestApp, months: readonly Month[]): Promise<void> {
  const { accountId } = await createCustomer(test, { userType: 'corporate' })
  const owner = () => createCustomer(test, { accountId, userType: 'corporate' })
  await allowBilling(test, await owner())
  // Nothing becomes overdue, which would close monthly billing.
  await sql`update accounts set credit_terms_days = 3000 where id = ${accountId}::uuid`.execute(test.deps.db)
  const charges: Charge[] = []
  let receivedMinor = 0
  const computeDebt = () => charges.reduce((sum, { amountMinor }) => sum + amountMinor, 0) - receivedMinor
  for (const [n, { isBilled, refunds, paidPercent }] of months.entries()) {
    const { token } = await owner()
    if (isBilled) {
      const { id, totalMinor } = await placeOrder(test, await owner())
      const body = { expectedTotalMinor: totalMinor }
      expect((await test.call(payCorporate, { token, params: { id }, body })).status).toBe(200)
      charges.push({ month: n, orderId: id, amountMinor: totalMinor })
    }
    const refunded = refunds === null ? undefined : charges[refunds]
    // A refund of a paid charge would be an advance, which the oracle does not model.
    if (refunded && settle(charges, receivedMinor, n + 1)[refunded.month] === sumCharges(charges, refunded.month)) {
      const params = { id: refunded.orderId }
      const answer = await test.call(cancelOrder, { token, params, body: { refundTo: 'wallet' } })
      expect(answer.status).toBe(refunded.amountMinor === 0 ? 409 : 200)
      refunded.amountMinor = 0
    }
    const amountMinor = Math.floor((computeDebt() * paidPercent) / 100)
    if (amountMinor > 0) {
      const clerk = await createStaff(test, { type: 'superadmin' })
      const receivedOn = test.clock.now().toISOString().slice(0, 10)
      const body = { amountMinor, reference: newId(), receivedOn }
      const answer = await test.call(recordReceipt, { token: clerk.token, params: { id: accountId }, body })
      expect(answer.status, JSON.stringify(answer.error)).toBe(200)
      receivedMinor += amountMinor
    }
    // Before the statement the books count, and after it the statement.
    const readUsed = async (caller: string) => (await test.call(getBilling, { token: caller })).body.usedMinor
    expect(await readUsed(token)).toBe(computeDebt())
    moveToNextMonth(test)
    await makeStatements(test.deps)
    const late = await owner()
    expect(await readUsed(late.token)).toBe(computeDebt())
    const { items } = (await test.call(listStatements, { token: late.token, query: { limit: 100 } })).body
    // A month without a debt or a movement has no statement.
    const unpaid = settle(charges, receivedMinor, n + 1).filter((minor) => minor > 0)
    expect(items.flatMap(({ unpaidMinor }) => unpaidMinor || []).reverse()).toEqual(unpaid)
  }
}

const sumCharges = (charges: readonly Charge[], month: number) =>
  charges.reduce((sum, each) => sum + (each.month === month ? each.amountMinor : 0), 0)
