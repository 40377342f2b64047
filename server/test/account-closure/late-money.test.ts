import { type closureReason, deleteOwnAccount, getClosure } from '@waybill/contract/account-closure/account-closure'
import { getAccountMoney } from '@waybill/contract/payments/account-overview'
import { listGatewayTroubles } from '@waybill/contract/payments/gateway'
import type { GatewayForm } from '@waybill/contract/payments/payments'
import { topUp } from '@waybill/contract/wallet/wallet'
import { recordWithdrawal } from '@waybill/contract/wallet/withdrawals'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { hours, later } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { expectSoundBooks } from '../testing/factories/wallet.ts'
import { queueBehind } from '../testing/lock-queue.ts'
import { type BankPeer, startBankPeer } from '../testing/peers/bank.ts'

const password = 'correct horse battery'

describe('money that arrives after its payment failed', () => {
  let bank: BankPeer
  let test: TestApp
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
  })

  const readReasons = async ({ token }: TestCustomer): Promise<z.output<typeof closureReason>[]> =>
    (await test.call(getClosure, { token })).body.reasons
  const remove = ({ token, userId }: TestCustomer) =>
    test.call(deleteOwnAccount, { token, params: { id: userId }, body: { currentPassword: password } })
  /** The bank declines the first card. Its page stays open. */
  const failTopUp = async () => {
    const owner = await createCustomer(test, { password })
    const form = (await test.call(topUp, { token: owner.token, body: { amountMinor: 5000 } })).body
    bank.says(form.fields.RefNo, 'Payment fail')
    await bank.post(test, 'response', bank.answer(form.fields, '0'))
    return { owner, form }
  }
  /** A day after the failure, while the session is still the same. */
  const endLookTime = ({ paymentId }: GatewayForm) =>
    sql`update payments set settled_at = settled_at - interval '25 hours'
      where id = ${paymentId}::uuid`.execute(test.deps.db)
  const listTroubles = async (reference = '') => {
    const { token } = await createStaff(test, { role: 'account_manager' })
    return (await test.call(listGatewayTroubles, { token, query: { search: reference } })).body.items
  }

  it('keeps its account open until it can arrive no more, and the reason says until when', async () => {
    const { owner } = await failTopUp()
    const until = later(test.clock.now(), hours(24))
    const [reason, ...more] = await readReasons(owner)
    expect(more).toEqual([])
    expect(reason).toMatchObject({ reason: 'payments', count: 1 })
    expect(Math.abs(Date.parse(reason?.until ?? '') - until.getTime())).toBeLessThan(60_000)
    expect((await remove(owner)).error).toMatchObject({
      code: 'account_not_settled',
      details: { reasons: [{ reason: 'payments', until: reason?.until }] },
    })
    test.clock.advance(hours(25))
    const late = await createCustomer(test, { accountId: owner.accountId, password })
    expect(await readReasons(late)).toMatchObject([{ reason: 'members' }])
  })

  it('is reported to finance staff if the account was deleted meanwhile, and they can pay it back', async () => {
    const { owner, form } = await failTopUp()
    await endLookTime(form)
    expect((await remove(owner)).status).toBe(200)
    expect((await bank.pay(test, form.fields)).body).toBe('RECEIVEOK')
    expect(await listTroubles(form.fields.RefNo)).toMatchObject([
      {
        trouble: 'account_closed',
        came: { transactionId: `T${form.fields.RefNo}` },
        expected: { accountId: owner.accountId, amountMinor: 5000, status: 'succeeded' },
      },
    ])
    const { token } = await createStaff(test, { role: 'account_manager' })
    const params = { id: owner.accountId }
    expect((await test.call(getAccountMoney, { token, params })).body.walletMinor).toBe(5000)
    const body = { source: 'wallet' as const, amountMinor: 5000, reference: 'Refund of the gateway' }
    expect((await test.call(recordWithdrawal, { token, params, body })).body.balanceMinor).toBe(0)
    await expectSoundBooks(test)
  })

  it('is either seen by a deletion at the same moment, or sees it', async () => {
    const { owner, form } = await failTopUp()
    await endLookTime(form)
    const lock = sql`select 1 from accounts where id = ${owner.accountId}::uuid for update`
    const [removed] = await queueBehind(
      test,
      lock,
      () => remove(owner),
      () => bank.pay(test, form.fields),
    )
    expect(removed.status).toBe(200)
    expect(await listTroubles(form.fields.RefNo)).toMatchObject([{ trouble: 'account_closed' }])
  })
})
