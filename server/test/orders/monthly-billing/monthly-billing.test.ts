import { getClosure } from '@waybill/contract/account-closure/account-closure'
import { getDashboard } from '@waybill/contract/dashboard/dashboard'
import {
  getBilling,
  getConsent,
  listBilledAccounts,
  listReceipts,
  listStatements,
  payCorporate,
  printStatement,
  putConsent,
  recordReceipt,
} from '@waybill/contract/orders/monthly-billing'
import { getInvoice, getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { cancelOrder } from '@waybill/contract/orders/refunds'
import { setAccountTerms } from '@waybill/contract/payments/account-overview'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeStatements } from '../../../src/domains/orders/monthly-billing/statements.ts'
import { checkBooks } from '../../../src/domains/wallet/ledger/books.ts'
import { days } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { breakRow } from '../../testing/broken-row.ts'
import { moveToNextMonth } from '../../testing/calendar.ts'
import { createCustomer, createMember, createStaff, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'

describe('monthly billing', () => {
  let test: TestApp
  let finance: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const company = async ({ limitMinor = 1_000_000, consent = true } = {}) => {
    finance = (await createStaff(test, { type: 'staff', role: 'account_manager' })).token
    const owner = await createCustomer(test, { userType: 'corporate' })
    if (limitMinor > 0) await terms(owner, limitMinor)
    if (consent) await test.call(putConsent, { token: owner.token, body: { version: '2026-01', accept: true } })
    return owner
  }
  const terms = async (owner: TestCustomer, limitMinor: number, termsDays = 30) => {
    const accounts = await test.call(listBilledAccounts, { token: finance, query: { limit: 200 } })
    const version = accounts.body.items.find(({ id }) => id === owner.accountId)?.version ?? 0
    return test.call(setAccountTerms, {
      token: finance,
      params: { id: owner.accountId },
      body: { version, credit: { limitMinor, termsDays } },
    })
  }
  const bill = ({ token }: TestCustomer, order: OrderDetail) =>
    test.call(payCorporate, { token, params: { id: order.id }, body: { expectedTotalMinor: order.totalMinor } })
  const state = async ({ token }: TestCustomer) => (await test.call(getBilling, { token })).body
  const again = (owner: TestCustomer) => createCustomer(test, { accountId: owner.accountId, userType: 'corporate' })

  it('releases the parcels and bills the company for the total with an unpaid invoice', async () => {
    const owner = await company()
    const order = await placeOrder(test, owner, { count: 2 })
    expect(order.methods.find(({ method }) => method === 'monthly_billing')).toEqual({
      method: 'monthly_billing',
      open: true,
      reason: null,
    })
    const billed = await bill(owner, order)
    expect(billed.body).toMatchObject({ method: 'monthly_billing', status: 'succeeded', amountMinor: order.totalMinor })
    expect(await state(owner)).toMatchObject({
      usedMinor: order.totalMinor,
      availableMinor: 1_000_000 - order.totalMinor,
    })
    const now = (await test.call(getOrder, { token: owner.token, params: { id: order.id } })).body
    expect(now).toMatchObject({ status: 'pending', paymentMethod: 'monthly_billing', paidAt: null })
    expect(now.parcels.map(({ status }) => status)).toEqual(['pending_dropoff', 'pending_dropoff'])
    const invoice = await test.call(getInvoice, { token: owner.token, params: { id: order.id } })
    expect(invoice.body).toMatchObject({ paymentMethod: 'monthly_billing', paidAt: null })
    const again = await bill(owner, order)
    expect(again.error).toMatchObject({
      code: 'order_closed',
      message: 'This order was already accepted for monthly billing. Nothing more was charged.',
      details: { status: 'pending', paidAt: null, accepted: true },
    })
  })

  it('credits the total of a cancelled order', async () => {
    const owner = await company()
    const order = await placeOrder(test, owner)
    await bill(owner, order)
    const cancelled = await test.call(cancelOrder, {
      token: owner.token,
      params: { id: order.id },
      body: { refundTo: 'wallet' },
    })
    expect(cancelled.status).toBe(200)
    expect((await state(owner)).usedMinor).toBe(0)
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  })

  it.each([
    ['an individual', 'corporate_only', () => createCustomer(test)],
    ['a company without a limit', 'no_credit', () => company({ limitMinor: 0 })],
    ['a company that has not accepted the terms', 'consent_missing', () => company({ consent: false })],
    ['a company over its limit', 'over_limit', () => company({ limitMinor: 100 })],
  ])('is refused for %s, with the reason before and after the attempt', async (_, reason, make) => {
    const owner = await make()
    const order = await placeOrder(test, owner)
    expect(order.methods.find(({ method }) => method === 'monthly_billing')).toMatchObject({ open: false, reason })
    expect((await bill(owner, order)).error).toMatchObject({ code: 'payment_method_closed', details: { reason } })
    expect((await test.call(getOrder, { token: owner.token, params: { id: order.id } })).body.status).toBe(
      'pending_payment',
    )
  })

  it("limits a member to the member's own limit", async () => {
    const owner = await company()
    const member = await createMember(test, owner, ['parcels.create', 'pay'])
    const [first, second] = [await placeOrder(test, member), await placeOrder(test, member)]
    await sql`update users set monthly_limit_minor = ${first.totalMinor + 1} where id = ${member.userId}::uuid`.execute(
      test.deps.db,
    )
    expect((await bill(member, first)).status).toBe(200)
    expect((await bill(member, second)).error.details).toMatchObject({ reason: 'member_limit', memberLeftMinor: 1 })
  })

  it('prevents two concurrent orders from using the same remaining credit', async () => {
    const owner = await company()
    const orders = [await placeOrder(test, owner), await placeOrder(test, owner)] as [OrderDetail, OrderDetail]
    await terms(owner, orders[0].totalMinor + orders[1].totalMinor - 1)
    const answers = await Promise.all(orders.map((order) => bill(owner, order)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('requires the current terms: after a change only the owner can accept them', async () => {
    const owner = await company({ consent: false })
    const member = await createCustomer(test, { accountId: owner.accountId, userType: 'corporate', isOwner: false })
    const saveConsent = (token: string, version: string) =>
      test.call(putConsent, { token, body: { version, accept: true } })
    expect((await saveConsent(member.token, '2026-01')).status).toBe(403)
    expect((await saveConsent(owner.token, '2020-01')).error.code).toBe('version_conflict')
    expect((await test.call(getConsent, { token: owner.token })).body.accepted).toBeNull()
    expect((await saveConsent(owner.token, '2026-01')).body.accepted).toMatchObject({
      version: '2026-01',
      by: expect.any(String),
    })
  })

  it('creates one statement per finished month, and blocks the account while one is overdue', async () => {
    const owner = await company()
    await terms(owner, 1_000_000, 14)
    const order = await placeOrder(test, owner)
    await bill(owner, order)
    await makeStatements(test.deps)
    expect((await test.call(listStatements, { token: owner.token })).body.items).toEqual([])

    moveToNextMonth(test)
    await makeStatements(test.deps)
    await makeStatements(test.deps)
    await test.settle()
    const later = await again(owner)
    const { items } = (await test.call(listStatements, { token: later.token })).body
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      openingMinor: 0,
      chargesMinor: order.totalMinor,
      closingMinor: order.totalMinor,
      unpaidMinor: order.totalMinor,
      state: 'open',
    })
    const mails = () => test.mailbox.mails().filter(({ to }) => to.includes(owner.email))
    expect(mails().filter(({ subject }) => subject.startsWith('Statement STM-'))).toHaveLength(1)
    const print = await test.call(printStatement, {
      token: later.token,
      params: { id: items[0]?.id ?? '' },
      query: { format: 'pdf' },
      language: 'zh',
    })
    expect(print.raw.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await state(later)).closed).toBeNull()
    const overdue = async (token: string) => (await test.call(getDashboard, { token })).body.todo.overdueStatements
    expect(await overdue(later.token)).toBe(0)

    test.clock.advance(days(16))
    await makeStatements(test.deps)
    await test.settle()
    expect(mails().filter(({ subject }) => subject.startsWith('Overdue'))).toHaveLength(1)
    const late = await again(owner)
    expect(await state(late)).toMatchObject({ closed: 'overdue', overdueMinor: order.totalMinor })
    expect(await overdue(late.token)).toBe(1)
    const members = [await createMember(test, late, ['reports']), await createMember(test, late, ['parcels.create'])]
    expect(await Promise.all(members.map(({ token }) => overdue(token)))).toEqual([1, 0])

    finance = (await createStaff(test, { type: 'staff', role: 'account_manager' })).token
    const receive = (
      amountMinor: number,
      reference: string,
      receivedOn = test.clock.now().toISOString().slice(0, 10),
    ) =>
      test.call(recordReceipt, {
        token: finance,
        params: { id: owner.accountId },
        body: { amountMinor, reference, receivedOn },
      })
    expect((await receive(100, 'TT-1')).status).toBe(200)
    expect((await receive(100, 'TT-1')).status).toBe(409)
    expect((await receive(-5, 'TT-2')).error.errors?.[0]?.field).toBe('amountMinor')
    expect((await receive(5, 'TT-2', '2099-01-01')).error.errors?.[0]?.field).toBe('receivedOn')
    expect((await state(late)).overdueMinor).toBe(order.totalMinor - 100)
    expect(await overdue(late.token)).toBe(1)
    await receive(order.totalMinor - 100, 'TT-3')
    expect(await state(late)).toMatchObject({ closed: null, usedMinor: 0, overdueMinor: 0 })
    expect(await overdue(late.token)).toBe(0)
    expect((await test.call(listStatements, { token: late.token })).body.items[0]?.state).toBe('paid')
    const receipts = await test.call(listReceipts, { token: finance, params: { id: owner.accountId } })
    expect(receipts.body.items.map(({ reference }) => reference).sort()).toEqual(['TT-1', 'TT-3'])
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  })

  it('adds a payment in advance to the available credit', async () => {
    const owner = await company()
    const [first, second] = [await placeOrder(test, owner), await placeOrder(test, owner)]
    await bill(owner, first)
    const receipt = { amountMinor: first.totalMinor + 500, reference: `TT-${owner.accountId}` }
    const received = await test.call(recordReceipt, {
      token: finance,
      params: { id: owner.accountId },
      body: { ...receipt, receivedOn: test.clock.now().toISOString().slice(0, 10) },
    })
    expect(received.status).toBe(200)
    await terms(owner, second.totalMinor - 500)
    expect(await state(owner)).toMatchObject({ usedMinor: -500, availableMinor: second.totalMinor })
    const { reasons } = (await test.call(getClosure, { token: owner.token })).body
    expect(reasons).toContainEqual({ reason: 'statement', count: 1, amountMinor: -500, until: null })
    expect((await bill(owner, second)).status).toBe(200)
    expect(await state(owner)).toMatchObject({ usedMinor: second.totalMinor - 500, availableMinor: 0 })
  })

  it('uses a payment in advance without a limit, but no more', async () => {
    const owner = await company()
    const [first, second] = [await placeOrder(test, owner), await placeOrder(test, owner)]
    await terms(owner, 0)
    expect((await state(owner)).closed).toBe('no_credit')
    const receipt = { amountMinor: first.totalMinor, reference: `TT-${owner.accountId}` }
    await test.call(recordReceipt, {
      token: finance,
      params: { id: owner.accountId },
      body: { ...receipt, receivedOn: test.clock.now().toISOString().slice(0, 10) },
    })
    expect(await state(owner)).toMatchObject({ availableMinor: first.totalMinor, limitMinor: 0, closed: null })
    expect((await bill(owner, first)).status).toBe(200)
    const refusal = await bill(owner, second)
    expect([refusal.status, refusal.error.details?.reason]).toEqual([422, 'no_credit'])
  })

  it('creates the statements of all other companies, and reminds them, if those of one fail every time', async () => {
    const owners = [await company(), await company()] as const
    const [broken, other] = owners
    for (const owner of owners) await bill(owner, await placeOrder(test, owner))
    const list = async (owner: TestCustomer) =>
      (await test.call(listStatements, { token: (await again(owner)).token })).body.items
    moveToNextMonth(test)
    const mendStatements = await breakRow(test.deps.db, 'corporate_statements', 'account_id', broken.accountId)
    await expect(makeStatements(test.deps)).rejects.toThrow('this row is broken')
    expect([(await list(broken)).length, (await list(other)).length]).toEqual([0, 1])
    await mendStatements()
    await makeStatements(test.deps)
    const [statement] = await list(broken)
    expect(statement).toBeDefined()

    test.clock.advance(days(31))
    const mendStatement = await breakRow(test.deps.db, 'corporate_statements', 'id', statement?.id ?? '')
    await expect(makeStatements(test.deps)).rejects.toThrow('this row is broken')
    await mendStatement()
    await test.settle()
    const countReminders = (owner: TestCustomer) =>
      test.mailbox.mails().filter(({ to, subject }) => to.includes(owner.email) && subject.startsWith('Overdue')).length
    expect(owners.map(countReminders)).toEqual([0, 1])
    await makeStatements(test.deps)
    await test.settle()
    expect(owners.map(countReminders)).toEqual([1, 1])
  })

  it('does not take a cancelled order for a payment of an older statement', async () => {
    const owner = await company()
    const order = await placeOrder(test, owner)
    await bill(owner, order)
    moveToNextMonth(test)
    await makeStatements(test.deps)
    const later = await again(owner)
    const cancelled = await placeOrder(test, later)
    await bill(later, cancelled)
    await test.call(cancelOrder, {
      token: later.token,
      params: { id: cancelled.id },
      body: { refundTo: 'wallet' },
    })
    const unpaid = async ({ token }: TestCustomer) =>
      (await test.call(listStatements, { token, query: { sort: '-month' } })).body.items.map((row) => row.unpaidMinor)
    expect(await unpaid(later)).toEqual([order.totalMinor])
    test.clock.advance(days(32))
    await makeStatements(test.deps)
    const late = await again(owner)
    expect(await unpaid(late)).toEqual([0, order.totalMinor])
    expect(await state(late)).toMatchObject({ closed: 'overdue', overdueMinor: order.totalMinor })
  })

  it("never shows another company's statement", async () => {
    const stranger = await company()
    const { rows } = await sql<{ id: string }>`select id from corporate_statements limit 1`.execute(test.deps.db)
    const answer = await test.call(printStatement, { token: stranger.token, params: { id: rows[0]?.id ?? '' } })
    expect(answer.status).toBe(404)
  })
})
