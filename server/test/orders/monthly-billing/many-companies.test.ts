import { exportBilledAccounts, listBilledAccounts, payCorporate } from '@waybill/contract/orders/monthly-billing'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeStatements } from '../../../src/domains/orders/monthly-billing/statements.ts'
import { days } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextMonth } from '../../testing/calendar.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { allowBilling } from '../../testing/factories/billing.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'
import { countReads, explainSent } from '../../testing/plans.ts'

describe('the debts of many companies', () => {
  let test: TestApp
  let finance: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    finance = await createStaff(test, { role: 'account_manager' })
  })

  /** A company that may be billed; `bill` bills an order and returns its total. */
  const createDebtor = async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    await allowBilling(test, owner)
    const bill = async () => {
      const { id, totalMinor } = await placeOrder(test, owner)
      const body = { expectedTotalMinor: totalMinor }
      const answer = await test.call(payCorporate, { token: owner.token, params: { id }, body })
      expect(answer.status).toBe(200)
      return totalMinor
    }
    return { owner, bill }
  }
  const list = () => test.call(listBilledAccounts, { token: finance.token, query: { limit: 200 } })

  it('take as many reads of the books as those of one', async () => {
    const first = await createDebtor()
    await first.bill()
    const readsOfOne = await countReads('journal_postings', list)
    await (await createDebtor()).bill()
    await (await createDebtor()).bill()
    expect(await countReads('journal_postings', list)).toBe(readsOfOne)
    const plans = await explainSent(test, 'width_bucket', list, { asLarge: true })
    for (const plan of plans) expect(plan).toMatch(/Index Cond: \(\(ledger_account_id = r\.id\) AND \(created_at >= /)
    const sheet = () => test.call(exportBilledAccounts, { token: finance.token, query: { format: 'csv' } })
    // Without the sums of all companies, which only the page shows.
    expect(await countReads('journal_postings', sheet)).toBeLessThan(readsOfOne)
  })

  it('are aged for each of them by its own statements', async () => {
    const [late, recent] = [await createDebtor(), await createDebtor()]
    const lateMinor = await late.bill()
    moveToNextMonth(test)
    await makeStatements(test.deps)
    finance = await createStaff(test, { role: 'account_manager' })
    const again = (owner: TestCustomer) => createCustomer(test, { accountId: owner.accountId, userType: 'corporate' })
    Object.assign(late.owner, await again(late.owner))
    Object.assign(recent.owner, await again(recent.owner))
    const notDueMinor = await late.bill()
    const recentMinor = await recent.bill()
    test.clock.advance(days(20))
    finance = await createStaff(test, { role: 'account_manager' })
    const { items } = (await list()).body
    const read = ({ owner }: { owner: TestCustomer }) => items.find(({ id }) => id === owner.accountId)
    expect(read(late)).toMatchObject({ overdueMinor: lateMinor, ageing: { notDueMinor, days1to30Minor: lateMinor } })
    expect(read(recent)).toMatchObject({ overdueMinor: 0, ageing: { notDueMinor: recentMinor, days1to30Minor: 0 } })
  })
})
