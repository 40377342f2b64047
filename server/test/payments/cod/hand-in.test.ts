import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { closeDrawer, listCashMovements, listDrawers, openDrawer } from '@waybill/contract/payments/cash-desk'
import {
  handInCash,
  listHandIns,
  listOwnHandIns,
  printHandIn,
  printOwnHandIn,
} from '@waybill/contract/payments/cash-hand-ins'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkBooks } from '../../../src/domains/wallet/ledger/books.ts'
import { days } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextDay } from '../../testing/calendar.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { balanceOfBook, collectCod, createCodPeople } from '../../testing/factories/cod.ts'
import { readOpenShift } from '../../testing/factories/drawers.ts'
import { findCounter } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { queueBehind } from '../../testing/lock-queue.ts'
import { openPaper } from '../../testing/paper.ts'

const currency = 'MYR'

describe('handing in cash that a rider has collected', () => {
  let test: TestApp
  let owner: TestCustomer
  let here: string
  let there: string
  let rider: TestStaff
  let boss: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    moveToNextDay(test)
    await seedTestNetwork(test)
    ;({ here, there } = await findCounter(test))
  })
  beforeEach(async () => {
    test.clock.advance(days(1))
    ;({ rider, boss, owner } = await createCodPeople(test, here))
  })
  afterEach(async () => {
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  })

  /** A parcel whose COD amount the rider has collected. */
  const createCollectedParcel = (amountMinor: number) =>
    collectCod(test, owner, { amountMinor, rider, stationId: here })
  /** Opens the drawer at the user's station; returns its id. */
  const open = async ({ token }: TestStaff) => {
    const [drawer] = (await test.call(listDrawers, { token })).body.drawers
    const body = { drawerNumber: 1, floatMinor: drawer?.carriedMinor ?? 0, currency }
    const drawerAnswer = await test.call(openDrawer, { token, body })
    return drawerAnswer.body.id
  }
  const close = async ({ token }: TestStaff, stationId = here) => {
    const { id, version, balance_minor: sumMinor } = await readOpenShift(test, stationId)
    const body = { version, counted: { sumMinor }, currency }
    expect((await test.call(closeDrawer, { token, params: { id }, body })).status).toBe(200)
  }
  type Counted = Omit<BodyIn<typeof handInCash>, 'drawerNumber' | 'riderId' | 'currency'>
  const receiveCash = ({ token }: TestStaff, count: Counted) =>
    test.call(handInCash, { token, body: { drawerNumber: 1, riderId: rider.userId, currency, ...count } })

  it('puts the whole amount into the drawer, once, and into the books of the receiving station', async () => {
    await createCollectedParcel(3000)
    await createCollectedParcel(1250)
    // The rider now works at the other station, and brings what was collected before.
    await test.deps.db.updateTable('users').set({ station_id: there }).where('id', '=', rider.userId).execute()
    const clerk = await createStaff(test, { stationId: there })
    const handIn = (expectedMinor: number) => receiveCash(clerk, { expectedMinor, counted: { sumMinor: 4250 } })
    expect((await handIn(4250)).error.code).toBe('drawer_not_open')
    const drawerId = await open(clerk)
    expect((await handIn(4000)).error).toMatchObject({ code: 'hand_in_changed', details: { totalMinor: 4250 } })
    const [start, startThere] = [
      await balanceOfBook(test, 'station_cash', here),
      await balanceOfBook(test, 'station_cash', there),
    ]
    const answers = await Promise.all([handIn(4250), handIn(4250)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await balanceOfBook(test, 'station_cash', here)).toBe(start + 4250)
    expect(await balanceOfBook(test, 'station_cash', there)).toBe(startThere - 4250)
    const movements = await test.call(listCashMovements, { token: clerk.token, params: { id: drawerId } })
    expect(movements.body.items).toMatchObject([{ kind: 'hand_in', amountMinor: 4250 }])
    const { holders } = (await test.call(listDrawers, { token: rider.token })).body
    expect(holders.map(({ userId }) => userId)).not.toContain(rider.userId)
    await close(clerk, there)
  })

  it('is exact at a station that the rider does not work for, which learns no sum and writes nothing off', async () => {
    await createCollectedParcel(3000)
    const clerk = await createStaff(test, { stationId: there })
    await open(clerk)
    for (const expectedMinor of [1, 3000]) {
      const { status, error } = await receiveCash(clerk, { expectedMinor, counted: { sumMinor: 5 }, reason: 'x' })
      expect([status, error.code, JSON.stringify(error).includes('3000')]).toEqual([
        403,
        'hand_in_other_station',
        false,
      ])
    }
    const { holders } = (await test.call(listDrawers, { token: rider.token })).body
    expect(holders.find(({ userId }) => userId === rider.userId)?.amountMinor).toBe(3000)
    expect((await receiveCash(clerk, { expectedMinor: 3000, counted: { sumMinor: 3000 } })).status).toBe(200)
    await close(clerk, there)
  })

  it('accepts what coins make of an amount that they do not, also at another station, and books the rest', async () => {
    const clerk = await createStaff(test, { stationId: there })
    await open(clerk)
    const readBooks = async () => [
      await balanceOfBook(test, 'cash_rounding'),
      await balanceOfBook(test, 'cash_difference'),
    ]
    const [rounding = 0, differences = 0] = await readBooks()
    await createCollectedParcel(4252)
    const elsewhere = await receiveCash(clerk, { expectedMinor: 4252, counted: { sumMinor: 4245 }, reason: 'x' })
    expect(elsewhere.error.code).toBe('hand_in_other_station')
    const { body } = await receiveCash(clerk, { expectedMinor: 4252, counted: { sumMinor: 4250 } })
    expect(body).toMatchObject({ countedMinor: 4250, differenceMinor: -2, reason: null })
    expect(await readBooks()).toEqual([rounding - 2, differences])
    await close(clerk, there)
  })

  it('leaves cash with the rider that is collected while the clerk counts', async () => {
    const parcel = await createCollectedParcel(3000)
    const clerk = await createStaff(test, { stationId: here })
    const drawerId = await open(clerk)
    // The hand-in has read what the rider holds, and waits for this row, when the next collection is booked.
    const lock = sql`select 1 from cod_collections where parcel_id = ${parcel.id}::uuid for update`
    const handIn = () => receiveCash(clerk, { expectedMinor: 3000, counted: { sumMinor: 3000 } })
    const collectMore = async () => {
      await createCollectedParcel(1250)
      await sql`select 1 from cod_collections where parcel_id = ${parcel.id}::uuid for update`.execute(test.deps.db)
    }
    const [answer] = await queueBehind(test, lock, handIn, collectMore)
    expect(answer.body).toMatchObject({ parcelCount: 1, countedMinor: 3000, differenceMinor: 0 })
    const { holders } = (await test.call(listDrawers, { token: rider.token })).body
    expect(holders.find(({ userId }) => userId === rider.userId)).toMatchObject({ count: 1, amountMinor: 1250 })
    const rest = await receiveCash(clerk, { expectedMinor: 1250, counted: { sumMinor: 1250 } })
    expect(rest.body).toMatchObject({ parcelCount: 1, countedMinor: 1250 })
    const movements = await test.call(listCashMovements, { token: clerk.token, params: { id: drawerId } })
    expect(movements.body.items.map(({ amountMinor }) => amountMinor).sort()).toEqual([1250, 3000])
    await close(clerk)
  })

  it('requires a count by a colleague; a shortage needs a reason, and stays visible', async () => {
    const { number } = await createCollectedParcel(3000)
    await createCollectedParcel(1250)
    const clerk = await createStaff(test, { stationId: here })
    await open(clerk)
    const own = await receiveCash(rider, { expectedMinor: 4250, counted: { sumMinor: 4250 } })
    expect([own.status, own.error.code]).toEqual([422, 'hand_in_own'])
    const pieces = [
      { valueMinor: 2000, count: 2 },
      { valueMinor: 50, count: 3 },
      { valueMinor: 10, count: 0 },
    ]
    // The contract's type does not allow a count without an amount.
    const empty = await receiveCash(clerk, { expectedMinor: 4250, counted: { sumMinor: null } as never })
    expect(empty.error.errors?.map(({ field }) => field)).toEqual(['counted.sumMinor'])
    const withoutReason = await receiveCash(clerk, { expectedMinor: 4250, counted: { pieces } })
    expect([withoutReason.status, withoutReason.error.errors?.[0]?.field]).toEqual([422, 'reason'])
    const [cash, missing] = [
      await balanceOfBook(test, 'station_cash', here),
      await balanceOfBook(test, 'cash_difference'),
    ]
    const before = (await readOpenShift(test, here)).balance_minor
    const reason = 'One note was false'
    const handIn = await receiveCash(clerk, { expectedMinor: 4250, counted: { pieces }, reason })
    expect(handIn.body).toMatchObject({ expectedMinor: 4250, countedMinor: 4150, differenceMinor: -100, reason })
    expect(handIn.body).toMatchObject({ rider: expect.stringMatching(/^Staff/), parcelCount: 2 })
    expect(handIn.body.rider).not.toBe(handIn.body.countedBy)
    const after = (await readOpenShift(test, here)).balance_minor
    expect(after - before).toBe(4150)
    expect(await balanceOfBook(test, 'station_cash', here)).toBe(cash + 100)
    expect(await balanceOfBook(test, 'cash_difference')).toBe((missing ?? 0) - 100)

    const short = await test.call(listHandIns, { token: boss.token, query: { difference: 'any' } })
    expect(short.body.items[0]).toEqual(handIn.body)
    const even = await test.call(listHandIns, { token: boss.token, query: { difference: 'none' } })
    expect(even.body.items.map(({ id }) => id)).not.toContain(handIn.body.id)
    expect((await test.call(listOwnHandIns, { token: clerk.token })).body.items[0]?.reason).toBe(reason)
    const otherClerk = await createStaff(test, { stationId: there })
    expect((await test.call(listOwnHandIns, { token: otherClerk.token })).body.items).not.toContainEqual(handIn.body)
    const params = { id: handIn.body.id }
    expect((await test.call(printOwnHandIn, { token: otherClerk.token, params })).status).toBe(404)
    for (const paper of [
      await test.call(printOwnHandIn, { token: clerk.token, params }),
      await test.call(printHandIn, { token: boss.token, params }),
    ]) {
      const { pages } = await openPaper(paper.raw)
      const text = pages.map((page) => page.text).join('\n')
      for (const line of [
        handIn.body.number,
        handIn.body.rider,
        handIn.body.countedBy,
        reason,
        groupTrackingNumber(number),
        '41.50',
      ])
        expect(text).toContain(line)
    }
  })
})
