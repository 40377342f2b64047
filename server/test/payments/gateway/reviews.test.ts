import { type GatewayTrouble, listGatewayTroubles, reviewGatewayTrouble } from '@waybill/contract/payments/gateway'
import { getPayment } from '@waybill/contract/payments/payments'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { type BankPeer, startBankPeer } from '../../testing/peers/bank.ts'
import { startPayment } from './gateway-payments.ts'

describe('gateway messages that contradict our records', () => {
  let bank: BankPeer
  let test: TestApp
  let boss: TestStaff
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
    await seedTestNetwork(test)
    boss = await createStaff(test, { role: 'account_manager' })
  })

  const list = async (query: Record<string, string | number> = {}) =>
    (await test.call(listGatewayTroubles, { token: boss.token, query })).body
  const of = async ({ paymentId }: { paymentId: string }, query: Record<string, string | number> = {}) =>
    (await list({ limit: 200, ...query })).items.filter(({ expected }) => expected?.paymentId === paymentId)
  const mark = (
    { id, version }: Pick<GatewayTrouble, 'id' | 'version'>,
    review: GatewayTrouble['review'],
    note: string | null = null,
  ) => test.call(reviewGatewayTrouble, { token: boss.token, params: { id }, body: { version, review, note } })

  it('are shown with the expected and received values, the order and the customer', async () => {
    const { order, form } = await startPayment(test)
    await bank.post(test, 'backend', bank.answer(form.fields, '1', { Amount: '0.01' }))
    const [review, ...more] = await of(form)
    expect(more).toEqual([])
    expect(review).toMatchObject({
      trouble: 'refused',
      refusal: 'amount',
      source: 'backend',
      came: { verdict: 'paid', amount: '0.01', currency: 'MYR', reference: form.fields.RefNo },
      expected: {
        amountMinor: order.totalMinor,
        currency: 'MYR',
        orderId: order.id,
        orderNumber: order.number,
        status: 'pending',
        method: 'ipay88',
        accountName: expect.stringMatching(/^Customer/),
      },
      review: 'open',
      version: 1,
    })
    expect(JSON.stringify(review)).not.toMatch(/signature/i)
    const page = await list({ search: form.fields.RefNo ?? '' })
    expect(page.items.map(({ id }) => id)).toEqual([review?.id])
    expect((await list({ search: `T${form.fields.RefNo}` })).total).toBe(1)
    expect(page.counts).toEqual({ open: 1, handled: 0 })
    expect(await list({ search: 'P0' })).toMatchObject({ total: 0, counts: { open: 0, handled: 0 } })
  })

  it('are reported once while they are open, however often they arrive', async () => {
    const { customer, form } = await startPayment(test)
    bank.says(form.fields.RefNo, 'Incorrect amount')
    const wrong = bank.answer(form.fields, '1', { Amount: '0.01' })
    for (let n = 0; n < 3; n += 1) await bank.post(test, 'backend', wrong)
    for (let n = 0; n < 3; n += 1) {
      test.clock.advance(10_000)
      const fresh = await createCustomer(test, { accountId: customer.accountId })
      await test.call(getPayment, { token: fresh.token, params: { id: form.paymentId } })
    }
    expect((await of(form)).map(({ trouble }) => trouble).sort()).toEqual(['refused', 'wrong_amount'])
    boss = await createStaff(test, { role: 'account_manager' })
    const [first] = await of(form)
    if (!first) throw new Error('nothing to mark')
    await mark(first, 'handled')
    await bank.post(test, 'backend', wrong)
    expect((await of(form)).length + (await of(form, { tab: 'handled' })).length).toBeGreaterThanOrEqual(2)
  })

  it('include a post that a query to the gateway contradicts, but not one that it confirms', async () => {
    const { form } = await startPayment(test)
    bank.says(form.fields.RefNo, 'Payment fail')
    await bank.post(test, 'backend', bank.answer(form.fields, '1'))
    expect(await of(form)).toMatchObject([{ trouble: 'contradiction', refusal: null, came: { text: 'Payment fail' } }])
    const good = await startPayment(test)
    await bank.pay(test, good.form.fields)
    expect(await of(good.form)).toEqual([])
    const refused = await startPayment(test)
    bank.says(refused.form.fields.RefNo, 'Payment fail')
    await bank.post(test, 'backend', bank.answer(refused.form.fields, '0'))
    expect(await of(refused.form)).toEqual([])
  })

  it('are stored with known fields only, a few per payment, and not for an unknown reference', async () => {
    const { form } = await startPayment(test)
    const rows = async () =>
      (await test.deps.db.selectFrom('gateway_messages').select(['payment_id', 'payload']).execute()).filter(
        ({ payment_id }) => payment_id === form.paymentId || payment_id === null,
      )
    const junk = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`Junk${n}`, 'x'.repeat(200)]))
    const forged = bank.answer(form.fields, '1', { Amount: '0.01', ErrDesc: 'y'.repeat(900) })
    for (let n = 0; n < 25; n += 1) await bank.post(test, 'backend', { ...forged, ...junk })
    const reviews = await rows()
    expect(reviews).toHaveLength(20)
    const [payload = {}] = reviews.map((row) => row.payload as Record<string, string>)
    expect(Object.keys(payload).filter((name) => name.startsWith('Junk'))).toEqual([])
    expect(JSON.stringify(payload).length).toBeLessThan(1500)

    const stranger = bank.answer(form.fields, '1', { RefNo: 'P0000STRANGER' })
    for (const to of ['backend', 'response'] as const) await bank.post(test, to, stranger)
    expect(await rows()).toHaveLength(20)
    const large = { ...forged, Remark: 'z'.repeat(1900), A: 'z'.repeat(1900), B: 'z'.repeat(1900), C: 'z'.repeat(1900) }
    expect((await bank.post(test, 'backend', { ...large, D: 'z'.repeat(1900) })).status).toBe(413)
    // A correct post is still accepted.
    expect((await bank.pay(test, form.fields)).body).toBe('RECEIVEOK')
  })

  it('are marked as seen, handled with a note, and reopened, by version', async () => {
    const { form } = await startPayment(test)
    await bank.post(test, 'backend', bank.answer(form.fields, '1', { Currency: 'IDR' }))
    const [review] = await of(form)
    if (!review) throw new Error('nothing to mark')
    const firstMark = await mark(review, 'seen')
    expect(firstMark.body).toMatchObject({ review: 'seen', reviewedBy: expect.stringMatching(/^Staff/), version: 2 })
    expect((await of(form))[0]?.review).toBe('seen')
    expect((await mark(review, 'handled')).error.code).toBe('version_conflict')
    const before = (await list()).counts
    const secondMark = await mark(firstMark.body, 'handled', 'Called the bank: it was a test of theirs.')
    expect(secondMark.body).toMatchObject({
      review: 'handled',
      reviewNote: 'Called the bank: it was a test of theirs.',
    })
    expect(await of(form)).toEqual([])
    expect((await of(form, { tab: 'handled' })).map(({ id }) => id)).toEqual([review.id])
    const after = (await list()).counts
    expect([after.open, after.handled]).toEqual([before.open - 1, before.handled + 1])
    await mark(secondMark.body, 'open')
    expect((await of(form)).map(({ id }) => id)).toEqual([review.id])
    const logged = await listActivities(test, { action: 'payments.gateway_review', subject: review.id })
    expect(logged).toHaveLength(3)
    expect(logged.every(({ account_id }) => account_id === null)).toBe(true)
    expect((await mark({ id: newId(), version: 1 }, 'seen')).status).toBe(404)
  })

  it('are listed in pages without gaps or repeats', async () => {
    const all = (await list({ limit: 200 })).items.map(({ id }) => id)
    const ids: string[] = []
    let page = await list({ limit: 2 })
    expect(page.previous).toBeNull()
    for (;;) {
      ids.push(...page.items.map(({ id }) => id))
      if (page.next === null) break
      page = await list({ limit: 2, after: page.next })
    }
    expect(ids).toEqual(all)
    const back = await list({ limit: 2, before: page.previous ?? '' })
    expect(back.items.map(({ id }) => id)).toEqual(all.slice(-2 - page.items.length, -page.items.length))
    const bad = await test.call(listGatewayTroubles, { token: boss.token, query: { after: 'nonsense' } })
    expect([bad.status, bad.error.errors?.[0]?.field]).toEqual([422, 'after'])
  })
})
