import { payCorporate, putConsent } from '@waybill/contract/orders/monthly-billing'
import { getOrder } from '@waybill/contract/orders/orders'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { getAccountLatest, getAccountMoney, setAccountTerms } from '@waybill/contract/payments/account-overview'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeStatements } from '../../../src/domains/orders/monthly-billing/statements.ts'
import { days } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextMonth } from '../../testing/calendar.ts'
import { createCustomer, createStaff, type TestCustomer } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'
import { createPayer } from '../../testing/factories/wallet.ts'

let test: TestApp
let manager: string
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  manager = (await createStaff(test, { role: 'account_manager' })).token
})

const read = (endpoint: typeof getAccountMoney | typeof getAccountLatest, id: string, token?: string) =>
  test.call(endpoint, { ...(token ? { token } : {}), params: { id } })
const money = async (owner: { accountId: string }) =>
  (await test.call(getAccountMoney, { token: manager, params: { id: owner.accountId } })).body
const latest = async (owner: { accountId: string }) =>
  (await test.call(getAccountLatest, { token: manager, params: { id: owner.accountId } })).body

describe.each([
  ['the money', getAccountMoney],
  ['the latest orders and parcels', getAccountLatest],
] as const)('%s of an account', (_, endpoint) => {
  it('is for staff who manage accounts', async () => {
    const { accountId, token: own } = await createCustomer(test)
    const statusFor = async (token?: string) => (await read(endpoint, accountId, token)).status
    for (const role of ['account_manager', 'inside_sales_representative'] as const)
      expect([role, await statusFor((await createStaff(test, { role })).token)]).toEqual([role, 200])
    for (const role of ['normal_staff', 'it_executive', 'e_marketing'] as const)
      expect([role, await statusFor((await createStaff(test, { role })).token)]).toEqual([role, 403])
    // Customers have separate calls for their own data.
    expect([await statusFor(own), await statusFor()]).toEqual([403, 401])
    expect((await read(endpoint, newId(), manager)).status).toBe(404)
  })
})

describe('the money of an account', () => {
  it('shows the wallet and the amounts due for parcels of this account only', async () => {
    const owner = await createPayer(test, { creditsMinor: 12_345 })
    const other = await createPayer(test, { creditsMinor: 99_999_00 })
    expect((await money(owner)).walletMinor).toBe(12_345)
    const due = await weighHeavier(owner)
    expect(due).toBeGreaterThan(0)
    await weighHeavier(other)
    expect(await money(owner)).toEqual({
      currency: 'MYR',
      walletMinor: (await test.call(getWallet, { token: owner.token })).body.balanceMinor,
      outstandingMinor: due,
      billing: null,
      statements: [],
    })
  })

  it('shows the credit limit of a company, the used and overdue amounts, and its statements', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    expect(await money(owner)).toMatchObject({ billing: { limitMinor: 0, usedMinor: 0, overdueMinor: 0 } })
    const credit = { limitMinor: 500_000, termsDays: 30 }
    const params = { id: owner.accountId }
    expect((await test.call(setAccountTerms, { token: manager, params, body: { version: 1, credit } })).status).toBe(
      200,
    )
    await test.call(putConsent, { token: owner.token, body: { version: '2026-01', accept: true } })
    const order = await placeOrder(test, owner)
    const body = { expectedTotalMinor: order.totalMinor }
    expect((await test.call(payCorporate, { token: owner.token, params: { id: order.id }, body })).status).toBe(200)
    const used = { limitMinor: 500_000, usedMinor: order.totalMinor, overdueMinor: 0 }
    expect(await money(owner)).toMatchObject({ walletMinor: 0, billing: used, statements: [] })

    moveToNextMonth(test)
    await makeStatements(test.deps)
    test.clock.advance(days(62))
    manager = (await createStaff(test, { role: 'account_manager' })).token
    const overdue = await money(owner)
    expect(overdue.billing).toMatchObject({ ...used, overdueMinor: order.totalMinor })
    expect(overdue.statements).toHaveLength(1)
    expect(overdue.statements[0]).toMatchObject({ chargesMinor: order.totalMinor, unpaidMinor: order.totalMinor })
  })
})

describe('the latest records of an account', () => {
  it('are its five newest orders and parcels, newest first, and none of other accounts', async () => {
    const owner = await createPayer(test, { creditsMinor: 1_000_000 })
    const other = await createPayer(test, { creditsMinor: 1_000_000 })
    expect(await latest(owner)).toEqual({ orders: [], parcels: [] })
    const numbers: string[] = []
    for (let n = 0; n < 6; n += 1) numbers.unshift((await placeOrder(test, owner)).number)
    await placeOrder(test, other)
    const { orders, parcels } = await latest(owner)
    expect(orders.map(({ number }) => number)).toEqual(numbers.slice(0, 5))
    expect(parcels).toHaveLength(5)
    const own = new Set<string>()
    for (const { id } of orders) for (const parcel of await listParcels(owner, id)) own.add(parcel)
    expect(parcels.every(({ id }) => own.has(id))).toBe(true)
  })
})

/** Re-weighs one of the customer's parcels with a higher weight. Returns the amount due. */
async function weighHeavier(owner: TestCustomer): Promise<number> {
  const { counter } = await findCounter(test)
  const { id } = await handedOver(test, owner, counter)
  const dimensions = { lengthMm: 100, widthMm: 100, heightMm: 100 }
  const body = { weightGrams: 5200, dimensions, confirmed: true } as const
  return (await test.call(reweighParcel, { token: counter.token, params: { id }, body })).body.differenceMinor
}

async function listParcels({ token }: TestCustomer, id: string): Promise<string[]> {
  return (await test.call(getOrder, { token, params: { id } })).body.parcels.map((parcel) => parcel.id)
}
