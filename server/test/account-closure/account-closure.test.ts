import { type ClosureReason, deleteOwnAccount, getClosure } from '@waybill/contract/account-closure/account-closure'
import { mailProofCode } from '@waybill/contract/accounts/proof'
import { getProfile, login } from '@waybill/contract/accounts/sign-in'
import { listAddresses } from '@waybill/contract/addresses/addresses'
import { cancelOrder } from '@waybill/contract/orders/refunds'
import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { contestWeighing, reweighParcel } from '@waybill/contract/parcels/weighing'
import { exportOrderReport, printOrderReport, reportOrders } from '@waybill/contract/reports/orders'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { postEntry } from '../../src/domains/wallet/ledger/service.ts'
import { dayIn } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { readSheet } from '../../src/lib/sheet/read.ts'
import { erasedMarks } from '../../src/lib/text/erased.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import {
  type CustomerDefaults,
  createCustomer,
  createMember,
  createStaff,
  type TestCustomer,
} from '../testing/factories/accounts.ts'
import { findCounter, parcelNow, scanned } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { latestCode, readCode, wrongCode } from '../testing/factories/newcomers.ts'
import { payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { createClaimTicket } from '../testing/factories/tickets.ts'
import { fundWallet, setWalletPin, testPin } from '../testing/factories/wallet.ts'
import { openPaper } from '../testing/paper.ts'

const password = 'correct horse battery'

describe("deletion of the user's own account", () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  const customer = (overrides: CustomerDefaults = {}) => createCustomer(test, { password, ...overrides })

  const remove = ({ token, userId }: TestCustomer, body = {}, id = userId) =>
    test.call(deleteOwnAccount, { token, params: { id }, body: { currentPassword: password, ...body } })
  const listReasons = async (owner: TestCustomer): Promise<ClosureReason[]> => {
    const { body } = await test.call(getClosure, { token: owner.token })
    return body.reasons.map(({ reason }) => reason)
  }

  /** An order that uses up the whole wallet. */
  async function payInFull(owner: TestCustomer, mode: 'D2D' | 'P2D') {
    await setWalletPin(test, owner)
    const order = await placeOrder(test, owner, { mode })
    await fundWallet(test, owner, order.totalMinor)
    expect((await payCredits(test, owner, order)).status).toBe(200)
    return order
  }

  it('deletes the personal data and keeps the books', async () => {
    const owner = await customer({ name: 'Nur Izzati' })
    const { db } = test.deps
    await db
      .insertInto('activity_log')
      .values({ id: newId(), action: 'auth.login', account_id: owner.accountId, user_id: owner.userId, at: new Date() })
      .execute()
    const draft = await createParcel(test, owner, { status: 'pending' })
    const parcel = await createParcel(test, owner, { status: 'completed' })
    expect(await listReasons(owner)).toEqual([])
    expect((await remove(owner)).status).toBe(200)
    await test.settle()
    const user = await db.selectFrom('users').selectAll().where('id', '=', owner.userId).executeTakeFirstOrThrow()
    const account = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', owner.accountId)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify([user, account])).not.toContain('Nur Izzati')
    expect(user).toMatchObject({ password_hash: null, phone: null, status: 'blacklisted', photo_id: null })
    expect(user.email).toBe(`${owner.userId}@deleted.invalid`)
    expect(account.closed_at).not.toBeNull()
    const parcels = await db.selectFrom('parcels').select('id').where('account_id', '=', owner.accountId).execute()
    expect(parcels.map(({ id }) => id)).toEqual([parcel.id])
    expect(parcels.map(({ id }) => id)).not.toContain(draft.id)
    const search = await db.selectFrom('parcel_search').select('id').where('account_id', '=', owner.accountId).execute()
    expect(search).toEqual([])
    // The sessions end at once, and the address can be used again.
    expect((await test.call(getProfile, { token: owner.token })).status).toBe(401)
    expect((await test.call(listAddresses, { token: owner.token, query: {} })).status).toBe(401)
    expect((await test.call(login, { body: { email: owner.email, password } })).error.code).toBe('wrong_credentials')
    expect((await createCustomer(test, { email: owner.email })).email).toBe(owner.email)
  })

  it('is rejected while the wallet has money, and reports the amount', async () => {
    const owner = await customer()
    await fundWallet(test, owner, 12_50)
    const answer = await remove(owner)
    expect(answer).toMatchObject({
      status: 409,
      error: {
        code: 'account_not_settled',
        details: { reasons: [{ reason: 'wallet', count: 1, amountMinor: 12_50 }] },
      },
    })
    expect((await test.call(getProfile, { token: owner.token })).status).toBe(200)
  })

  it('is rejected with all reasons together while parcels are in transit, due or unpaid', async () => {
    const owner = await customer()
    const underWay = ['pending_pickup', 'sorting', 'delivering', 'fail-to-deliver', 'recall'] as const
    for (const status of underWay) await createParcel(test, owner, { status })
    await createParcel(test, owner, { status: 'outstanding', amount_due_minor: 700 })
    await fundWallet(test, owner, 300)
    const { body } = await test.call(getClosure, { token: owner.token })
    expect(body).toMatchObject({
      scope: 'account',
      reasons: [
        { reason: 'parcels', count: 5, amountMinor: null },
        { reason: 'outstanding', count: 1, amountMinor: 700 },
        { reason: 'wallet', count: 1, amountMinor: 300 },
      ],
    })
    expect((await remove(owner)).error.code).toBe('account_not_settled')
  })

  it('is rejected for each kind of unsettled business', async () => {
    const { db } = test.deps
    const at = new Date()
    const cases: [ClosureReason, (owner: TestCustomer) => Promise<unknown>][] = [
      [
        'cod',
        async ({ accountId }) => {
          const { userId } = await createStaff(test)
          const row = { account_id: accountId, parcel_id: newId(), amount_minor: 100, currency: 'MYR' }
          return db
            .insertInto('cod_collections')
            .values({ ...row, collected_by: userId, collected_at: at })
            .execute()
        },
      ],
      [
        'approvals',
        async ({ accountId, userId }) =>
          db
            .insertInto('order_approvals')
            .values({
              account_id: accountId,
              id: newId(),
              order_id: newId(),
              requested_by: userId,
              expires_at: at,
              created_at: at,
            })
            .execute(),
      ],
      [
        'payments',
        async ({ accountId }) =>
          db
            .insertInto('payments')
            .values({
              account_id: accountId,
              id: newId(),
              reference: `T${newId()}`.slice(0, 20),
              purpose: 'topup',
              method: 'ipay88',
              amount_minor: 100,
              currency: 'MYR',
              status: 'pending',
            })
            .execute(),
      ],
      ['members', async ({ accountId }) => createCustomer(test, { accountId, userType: 'corporate', isOwner: false })],
    ]
    await seedTestNetwork(test)
    cases.push(['orders', (owner) => placeOrder(test, owner)])
    cases.push([
      'pickups',
      async (owner) => {
        await payInFull(owner, 'D2D')
        const { accountId } = owner
        await db.updateTable('parcels').set({ status: 'completed' }).where('account_id', '=', accountId).execute()
      },
    ])
    cases.push([
      'refunds',
      async (owner) => {
        const order = await payInFull(owner, 'P2D')
        const { accountId } = owner
        await db.updateTable('parcels').set({ status: 'completed' }).where('account_id', '=', accountId).execute()
        const row = { destination: 'card', status: 'requested', currency: 'MYR', amount_minor: 100 }
        await db
          .insertInto('refunds')
          .values({ id: newId(), account_id: accountId, order_id: order.id, ...row })
          .execute()
      },
    ])
    cases.push([
      'claims',
      async (owner) => {
        const { parcelId = '' } = (await createClaimTicket(test, owner)).claim ?? {}
        await db.updateTable('parcels').set({ status: 'completed' }).where('id', '=', parcelId).execute()
      },
    ])
    cases.push([
      'disputes',
      async (owner) => {
        const order = await payInFull(owner, 'P2D')
        const { id = '' } = order.parcels[0] ?? {}
        const { counter } = await findCounter(test)
        await scanned(test, counter, (await parcelNow(test, owner, id)).trackingNumber ?? '', 'accepted')
        const heavy = { token: counter.token, params: { id }, body: { weightGrams: 5200 } }
        const { dueMinor } = (await test.call(reweighParcel, heavy)).body
        await fundWallet(test, owner, dueMinor)
        const { token } = owner
        const payment = { parcelIds: [id], totalSeenMinor: dueMinor, pin: testPin }
        expect((await test.call(payOutstanding, { token, body: payment })).status).toBe(200)
        const body = { reason: 'It was wet' }
        expect((await test.call(contestWeighing, { token, params: { id }, body })).status).toBe(200)
        // The order follows its parcels.
        await test.settle()
        await db.updateTable('parcels').set({ status: 'completed' }).where('id', '=', id).execute()
      },
    ])
    cases.push([
      'statement',
      async ({ accountId, userId }) =>
        tx(db, (trx) =>
          postEntry(test.deps, trx, {
            kind: 'order',
            accountId,
            reference: 'TEST',
            actorId: userId,
            log: null,
            currency: 'MYR',
            postings: [
              { book: 'corporate_receivable', accountId, amountMinor: -900 },
              { book: 'revenue', amountMinor: 900 },
            ],
          }),
        ),
    ])
    for (const [reason, happen] of cases) {
      const owner = await customer({ userType: 'corporate' })
      expect(await listReasons(owner)).toEqual([])
      await happen(owner)
      expect(await listReasons(owner), reason).toEqual([reason])
      expect((await remove(owner)).error.code).toBe('account_not_settled')
    }
  })

  it("requires the password, and applies only to the caller's own account", async () => {
    const owner = await customer()
    const other = await customer()
    expect((await remove(owner, { currentPassword: 'not mine' })).error.code).toBe('password_wrong')
    const without = await test.call(deleteOwnAccount, {
      token: owner.token,
      params: { id: owner.userId },
      body: {},
    })
    expect(without.error.errors).toMatchObject([{ field: 'currentPassword' }])
    for (const id of [other.userId, owner.accountId, newId()]) expect((await remove(owner, {}, id)).status).toBe(404)
    expect((await test.call(getProfile, { token: other.token })).status).toBe(200)
    const staff = await createStaff(test)
    const answer = await test.call(deleteOwnAccount, { ...staff, params: { id: staff.userId }, body: {} })
    expect(answer.status).toBe(403)
  })

  it('accepts an emailed code from a user without a password, in the browser that requested it', async () => {
    const owner = await createCustomer(test)
    const requestCode = () => test.call(mailProofCode, { token: owner.token, body: { step: 'delete_account' } })
    const codeMail = await requestCode()
    await test.settle()
    const code = await latestCode(test, owner.email)
    const buildProof = (code: string, browserToken = codeMail.body.browserToken) => ({
      currentPassword: undefined,
      code,
      browserToken,
    })
    expect((await remove(owner, buildProof(wrongCode(code)))).error.code).toBe('code_wrong')
    expect((await remove(owner, buildProof(code, 'another browser'))).error.code).toBe('code_wrong')
    const stranger = await createCustomer(test)
    expect((await remove(stranger, buildProof(code))).error.code).toBe('code_wrong')
    const secondCodeMail = await requestCode()
    await test.settle()
    const fresh = readCode(
      await test.mailbox.waitFor((mail) => mail.to.includes(owner.email) && !mail.text.includes(code)),
    )
    expect((await remove(owner, buildProof(fresh, secondCodeMail.body.browserToken))).status).toBe(200)
  })

  it('lets a member leave a company, which remains', async () => {
    const owner = await customer({ userType: 'corporate' })
    const member = await customer({ accountId: owner.accountId, userType: 'corporate', isOwner: false })
    expect((await test.call(getClosure, { token: member.token })).body).toMatchObject({ scope: 'user', reasons: [] })
    expect((await remove(member)).status).toBe(200)
    expect((await test.call(getProfile, { token: member.token })).status).toBe(401)
    expect((await test.call(getProfile, { token: owner.token })).body.account?.name).not.toBe('Former customer')
    expect(await listReasons(owner)).toEqual([])
  })

  it("names who left in each reader's language, in responses, spreadsheets, prints and texts", async () => {
    const owner = await customer({ userType: 'corporate' })
    const member = await createMember(test, owner, ['parcels.create', 'pay'], { password })
    const order = await placeOrder(test, member)
    expect((await test.call(cancelOrder, { token: member.token, params: { id: order.id }, body: {} })).status).toBe(200)
    expect((await remove(member)).status).toBe(200)
    const today = dayIn(test.clock.now(), test.deps.settings.get('timezone'))
    const query = { from: today, to: today }
    const { token } = owner
    for (const [language, word, other] of [
      ['en', 'Former user', '前用户'],
      ['zh', '前用户', 'Former user'],
    ] as const) {
      const report = await test.call(reportOrders, { token, query, language })
      expect(report.body.items.map(({ createdByName }) => createdByName)).toEqual([word])
      const csv = (await test.call(exportOrderReport, { token, query: { ...query, format: 'csv' }, language })).raw
      const xlsx = (await test.call(exportOrderReport, { token, query, language })).raw
      const cells: unknown[] = []
      for await (const row of readSheet(xlsx, { rows: 100, bytes: 1_000_000, ratio: 1_000 })) cells.push(...row.cells)
      const paper = await openPaper((await test.call(printOrderReport, { token, query, language })).raw)
      for (const text of [csv.toString(), cells.join(), paper.pages.map((page) => page.text).join()]) {
        expect(text).toContain(word)
        expect(text).not.toContain(other)
        expect(text).not.toContain(erasedMarks.user)
      }
    }
    const t = test.deps.translations('cn_zh')
    expect(t('mail.common.greeting', { name: erasedMarks.user })).toContain('前用户')
  })
})
