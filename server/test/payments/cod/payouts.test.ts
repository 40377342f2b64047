import { listFailedWork, retryFailedWork } from '@waybill/contract/failed-work/failed-work'
import { getInvoice, getOrder } from '@waybill/contract/orders/orders'
import { listCod, listCodPayouts, printCodPayout } from '@waybill/contract/payments/cod'
import { listAllCodPayouts, listCodOwed, payOutCod, printAnyCodPayout } from '@waybill/contract/payments/cod-payouts'
import { putSettings } from '@waybill/contract/settings/settings'
import { searchEntries } from '@waybill/contract/wallet/ledger'
import { getWallet, type Movement, walletHistory } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { payOutWeekly } from '../../../src/domains/payments/cod/service.ts'
import { checkBooks } from '../../../src/domains/wallet/ledger/books.ts'
import type { ScheduledRun } from '../../../src/jobs/jobs.ts'
import { days, later, minutes } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { breakRow } from '../../testing/broken-row.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { balanceOfBook, collectCod, createCodPeople } from '../../testing/factories/cod.ts'
import { findCounter } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { latestMail } from '../../testing/factories/newcomers.ts'
import { openPaper } from '../../testing/paper.ts'

describe('a COD payout', () => {
  let test: TestApp
  let owner: TestCustomer
  let other: TestCustomer
  let here: string
  let rider: TestStaff
  let boss: TestStaff
  /** Today's, from 1 for Monday. */
  let weekday: number
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    here = (await findCounter(test)).here
  })
  beforeEach(async () => {
    test.clock.advance(days(1))
    ;({ rider, boss, owner, other } = await createCodPeople(test, here))
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kuala_Lumpur' }).format(test.clock.now())
    weekday = new Date(`${today}T00:00:00Z`).getUTCDay() || 7
  })
  afterEach(async () => {
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  })

  /** A parcel whose COD amount the rider has collected. */
  const createCollectedParcel = (amountMinor: number, sender = owner) =>
    collectCod(test, sender, { amountMinor, rider, stationId: here })
  const readCod = async ({ token } = owner) => (await test.call(listCod, { token })).body
  const balance = async ({ token } = owner) => (await test.call(getWallet, { token })).body.balanceMinor
  const set = async (values: Record<string, unknown>) => {
    const { token } = await createStaff(test, { type: 'superadmin' })
    expect((await test.call(putSettings, { token, body: { values } })).status).toBe(200)
  }
  /** The daily job, and the jobs that it queues. */
  const runDaily = async (run?: ScheduledRun) => {
    await payOutWeekly(test.deps, run)
    await test.settle()
  }
  const payOut = (
    accountIds: string[],
    totalSeenMinor: number,
    overrides: { token?: string; key?: string; fees?: number } = {},
  ) =>
    test.call(payOutCod, {
      token: overrides.token ?? boss.token,
      body: { accountIds, totalSeenMinor, feesSeenMinor: overrides.fees ?? 0 },
      headers: overrides.key ? { 'idempotency-key': overrides.key } : {},
    })
  /** Expects these amounts of the newest payout in lists, documents, spreadsheets, emails and the ledger. */
  const expectPayout = async (
    { token, email }: TestCustomer,
    amounts: { collectedMinor: number; feeMinor: number; paidMinor: number },
  ) => {
    const [payout] = (await test.call(listCodPayouts, { token })).body.items
    expect(payout).toMatchObject(amounts)
    expect((await test.call(listAllCodPayouts, { token: boss.token })).body.items[0]).toMatchObject(amounts)
    const history = (await test.call(walletHistory, { token })).body.items
    const [charge] = amounts.feeMinor > 0 ? history : []
    const movement = history[charge ? 1 : 0]
    expect(movement).toMatchObject({
      kind: 'cod_payout',
      amountMinor: amounts.collectedMinor,
      reference: payout?.number,
    })
    if (charge) await expectInvoicedFee(token, charge, amounts.feeMinor)
    const formatAmount = (minor: number) => (minor / 100).toFixed(2)
    const params = { id: payout?.id ?? '' }
    const csv = (await test.call(printCodPayout, { token, params, query: { format: 'csv' } })).raw.toString()
    expect(csv.trim().split(/\r?\n/).at(-1)).toMatch(new RegExp(`\\b${formatAmount(amounts.paidMinor)}"?$`))
    const pdf = await openPaper((await test.call(printCodPayout, { token, params })).raw)
    const paper = pdf.pages.map(({ text }) => text).join('\n')
    // Documents leave out a fee of zero.
    for (const minor of Object.values(amounts)) if (minor > 0) expect(paper).toContain(formatAmount(minor))
    if (charge) for (const text of [csv, paper]) expect(text).toContain(charge.reference)
    expect(paper).toMatch(/\bWB \d{4} \d{4} \d{3}\b/)
    await test.settle()
    expect((await latestMail(test, email)).subject).toContain(formatAmount(amounts.paidMinor))
    const query = { search: payout?.number ?? '' }
    const [entry] = (await test.call(searchEntries, { token: boss.token, query })).body.items
    expect(Object.fromEntries(entry?.postings.map(({ book, amountMinor }) => [book, amountMinor]) ?? [])).toEqual({
      cod_payable: -amounts.collectedMinor,
      customer_wallet: amounts.collectedMinor,
    })
  }
  /** Expects the order of a fee, its invoice with the tax, and its entry in the ledger. */
  const expectInvoicedFee = async (token: string, charge: Movement, totalMinor: number) => {
    expect(charge).toMatchObject({ kind: 'order', amountMinor: -totalMinor, orderId: expect.any(String) })
    const params = { id: charge.orderId ?? '' }
    const order = (await test.call(getOrder, { token, params })).body
    expect(order).toMatchObject({ number: charge.reference, status: 'completed', totalMinor, paidMinor: totalMinor })
    expect(order.lines.map(({ kind }) => kind)).toEqual(['cod_payout', 'tax'])
    const taxMinor = order.lines[1]?.amountMinor ?? 0
    const invoice = (await test.call(getInvoice, { token, params })).body
    expect(invoice).toMatchObject({ number: expect.stringMatching(/^INV-/), totalMinor, taxMinor })
    const [entry] = (await test.call(searchEntries, { token: boss.token, query: { search: order.number } })).body.items
    expect(Object.fromEntries(entry?.postings.map(({ book, amountMinor }) => [book, amountMinor]) ?? [])).toEqual({
      customer_wallet: -totalMinor,
      revenue: totalMinor - taxMinor,
      tax: taxMinor,
    })
  }

  it('is paid into the wallet once, with a document and an email, even with concurrent requests', async () => {
    await createCollectedParcel(3000)
    const second = await createCollectedParcel(1250)
    const amounts = (await test.call(listCodOwed, { token: boss.token, query: { limit: 200 } })).body
    expect(amounts.items.find(({ accountId }) => accountId === owner.accountId)).toMatchObject({
      accountName: 'Kedai Kopi',
      parcelCount: 2,
      owedMinor: 4250,
      withRidersMinor: 4250,
    })
    expect((await payOut([owner.accountId], 4251)).error.code).toBe('price_changed')
    const answers = await Promise.all([payOut([owner.accountId], 4250), payOut([owner.accountId], 4250)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.error.code).toBe('cod_nothing_owed')
    expect(await balance()).toBe(4250)
    expect(await balanceOfBook(test, 'cod_payable', owner.accountId)).toBe(0)
    const cod = await readCod()
    expect(cod).toMatchObject({ owedMinor: 0, paidOutMinor: 4250 })
    expect(cod.items.map(({ state }) => state)).toEqual(['paid_out', 'paid_out'])
    const history = await test.call(walletHistory, { token: owner.token })
    expect(history.body.items).toMatchObject([{ kind: 'cod_payout', amountMinor: 4250 }])

    const [payout] = (await test.call(listCodPayouts, { token: owner.token })).body.items
    expect(payout).toMatchObject({ parcelCount: 2, collectedMinor: 4250, feeMinor: 0, paidMinor: 4250, by: null })
    const params = { id: payout?.id ?? '' }
    const pdf = await test.call(printCodPayout, { token: owner.token, params, language: 'zh' })
    expect(pdf.raw.subarray(0, 5).toString()).toBe('%PDF-')
    const csv = await test.call(printCodPayout, { token: owner.token, params, query: { format: 'csv' } })
    expect(csv.raw.toString()).toContain(second.number)
    expect((await test.call(printCodPayout, { token: other.token, params })).status).toBe(404)
    expect((await test.call(printAnyCodPayout, { token: boss.token, params })).status).toBe(200)
    const all = await test.call(listAllCodPayouts, { token: boss.token, query: { limit: 1 } })
    expect(all.body.items[0]).toMatchObject({ id: payout?.id, accountName: 'Kedai Kopi' })
    await test.settle()
    expect((await latestMail(test, owner.email)).subject).toContain('42.50')
  })

  it('pays several senders together or none, and once for a repeated key', async () => {
    await createCollectedParcel(1000)
    await createCollectedParcel(2000, other)
    const nobody = await createCustomer(test)
    const refusal = await payOut([owner.accountId, other.accountId, nobody.accountId], 3000)
    expect([refusal.status, refusal.error.code]).toEqual([409, 'cod_nothing_owed'])
    expect([await balance(), await balance(other)]).toEqual([0, 0])
    const key = 'payout-once-1'
    const [first, again] = await Promise.all([
      payOut([owner.accountId, other.accountId], 3000, { key }),
      payOut([other.accountId, owner.accountId], 3000),
    ])
    expect([first.status, again.status].sort()).toEqual([200, 409])
    expect([await balance(), await balance(other)]).toEqual([1000, 2000])
    expect((await payOut([], 100)).status).toBe(422)
    expect((await payOut([owner.accountId], -5)).status).toBe(422)
    expect((await payOut([owner.accountId], 10.5)).status).toBe(422)
    expect((await payOut([owner.accountId], 100, { token: rider.token })).status).toBe(403)
    expect((await payOut([owner.accountId], 100, { token: owner.token })).status).toBe(403)
  })

  it('runs automatically each week if the setting is on, less the fee, and on that day only', async () => {
    await createCollectedParcel(1000)
    await createCollectedParcel(40, other)
    await set({ 'cod.payoutFeeMinor': 50, 'cod.payoutWeekday': (weekday % 7) + 1 })
    await runDaily()
    expect(await balance()).toBe(0)
    await set({ 'cod.payoutWeekday': weekday })
    await runDaily()
    await runDaily()
    expect(await balance()).toBe(947)
    await expectPayout(owner, { collectedMinor: 1000, feeMinor: 53, paidMinor: 947 })
    // The amount does not exceed the fee: it waits for the next payout.
    expect([await balance(other), (await readCod(other)).owedMinor]).toEqual([0, 40])
    // Yesterday's run, made up for today, pays what was collected before it.
    await createCollectedParcel(5000)
    await createCollectedParcel(7000, other)
    await sql`
      update cod_collections set collected_at = collected_at - interval '2 days'
      where account_id = ${owner.accountId}::uuid and payout_id is null`.execute(test.deps.db)
    await set({ 'cod.payoutWeekday': ((weekday + 5) % 7) + 1 })
    await runDaily()
    expect(await balance()).toBe(947)
    await runDaily({ _cron: { ts: later(test.clock.now(), -days(1)).toISOString() } })
    expect([await balance(), await balance(other)]).toEqual([5894, 0])
    await set({ 'cod.payoutFeeMinor': 0, 'cod.payoutWeekday': null })
    await createCollectedParcel(70)
    await runDaily()
    expect(await balance()).toBe(5894)
  })

  it('by staff clears an amount that is not more than the fee, free of charge, and also among others', async () => {
    await createCollectedParcel(40)
    await createCollectedParcel(1000, other)
    await set({ 'cod.payoutFeeMinor': 50 })
    const { items, feeMinor } = (await test.call(listCodOwed, { token: boss.token, query: { limit: 200 } })).body
    const fees = [owner, other].map(({ accountId }) => items.find((row) => row.accountId === accountId)?.feeMinor)
    expect([feeMinor, ...fees]).toEqual([53, 0, 53])
    // The fee was changed while staff looked at the amounts.
    const refusal = await payOut([owner.accountId, other.accountId], 1040, { fees: 30 })
    expect([refusal.status, refusal.error.code]).toEqual([409, 'price_changed'])
    expect(refusal.error.details).toEqual({
      expectedTotalMinor: 1040,
      totalMinor: 1040,
      expectedFeesMinor: 30,
      feesMinor: 53,
    })
    expect([await balance(), await balance(other)]).toEqual([0, 0])
    expect((await payOut([owner.accountId, other.accountId], 1040, { fees: 53 })).status).toBe(200)
    expect([await balance(), await balance(other)]).toEqual([40, 947])
    await expectPayout(owner, { collectedMinor: 40, feeMinor: 0, paidMinor: 40 })
    expect([(await readCod()).owedMinor, (await readCod(other)).owedMinor]).toEqual([0, 0])
    await createCollectedParcel(50)
    await payOut([owner.accountId], 50)
    await createCollectedParcel(54)
    await payOut([owner.accountId], 54, { fees: 53 })
    expect(await balance()).toBe(91)
    await set({ 'cod.payoutFeeMinor': 0 })
  })

  it('that fails holds up no other, and can be retried after the next daily run', async () => {
    await createCollectedParcel(5000)
    await createCollectedParcel(7000, other)
    await set({ 'cod.payoutFeeMinor': 0, 'cod.payoutWeekday': weekday })
    const mend = await breakRow(test.deps.db, 'cod_payouts', 'account_id', owner.accountId)
    await runDaily()
    expect([await balance(), await balance(other)]).toEqual([0, 7000])
    // The last of its attempts.
    await sql`
      update graphile_worker._private_jobs j set attempts = max_attempts from graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'payments:cod-pay-account'`.execute(test.deps.db)
    await set({ 'cod.payoutWeekday': (weekday % 7) + 1 })
    await runDaily()
    const { token } = await createStaff(test, { type: 'superadmin' })
    const { items } = (await test.call(listFailedWork, { token })).body
    expect(items).toMatchObject([{ kind: 'job', name: 'payments:cod-pay-account', error: 'this row is broken' }])
    await mend()
    // Collected after the day of the payout: paid next week.
    test.clock.advance(minutes(1))
    await createCollectedParcel(900)
    await test.call(retryFailedWork, { token, body: { items: items.map(({ kind, id }) => ({ kind, id })) } })
    await test.settle()
    expect([await balance(), await balance(other)]).toEqual([5000, 7000])
    await set({ 'cod.payoutWeekday': null })
  })
})
