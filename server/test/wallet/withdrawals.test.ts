import { getClosure } from '@waybill/contract/account-closure/account-closure'
import { listAccountNotes } from '@waybill/contract/accounts/directory'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { listNotifications } from '@waybill/contract/notifications/notifications'
import {
  getBilling,
  listStatements,
  payCorporate,
  printStatement,
  putConsent,
  recordReceipt,
} from '@waybill/contract/orders/monthly-billing'
import { searchEntries } from '@waybill/contract/wallet/ledger'
import { exportWalletHistory, getWallet, walletHistory } from '@waybill/contract/wallet/wallet'
import { recordWithdrawal } from '@waybill/contract/wallet/withdrawals'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeStatements } from '../../src/domains/orders/monthly-billing/statements.ts'
import { checkBooks } from '../../src/domains/wallet/ledger/books.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { moveToNextMonth } from '../testing/calendar.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../testing/factories/accounts.ts'
import { balanceOfBook } from '../testing/factories/cod.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { latestMail } from '../testing/factories/newcomers.ts'
import { payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createPayer, fundWallet } from '../testing/factories/wallet.ts'

describe('a withdrawal to the bank', () => {
  let test: TestApp
  let finance: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    finance = await createStaff(test, { role: 'account_manager' })
  })
  afterEach(async () => {
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  })

  type Input = Partial<BodyIn<typeof recordWithdrawal>> & { amountMinor: number }
  const withdraw = (owner: TestCustomer, input: Input, { key, token = finance.token }: Record<string, string> = {}) =>
    test.call(recordWithdrawal, {
      token,
      params: { id: owner.accountId },
      body: { source: 'wallet', reference: `IBG ${newId()}`, ...input },
      headers: key ? { 'idempotency-key': key } : {},
    })
  const balance = async ({ token }: TestCustomer) => (await test.call(getWallet, { token })).body.balanceMinor
  const closureReasons = async ({ token }: TestCustomer) => (await test.call(getClosure, { token })).body.reasons

  it('clears the wallet, so that its owner can delete the account', async () => {
    const owner = await createCustomer(test)
    const { token } = owner
    await fundWallet(test, owner, 30)
    expect(await closureReasons(owner)).toMatchObject([{ reason: 'wallet', count: 1, amountMinor: 30 }])
    const bank = await balanceOfBook(test, 'bank')
    const reference = `IBG ${owner.accountId}`
    const answer = await withdraw(owner, { amountMinor: 30, reference, note: 'Asked for it by phone' })
    expect(answer.body).toMatchObject({
      source: 'wallet',
      amountMinor: 30,
      reference,
      currency: 'MYR',
      balanceMinor: 0,
    })
    expect([await balance(owner), (await balanceOfBook(test, 'bank')) - bank]).toEqual([0, 30])

    const [movement] = (await test.call(walletHistory, { token, query: { kind: 'withdrawal' } })).body.items
    expect(movement).toMatchObject({ kind: 'withdrawal', reference, amountMinor: -30, balanceAfterMinor: 0 })
    for (const [language, words] of [
      ['en', 'Withdrawal to bank account'],
      ['zh', '提现至银行账户'],
    ] as const) {
      const sheet = await test.call(exportWalletHistory, { token, language, query: { format: 'csv' } })
      expect(sheet.raw.toString()).toContain(words)
    }
    const entries = await test.call(searchEntries, { token: finance.token, query: { search: reference } })
    expect(entries.body.items).toMatchObject([
      {
        kind: 'withdrawal',
        by: expect.stringMatching(/^Staff/),
        postings: [
          { book: 'customer_wallet', amountMinor: -30 },
          { book: 'bank', amountMinor: 30 },
        ],
      },
    ])
    await test.settle()
    const mail = await latestMail(test, owner.email)
    expect([mail.subject, mail.text.replace(/\s+/g, ' ')]).toEqual([
      expect.stringMatching(/^RM\s0\.30/),
      expect.stringContaining(reference),
    ])
    const notices = (await test.call(listNotifications, { token })).body.items
    expect(notices[0]).toMatchObject({ kind: 'withdrawal_wallet', topic: 'money', path: '/wallet' })
    const notes = await test.call(listAccountNotes, { token: finance.token, params: { id: owner.accountId } })
    expect(notes.body.items).toMatchObject([{ text: `${reference}: Asked for it by phone` }])

    expect(await closureReasons(owner)).toEqual([])
  })

  it('is refused at its field if it is more than the balance, and never overdraws the wallet', async () => {
    const owner = await createPayer(test, { creditsMinor: 5000 })
    const tooMuch = await withdraw(owner, { amountMinor: 5001 })
    expect([tooMuch.status, tooMuch.error.errors]).toEqual([
      422,
      [{ field: 'amountMinor', message: expect.stringMatching(/at most RM\s50\.00/) }],
    ])
    for (const amountMinor of [0, -5, 1.5]) expect((await withdraw(owner, { amountMinor })).status).toBe(422)
    const nameless = await withdraw(owner, { amountMinor: 1, reference: ' ' })
    expect(nameless.error.errors?.map(({ field }) => field)).toEqual(['reference'])
    const order = await placeOrder(test, owner)
    const rest = 5000 - order.totalMinor
    const [paid, ...answers] = await Promise.all([
      payCredits(test, owner, order),
      withdraw(owner, { amountMinor: rest + 1 }),
      withdraw(owner, { amountMinor: rest + 1 }),
    ])
    const done = [paid, ...answers].filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    expect(await balance(owner)).toBe(paid.status === 200 ? rest : order.totalMinor - 1)
    // An individual has no monthly billing, so nothing is paid in advance.
    expect((await withdraw(owner, { source: 'advance', amountMinor: 1 })).error.errors?.[0]?.field).toBe('amountMinor')
    expect(await balanceOfBook(test, 'corporate_receivable', owner.accountId)).toBe(0)
  })

  it('is booked once for a repeated key and for a repeated bank reference', async () => {
    const owner = await createPayer(test, { creditsMinor: 1000 })
    const input = { amountMinor: 300, reference: 'IBG 4711' }
    const [first, again] = [
      await withdraw(owner, input, { key: 'withdrawal-once-1' }),
      await withdraw(owner, input, { key: 'withdrawal-once-1' }),
    ]
    expect([first.status, again.body]).toEqual([200, first.body])
    expect(await balance(owner)).toBe(700)
    const copy = await withdraw(owner, input)
    expect([copy.status, copy.error.errors?.[0]?.field]).toEqual([409, 'reference'])
    const other = await createPayer(test, { creditsMinor: 1000 })
    expect((await withdraw(other, input)).status).toBe(200)
    expect([await balance(owner), await balance(other)]).toEqual([700, 700])
  })

  it('is recorded by finance staff only', async () => {
    const owner = await createPayer(test, { creditsMinor: 1000 })
    for (const role of ['inside_sales_representative', 'normal_staff', 'it_executive'] as const) {
      const { token } = await createStaff(test, { role })
      expect((await withdraw(owner, { amountMinor: 1 }, { token })).status).toBe(403)
    }
    expect((await withdraw(owner, { amountMinor: 1 }, { token: owner.token })).status).toBe(403)
    expect((await withdraw({ ...owner, accountId: newId() as never }, { amountMinor: 1 })).status).toBe(404)
  })

  it('returns what a company has paid in advance, and the statement of the month has it', async () => {
    const founder = await createCustomer(test, { userType: 'corporate' })
    const { accountId } = founder
    await sql`update accounts set credit_limit_minor = 1000000 where id = ${accountId}::uuid`.execute(test.deps.db)
    await test.call(putConsent, { token: founder.token, body: { version: '2026-01', accept: true } })
    const owner = await createCustomer(test, { userType: 'corporate', accountId })
    const receivedOn = test.clock.now().toISOString().slice(0, 10)
    const receipt = { amountMinor: 8000, reference: `TT ${accountId}`, receivedOn }
    await test.call(recordReceipt, { token: finance.token, params: { id: accountId }, body: receipt })
    const order = await placeOrder(test, owner)
    const body = { expectedTotalMinor: order.totalMinor }
    await test.call(payCorporate, { token: owner.token, params: { id: order.id }, body })
    const advanceMinor = 8000 - order.totalMinor
    const used = async () => (await test.call(getBilling, { token: owner.token })).body.usedMinor
    expect(await used()).toBe(-advanceMinor)

    const tooMuch = await withdraw(owner, { source: 'advance', amountMinor: advanceMinor + 1 })
    expect([tooMuch.status, tooMuch.error.errors?.[0]?.field]).toEqual([422, 'amountMinor'])
    const answers = await Promise.all(
      [1, 2].map(() => withdraw(owner, { source: 'advance', amountMinor: advanceMinor })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect([await used(), await balance(owner)]).toEqual([0, 0])
    expect((await closureReasons(owner)).map(({ reason }) => reason)).not.toContain('statement')
    const notices = (await test.call(listNotifications, { token: owner.token })).body.items
    expect(notices.map(({ kind }) => kind)).not.toContain('withdrawal_wallet')

    moveToNextMonth(test)
    await makeStatements(test.deps)
    const later = await createCustomer(test, { userType: 'corporate', accountId })
    const [statement] = (await test.call(listStatements, { token: later.token })).body.items
    expect(statement).toMatchObject({ receiptsMinor: 8000, closingMinor: 0, unpaidMinor: 0, state: 'paid' })
    expect(statement?.chargesMinor).toBe(order.totalMinor + advanceMinor)
    const params = { id: statement?.id ?? '' }
    const csv = await test.call(printStatement, { token: later.token, params, query: { format: 'csv' } })
    expect(csv.raw.toString()).toContain('Withdrawal to bank account')
  })
})
