import { getApprovalRule, memberUsage, setApprovalRule } from '@waybill/contract/accounts/company'
import type { MemberPermission } from '@waybill/contract/ground/enums/enums'
import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'
import { approveOrder, askApproval, declineOrder, listApprovals } from '@waybill/contract/orders/approvals'
import { abandonCheckouts, pendingCheckouts } from '@waybill/contract/orders/checkout'
import { getBilling, payCorporate, putConsent } from '@waybill/contract/orders/monthly-billing'
import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { getParcelActions, recallParcel } from '@waybill/contract/parcels/allowed-actions'
import { getCart } from '@waybill/contract/parcels/cart'
import { payInStore } from '@waybill/contract/parcels/outstanding'
import { payWithIpay88 } from '@waybill/contract/payments/payments'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ApprovalEvent, approvalSteps, nextApprovalStatus } from '../../../src/domains/orders/approvals/status.ts'
import { expireUnpaid } from '../../../src/domains/orders/service.ts'
import { checkBooks } from '../../../src/domains/wallet/ledger/books.ts'
import { days } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { fundWallet, setWalletPin, testPin } from '../../testing/factories/wallet.ts'

describe('orders that need an approval', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const company = async ({ aboveMinor = 100 as number | null, limitMinor = 1_000_000 } = {}) => {
    const owner = await createCustomer(test, { userType: 'corporate', name: 'Datin Owner' })
    await sql`update accounts set credit_limit_minor = ${limitMinor}, approval_above_minor = ${aboveMinor}
      where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    await test.call(putConsent, { token: owner.token, body: { version: '2026-01', accept: true } })
    return { owner, clerk: await member(owner) }
  }
  const member = (of: TestCustomer, permissions: MemberPermission[] = ['parcels.create', 'pay']) =>
    createMember(test, of, permissions, { name: 'Siti Clerk' })
  const again = (one: TestCustomer, isOwner: boolean) =>
    createMember(test, one, isOwner ? [] : ['parcels.create', 'pay'], { isOwner })
  /** The same member with a new token, a day later. */
  const signedInAgain = async (one: TestCustomer): Promise<TestCustomer> => {
    const { accountId: a, userId: sub } = one
    const status = { as: 'active', us: 'active' } as const
    const claims = { k: 'c', sub, sid: newId(), a, ut: 'corporate', ...status, o: false } as const
    const rights = { ...claims, p: ['parcels.create' as const, 'pay' as const] }
    return { ...one, token: await test.deps.tokens.sign(rights, { readAt: test.clock.now() }) }
  }
  const ask = ({ token }: TestCustomer, { id }: { id: string }, note?: string, headers = {}) =>
    test.call(askApproval, { token, body: { orderId: id, note: note ?? null }, headers })
  const approve = ({ token }: TestCustomer, id: string, expectedTotalMinor: number) =>
    test.call(approveOrder, { token, params: { id }, body: { expectedTotalMinor } })
  const decline = ({ token }: TestCustomer, id: string, reason = 'Not this month') =>
    test.call(declineOrder, { token, params: { id }, body: { reason } })
  const bill = ({ token }: TestCustomer, order: OrderDetail) =>
    test.call(payCorporate, { token, params: { id: order.id }, body: { expectedTotalMinor: order.totalMinor } })
  const store = ({ token }: TestCustomer, { id, totalMinor }: OrderDetail) => ({
    token,
    params: { id },
    body: { expectedTotalMinor: totalMinor },
  })
  const readOrder = async ({ token }: TestCustomer, { id }: { id: string }) =>
    (await test.call(getOrder, { token, params: { id } })).body
  const list = async ({ token }: TestCustomer, tab: 'pending' | 'decided' = 'pending') =>
    (await test.call(listApprovals, { token, query: { tab } })).body
  const inCart = async ({ token }: TestCustomer) =>
    (await test.call(getCart, { token, query: { tab: 'dropoff' } })).body.items.map(({ id }) => id)
  const requestApproval = async (overrides: Parameters<typeof company>[0] = {}, mode?: DeliveryMode) => {
    const { owner, clerk } = await company(overrides)
    const order = await placeOrder(test, clerk, mode ? { mode } : { count: 2 })
    const answer = await ask(clerk, order, 'Trade fair on Monday')
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.error))
    return { owner, clerk, order, approval: answer.body }
  }
  const mailsTo = async ({ email }: TestCustomer) => {
    await test.settle()
    return test.mailbox.mails().filter(({ to }) => to.includes(email))
  }

  it('are not charged to the company without an approval, whichever payment method is used', async () => {
    const { owner, clerk } = await company()
    await fundWallet(test, owner)
    await setWalletPin(test, owner)
    const order = await placeOrder(test, clerk)
    expect(order.approval).toMatchObject({ needed: true, aboveMinor: 100, request: null })
    const closed = order.methods.filter(({ reason }) => reason === 'approval_needed').map(({ method }) => method)
    expect(closed.sort()).toEqual(['express_credit', 'monthly_billing', 'store'])
    const details = { aboveMinor: 100, neededMinor: order.totalMinor }
    expect((await bill(clerk, order)).error).toMatchObject({ statusCode: 422, code: 'approval_needed', details })
    expect((await payCredits(test, clerk, order)).error).toMatchObject({ code: 'approval_needed', details })
    expect((await readOrder(clerk, order)).status).toBe('pending_payment')
  })

  it('need none up to the limit, for the owner, or without a limit', async () => {
    const { owner, clerk } = await company()
    const own = await placeOrder(test, owner)
    expect(own.approval).toBeNull()
    expect((await ask(owner, own)).error.code).toBe('approval_not_needed')
    expect((await bill(owner, own)).status).toBe(200)
    const order = await placeOrder(test, clerk)
    await sql`update accounts set approval_above_minor = ${order.totalMinor}
      where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    expect((await bill(clerk, order)).status).toBe(200)
    const { clerk: free } = await company({ aboveMinor: null })
    expect((await bill(free, await placeOrder(test, free))).status).toBe(200)
    const alone = await createCustomer(test)
    expect((await ask(alone, await placeOrder(test, alone))).error.code).toBe('approval_not_needed')
  })

  it("depend on a member's total per day, whether split over sequential or concurrent orders", async () => {
    const { owner, clerk } = await company({ aboveMinor: null })
    await fundWallet(test, owner, 1_000_000)
    await setWalletPin(test, owner)
    const orders: OrderDetail[] = []
    for (let n = 0; n < 6; n += 1) orders.push(await placeOrder(test, clerk))
    const [one = 0] = orders.map(({ totalMinor }) => totalMinor)
    // The limit allows two and a half of these orders.
    await sql`update accounts set approval_above_minor = ${Math.floor(one * 2.5)}
      where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    const [first, ...others] = orders as [OrderDetail, ...OrderDetail[]]
    expect((await payCredits(test, clerk, first)).status).toBe(200)
    const ways = others.map((order, n) => (n % 2 === 0 ? payCredits(test, clerk, order) : bill(clerk, order)))
    const answers = await Promise.all(ways)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refusals = answers.filter(({ status }) => status !== 200)
    const details = { spentMinor: one * 2, neededMinor: one }
    expect(refusals.map(({ error }) => error.code)).toEqual(refusals.map(() => 'approval_needed'))
    expect(refusals[0]?.error.details).toMatchObject(details)
    const refusedOrder = others.find((_, n) => answers[n]?.status !== 200) as OrderDetail
    expect((await readOrder(clerk, refusedOrder)).approval).toMatchObject({ needed: true, spentMinor: one * 2 })
    expect((await test.call(payInStore, store(clerk, refusedOrder))).error.code).toBe('approval_needed')

    // Approved orders do not count towards the daily limit. Another member and the next day have separate limits.
    const request = await ask(clerk, refusedOrder)
    expect((await approve(owner, request.body.id, refusedOrder.totalMinor)).status).toBe(200)
    const colleague = await member(owner)
    expect((await payCredits(test, colleague, await placeOrder(test, colleague))).status).toBe(200)
    test.clock.advance(days(1))
    const tomorrow = await signedInAgain(clerk)
    expect((await payCredits(test, tomorrow, await placeOrder(test, tomorrow))).status).toBe(200)
  })

  it('include bookings at the counter and fees of parcels in transit in the daily total', async () => {
    const { owner, clerk } = await company({ aboveMinor: 600 })
    await fundWallet(test, owner, 1_000_000)
    await setWalletPin(test, owner)
    const recall = async (one: TestCustomer) => {
      const parcel = await createParcel(test, one, { status: 'outbound', created_by: one.userId })
      const params = { id: parcel.id }
      const { version, recall: action } = (await test.call(getParcelActions, { token: one.token, params })).body
      const body = { version, expectedFeeMinor: action.fee.totalMinor, pin: testPin }
      return test.call(recallParcel, { token: one.token, params, body })
    }
    expect((await recall(clerk)).status).toBe(200)
    expect((await recall(clerk)).error).toMatchObject({ code: 'approval_needed', details: { spentMinor: 530 } })
    expect((await recall(owner)).status).toBe(200)
    const colleague = await member(owner)
    const order = await placeOrder(test, colleague)
    await sql`update accounts set approval_above_minor = ${order.totalMinor}
      where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    expect((await test.call(payInStore, store(colleague, order))).status).toBe(200)
    expect((await recall(colleague)).error).toMatchObject({ code: 'approval_needed' })
  })

  it('leave the cart and wait for days; approvers receive an email, and no other payment is possible', async () => {
    const { owner, clerk, order, approval } = await requestApproval()
    expect(approval).toMatchObject({
      status: 'pending',
      amountMinor: order.totalMinor,
      note: 'Trade fair on Monday',
      decidable: false,
    })
    const now = await readOrder(clerk, order)
    expect(now.parcels.map(({ status }) => status)).toEqual(['pending_payment', 'pending_payment'])
    expect(Date.parse(now.expiresAt ?? '') - test.clock.now().getTime()).toBeGreaterThan(days(6.9))
    expect(now.methods.every(({ open, reason }) => !open && reason === 'approval_pending')).toBe(true)
    expect(now.waitsForApproval).toBe(true)
    const pending = (await test.call(pendingCheckouts, { token: clerk.token })).body.items
    expect(pending.map(({ id, waitsForApproval }) => [id, waitsForApproval])).toEqual([[order.id, true]])
    expect(await inCart(clerk)).toEqual([])
    const [mail] = await mailsTo(owner)
    expect(mail?.text.replace(/\s+/g, ' ')).toMatch(/ wants to send 2 parcels for RM.+Trade fair on Monday/)
    expect(await mailsTo(clerk)).toEqual([])
    expect((await list(owner)).items).toMatchObject([
      { id: approval.id, decidable: true, requestedBy: { name: 'Siti Clerk' } },
    ])
    expect((await list(owner)).counts).toEqual({ pending: 1, decided: 0 })

    expect((await ask(clerk, order)).error.code).toBe('approval_pending')
    expect((await bill(owner, order)).error.code).toBe('approval_pending')
    const body = { expectedTotalMinor: order.totalMinor }
    const gateway = await test.call(payWithIpay88, { token: owner.token, params: { id: order.id }, body })
    expect(gateway.error.code).toBe('approval_pending')
    test.clock.advance(days(1))
    await expireUnpaid(test.deps)
    expect((await list(await again(owner, true))).items).toHaveLength(1)
  })

  it('are billed on approval, in the name of the requester', async () => {
    const { owner, clerk, order, approval } = await requestApproval({}, 'D2D')
    const approved = await approve(owner, approval.id, order.totalMinor)
    expect(approved.body).toMatchObject({ status: 'approved', decidedBy: 'Datin Owner' })
    const now = await readOrder(clerk, order)
    expect(now).toMatchObject({ status: 'pending', paymentMethod: 'monthly_billing' })
    expect(now.parcels.map(({ status }) => status)).toEqual(['pending_pickup'])
    expect(now.pickup?.number).toMatch(/^PU-/)
    expect((await test.call(getBilling, { token: owner.token })).body.usedMinor).toBe(order.totalMinor)
    const usage = (await test.call(memberUsage, { token: owner.token })).body.items
    expect(usage).toEqual([{ userId: clerk.userId, billedMinor: order.totalMinor }])
    expect((await mailsTo(clerk)).map(({ subject }) => subject)).toEqual([`Approved: order ${order.number}`])
    expect((await list(owner, 'decided')).items).toMatchObject([{ status: 'approved' }])
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  })

  it('are decided once: one of two concurrent decisions succeeds, and a repeated one changes nothing', async () => {
    const { owner, order, approval } = await requestApproval()
    const deputy = await member(owner, ['users', 'pay'])
    const answers = await Promise.all([approve(owner, approval.id, order.totalMinor), decline(deputy, approval.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const { items, counts } = await list(owner, 'decided')
    expect(counts).toEqual({ pending: 0, decided: 1 })
    const billed = (await test.call(getBilling, { token: owner.token })).body.usedMinor
    expect(billed).toBe(items[0]?.status === 'approved' ? order.totalMinor : 0)
    expect((await approve(owner, approval.id, order.totalMinor)).error.code).toBe('approval_decided')
    expect((await decline(owner, approval.id)).error.code).toBe('approval_decided')
  })

  it('return to the cart when they are declined, and an email states the reason', async () => {
    const { owner, clerk, order, approval } = await requestApproval()
    expect((await decline(owner, approval.id, '  ')).status).toBe(422)
    expect((await decline(owner, approval.id, 'Ask Johor to send it')).body).toMatchObject({
      status: 'declined',
      reason: 'Ask Johor to send it',
    })
    expect((await readOrder(clerk, order)).status).toBe('cancel')
    expect((await inCart(clerk)).sort()).toEqual(order.parcels.map(({ id }) => id).sort())
    const [mail] = await mailsTo(clerk)
    expect(mail?.text).toContain('Ask Johor to send it')
    expect((await test.call(getBilling, { token: owner.token })).body.usedMinor).toBe(0)
    expect((await approve(owner, approval.id, order.totalMinor)).error.code).toBe('approval_decided')
  })

  it('stay unchanged and report the reason if monthly billing is not available', async () => {
    const { owner, order, approval } = await requestApproval()
    await sql`update accounts set credit_limit_minor = 100 where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    const refusal = await approve(owner, approval.id, order.totalMinor)
    expect(refusal.error).toMatchObject({ code: 'payment_method_closed', details: { reason: 'over_limit' } })
    expect((await list(owner)).items).toHaveLength(1)
    await sql`update accounts set credit_limit_minor = 1000000 where id = ${owner.accountId}::uuid`.execute(
      test.deps.db,
    )
    await sql`update users set monthly_limit_minor = 1 where id = ${approval.requestedBy.id}::uuid`.execute(
      test.deps.db,
    )
    expect((await approve(owner, approval.id, order.totalMinor)).error.details).toMatchObject({
      reason: 'member_limit',
    })
    await sql`update users set monthly_limit_minor = null where id = ${approval.requestedBy.id}::uuid`.execute(
      test.deps.db,
    )
    expect((await approve(owner, approval.id, order.totalMinor - 1)).error.code).toBe('price_changed')
    expect((await mailsTo({ email: owner.email } as TestCustomer)).length).toBe(1)
    expect((await approve(owner, approval.id, order.totalMinor)).status).toBe(200)
  })

  it('end if there is no decision in time, or if the requester withdraws', async () => {
    const { owner, clerk, order, approval } = await requestApproval()
    const second = await placeOrder(test, clerk)
    const other = (await ask(clerk, second)).body
    const result = await test.call(abandonCheckouts, { token: clerk.token, query: { ids: second.id } })
    expect(result.body.orderIds).toEqual([second.id])
    expect((await list(clerk, 'decided')).items).toMatchObject([{ id: other.id, status: 'withdrawn', decidedBy: null }])

    test.clock.advance(days(7) + 1000)
    const [boss, colleague] = [await again(owner, true), await again(owner, false)]
    expect((await approve(boss, approval.id, order.totalMinor)).error.code).toBe('order_expired')
    await expireUnpaid(test.deps)
    await expireUnpaid(test.deps)
    expect((await approve(boss, approval.id, order.totalMinor)).error.code).toBe('approval_decided')
    expect((await readOrder(boss, order)).status).toBe('cancel')
    expect((await inCart(boss)).sort()).toEqual([...order.parcels, ...second.parcels].map(({ id }) => id).sort())
    expect((await mailsTo(clerk)).map(({ subject }) => subject)).toEqual([
      `Order ${order.number} was not approved in time`,
    ])
    expect((await list(colleague, 'decided')).items).toEqual([])
  })

  it('expire at the latest when the rider is due', async () => {
    const { clerk, order, approval } = await requestApproval({}, 'D2D')
    const start = `${order.pickup?.date}T${order.pickup?.window.slice(0, 5)}:00+08:00`
    expect(approval.expiresAt).toBe(new Date(start).toISOString())
    expect((await readOrder(clerk, order)).expiresAt).toBe(approval.expiresAt)
  })

  it('are decided by the owner or a member who manages users and may pay, but never by the requester', async () => {
    const { owner, clerk, order, approval } = await requestApproval()
    expect((await approve(clerk, approval.id, order.totalMinor)).status).toBe(403)
    const userManager = await member(owner, ['users'])
    expect((await approve(userManager, approval.id, order.totalMinor)).error.code).toBe('forbidden')
    expect((await decline(userManager, approval.id)).error.code).toBe('forbidden')
    expect((await test.call(listApprovals, { token: userManager.token })).status).toBe(403)
    expect((await list(await member(owner))).items).toEqual([])
    const stranger = (await company()).owner
    expect((await approve(stranger, approval.id, order.totalMinor)).status).toBe(404)
    expect((await decline(stranger, approval.id)).status).toBe(404)
    expect((await ask(stranger, order)).status).toBe(404)
    expect((await approve(owner, newId(), 1)).status).toBe(404)

    const deputy = await member(owner, ['users', 'pay', 'parcels.create'])
    const own = await placeOrder(test, deputy)
    const ownRequest = (await ask(deputy, own)).body
    expect((await approve(deputy, ownRequest.id, own.totalMinor)).error.code).toBe('approval_own')
    expect((await approve(deputy, approval.id, order.totalMinor)).status).toBe(200)
  })

  it('create one request per idempotency key', async () => {
    const { clerk } = await company()
    const order = await placeOrder(test, clerk)
    const headers = { 'idempotency-key': 'ask-once-only' }
    const [first, second] = [await ask(clerk, order, 'x', headers), await ask(clerk, order, 'x', headers)]
    expect(second.body).toEqual(first.body)
  })

  it('follow the limit that the owner sets, and only the owner can set it', async () => {
    const { owner, clerk } = await company({ aboveMinor: null })
    const rule = (await test.call(getApprovalRule, { token: clerk.token })).body
    expect(rule).toMatchObject({ aboveMinor: null, days: 7 })
    const set = (by: TestCustomer, aboveMinor: number | null, version = rule.version) =>
      test.call(setApprovalRule, { token: by.token, body: { aboveMinor, version } })
    expect((await set(clerk, 1)).status).toBe(403)
    expect((await set(await member(owner, ['users', 'pay']), 1)).status).toBe(403)
    expect((await set(owner, -1)).error.errors?.[0]?.field).toBe('aboveMinor')
    expect((await set(owner, 500)).body.aboveMinor).toBe(500)
    expect((await set(owner, 600)).error.code).toBe('version_conflict')
    expect((await placeOrder(test, clerk)).approval).toMatchObject({ needed: true, aboveMinor: 500 })
  })
})

describe('the transitions of an approval request', () => {
  it('lead from waiting to each final status, and from there to none', () => {
    const events = ['approve', 'decline', 'withdraw', 'expire'] as const satisfies readonly ApprovalEvent[]
    const ends = ['approved', 'declined', 'withdrawn', 'expired'] as const
    expect(events.map((event) => nextApprovalStatus('pending', event))).toEqual(ends)
    expect(approvalSteps).toHaveLength(events.length)
    for (const end of ends) for (const event of events) expect(nextApprovalStatus(end, event)).toBeNull()
  })
})
