import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { putSettings } from '@waybill/contract/settings/settings'
import { getWalletPreferences, setWalletPreferences, walletStatement } from '@waybill/contract/wallet/preferences'
import { topUp, walletHistory } from '@waybill/contract/wallet/wallet'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../../src/domains/wallet/ledger/books.ts'
import { dayIn, days } from '../../src/lib/clock.ts'
import { readSheet } from '../../src/lib/sheet/read.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { moveToNextMonth } from '../testing/calendar.ts'
import { createCustomer, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createPayer, fundWallet } from '../testing/factories/wallet.ts'
import { type BankPeer, startBankPeer } from '../testing/peers/bank.ts'

describe('wallet statements, bonuses and alerts', () => {
  let test: TestApp
  let bank: BankPeer
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
    await seedTestNetwork(test)
  })
  const thisMonth = () => dayIn(test.clock.now(), 'Asia/Kuala_Lumpur').slice(0, 7)
  const statement = (
    { token }: TestCustomer,
    month: string,
    format: 'pdf' | 'xlsx' | 'csv' = 'xlsx',
    language = 'en',
  ) => test.call(walletStatement, { token, query: { month, format }, language })
  const readRows = async (bytes: Buffer) => {
    const rows: unknown[][] = []
    for await (const { cells } of readSheet(bytes, { rows: 10_000, bytes: 10_000_000, ratio: 1000 })) rows.push(cells)
    return rows
  }

  describe('statement', () => {
    it('is refused for the current month, in the language of the caller', async () => {
      const customer = await createCustomer(test)
      const refused = await statement(customer, thisMonth(), 'pdf', 'zh')
      expect(refused.status).toBe(422)
      expect(refused.error).toMatchObject({ code: 'month_not_over', errors: [{ field: 'month' }] })
      expect(refused.error.message).toContain('尚未结束')
      for (const month of ['2026-13', 'march', '2026-1', '1999-01'])
        expect((await statement(customer, month)).error.errors?.[0]?.field).toBe('month')
    })

    it('lists entries from the opening to the closing balance, which opens the next statement', async () => {
      const customer = await createPayer(test, { creditsMinor: 50_000 })
      const order = await placeOrder(test, customer)
      await payCredits(test, customer, order)
      await fundWallet(test, customer, 1_234)
      // The ledger never changes the time of an entry, so the clock moves on by months instead.
      const month = thisMonth()
      moveToNextMonth(test)
      const later = await createCustomer(test, { accountId: customer.accountId })
      const closing = (50_000 - order.totalMinor + 1_234) / 100
      const answer = await statement(later, month)
      expect(answer.headers['content-disposition']).toBe(`attachment; filename="wallet-${month}.xlsx"`)
      const rows = await readRows(answer.raw)
      expect(rows.map((row) => row.slice(3))).toEqual([
        ['In (LP)', 'Out (LP)', 'Balance after (LP)'],
        [null, null, 0],
        [500, null, 500],
        [null, order.totalMinor / 100, (50_000 - order.totalMinor) / 100],
        [12.34, null, closing],
        [512.34, order.totalMinor / 100, closing],
      ])
      const pdf = await statement(later, month, 'pdf', 'zh')
      expect(pdf.headers['content-type']).toBe('application/pdf')
      expect(pdf.raw.subarray(0, 5).toString()).toBe('%PDF-')

      const quiet = thisMonth()
      test.clock.advance(days(32))
      const latest = await createCustomer(test, { accountId: customer.accountId })
      const next = await readRows((await statement(latest, quiet)).raw)
      expect(next.slice(1).map((row) => row.at(-1))).toEqual([closing, closing])
    })
  })

  describe('bonus packages', () => {
    it('add their bonus to a top-up once, as a separate entry', async () => {
      const { token: boss } = await createStaff(test, { type: 'superadmin' })
      const values = {
        'wallet.bonusPackages': [
          { fromMinor: 20_000, bonusMinor: 400 },
          { fromMinor: 50_000, bonusMinor: 1500 },
        ],
      }
      expect((await test.call(putSettings, { token: boss, body: { values } })).status).toBe(200)
      const customer = await createCustomer(test)
      const { token } = customer
      const topUpAnswer = await test.call(topUp, { token, body: { amountMinor: 20_000 } })
      await bank.pay(test, topUpAnswer.body.fields)
      await bank.pay(test, topUpAnswer.body.fields)
      const history = (await test.call(walletHistory, { token })).body.items
      expect(history.map(({ kind, amountMinor, balanceAfterMinor }) => [kind, amountMinor, balanceAfterMinor])).toEqual(
        [
          ['bonus', 400, 20_400],
          ['topup', 20_000, 20_000],
        ],
      )
      const small = await test.call(topUp, { token, body: { amountMinor: 19_999 } })
      await bank.pay(test, small.body.fields)
      expect((await test.call(walletHistory, { token })).body.items[0]).toMatchObject({ kind: 'topup' })
      expect((await checkBooks(test.deps.db))?.problems).toEqual([])
    })
  })

  describe('alerts', () => {
    const lowMails = (email: string) =>
      test.mailbox
        .mails()
        .filter(({ to, subject }) => to.includes(email) && subject.startsWith('Your credits are running low'))

    it('email the owner once when credits fall below the limit, and again after they were above it', async () => {
      const customer = await createCustomer(test)
      const { token } = customer
      await fundWallet(test, customer, 10_000)
      const body = { lowBalanceMinor: 5_000, version: 0 }
      expect((await test.call(setWalletPreferences, { token, body })).body).toMatchObject({
        version: 1,
        lowBalanceMinor: 5_000,
      })
      const spend = async (amountMinor: number) => {
        await fundWallet(test, customer, -amountMinor)
        await test.settle()
      }
      await spend(4_000)
      expect(lowMails(customer.email)).toHaveLength(0)
      await spend(2_000)
      await spend(1_000)
      expect(lowMails(customer.email)).toHaveLength(1)
      await spend(-5_000)
      await spend(4_000)
      expect(lowMails(customer.email)).toHaveLength(2)
    })

    it('reject a stale version and invalid limits; nothing is stored', async () => {
      const { token } = await createCustomer(test)
      const save = (body: BodyIn<typeof setWalletPreferences>) => test.call(setWalletPreferences, { token, body })
      expect((await save({ lowBalanceMinor: 100, version: 3 })).error.code).toBe('version_conflict')
      expect((await save({ lowBalanceMinor: -5, version: 0 })).error.errors?.[0]?.field).toBe('lowBalanceMinor')
      expect((await save({ lowBalanceMinor: 1.5, version: 0 })).status).toBe(422)
      expect((await test.call(getWalletPreferences, { token })).body).toMatchObject({
        version: 0,
        lowBalanceMinor: null,
      })
    })
  })
})
