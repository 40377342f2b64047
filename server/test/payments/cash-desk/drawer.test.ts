import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { payInStore } from '@waybill/contract/parcels/outstanding'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import {
  closeDrawer,
  findCashDue,
  listCashMovements,
  listDrawers,
  listOwnShifts,
  listShifts,
  moveCash,
  openDrawer,
  printOwnShift,
  printShift,
  takeCash,
} from '@waybill/contract/payments/cash-desk'
import { printCashInvoice } from '@waybill/contract/payments/cash-receipts'
import { roundToCash } from '@waybill/contract/payments/coins'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkBooks } from '../../../src/domains/wallet/ledger/books.ts'
import { days } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextDay } from '../../testing/calendar.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { balanceOfBook } from '../../testing/factories/cod.ts'
import { readOpenShift } from '../../testing/factories/drawers.ts'
import { findCounter, handedOver, parcelNow } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'
import { createPayer } from '../../testing/factories/wallet.ts'

const currency = 'MYR'

/** The parts of a call that a test may change. */
type Overrides = { token?: string; currency?: string; reason?: string }
type Closing = Overrides & { id?: string; version?: number }
type Taking = { token?: string; currency?: string; givenMinor?: number; key?: string }

describe('cash at the counter', () => {
  let test: TestApp
  let owner: TestCustomer
  let here: string
  let there: string
  let clerk: TestStaff
  let colleague: TestStaff
  let otherClerk: TestStaff
  let boss: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    moveToNextDay(test)
    await seedTestNetwork(test)
    ;({ here, there } = await findCounter(test))
  })
  // Every test has its own day, and its own users, whose sessions last only that long.
  const nextDay = async () => {
    test.clock.advance(days(1))
    clerk = await createStaff(test, { stationId: here })
    colleague = await createStaff(test, { stationId: here })
    otherClerk = await createStaff(test, { stationId: there })
    boss = await createStaff(test, { role: 'account_manager' })
    owner = await createPayer(test)
  }
  beforeEach(nextDay)
  afterEach(async () => {
    for (const { token } of [clerk, otherClerk]) {
      const { drawer } = await now(token)
      if (drawer) await shut(drawer.expectedMinor, { token })
    }
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  })

  /** The first drawer of the caller's station, with the balance that a clerk does not see. */
  const now = async (token = clerk.token) => {
    const { drawers, station } = (await test.call(listDrawers, { token })).body
    const [{ open: shift, ...rest } = {} as never] = drawers
    if (!shift) return { ...rest, drawer: null }
    const { balance_minor: expectedMinor } = await readOpenShift(test, station.id)
    return { ...rest, drawer: { ...shift, expectedMinor } }
  }
  const open = async ({ token = clerk.token, ...overrides }: Overrides & { floatMinor?: number } = {}) => {
    const body = { drawerNumber: 1, floatMinor: (await now(token)).carriedMinor, currency, ...overrides }
    return test.call(openDrawer, { token, body })
  }
  const shut = async (sumMinor: number, { token = clerk.token, ...overrides }: Closing = {}) => {
    const { drawer } = await now(token)
    const { id = drawer?.id ?? '', version = drawer?.version ?? 1, ...rest } = overrides
    return test.call(closeDrawer, {
      token,
      params: { id },
      body: { version, counted: { sumMinor }, currency, ...rest },
    })
  }
  const placeStoreOrder = async (count = 1): Promise<OrderDetail> => {
    const order = await placeOrder(test, owner, { count })
    const body = { expectedTotalMinor: order.totalMinor }
    const answer = await test.call(payInStore, { token: owner.token, params: { id: order.id }, body })
    expect(answer.status).toBe(200)
    return order
  }
  const due = (code: string) => test.call(findCashDue, { token: clerk.token, query: { code } })
  const take = (code: string, totalSeenMinor: number, { token = clerk.token, key, ...overrides }: Taking = {}) =>
    test.call(takeCash, {
      token,
      body: { drawerNumber: 1, code, totalSeenMinor, givenMinor: 10_000, currency, ...overrides },
      headers: key ? { 'idempotency-key': key } : {},
    })
  const move = (kind: 'cash_in' | 'cash_out' | 'bank', amountMinor: number, overrides: { token?: string } = {}) =>
    test.call(moveCash, {
      token: overrides.token ?? clerk.token,
      body: { drawerNumber: 1, kind, amountMinor, currency, reason: 'Because' },
    })
  /** The balance of a station's cash account in the ledger. */
  const readShift = async (stationId: string) => 0 - (await balanceOfBook(test, 'station_cash', stationId))

  it('accepts cash for a slip and records change, invoice, drawer movement and ledger entry', async () => {
    await open({ floatMinor: 20_000 })
    const order = await placeStoreOrder(2)
    const amountDue = await due(order.number)
    expect(amountDue.body).toMatchObject({ kind: 'store', orderNumber: order.number, totalMinor: order.totalMinor })
    expect(amountDue.body.parcels).toHaveLength(2)
    expect(amountDue.body.cashMinor).toBe(roundToCash(order.totalMinor, currency))
    const before = await readShift(here)
    const sold = await take(order.number, order.totalMinor, { givenMinor: 10_000 })
    expect(sold.status).toBe(200)
    const { cashMinor } = amountDue.body
    expect(sold.body).toMatchObject({ cashMinor, changeMinor: 10_000 - cashMinor, orderNumber: order.number })
    expect(await readShift(here)).toBe(before + cashMinor)
    const paidOrder = (await test.call(getOrder, { token: owner.token, params: { id: order.id } })).body
    expect(paidOrder).toMatchObject({ status: 'pending', paymentMethod: 'store', paidMinor: order.totalMinor })
    expect(paidOrder.invoiceNumber).toMatch(/^INV-/)
    const params = { id: sold.body.movementId }
    const invoice = await test.call(printCashInvoice, { token: colleague.token, params })
    expect([invoice.status, invoice.raw.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    expect((await test.call(printCashInvoice, { token: otherClerk.token, params })).status).toBe(404)
    const { drawer } = await now()
    expect(drawer).toMatchObject({ salesCount: 1, expectedMinor: 20_000 + cashMinor })
    const movements = await test.call(listCashMovements, { token: clerk.token, params: { id: drawer?.id ?? '' } })
    expect(movements.body.items).toMatchObject([{ kind: 'sale', reference: order.number, givenMinor: 10_000 }])
    expect((await due(order.number)).error.code).toBe('nothing_due')
  })

  it('pays the whole order for a parcel on the slip, but a heavier parcel alone', async () => {
    await open()
    const order = await placeStoreOrder(2)
    const first = await parcelNow(test, owner, order.parcels[0]?.id ?? '')
    expect((await due(first.trackingNumber ?? '')).body).toMatchObject({
      orderNumber: order.number,
      totalMinor: order.totalMinor,
    })
    const heavy = await handedOver(test, owner, clerk)
    await test.call(reweighParcel, {
      token: clerk.token,
      params: { id: heavy.id },
      body: { weightGrams: 6000, confirmed: true },
    })
    const amountDue = (await due(heavy.number)).body
    expect(amountDue).toMatchObject({ kind: 'reweighed', parcels: [{ parcelId: heavy.id }] })
    const sold = await take(heavy.number, amountDue.totalMinor)
    expect(sold.body).toMatchObject({ totalMinor: amountDue.totalMinor, parcels: [heavy.number] })
    expect(await parcelNow(test, owner, heavy.id)).toMatchObject({ status: 'inbound', amountDueMinor: 0 })
    // A link to it says that it is paid.
    expect((await due(heavy.number)).error).toMatchObject({ code: 'nothing_due', details: { status: 'inbound' } })
    const invoice = await test.call(printCashInvoice, { token: clerk.token, params: { id: sold.body.movementId } })
    expect(invoice.status).toBe(200)
    expect((await due('ORD-99999999')).error.code).toBe('order_unknown')
    expect((await due('nonsense')).status).toBeGreaterThanOrEqual(400)
  })

  it('accepts a slip once if several counters submit it concurrently', async () => {
    await open()
    await open({ token: otherClerk.token })
    const order = await placeStoreOrder()
    const before = (await readShift(here)) + (await readShift(there))
    const answers = await Promise.all([
      take(order.number, order.totalMinor),
      take(order.number, order.totalMinor, { token: otherClerk.token }),
      take(order.number, order.totalMinor, { token: colleague.token }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.filter(({ status }) => status === 409).map(({ error }) => error.code)).toEqual([
      'nothing_due',
      'nothing_due',
    ])
    expect((await readShift(here)) + (await readShift(there))).toBe(before + roundToCash(order.totalMinor, currency))
  })

  it('accepts the money once for a repeated key', async () => {
    await open()
    const order = await placeStoreOrder()
    const key = 'cash-once-1'
    const [first, second] = await Promise.all([
      take(order.number, order.totalMinor, { key }),
      take(order.number, order.totalMinor, { key }),
    ])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.movementId).toBe(first.body.movementId)
    expect((await now()).drawer?.salesCount).toBe(1)
  })

  it('opens the drawer and moves cash once for a repeated key', async () => {
    const { carriedMinor } = await now()
    const opening = { token: clerk.token, body: { drawerNumber: 1, floatMinor: carriedMinor, currency } }
    const once = (key: string) => ({ headers: { 'idempotency-key': key } })
    const openings = [
      await test.call(openDrawer, { ...opening, ...once('open-once') }),
      await test.call(openDrawer, { ...opening, ...once('open-once') }),
    ]
    expect(openings.map(({ status }) => status)).toEqual([200, 200])
    expect(openings[1]?.body.id).toBe(openings[0]?.body.id)
    const moveRequest = {
      token: clerk.token,
      body: { drawerNumber: 1, kind: 'cash_in' as const, amountMinor: 500, currency, reason: 'Tape' },
    }
    const movements = await Promise.all([1, 2].map(() => test.call(moveCash, { ...moveRequest, ...once('move-once') })))
    expect(movements.map(({ status }) => status)).toEqual([200, 200])
    expect(movements[1]?.body.id).toBe(movements[0]?.body.id)
    expect((await now()).drawer?.expectedMinor).toBe(carriedMinor + 500)
    const other = { ...moveRequest, body: { ...moveRequest.body, amountMinor: 600 } }
    expect((await test.call(moveCash, { ...other, ...once('move-once') })).error.code).toBe('idempotency_conflict')
  })

  it('refuses too little cash, a stale total, another currency, odd amounts, and a missing drawer', async () => {
    const order = await placeStoreOrder()
    const total = order.totalMinor
    expect((await take(order.number, total)).error.code).toBe('drawer_not_open')
    const nobody = await createStaff(test)
    expect((await take(order.number, total, { token: nobody.token })).error.code).toBe('no_station')
    expect((await now()).drawer).toBeNull()
    await open()
    const short = await take(order.number, total, { givenMinor: roundToCash(total, currency) - 5 })
    expect([short.status, short.error.code]).toEqual([422, 'cash_short'])
    expect((await take(order.number, total + 1)).error).toMatchObject({ code: 'price_changed' })
    expect((await take(order.number, total, { currency: 'USD' })).error.errors?.[0]?.field).toBe('currency')
    for (const givenMinor of [-100, 0, 12.5]) {
      expect((await take(order.number, total, { givenMinor })).status).toBe(422)
      expect((await move('cash_in', givenMinor)).status).toBe(422)
    }
    expect((await open({ floatMinor: -1 })).status).toBe(422)
    expect((await take(order.number, total, { token: boss.token })).status).toBe(403)
    expect((await take(order.number, total, { token: owner.token })).status).toBe(403)
    expect((await now()).drawer?.salesCount).toBe(0)
    expect((await due(order.number)).body.totalMinor).toBe(total)
  })

  it('opens once at a time, even with concurrent requests, and not in another currency', async () => {
    expect((await open({ currency: 'SGD' })).status).toBe(422)
    const { carriedMinor } = await now()
    const answers = await Promise.all([
      open({ floatMinor: carriedMinor }),
      open({ floatMinor: carriedMinor, token: colleague.token }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.error.code).toBe('drawer_open')
    const { drawer } = await now()
    expect((await shut(drawer?.expectedMinor ?? 0)).status).toBe(200)
    expect(await now()).toMatchObject({ drawer: null, lastClosed: { id: drawer?.id } })
  })

  it('books more than the previous balance as from the bank, and requires a reason for less', async () => {
    const start = await readShift(here)
    const { carriedMinor } = await now()
    expect((await open({ floatMinor: carriedMinor + 5000 })).status).toBe(200)
    expect(await readShift(here)).toBe(start + 5000)
    await shut(carriedMinor + 5000)
    await nextDay()
    const less = await open({ floatMinor: carriedMinor })
    expect([less.status, less.error.errors?.[0]?.field]).toEqual([422, 'reason'])
    expect((await open({ floatMinor: carriedMinor, reason: 'Counted again' })).status).toBe(200)
    expect(await readShift(here)).toBe(start)
  })

  it('records cash in and out with a reason, and never pays out more than there is', async () => {
    const { carriedMinor } = await now()
    await open({ floatMinor: carriedMinor + 10_000 })
    expect((await move('cash_in', 2500)).body).toMatchObject({ amountMinor: 2500, reason: 'Because' })
    expect((await move('cash_out', 1000)).body.amountMinor).toBe(-1000)
    expect((await move('bank', carriedMinor + 8000)).status).toBe(200)
    expect((await now()).drawer?.expectedMinor).toBe(3500)
    const answers = await Promise.all([move('bank', 3000), move('bank', 3000, { token: colleague.token })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.error.code).toBe('drawer_too_low')
    expect(await readShift(here)).toBe(500)
    expect((await move('bank', 100, { token: otherClerk.token })).error.code).toBe('drawer_not_open')
  })

  it('closes with a count: a difference requires a reason and is booked, and the shift is closed', async () => {
    const { carriedMinor } = await now()
    await open({ floatMinor: carriedMinor + 10_000 })
    const { drawer } = await now()
    const id = drawer?.id ?? ''
    const expected = drawer?.expectedMinor ?? 0
    const differs = await shut(expected - 200)
    expect([differs.status, differs.error.code]).toEqual([422, 'count_differs'])
    expect(differs.error.errors?.map(({ field }) => field)).toEqual(['reason'])
    expect((await shut(expected, { version: (drawer?.version ?? 1) + 1 })).error.code).toBe('version_conflict')
    expect((await shut(expected, { id, token: otherClerk.token })).status).toBe(404)
    const before = await readShift(here)
    const closed = await test.call(closeDrawer, {
      token: clerk.token,
      params: { id },
      body: {
        version: drawer?.version ?? 1,
        counted: {
          pieces: [
            { valueMinor: 100, count: (expected - 200) / 100 },
            { valueMinor: 5000, count: 0 },
          ],
        },
        currency,
        reason: 'Two ringgit too little change given back',
      },
    })
    expect(closed.body).toMatchObject({
      state: 'closed',
      countedMinor: expected - 200,
      differenceMinor: -200,
      pieces: [{ valueMinor: 100, count: (expected - 200) / 100 }],
    })
    expect(await readShift(here)).toBe(before - 200)
    expect((await shut(expected, { id, version: closed.body.version })).error.code).toBe('drawer_closed')
    const order = await placeStoreOrder()
    expect((await take(order.number, order.totalMinor)).error.code).toBe('drawer_not_open')
    expect((await move('cash_in', 100)).error.code).toBe('drawer_not_open')
    const own = await test.call(listOwnShifts, { token: colleague.token, query: { limit: 1 } })
    expect(own.body.items[0]).toMatchObject({ id, differenceMinor: -200 })
    const all = await test.call(listShifts, { token: boss.token, query: { stationId: here, difference: 'any' } })
    expect(all.body.items.map((each) => each.id)).toContain(id)
    expect(all.body.items.every(({ differenceMinor }) => differenceMinor !== 0)).toBe(true)
    for (const language of ['en', 'zh']) {
      const print = await test.call(printOwnShift, { token: clerk.token, params: { id }, language })
      expect([print.status, print.raw.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
    expect((await test.call(printOwnShift, { token: otherClerk.token, params: { id } })).status).toBe(404)
    expect((await test.call(printShift, { token: boss.token, params: { id } })).status).toBe(200)
    expect((await test.call(listShifts, { token: clerk.token })).status).toBe(403)
    expect((await test.call(listCashMovements, { token: otherClerk.token, params: { id } })).status).toBe(404)
  })

  it("takes no more money for yesterday's drawer until it is counted", async () => {
    await open()
    await nextDay()
    expect(await now()).toMatchObject({ dayOver: true })
    const order = await placeStoreOrder()
    expect((await take(order.number, order.totalMinor)).error.code).toBe('drawer_day_over')
    const { drawer } = await now()
    expect((await shut(drawer?.expectedMinor ?? 0)).status).toBe(200)
    expect((await open()).status).toBe(200)
    expect((await take(order.number, order.totalMinor)).status).toBe(200)
  })
})
