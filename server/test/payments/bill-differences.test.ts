import {
  getBilling,
  listStatements,
  payCorporate,
  printStatement,
  putConsent,
} from '@waybill/contract/orders/monthly-billing'
import { getInvoice, getOrder } from '@waybill/contract/orders/orders'
import { listCreditNotes } from '@waybill/contract/orders/refunds'
import { billOutstanding, listOutstanding, payInStore } from '@waybill/contract/parcels/outstanding'
import { contestWeighing, decideDispute, reweighParcel, type Weighing } from '@waybill/contract/parcels/weighing'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeStatements } from '../../src/domains/orders/monthly-billing/statements.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { moveToNextMonth } from '../testing/calendar.ts'
import {
  createCustomer,
  createMember,
  createStaff,
  type TestCustomer,
  type TestStaff,
} from '../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { placeOrder } from '../testing/factories/orders.ts'
import { expectSoundBooks, fundWallet, setWalletPin } from '../testing/factories/wallet.ts'

describe('weight differences on the monthly bill of a company', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })
  // A new one each time: the clock moves on, and sessions end.
  beforeEach(async () => {
    counter = (await findCounter(test)).counter
  })

  const newOwner = async (userType: 'corporate' | 'customer') => {
    owner = await createCustomer(test, { userType })
    await fundWallet(test, owner, 200_000)
    await setWalletPin(test, owner)
  }
  const createHeavyParcel = async (sender = owner) => {
    const parcel = await handedOver(test, sender, counter)
    const body = { weightGrams: 6000, confirmed: true }
    const answer = await test.call(reweighParcel, { token: counter.token, params: { id: parcel.id }, body })
    return { ...parcel, due: answer.body.dueMinor }
  }
  const listed = async () => (await test.call(listOutstanding, { token: owner.token })).body
  const balance = async () => (await test.call(getWallet, { token: owner.token })).body.balanceMinor
  const orderNow = async (id: string) => (await test.call(getOrder, { token: owner.token, params: { id } })).body
  const newCompany = async (limitMinor = 1_000_000) => {
    await newOwner('corporate')
    await setLimit(limitMinor)
    await test.call(putConsent, { token: owner.token, body: { version: '2026-01', accept: true } })
  }
  const setLimit = (limitMinor: number) =>
    sql`update accounts set credit_limit_minor = ${limitMinor} where id = ${owner.accountId}::uuid`.execute(
      test.deps.db,
    )
  const bill = (
    parcelIds: string[],
    totalSeenMinor: number,
    { token = owner.token, key }: { token?: string; key?: string } = {},
  ) =>
    test.call(billOutstanding, {
      token,
      body: { parcelIds, totalSeenMinor },
      headers: key ? { 'idempotency-key': key } : {},
    })
  const used = async () => (await test.call(getBilling, { token: owner.token })).body.usedMinor

  it('let the parcels move on at once, without a PIN and without money from the wallet', async () => {
    await newCompany()
    const parcels = [await createHeavyParcel(), await createHeavyParcel()]
    const { billing, totalDueMinor } = await listed()
    expect(billing).toEqual({ closed: null, availableMinor: 1_000_000, memberLeftMinor: null })
    const start = await balance()
    const ids = parcels.map(({ id }) => id)
    const [first, second] = await Promise.all([1, 2].map(() => bill(ids, totalDueMinor, { key: `bill-${ids[0]}` })))
    expect([first?.status, second?.status]).toEqual([200, 200])
    expect(second?.body.id).toBe(first?.body.id)
    expect(first?.body).toMatchObject({ method: 'monthly_billing', status: 'succeeded', amountMinor: totalDueMinor })
    expect(await balance()).toBe(start)
    expect(await used()).toBe(totalDueMinor)
    for (const id of ids) {
      const parcel = await parcelNow(test, owner, id)
      expect(parcel).toMatchObject({ status: 'inbound', amountDueMinor: 0 })
      expect(parcel.events[0]?.event).toBe('difference_paid')
    }
    expect(await listed()).toMatchObject({ total: 0, billing: null })
    const charge = await orderNow(first?.body.orderId ?? '')
    expect(charge).toMatchObject({ paymentMethod: 'monthly_billing', totalMinor: totalDueMinor, paidAt: null })
    const invoice = await test.call(getInvoice, { token: owner.token, params: { id: charge.id } })
    expect(invoice.body).toMatchObject({ paymentMethod: 'monthly_billing', paidAt: null })
    const again = await bill(ids, totalDueMinor)
    expect([again.status, again.error.code]).toEqual([409, 'nothing_due'])
    await expectSoundBooks(test)
  })

  const contest = async (id: string) =>
    (await test.call(contestWeighing, { token: owner.token, params: { id }, body: { reason: 'It was wet' } })).body
  const waive = async ({ id, version }: Weighing) => {
    const { token } = await createStaff(test, { role: 'account_manager' })
    const body = { version, decision: 'waive' as const, note: 'Dried' }
    expect((await test.call(decideDispute, { token, params: { id }, body })).status).toBe(200)
  }

  it('are taken off the bill if a dispute waives them', async () => {
    await newCompany()
    const { id, due } = await createHeavyParcel()
    const { orderId } = (await bill([id], due)).body
    const start = await balance()
    await waive(await contest(id))
    expect([await used(), await balance()]).toEqual([0, start])
    const notes = await test.call(listCreditNotes, { token: owner.token, params: { id: orderId ?? '' } })
    expect(notes.body.items).toMatchObject([{ totalMinor: due, destination: 'receivable' }])
    await expectSoundBooks(test)
  })

  it('of several users have an entry per order: waived ones free the limit and their old statement', async () => {
    await newCompany()
    const { db } = test.deps
    const payer = await createMember(test, owner, ['parcels.create', 'parcels.view_all', 'pay', 'reports'])
    const parcels = [await createHeavyParcel(owner), await createHeavyParcel(payer)]
    const limitMinor = 500_000
    await db.updateTable('users').set({ monthly_limit_minor: limitMinor }).where('id', '=', payer.userId).execute()
    const { totalDueMinor } = await listed()
    const ids = parcels.map(({ id }) => id)
    expect((await bill(ids, totalDueMinor, payer)).body).toMatchObject({ orderId: null, amountMinor: totalDueMinor })
    const readLeft = async () => (await test.call(getBilling, { token: payer.token })).body.memberLeftMinor
    expect(await readLeft()).toBe(limitMinor - totalDueMinor)
    const [first, ...others] = await Promise.all(ids.map(contest))
    await waive(first as Weighing)
    expect(await readLeft()).toBe(limitMinor - (parcels[1]?.due ?? 0))

    // The other one is decided after its statement, when more has been billed.
    moveToNextMonth(test)
    await makeStatements(test.deps)
    owner = await createCustomer(test, { accountId: owner.accountId, userType: 'corporate' })
    const order = await placeOrder(test, owner)
    const body = { expectedTotalMinor: order.totalMinor }
    expect((await test.call(payCorporate, { token: owner.token, params: { id: order.id }, body })).status).toBe(200)
    for (const weighing of others) await waive(weighing)
    expect(await used()).toBe(order.totalMinor)
    const { items } = (await test.call(listStatements, { token: owner.token })).body
    expect(items).toMatchObject([{ chargesMinor: totalDueMinor, unpaidMinor: 0, state: 'paid' }])
    await expectSoundBooks(test)
  })

  it('stay due beyond a limit, at a stale total, without permission, and for others', async () => {
    await newCompany()
    const { id, due } = await createHeavyParcel()
    const refusal = async (answer: ReturnType<typeof bill>) => {
      const { status, error } = await answer
      return [status, error.code, error.details?.reason]
    }
    const member = await createMember(test, owner, ['pay', 'parcels.view_all'])
    const { db } = test.deps
    const setMember = (columns: { monthly_limit_minor: number | null }) =>
      db.updateTable('users').set(columns).where('id', '=', member.userId).execute()

    expect(await refusal(bill([id], due + 1))).toEqual([409, 'price_changed', undefined])
    const stranger = await createCustomer(test, { userType: 'corporate' })
    expect((await bill([id], due, { token: stranger.token })).status).toBe(404)
    const without = await createMember(test, owner, ['parcels.create', 'parcels.view_all'])
    expect((await bill([id], due, { token: without.token })).status).toBe(403)
    expect((await test.call(listOutstanding, { token: without.token })).body).toMatchObject({
      total: 1,
      billing: null,
    })
    const colleague = await createMember(test, owner, ['pay', 'parcels.create'])
    expect((await bill([id], due, { token: colleague.token })).status).toBe(404)

    await setMember({ monthly_limit_minor: due - 1 })
    expect(await refusal(bill([id], due, member))).toEqual([422, 'payment_method_closed', 'member_limit'])
    expect((await test.call(listOutstanding, { token: member.token })).body.billing?.memberLeftMinor).toBe(due - 1)
    await setMember({ monthly_limit_minor: null })
    await db
      .updateTable('accounts')
      .set({ approval_above_minor: due - 1 })
      .where('id', '=', owner.accountId)
      .execute()
    expect(await refusal(bill([id], due, member))).toEqual([422, 'approval_needed', undefined])
    await setLimit(due - 1)
    expect(await refusal(bill([id], due))).toEqual([422, 'payment_method_closed', 'over_limit'])
    expect((await listed()).billing).toMatchObject({ closed: null, availableMinor: due - 1 })
    await setLimit(0)
    expect(await refusal(bill([id], due))).toEqual([422, 'payment_method_closed', 'no_credit'])
    expect((await listed()).billing?.closed).toBe('no_credit')
    await setLimit(1_000_000)

    const store = await placeOrder(test, owner)
    const { token } = owner
    const expected = { expectedTotalMinor: store.totalMinor }
    expect((await test.call(payInStore, { token, params: { id: store.id }, body: expected })).status).toBe(200)
    const ids = [id, ...store.parcels.map((parcel) => parcel.id)]
    expect(await refusal(bill(ids, due + store.totalMinor))).toEqual([422, 'payment_method_closed', 'differences_only'])
    expect(await listed()).toMatchObject({ total: 2, totalDueMinor: due + store.totalMinor })
    expect(await used()).toBe(0)
  })

  it('are not offered to an individual', async () => {
    owner = await createCustomer(test)
    await fundWallet(test, owner, 200_000)
    await setWalletPin(test, owner)
    const { id, due } = await createHeavyParcel()
    expect((await listed()).billing).toBeNull()
    const refused = await bill([id], due)
    expect([refused.status, refused.error.details?.reason]).toEqual([422, 'corporate_only'])
    expect((await parcelNow(test, owner, id)).status).toBe('outstanding')
  })

  it('are on the statement of their month, with the number of their order', async () => {
    await newCompany()
    const { id, due } = await createHeavyParcel()
    const charge = await orderNow((await bill([id], due)).body.orderId ?? '')
    moveToNextMonth(test)
    await makeStatements(test.deps)
    const { token } = await createCustomer(test, { accountId: owner.accountId, userType: 'corporate' })
    const { items } = (await test.call(listStatements, { token })).body
    expect(items).toMatchObject([{ chargesMinor: due, closingMinor: due }])
    const query = { format: 'csv' as const }
    const print = await test.call(printStatement, { token, params: { id: items[0]?.id ?? '' }, query })
    const line = print.raw
      .toString()
      .split('\n')
      .find((each) => each.includes(charge.number))
    expect(line).toContain((due / 100).toFixed(2))
  })
})
