/** What keeps an account from being deleted, requested at the moment of its deletion: one of them is refused. */
import { deleteOwnAccount } from '@waybill/contract/account-closure/account-closure'
import { returnParcel } from '@waybill/contract/parcels/allowed-actions'
import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { contestWeighing, reweighParcel } from '@waybill/contract/parcels/weighing'
import { putSettings } from '@waybill/contract/settings/settings'
import { createClaim } from '@waybill/contract/tickets/tickets'
import { topUp } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { createInsured, uploadDocument } from '../testing/factories/tickets.ts'
import { fundWallet, setWalletPin, testPin } from '../testing/factories/wallet.ts'
import { workingDay } from '../testing/factories/working-day.ts'
import { queueBehind } from '../testing/lock-queue.ts'

const password = 'correct horse battery'

type Answer = { status: number; error: { code: string } }
/** Prepares an account, and returns the request. */
type Prepare = (owner: TestCustomer) => Promise<() => Promise<Answer>>

describe('at the moment of its deletion', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const { token } = await createStaff(test, { type: 'superadmin' })
    await test.call(putSettings, { token, body: { values: { 'price.returnFeeMinor': 0 } } })
  })

  /** Everything about a parcel has ended, and the wallet is empty. */
  const settle = async ({ accountId }: TestCustomer) => {
    const { db } = test.deps
    await test.settle()
    await db.updateTable('parcels').set({ status: 'completed' }).where('account_id', '=', accountId).execute()
    await db.updateTable('orders').set({ status: 'completed' }).where('account_id', '=', accountId).execute()
    await sql`update ledger_accounts set balance_minor = 0
      where account_id = ${accountId}::uuid and kind = 'customer_wallet'`.execute(db)
  }
  const cases: [what: string, prepare: Prepare][] = [
    [
      'claim',
      async (owner) => {
        const { id } = await createInsured(test, owner, { status: 'completed' })
        const documents = [await uploadDocument(test, owner, 'proof_of_value')]
        const body = { parcelId: id, reason: 'damaged', amountMinor: 40_000, description: 'It is broken.', documents }
        return () => test.call(createClaim, { token: owner.token, body: body as never })
      },
    ],
    [
      'weight dispute',
      async (owner) => {
        const { token } = owner
        const { counter } = await findCounter(test)
        await setWalletPin(test, owner)
        await fundWallet(test, owner, 100_000)
        const { id } = await handedOver(test, owner, counter)
        const heavy = { token: counter.token, params: { id }, body: { weightGrams: 5200 } }
        const { dueMinor } = (await test.call(reweighParcel, heavy)).body
        const payment = { parcelIds: [id], totalSeenMinor: dueMinor, pin: testPin }
        expect((await test.call(payOutstanding, { token, body: payment })).status).toBe(200)
        await settle(owner)
        return () => test.call(contestWeighing, { token, params: { id }, body: { reason: 'It was wet' } })
      },
    ],
    [
      'return that costs nothing',
      async (owner) => {
        const { counter } = await findCounter(test)
        await setWalletPin(test, owner)
        await fundWallet(test, owner, 100_000)
        const { id } = await handedOver(test, owner, counter)
        await settle(owner)
        const { version } = await parcelNow(test, owner, id)
        const pickup = { date: workingDay(test, 3), window: '09:00-12:00' }
        const body = { version, reason: null, expectedFeeMinor: 0, pickup }
        return () => test.call(returnParcel, { token: owner.token, params: { id }, body: body as never })
      },
    ],
    [
      'top-up',
      async ({ token }) =>
        () =>
          test.call(topUp, { token, body: { amountMinor: 5000 } as never }),
    ],
  ]

  it.each(cases)('a %s comes first, or the deletion', async (_, prepare) => {
    const race = async (first: 'deletion' | 'request') => {
      const owner = await createCustomer(test, { password })
      const { accountId, userId, token } = owner
      const request = await prepare(owner)
      const deletion = () =>
        test.call(deleteOwnAccount, { token, params: { id: userId }, body: { currentPassword: password } })
      const lock = sql`select id from accounts where id = ${accountId}::uuid for no key update`
      const calls = first === 'deletion' ? [deletion, request] : [request, deletion]
      return (await queueBehind(test, lock, ...(calls as (() => Promise<Answer>)[]))).map(({ status, error }) =>
        status === 200 ? 'done' : error.code,
      )
    }
    expect(await race('deletion')).toEqual(['done', 'account_closed'])
    expect(await race('request')).toEqual(['done', 'account_not_settled'])
  })
})
