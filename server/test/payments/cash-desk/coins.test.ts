import { closeDrawer, moveCash, openDrawer, reopenDrawer, takeCash } from '@waybill/contract/payments/cash-desk'
import { handInCash } from '@waybill/contract/payments/cash-hand-ins'
import type { CashPiece } from '@waybill/contract/payments/coins'
import { bookWalkIn } from '@waybill/contract/payments/walk-ins'
import { sql } from 'kysely'
import { v7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextDay } from '../../testing/calendar.ts'
import { createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { balanceOfBook } from '../../testing/factories/cod.ts'
import { readOpenShift } from '../../testing/factories/drawers.ts'
import { findCounter } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { walkInBody } from '../../testing/factories/walk-ins.ts'
import { expectSoundBooks } from '../../testing/factories/wallet.ts'

const currency = 'MYR'

describe('amounts in cash that no coins make', () => {
  let test: TestApp
  let here: string
  let clerk: TestStaff
  beforeEach(async () => {
    test = await buildTestApp()
    moveToNextDay(test)
    await seedTestNetwork(test)
    ;({ here } = await findCounter(test))
    clerk = await createStaff(test, { stationId: here })
  })
  afterEach(() => expectSoundBooks(test))

  const open = (floatMinor: number) =>
    test.call(openDrawer, { token: clerk.token, body: { drawerNumber: 1, floatMinor, currency } })
  const move = (kind: 'cash_in' | 'cash_out' | 'bank', amountMinor: number) =>
    test.call(moveCash, {
      token: clerk.token,
      body: { drawerNumber: 1, kind, amountMinor, currency, reason: 'Because' },
    })
  const close = async (count: { sumMinor: number } | { pieces: CashPiece[] }, reason: string | null = null) => {
    const { id, version } = await readOpenShift(test, here)
    const body = { version, counted: count, currency, reason }
    return test.call(closeDrawer, { token: clerk.token, params: { id }, body })
  }
  /** The drawer holds two sen more, from the time before the rule. */
  const makeOdd = () => sql`update cash_drawers set balance_minor = balance_minor + 2`.execute(test.deps.db)
  const readBooks = async () => ({
    rounding: await balanceOfBook(test, 'cash_rounding'),
    counts: await balanceOfBook(test, 'cash_difference'),
    bank: await balanceOfBook(test, 'bank'),
  })

  it('are refused at their field, with the nearest amounts', async () => {
    await open(10_000)
    const handIn = { drawerNumber: 1, riderId: v7(), expectedMinor: 923, currency }
    const { token } = clerk
    const answers = {
      floatMinor: [await open(923)],
      amountMinor: [await move('cash_in', 923), await move('cash_out', 923), await move('bank', 923)],
      givenMinor: [
        await test.call(takeCash, {
          token,
          body: { drawerNumber: 1, code: 'ORD-1', totalSeenMinor: 923, givenMinor: 923, currency },
        }),
        await test.call(bookWalkIn, { token, body: { ...(await walkInBody(test, here)), givenMinor: 923 } }),
      ],
      'counted.sumMinor': [
        await close({ sumMinor: 923 }, 'Because'),
        await test.call(handInCash, { token, body: { ...handIn, counted: { sumMinor: 923 } } }),
      ],
    }
    for (const [field, requests] of Object.entries(answers)) {
      const message = expect.stringContaining('must be an amount that coins can make, such as 9.20 or 9.25.')
      for (const { status, error } of requests) expect([status, error.errors]).toEqual([422, [{ field, message }]])
    }
    const inChinese = await test.call(openDrawer, {
      token,
      body: { drawerNumber: 1, floatMinor: 923, currency },
      headers: { 'accept-language': 'zh-CN' },
    })
    expect(inChinese.error.errors?.[0]?.message).toContain('9.20 或 9.25')
    const pieces = [
      { valueMinor: 100, count: 100 },
      { valueMinor: 3, count: 0 },
    ]
    for (const { status, error } of [
      await close({ pieces }, 'Because'),
      await test.call(handInCash, { token, body: { ...handIn, counted: { pieces } } }),
    ])
      expect([status, error.errors?.map(({ field }) => field)]).toEqual([422, ['counted.pieces.1.valueMinor']])
    expect((await readOpenShift(test, here)).balance_minor).toBe(10_000)
  })

  it('are reported together with the other problems of a request', async () => {
    const body = { drawerNumber: 1, kind: 'cash_in' as const, amountMinor: 923, currency, reason: '' }
    const { error } = await test.call(moveCash, { token: clerk.token, body })
    expect(error.errors?.map(({ field }) => field)).toEqual(['reason', 'amountMinor'])
  })

  it('in a drawer from before the rule do not block its count: the rest is rounding and needs no reason', async () => {
    await open(10_000)
    await makeOdd()
    const before = await readBooks()
    expect((await close({ sumMinor: 9_995 })).error.code).toBe('count_differs')
    const closed = (await close({ sumMinor: 10_000 }, 'Not needed')).body
    expect(closed).toMatchObject({ state: 'closed', differenceMinor: -2, reason: null })
    expect(await readBooks()).toEqual({ ...before, rounding: before.rounding - 2 })
    const supervisor = await createStaff(test, { stationId: here, role: 'admin' })
    const reopening = { token: supervisor.token, params: { id: closed.id } }
    await test.call(reopenDrawer, { ...reopening, body: { version: closed.version, reason: 'Count again' } })
    expect(await readBooks()).toEqual(before)
    // A real shortage is booked as one, and reversed as one.
    const short = (await close({ sumMinor: 9_500 }, 'A note is missing')).body
    expect(await readBooks()).toEqual({ ...before, counts: before.counts - 502 })
    await test.call(reopenDrawer, { ...reopening, body: { version: short.version, reason: 'Count again' } })
    expect(await readBooks()).toEqual(before)
  })

  it.each([
    ['less', 10_000],
    ['more', 10_005],
  ])('that a count has left are no shortage of the next float, which is %s', async (_, floatMinor) => {
    await open(10_000)
    await close({ sumMinor: 10_000 })
    await sql`update cash_drawers set balance_minor = 10002, counted_minor = 10002`.execute(test.deps.db)
    const before = await readBooks()
    expect((await open(floatMinor)).body).toMatchObject({ carriedMinor: 10_002, floatMinor, floatReason: null })
    expect(await readBooks()).toEqual({ ...before, rounding: before.rounding + floatMinor - 10_002 })
    const { id } = await readOpenShift(test, here)
    expect((await close({ sumMinor: floatMinor })).body).toMatchObject({ id, differenceMinor: 0 })
    expect((await open(floatMinor - 5)).error.errors?.map(({ field }) => field)).toEqual(['reason'])
  })
})
