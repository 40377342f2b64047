import { listNotifications } from '@waybill/contract/notifications/notifications'
import { getBilling, recordReceipt } from '@waybill/contract/orders/monthly-billing'
import { searchEntries } from '@waybill/contract/wallet/ledger'
import { getWallet, walletHistory } from '@waybill/contract/wallet/wallet'
import { recordWithdrawal, returnWithdrawal, type WithdrawalSource } from '@waybill/contract/wallet/withdrawals'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { listActivities } from '../testing/activities.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../testing/factories/accounts.ts'
import { balanceOfBook } from '../testing/factories/cod.ts'
import { latestMail } from '../testing/factories/newcomers.ts'
import { createPayer, expectSoundBooks } from '../testing/factories/wallet.ts'

const reason = 'The account number does not exist'

describe('a withdrawal that the bank returns', () => {
  let test: TestApp
  let finance: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    finance = await createStaff(test, { role: 'account_manager' })
  })
  afterEach(() => expectSoundBooks(test))

  /** Records a withdrawal and returns its entry. */
  const withdraw = async ({ accountId }: TestCustomer, amountMinor: number, source: WithdrawalSource = 'wallet') => {
    const reference = `IBG ${newId()}`
    const body = { source, amountMinor, reference }
    const { status } = await test.call(recordWithdrawal, { token: finance.token, params: { id: accountId }, body })
    expect(status).toBe(200)
    return findEntry(reference)
  }
  const findEntry = async (reference: string) => {
    const query = { search: reference, kind: 'withdrawal' as const }
    const [entry] = (await test.call(searchEntries, { token: finance.token, query })).body.items
    if (!entry) throw new Error(`no withdrawal has the reference ${reference}`)
    return { ...entry, reference }
  }
  const giveBack = (id: string, { token = finance.token, key }: Record<string, string> = {}) =>
    test.call(returnWithdrawal, {
      token,
      params: { id },
      body: { reason },
      headers: key ? { 'idempotency-key': key } : {},
    })
  const balance = async ({ token }: TestCustomer) => (await test.call(getWallet, { token })).body.balanceMinor
  const listKinds = async ({ token }: TestCustomer) =>
    (await test.call(listNotifications, { token })).body.items.map(({ kind }) => kind)

  it('is back in the wallet, and the owner learns why', async () => {
    const owner = await createPayer(test, { creditsMinor: 1000 })
    const entry = await withdraw(owner, 700)
    expect(entry.returnable).toBe(true)
    const bank = await balanceOfBook(test, 'bank')
    const returned = await giveBack(entry.id)
    const { reference } = entry
    expect(returned.body).toMatchObject({ source: 'wallet', amountMinor: 700, reference, balanceMinor: 1000 })
    expect([await balance(owner), (await balanceOfBook(test, 'bank')) - bank]).toEqual([1000, -700])
    expect((await findEntry(reference)).returnable).toBe(false)

    const [movement] = (await test.call(walletHistory, { token: owner.token })).body.items
    expect(movement).toMatchObject({ kind: 'withdrawal_returned', reference, amountMinor: 700 })
    expect(await listKinds(owner)).toContain('withdrawal_returned_wallet')
    await test.settle()
    expect((await latestMail(test, owner.email)).text.replace(/\s+/g, ' ')).toContain(reason)
    const [log] = await listActivities(test, { action: 'wallet.withdrawalReturned' })
    expect(log).toMatchObject({ subject: reference, detail: { amountMinor: 700, reason } })
  })

  it('is reversed once, also by several calls at the same moment or with a key', async () => {
    const owner = await createPayer(test, { creditsMinor: 1000 })
    const { id } = await withdraw(owner, 400)
    const answers = await Promise.all([giveBack(id), giveBack(id), giveBack(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await balance(owner)).toBe(1000)
    const next = await withdraw(owner, 300)
    const key = 'withdrawal-back-1'
    const [first, again] = [await giveBack(next.id, { key }), await giveBack(next.id, { key })]
    expect([first.status, again.body]).toEqual([200, first.body])
    expect(await balance(owner)).toBe(1000)
  })

  it('of an advance counts as paid in advance again', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const receivedOn = test.clock.now().toISOString().slice(0, 10)
    const body = { amountMinor: 5000, reference: 'TT 1', receivedOn }
    await test.call(recordReceipt, { token: finance.token, params: { id: owner.accountId }, body })
    const entry = await withdraw(owner, 5000, 'advance')
    const used = async () => (await test.call(getBilling, { token: owner.token })).body.usedMinor
    expect(await used()).toBe(0)
    expect((await giveBack(entry.id)).body).toMatchObject({ source: 'advance', balanceMinor: 5000 })
    expect(await used()).toBe(-5000)
    expect(await listKinds(owner)).toContain('withdrawal_returned_advance')
  })

  it('is recorded by finance staff only, and only of a withdrawal', async () => {
    const owner = await createPayer(test, { creditsMinor: 1000 })
    const { id } = await withdraw(owner, 400)
    for (const role of ['inside_sales_representative', 'normal_staff', 'it_executive'] as const) {
      const { token } = await createStaff(test, { role })
      expect((await giveBack(id, { token })).status).toBe(403)
    }
    expect((await giveBack(id, { token: owner.token })).status).toBe(403)
    expect((await giveBack(newId())).status).toBe(404)
    const funding = await test.call(searchEntries, { token: finance.token, query: { accountId: owner.accountId } })
    const other = funding.body.items.find(({ kind }) => kind !== 'withdrawal')
    expect((await giveBack(other?.id ?? '')).status).toBe(404)
  })
})
