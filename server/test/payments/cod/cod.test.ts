import { Readable } from 'node:stream'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { generateNotes } from '@waybill/contract/parcels/labels'
import { listDeliveryTasks } from '@waybill/contract/parcels/rider-tasks'
import {
  getDrawer,
  handInCash,
  listCashMovements,
  listHandIns,
  listOwnHandIns,
  openDrawer,
  printHandIn,
  printOwnHandIn,
} from '@waybill/contract/payments/cash-desk'
import {
  listAllCodPayouts,
  listCod,
  listCodOwed,
  listCodPayouts,
  payOutCod,
  printAnyCodPayout,
  printCodPayout,
} from '@waybill/contract/payments/cod'
import { putSettings } from '@waybill/contract/settings/settings'
import { listTrialBalances, proveBooks, searchEntries } from '@waybill/contract/wallet/ledger'
import { getWallet, walletHistory } from '@waybill/contract/wallet/wallet'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import { bookCollected, payOutWeekly } from '../../../src/domains/payments/cod/service.ts'
import { checkBooks, saveNightlyTrialBalance } from '../../../src/domains/wallet/ledger/books.ts'
import { days } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { counterOf, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { latestMail } from '../../testing/factories/newcomers.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { openPaper } from '../../testing/paper.ts'

const currency = 'MYR'

describe('cash on delivery', () => {
  let test: TestApp
  let owner: TestCustomer
  let other: TestCustomer
  let here: string
  let there: string
  let rider: TestStaff
  let boss: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    ;({ here, there } = await counterOf(test))
  })
  beforeEach(async () => {
    test.clock.advance(days(1))
    rider = await createStaff(test, { stationId: here })
    boss = await createStaff(test, { role: 'account_manager' })
    owner = await createCustomer(test, { name: 'Kedai Kopi' })
    other = await createCustomer(test)
  })
  afterEach(async () => {
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  })

  /** A parcel at whose door the money was taken. */
  const collected = async (amount: number, to = owner, by = rider, stationId = here) => {
    const parcel = await createParcel(test, to, {
      status: 'inbound',
      delivery_mode: 'D2D',
      collection_mode: 'cod',
      cod_amount_minor: amount,
    })
    const number = parcel.tracking_number ?? ''
    await scanned(test, by, number, 'out_for_delivery', { stationId })
    const proof = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40', codCollectedMinor: amount }
    await scanned(test, by, number, 'delivered', proof)
    await test.deps.outbox.drain()
    return { id: parcel.id, number }
  }
  /** Opens the drawer of somebody's station; answers its id. */
  const open = async ({ token }: TestStaff) => {
    const { carriedMinor } = (await test.call(getDrawer, { token })).body
    const opened = await test.call(openDrawer, { token, body: { floatMinor: carriedMinor, currency } })
    return opened.body.id
  }
  type Counted = Omit<BodyIn<typeof handInCash>, 'riderId' | 'currency'>
  const takeIn = ({ token }: TestStaff, counted: Counted) =>
    test.call(handInCash, { token, body: { riderId: rider.userId, currency, ...counted } })
  const codOf = async ({ token } = owner) => (await test.call(listCod, { token })).body
  const balance = async ({ token } = owner) => (await test.call(getWallet, { token })).body.balanceMinor
  const payOut = (accountIds: string[], totalSeenMinor: number, given: { token?: string; key?: string } = {}) =>
    test.call(payOutCod, {
      token: given.token ?? boss.token,
      body: { accountIds, totalSeenMinor },
      headers: given.key ? { 'idempotency-key': given.key } : {},
    })
  const booked = async (book: string, column: 'account_id' | 'station_id', id: string) => {
    const row = await test.deps.db
      .selectFrom('journal_postings as p')
      .innerJoin('ledger_accounts as a', 'a.id', 'p.ledger_account_id')
      .where('a.kind', '=', book)
      .where(`a.${column}`, '=', id)
      .select((each) => each.fn.sum<number>('p.amount_minor').as('sum'))
      .executeTakeFirst()
    return Number(row?.sum ?? 0)
  }

  it('is booked once when it is taken: the station has it, the sender is owed it, the rider holds it', async () => {
    const before = await booked('station_cash', 'station_id', here)
    const { id, number } = await collected(4990)
    const told = { accountId: owner.accountId, parcelId: id, amountMinor: 4990, currency, stationId: here }
    await tx(test.deps.db, (trx) => bookCollected(test.deps, trx, [{ ...told, actorId: rider.userId }]))
    expect(await booked('station_cash', 'station_id', here)).toBe(before - 4990)
    expect(await booked('cod_payable', 'account_id', owner.accountId)).toBe(4990)
    const cod = await codOf()
    expect(cod).toMatchObject({ total: 1, owedMinor: 4990, paidOutMinor: 0, currency })
    expect(cod.items[0]).toMatchObject({ parcelId: id, trackingNumber: number, state: 'owed', payoutNumber: null })
    expect(await codOf(other)).toMatchObject({ total: 0, owedMinor: 0 })
    const { holders } = (await test.call(getDrawer, { token: rider.token })).body
    expect(holders).toContainEqual(expect.objectContaining({ userId: rider.userId, count: 1, amountMinor: 4990 }))
    expect(await balance()).toBe(0)
  })

  it('is not asked for again once it was taken: the task says what was collected, a note printed anew says nothing', async () => {
    const cod = { collection_mode: 'cod' as const, cod_amount_minor: 8850 }
    const parcel = await createParcel(test, owner, { status: 'inbound', delivery_mode: 'D2D', ...cod })
    const number = parcel.tracking_number ?? ''
    const task = async (state: 'under_way' | 'done') => {
      const { items } = (await test.call(listDeliveryTasks, { token: rider.token, query: { state } })).body
      return items.find(({ parcelId }) => parcelId === parcel.id)
    }
    const note = async () => {
      const answer = await test.call(generateNotes, { token: owner.token, query: { ids: parcel.id as never } })
      return (await openPaper(Readable.from(answer.raw))).pages.map(({ text }) => text).join('\n')
    }
    await scanned(test, rider, number, 'out_for_delivery', { stationId: here })
    expect(await task('under_way')).toMatchObject({ codAmountMinor: 8850, codCollectedMinor: null })
    expect(await note()).toContain('88.50')
    const proof = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40', codCollectedMinor: 8850 }
    await scanned(test, rider, number, 'delivered', proof)
    await test.deps.outbox.drain()
    expect(await task('done')).toMatchObject({ codAmountMinor: null, codCollectedMinor: 8850 })
    expect(await note()).not.toContain('88.50')
  })

  it('goes into the drawer whole, once, and to the books of the station that takes it', async () => {
    await collected(3000)
    await collected(1250)
    const clerk = await createStaff(test, { stationId: there })
    const handIn = (expectedMinor: number) => takeIn(clerk, { expectedMinor, counted: { sumMinor: 4250 } })
    expect((await handIn(4250)).error.code).toBe('drawer_not_open')
    const drawerId = await open(clerk)
    expect((await handIn(4000)).error).toMatchObject({ code: 'price_changed', details: { totalMinor: 4250 } })
    const [start, startThere] = [
      await booked('station_cash', 'station_id', here),
      await booked('station_cash', 'station_id', there),
    ]
    const answers = await Promise.all([handIn(4250), handIn(4250)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await booked('station_cash', 'station_id', here)).toBe(start + 4250)
    expect(await booked('station_cash', 'station_id', there)).toBe(startThere - 4250)
    const moves = await test.call(listCashMovements, { token: clerk.token, params: { id: drawerId } })
    expect(moves.body.items).toMatchObject([{ kind: 'hand_in', amountMinor: 4250 }])
    const { holders } = (await test.call(getDrawer, { token: rider.token })).body
    expect(holders.map(({ userId }) => userId)).not.toContain(rider.userId)
  })

  it('is counted by somebody else; what is missing needs a reason, leaves the drawer right, and stays visible', async () => {
    const { number } = await collected(3000)
    await collected(1250)
    const clerk = await createStaff(test, { stationId: here })
    await open(clerk)
    const own = await takeIn(rider, { expectedMinor: 4250, counted: { sumMinor: 4250 } })
    expect([own.status, own.error.code]).toEqual([422, 'hand_in_own'])
    const pieces = [
      { valueMinor: 2000, count: 2 },
      { valueMinor: 50, count: 3 },
      { valueMinor: 10, count: 0 },
    ]
    const silent = await takeIn(clerk, { expectedMinor: 4250, counted: { pieces } })
    expect([silent.status, silent.error.errors?.[0]?.field]).toEqual([422, 'reason'])
    const [cash, missing] = [
      await booked('station_cash', 'station_id', here),
      await booked('cash_difference', 'station_id', here),
    ]
    const before = (await test.call(getDrawer, { token: clerk.token })).body.drawer?.expectedMinor ?? 0
    const reason = 'One note was false'
    const taken = await takeIn(clerk, { expectedMinor: 4250, counted: { pieces }, reason })
    expect(taken.body).toMatchObject({ expectedMinor: 4250, countedMinor: 4150, differenceMinor: -100, reason })
    expect(taken.body).toMatchObject({ rider: expect.stringMatching(/^Staff/), parcelCount: 2 })
    expect(taken.body.rider).not.toBe(taken.body.countedBy)
    const after = (await test.call(getDrawer, { token: clerk.token })).body.drawer?.expectedMinor ?? 0
    expect(after - before).toBe(4150)
    expect(await booked('station_cash', 'station_id', here)).toBe(cash + 100)
    expect(await booked('cash_difference', 'station_id', here)).toBe(missing)

    const short = await test.call(listHandIns, { token: boss.token, query: { difference: 'any' } })
    expect(short.body.items[0]).toEqual(taken.body)
    const even = await test.call(listHandIns, { token: boss.token, query: { difference: 'none' } })
    expect(even.body.items.map(({ id }) => id)).not.toContain(taken.body.id)
    expect((await test.call(listOwnHandIns, { token: clerk.token })).body.items[0]?.reason).toBe(reason)
    const elsewhere = await createStaff(test, { stationId: there })
    expect((await test.call(listOwnHandIns, { token: elsewhere.token })).body.items).not.toContainEqual(taken.body)
    const params = { id: taken.body.id }
    expect((await test.call(printOwnHandIn, { token: elsewhere.token, params })).status).toBe(404)
    for (const paper of [
      await test.call(printOwnHandIn, { token: clerk.token, params }),
      await test.call(printHandIn, { token: boss.token, params }),
    ]) {
      const { pages } = await openPaper(Readable.from(paper.raw))
      const text = pages.map((page) => page.text).join('\n')
      for (const said of [
        taken.body.number,
        taken.body.rider,
        taken.body.countedBy,
        reason,
        groupTrackingNumber(number),
        '41.50',
      ])
        expect(text).toContain(said)
    }
  })

  it('is paid into the wallet once, with a document and a mail, whoever asks at once', async () => {
    await collected(3000)
    const second = await collected(1250)
    const owed = (await test.call(listCodOwed, { token: boss.token, query: { limit: 200 } })).body
    expect(owed.items.find(({ accountId }) => accountId === owner.accountId)).toMatchObject({
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
    expect(await booked('cod_payable', 'account_id', owner.accountId)).toBe(0)
    const cod = await codOf()
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

  it('several senders are paid together or not at all; the same key pays once', async () => {
    await collected(1000)
    await collected(2000, other)
    const nobody = await createCustomer(test)
    const refused = await payOut([owner.accountId, other.accountId, nobody.accountId], 3000)
    expect([refused.status, refused.error.code]).toEqual([409, 'cod_nothing_owed'])
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

  it('every week by itself when the setting says so, less its fee, on that day only', async () => {
    await collected(1000)
    await collected(40, other)
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kuala_Lumpur' }).format(test.clock.now())
    const weekday = new Date(`${today}T00:00:00Z`).getUTCDay() || 7
    const admin = await createStaff(test, { type: 'superadmin' })
    const set = async (values: Record<string, unknown>) =>
      expect((await test.call(putSettings, { token: admin.token, body: { values } })).status).toBe(200)
    await set({ 'cod.payoutFeeMinor': 50, 'cod.payoutWeekday': (weekday % 7) + 1 })
    await payOutWeekly(test.deps)
    expect(await balance()).toBe(0)
    await set({ 'cod.payoutWeekday': weekday })
    await payOutWeekly(test.deps)
    await payOutWeekly(test.deps)
    expect(await balance()).toBe(950)
    // No more than the fee: it waits for the next one.
    expect([await balance(other), (await codOf(other)).owedMinor]).toEqual([0, 40])
    await set({ 'cod.payoutFeeMinor': 0, 'cod.payoutWeekday': null })
    await collected(70)
    await payOutWeekly(test.deps)
    expect(await balance()).toBe(950)
  })

  it('staff reads the books: any entry by number, id, amount or day, and what the nights proved', async () => {
    const { number } = await collected(7777)
    const search = async (query: Record<string, string | number>) =>
      (await test.call(searchEntries, { token: boss.token, query })).body
    const byNumber = await search({ search: number.slice(0, 8), kind: 'cod_collected' })
    expect(byNumber.items[0]).toMatchObject({ kind: 'cod_collected', reference: number, accountName: 'Kedai Kopi' })
    expect(byNumber.items[0]?.postings).toMatchObject([
      { book: 'station_cash', amountMinor: -7777, accountName: null },
      { book: 'cod_payable', amountMinor: 7777, accountName: 'Kedai Kopi' },
    ])
    expect(byNumber.items[0]?.postings[0]?.stationName).toBeTruthy()
    const [entry] = byNumber.items
    expect((await search({ search: entry?.id ?? '' })).items).toEqual([entry])
    expect((await search({ search: owner.accountId })).items).toEqual([entry])
    expect((await search({ amountMinor: 7777 })).items).toContainEqual(entry)
    expect((await search({ accountId: owner.accountId, book: 'cod_payable' })).total).toBe(1)
    expect((await search({ accountId: owner.accountId, book: 'tax' })).total).toBe(0)
    expect((await search({ search: '%' })).total).toBe(0)
    expect((await search({ accountId: owner.accountId, to: '2020-01-01' })).total).toBe(0)
    const bad = await test.call(searchEntries, { token: boss.token, query: { amountMinor: -1 } })
    expect(bad.status).toBe(422)

    test.clock.advance(days(1))
    boss = await createStaff(test, { role: 'account_manager' })
    await saveNightlyTrialBalance(test.deps)
    const kept = (await test.call(listTrialBalances, { token: boss.token })).body.items
    expect(kept[0]?.problems).toEqual([])
    const proven = (await test.call(proveBooks, { token: boss.token })).body
    expect(proven).toMatchObject({ day: null, problems: [] })
    const side = (of: 'debitMinor' | 'creditMinor') => proven.lines.reduce((sum, line) => sum + line[of], 0)
    expect(side('debitMinor')).toBe(side('creditMinor'))
    expect(proven.lines.map(({ kind }) => kind)).toContain('cod_payable')
    const clerk = await createStaff(test, { stationId: here })
    expect((await test.call(proveBooks, { token: clerk.token })).status).toBe(403)
  })
})
