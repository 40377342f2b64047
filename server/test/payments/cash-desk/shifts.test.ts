import { payInStore } from '@waybill/contract/parcels/outstanding'
import {
  closeDrawer,
  type DrawerShift,
  listCashMovements,
  listDrawers,
  listOwnShifts,
  listShifts,
  mostDrawers,
  moveCash,
  openDrawer,
  printOwnShift,
  reopenDrawer,
  takeCash,
} from '@waybill/contract/payments/cash-desk'
import { printCashReceipt } from '@waybill/contract/payments/cash-receipts'
import { sql } from 'kysely'
import { v7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { days, minutes } from '../../../src/lib/clock.ts'
import { withIds } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextDay } from '../../testing/calendar.ts'
import { createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { balanceOfBook } from '../../testing/factories/cod.ts'
import { readOpenShift } from '../../testing/factories/drawers.ts'
import { findCounter } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'
import { createPayer, expectSoundBooks } from '../../testing/factories/wallet.ts'
import { queueBehind } from '../../testing/lock-queue.ts'
import { openPaper } from '../../testing/paper.ts'

const currency = 'MYR'

describe('drawers of a station', () => {
  let test: TestApp
  let here: string
  let there: string
  let clerk: TestStaff
  let supervisor: TestStaff
  beforeEach(async () => {
    test = await buildTestApp()
    moveToNextDay(test)
    await seedTestNetwork(test)
    ;({ here, there } = await findCounter(test))
    clerk = await createStaff(test, { stationId: here })
    supervisor = await createStaff(test, { stationId: here, role: 'admin' })
  })
  afterEach(() => expectSoundBooks(test))

  const list = async ({ token } = clerk) => (await test.call(listDrawers, { token })).body
  const open = (drawerNumber: number, floatMinor: number, { token } = clerk) =>
    test.call(openDrawer, { token, body: { drawerNumber, floatMinor, currency } })
  const putIn = (drawerNumber: number, amountMinor: number, { token } = clerk) =>
    test.call(moveCash, {
      token,
      body: { drawerNumber, kind: 'cash_in', amountMinor, currency, reason: 'Change' },
    })
  const shut = async (number: number, counts: { differs?: number; reason?: string } = {}, { token } = clerk) => {
    const { id, version, balance_minor } = await readOpenShift(test, here, number)
    const body = { version, counted: { sumMinor: balance_minor + (counts.differs ?? 0) }, currency }
    return test.call(closeDrawer, { token, params: { id }, body: { ...body, reason: counts.reason ?? null } })
  }
  const reopen = ({ id, version }: Pick<DrawerShift, 'id' | 'version'>, { token } = supervisor) =>
    test.call(reopenDrawer, { token, params: { id }, body: { version, reason: 'A note was found' } })
  const sell = async (drawerNumber: number, { token } = clerk) => {
    const owner = await createPayer(test)
    const { id, number, totalMinor } = await placeOrder(test, owner, {})
    await test.call(payInStore, { token: owner.token, params: { id }, body: { expectedTotalMinor: totalMinor } })
    const body = { drawerNumber, code: number, totalSeenMinor: totalMinor, givenMinor: 10_000, currency }
    const { movementId } = (await test.call(takeCash, { token, body })).body
    const receipt = await test.call(printCashReceipt, { token, params: { id: movementId } })
    return receipt.body.number
  }

  it('are used at the same time, each with its own cash and receipts', async () => {
    expect(await list()).toMatchObject({ drawers: [{ number: 1, open: null, carriedMinor: 0 }], nextNumber: null })
    await open(1, 10_000)
    expect((await list()).nextNumber).toBe(2)
    expect((await open(3, 0)).error.errors?.[0]?.field).toBe('drawerNumber')
    expect((await open(mostDrawers + 1, 0)).status).toBe(422)
    expect((await open(2, 5000)).body).toMatchObject({ number: 2, shift: 1, floatMinor: 5000 })
    expect((await list()).drawers.map(({ open: shift }) => shift?.number)).toEqual([1, 2])
    const receipts = [await sell(1), await sell(2), await sell(2)]
    expect(receipts.map((number) => number.split('-').slice(-2))).toEqual([
      ['1', '0001'],
      ['2', '0001'],
      ['2', '0002'],
    ])
    await putIn(2, 700)
    expect((await shut(1)).status).toBe(200)
    expect((await putIn(1, 100)).error.code).toBe('drawer_not_open')
    expect((await putIn(2, 100)).status).toBe(200)
    const other = await createStaff(test, { stationId: there })
    expect((await putIn(2, 100, other)).error.code).toBe('drawer_not_open')
  })

  it('have several shifts a day: each begins with the count of the one before, and receipts go on', async () => {
    await open(1, 10_000)
    await sell(1)
    const first = (await shut(1)).body
    expect((await list()).drawers[0]).toMatchObject({ open: null, carriedMinor: first.countedMinor })
    const second = await open(1, first.countedMinor ?? 0)
    expect(second.body).toMatchObject({ day: first.day, shift: 2, carriedMinor: first.countedMinor })
    expect((await sell(1)).split('-').at(-1)).toBe('0002')
    const { items } = (await test.call(listOwnShifts, { token: clerk.token })).body
    expect(items.map(({ shift, state }) => [shift, state])).toEqual([
      [2, 'open'],
      [1, 'closed'],
    ])
    test.clock.advance(days(1))
    const nextClerk = await createStaff(test, { stationId: here })
    expect((await list(nextClerk)).drawers[0]).toMatchObject({ dayOver: true, open: { shift: 2 } })
    await shut(1, {}, nextClerk)
    expect((await open(1, (await list(nextClerk)).drawers[0]?.carriedMinor ?? 0, nextClerk)).body.shift).toBe(1)
  })

  it('are counted blind: a clerk sees no sums until the count is accepted', async () => {
    await open(1, 10_000)
    await putIn(1, 2500)
    const { id } = await readOpenShift(test, here)
    const finance = await createStaff(test, { role: 'account_manager' })
    const wholeSums = { sums: { expectedMinor: 12_500, cashInMinor: 2500 } }
    expect((await list(supervisor)).drawers[0]?.open).toMatchObject(wholeSums)
    const shifts = await test.call(listShifts, { token: finance.token, query: { stationId: here } })
    expect(shifts.body.items).toMatchObject([wholeSums])

    const readBlind = async () => {
      const [mine] = (await list()).drawers
      const { items } = (await test.call(listOwnShifts, { token: clerk.token })).body
      const moves = await test.call(listCashMovements, { token: clerk.token, params: { id } })
      const paper = await test.call(printOwnShift, { token: clerk.token, params: { id } })
      return { mine, items, balance: moves.body.items[0]?.balanceAfterMinor, text: await readText(paper.raw) }
    }
    const blind = await readBlind()
    expect(blind.mine?.open).toMatchObject({ sums: null, counts: null, floatMinor: 10_000 })
    expect(blind.items).toMatchObject([{ sums: null, counts: null }])
    expect(blind.balance).toBeNull()
    expect(blind.text).not.toContain('125.00')
    const tooMuch = { drawerNumber: 1, kind: 'bank' as const, amountMinor: 20_000, currency, reason: 'Slip' }
    const refused = await test.call(moveCash, { token: clerk.token, body: tooMuch })
    expect([refused.error.code, JSON.stringify(refused.error)]).toEqual([
      'drawer_too_low',
      expect.not.stringContaining('12500'),
    ])

    const differs = await shut(1, { differs: -1000 })
    expect([differs.status, differs.error.code]).toEqual([422, 'count_differs'])
    expect(JSON.stringify(differs.error)).not.toMatch(/1000|12500/)
    expect((await list()).drawers[0]?.open).toMatchObject({ sums: null, counts: null })
    expect((await list(supervisor)).drawers[0]?.open?.counts).toMatchObject([
      { countedMinor: 11_500, differenceMinor: -1000, accepted: false, reason: null },
    ])
    const closed = await shut(1, { differs: -500, reason: 'A coin roll is missing' })
    expect(closed.body).toMatchObject({
      sums: { expectedMinor: 12_500 },
      differenceMinor: -500,
      counts: [
        { differenceMinor: -500, accepted: true, reason: 'A coin roll is missing' },
        { differenceMinor: -1000, accepted: false },
      ],
    })
    const after = await readBlind()
    expect(after.balance).toBe(12_500)
    expect(after.text).toContain('125.00')
    expect(after.text).toContain('A coin roll is missing')
  })

  it('list movements in the order in which they were made, whatever the clocks of the processes say', async () => {
    await open(1, 10_000)
    await putIn(1, 100)
    const early = () => v7({ msecs: Date.now() - minutes(10) })
    await withIds(early, () => putIn(1, 200))
    const { id } = await readOpenShift(test, here)
    const { items } = (await test.call(listCashMovements, { token: supervisor.token, params: { id } })).body
    expect(items.map(({ amountMinor, balanceAfterMinor }) => [amountMinor, balanceAfterMinor])).toEqual([
      [200, 10_300],
      [100, 10_100],
    ])
    const report = await readText((await test.call(printOwnShift, { token: supervisor.token, params: { id } })).raw)
    expect(report.indexOf('101.00')).toBeLessThan(report.indexOf('103.00'))
  })

  it('are closed by one of two concurrent requests', async () => {
    await open(1, 10_000)
    const { id, version, balance_minor: sumMinor } = await readOpenShift(test, here)
    const body = { version, counted: { sumMinor }, currency, reason: null }
    const send = ({ token }: TestStaff) => test.call(closeDrawer, { token, params: { id }, body })
    const answers = await Promise.all([send(clerk), send(supervisor)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('are reopened by a supervisor, and the difference is reversed', async () => {
    await open(1, 10_000)
    const closed = (await shut(1, { differs: -5000, reason: 'A note is missing' })).body
    const [cash, missing] = [
      await balanceOfBook(test, 'station_cash', here),
      await balanceOfBook(test, 'cash_difference'),
    ]
    expect(closed.mayReopen).toBe(false)
    expect((await reopen(closed, clerk)).status).toBe(403)
    const elsewhere = await createStaff(test, { stationId: there, role: 'admin' })
    expect((await reopen(closed, elsewhere)).status).toBe(404)
    expect((await reopen({ ...closed, version: closed.version + 1 })).error.code).toBe('version_conflict')
    expect((await list(supervisor)).drawers[0]?.lastClosed?.mayReopen).toBe(true)
    const reopened = await reopen(closed)
    expect(reopened.body).toMatchObject({
      state: 'open',
      countedMinor: null,
      differenceMinor: null,
      reopened: { reason: 'A note was found' },
      counts: [{ differenceMinor: -5000, accepted: true }],
    })
    expect(await balanceOfBook(test, 'station_cash', here)).toBe(cash - 5000)
    expect(await balanceOfBook(test, 'cash_difference')).toBe(missing + 5000)
    expect((await reopen(reopened.body)).error.code).toBe('drawer_open')
    const again = (await shut(1)).body
    expect(again).toMatchObject({ differenceMinor: 0, countedMinor: 10_000, reopened: { reason: 'A note was found' } })
    expect(await balanceOfBook(test, 'station_cash', here)).toBe(cash - 5000)
    const paper = await test.call(printOwnShift, { token: clerk.token, params: { id: again.id } })
    expect(await readText(paper.raw)).toContain('A note was found')
  })

  it('stay closed once the next shift has begun, even if it begins at the same moment', async () => {
    await open(1, 10_000)
    const closed = (await shut(1)).body
    await open(1, 10_000)
    expect((await reopen(closed)).error.code).toBe('drawer_not_latest')
    const second = (await shut(1)).body
    // Each of the two has locked the closed shift when it waits for the log.
    const lockLog = sql`lock table activity_log in exclusive mode`
    const [next, late] = await queueBehind(
      test,
      lockLog,
      () => open(1, 10_000),
      () => reopen(second),
    )
    expect([next.status, late.error.code]).toEqual([200, 'drawer_not_latest'])
    const third = (await shut(1)).body
    const [reopened, refused] = await queueBehind(
      test,
      lockLog,
      () => reopen(third),
      () => open(1, 10_000),
    )
    expect([reopened.status, refused.error.code]).toEqual([200, 'drawer_open'])
  })
})

/** The text of all pages. */
async function readText(pdf: Buffer): Promise<string> {
  const { pages } = await openPaper(pdf)
  return pages.map(({ text }) => text).join('\n')
}
