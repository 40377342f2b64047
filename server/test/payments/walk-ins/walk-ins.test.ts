import { getAccount, setAccountStatus, viewAccount } from '@waybill/contract/accounts/directory'
import { getPublicDeliveryChoice, makePublicDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { scan, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { closeDrawer, listCashMovements, openDrawer } from '@waybill/contract/payments/cash-desk'
import { printCashReceipt } from '@waybill/contract/payments/cash-receipts'
import { roundToCash } from '@waybill/contract/payments/coins'
import { bookWalkIn } from '@waybill/contract/payments/walk-ins'
import { publicTrack } from '@waybill/contract/tracking/tracking'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeLinkToken } from '../../../src/domains/parcels/failed-delivery/choice-link.ts'
import { mailFollowers } from '../../../src/domains/tracking/following/jobs.ts'
import { hours, later } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextDay } from '../../testing/calendar.ts'
import { createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { readOpenShift } from '../../testing/factories/drawers.ts'
import { findCounter, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { testReceiver } from '../../testing/factories/parcels.ts'
import { type WalkIn, walkInBody } from '../../testing/factories/walk-ins.ts'
import { expectSoundBooks } from '../../testing/factories/wallet.ts'

const currency = 'MYR'
const givenMinor = 10_000

describe('a sender without an account at the counter', () => {
  let test: TestApp
  let here: string
  let clerk: TestStaff
  let usual: WalkIn
  let total: number
  beforeEach(async () => {
    test = await buildTestApp()
    moveToNextDay(test)
    await seedTestNetwork(test)
    ;({ here } = await findCounter(test))
    clerk = await createStaff(test, { stationId: here })
    await open(1)
    usual = await walkInBody(test, here)
    total = usual.expectedTotalMinor
  })
  afterEach(() => expectSoundBooks(test))

  const open = (drawerNumber: number) =>
    test.call(openDrawer, { token: clerk.token, body: { drawerNumber, floatMinor: 5_000, currency } })
  const walkIn = (overrides: Partial<WalkIn> = {}): WalkIn => ({ ...usual, ...overrides })
  const book = (overrides: Partial<WalkIn> = {}, { token } = clerk, key?: string) =>
    test.call(bookWalkIn, { token, body: walkIn(overrides), headers: key ? { 'idempotency-key': key } : {} })
  const balance = async (number = 1) => (await readOpenShift(test, here, number)).balance_minor
  const findParcel = async (no: string) =>
    (await test.call(staffParcelByNumber, { token: clerk.token, params: { no } })).body
  /** Everything that a refused booking must not leave behind. */
  async function countRecords(): Promise<Record<string, number>> {
    const { rows } = await sql<Record<string, number>>`
      select (select count(*)::int from parcels) as parcels, (select count(*)::int from orders) as orders,
        (select count(*)::int from payments) as payments, (select count(*)::int from cash_movements) as movements,
        (select count(*)::int from invoices) as invoices`.execute(test.deps.db)
    return rows[0] as Record<string, number>
  }

  it('is booked, paid and accepted in one step', async () => {
    const { status, body, error } = await book()
    expect(status, JSON.stringify(error)).toBe(200)
    const cashMinor = roundToCash(total, currency)
    expect(body.sale).toMatchObject({ totalMinor: total, cashMinor, changeMinor: givenMinor - cashMinor, givenMinor })
    expect(body.sale.parcels).toEqual([body.trackingNumber])
    expect(await balance()).toBe(5_000 + cashMinor)
    const parcel = await findParcel(body.trackingNumber)
    expect(parcel).toMatchObject({ status: 'inbound', accountName: 'Walk-in senders', amountDueMinor: 0 })
    expect(parcel.custody).toMatchObject({ holder: 'station', station: { id: here } })
    const accepted = parcel.events.find(({ event }) => event === 'accepted')
    expect(accepted?.byName).toMatch(/^Staff /)
    const { id } = await readOpenShift(test, here)
    const movements = await test.call(listCashMovements, { token: clerk.token, params: { id }, query: {} })
    expect(movements.body.items[0]).toMatchObject({ kind: 'sale', amountMinor: cashMinor })
  })

  it('has the sender on the receipt', async () => {
    const { sale } = (await book()).body
    const receipt = await test.call(printCashReceipt, { token: clerk.token, params: { id: sale.movementId } })
    expect(receipt.body).toMatchObject({
      customer: 'Tan Mei Ling',
      parcels: sale.parcels,
      changeMinor: sale.changeMinor,
    })
  })

  it('can be followed by the public, and its sender gets mails', async () => {
    const { parcelId, trackingNumber } = (await book()).body
    const tracking = await test.call(publicTrack, { body: { numbers: [trackingNumber] } })
    expect(tracking.body.found[0]).toMatchObject({ trackingNumber })
    // Mails are gathered for a minute; the job runs at once here.
    await mailFollowers(test.deps, { parcelId })
    await test.settle()
    const mails = test.mailbox.mails().filter(({ to }) => to.includes('meiling@example.test'))
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining(trackingNumber)])
    // The sender was there when it was booked.
    expect(mails[0]?.text).toContain('Accepted at the counter')
    expect(mails[0]?.text).not.toContain('Booked')
  })

  it('mails sender and receiver in the chosen language', async () => {
    const receiver = testReceiver({ email: 'ahmad@example.test' })
    const { parcelId, trackingNumber } = (await book({ language: 'cn_zh', receiver })).body
    await scanned(test, clerk, trackingNumber, 'out_for_delivery')
    await scanned(test, clerk, trackingNumber, 'attempt_failed', { failureReason: 'not_home' })
    await mailFollowers(test.deps, { parcelId })
    await test.settle()
    for (const address of ['meiling@example.test', 'ahmad@example.test']) {
      const mails = test.mailbox.mails().filter(({ to, text }) => to.includes(address) && text.includes(trackingNumber))
      expect(mails.at(-1)?.text).toMatch(/派送|投递/)
    }
  })

  it('chooses after a failed delivery by the link of a mail, but nothing with a fee and no other address', async () => {
    const fail = async () => {
      const { trackingNumber } = (await book()).body
      await scanned(test, clerk, trackingNumber, 'out_for_delivery')
      await scanned(test, clerk, trackingNumber, 'attempt_failed', { failureReason: 'not_home' })
      await test.settle()
      const mail = test.mailbox
        .mails()
        .find(({ to, text }) => to.includes('meiling@example.test') && text.includes(`${trackingNumber} to`))
      return {
        trackingNumber,
        text: mail?.text ?? '',
        token: /public\/delivery\/(\S+)/.exec(mail?.text ?? '')?.[1] ?? '',
      }
    }
    const first = await fail()
    expect(first.text).toContain('choose another day or send it to a station, free of charge')
    const view = await test.call(getPublicDeliveryChoice, { params: { token: first.token } })
    expect(view.body).toMatchObject({ trackingNumber: first.trackingNumber, by: 'sender', waiting: true })
    const choose = async (token: string, body: object) => {
      const answer = await test.call(makePublicDeliveryChoice, { params: { token }, body: body as never })
      return { ...answer, refusal: [answer.error?.code, answer.error?.details?.reason] }
    }
    // The return has a fee.
    expect((await choose(first.token, { kind: 'recall' })).refusal).toEqual(['choice_closed', 'only_free'])
    expect((await choose(first.token, { kind: 'correct' })).status).toBe(422)
    const [date = ''] = view.body.dates
    const choice = await choose(first.token, { kind: 'retry', date })
    expect(choice.body).toMatchObject({ waiting: false, chosen: { kind: 'retry', by: 'sender', date } })
    expect((await choose(first.token, { kind: 'retry', date })).refusal[0]).toBe('already_chosen')
    expect((await findParcel(first.trackingNumber)).failedAttempt?.chosen).toMatchObject({
      kind: 'retry',
      by: 'sender',
    })

    await test.deps.db.insertInto('settings').values({ key: 'price.recallFeeMinor', value: '0' }).execute()
    await test.deps.settings.reload()
    const second = await fail()
    expect(second.text).toContain('choose another day, send it to a station, or have it returned, free of charge')
    const [parcelId = ''] = second.token.split('.')
    const ofReceiver = makeLinkToken(test.deps, 'receiver', {
      parcelId,
      attempt: 1,
      until: later(test.clock.now(), hours(1)),
    })
    expect((await choose(ofReceiver, { kind: 'recall' })).refusal).toEqual(['choice_closed', 'not_for_receiver'])
    expect((await choose(second.token, { kind: 'recall' })).body.chosen).toMatchObject({ kind: 'recall', by: 'sender' })
    expect((await findParcel(second.trackingNumber)).status).toBe('recall')
  })

  it.each([
    ['too little cash', { givenMinor: 100 }, 422, 'cash_short'],
    ['another price', { expectedTotalMinor: 1 }, 409, 'price_changed'],
    ['a closed drawer', { drawerNumber: 2 }, 409, 'drawer_not_open'],
    ['an unknown postcode', { receiver: testReceiver({ postcode: '00001' }) }, 422, 'postcode_unknown'],
    ['a pickup', { deliveryMode: 'D2D' as 'P2D' }, 422, 'validation'],
    ['no service', { serviceType: 'semi_express' as const, weightGrams: 900_000 }, 422, 'weight_over_limit'],
    ['another currency', { currency: 'SGD' }, 422, 'validation'],
  ])('stores nothing with %s', async (_, overrides, status, code) => {
    const before = await countRecords()
    const answer = await book(overrides)
    expect([answer.status, answer.error?.code]).toEqual([status, code])
    expect(await countRecords()).toEqual(before)
    expect(await balance()).toBe(5_000)
  })

  it('ships one parcel for the same key, also at the same moment', async () => {
    const key = 'one-walk-in-key'
    const answers = await Promise.all([book({}, clerk, key), book({}, clerk, key), book({}, clerk, key)])
    const numbers = new Set(answers.map(({ body }) => body.trackingNumber))
    expect(numbers.size).toBe(1)
    expect((await countRecords()).parcels).toBe(1)
    expect(await balance()).toBe(5_000 + roundToCash(total, currency))
  })

  it('is served at two counters at once, from the very first one on', async () => {
    await open(2)
    const answers = await Promise.all([1, 2, 1, 2].map((drawerNumber) => book({ drawerNumber })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const cashMinor = roundToCash(total, currency)
    expect([await balance(1), await balance(2)]).toEqual([5_000 + 2 * cashMinor, 5_000 + 2 * cashMinor])
  })

  it('has neither insurance nor cash on delivery', async () => {
    const money = { insuredValueMinor: 50_000, declaredValueMinor: 50_000, codAmountMinor: 9_900 }
    const { trackingNumber } = (await book({ ...money, collectionMode: 'cod' } as Partial<WalkIn>)).body
    const withoutMoney = {
      insuredValueMinor: null,
      codAmountMinor: null,
      collectionMode: null,
      declaredValueMinor: 50_000,
    }
    expect(await findParcel(trackingNumber)).toMatchObject(withoutMoney)
  })

  it('is not weighed again, because our own clerk has weighed it', async () => {
    const { parcelId, trackingNumber } = (await book()).body
    expect((await findParcel(trackingNumber)).mayWeigh).toBe(false)
    const body = { weightGrams: 4_000, confirmed: true }
    const answer = await test.call(reweighParcel, { token: clerk.token, params: { id: parcelId }, body })
    expect([answer.status, answer.error?.code]).toEqual([409, 'weighed_at_counter'])
  })

  it('is delivered like every other parcel', async () => {
    const { trackingNumber } = (await book()).body
    for (const event of ['sorted', 'out_for_delivery'] as const) {
      const answer = await test.call(scan, { token: clerk.token, body: { trackingNumber, event, stationId: here } })
      expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    }
    const proof = { recipientName: 'Ahmad', signaturePath: 'M10,20 L30,40' }
    const body = { trackingNumber, event: 'delivered' as const, ...proof }
    const answer = await test.call(scan, { token: clerk.token, body })
    expect(answer.body.toStatus).toBe('completed')
    await test.settle()
  })

  it('is refused without a station, and after the day of the drawer', async () => {
    const stationless = await createStaff(test, { stationId: null })
    expect((await book({}, stationless)).error?.code).toBe('no_station')
    const { id, version, balance_minor: sumMinor } = await readOpenShift(test, here)
    const body = { version, counted: { sumMinor }, currency, reason: null }
    await test.call(closeDrawer, { token: clerk.token, params: { id }, body })
    expect((await book()).error?.code).toBe('drawer_not_open')
  })

  it('has an account without users or views, which staff can suspend', async () => {
    const { trackingNumber } = (await book()).body
    const manager = await createStaff(test, { role: 'account_manager' })
    const id = (await findParcel(trackingNumber)).accountId
    const account = await test.call(getAccount, { token: manager.token, params: { id } })
    expect(account.body).toMatchObject({ name: 'Walk-in senders', email: null, users: [], viewable: false })
    const view = await test.call(viewAccount, { token: manager.token, params: { id } })
    expect(view.status).toBeGreaterThanOrEqual(400)
    const change = { status: 'inactive' as const, reason: 'No walk-ins today', version: account.body.version }
    const suspended = await test.call(setAccountStatus, { token: manager.token, params: { id }, body: change })
    expect(suspended.status, JSON.stringify(suspended.error)).toBe(200)
    const refused = await book()
    expect([refused.status, refused.error?.code]).toEqual([403, 'account_suspended'])
  })

  it('is booked in a language for which an earlier release had no user', async () => {
    await book()
    await sql`
      with released as (
        delete from users where email = 'walk-in.cn_zh@counter.invalid' returning account_id
      )
      update users u set email = 'walk-in@counter.invalid'
      from released r
      where u.account_id = r.account_id and u.is_owner`.execute(test.deps.db)
    expect((await book({ language: 'cn_zh' })).status).toBe(200)
  })

  it('adds no user who could sign in', async () => {
    await book()
    const { rows } = await sql<{ email: string }>`
      select email from users where password_hash is null and removed_at is not null`.execute(test.deps.db)
    expect(rows.map(({ email }) => email).sort()).toEqual([
      'walk-in.cn_zh@counter.invalid',
      'walk-in.en@counter.invalid',
    ])
  })
})
