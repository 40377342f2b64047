import type { OrderDetail } from '@waybill/contract/orders/orders'
import { payInStore } from '@waybill/contract/parcels/outstanding'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { findCashDue, openDrawer, takeCash } from '@waybill/contract/payments/cash-desk'
import { cashReceiptPaper, printCashReceipt } from '@waybill/contract/payments/cash-receipts'
import { roundToCash } from '@waybill/contract/payments/coins'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextDay } from '../../testing/calendar.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { balanceOfBook } from '../../testing/factories/cod.ts'
import { findCounter, handedOver } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'
import { createPayer } from '../../testing/factories/wallet.ts'
import { openPaper } from '../../testing/paper.ts'

const currency = 'MYR'

describe('the receipt of a counter', () => {
  let test: TestApp
  let owner: TestCustomer
  let clerk: TestStaff
  let colleague: TestStaff
  let otherClerk: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    moveToNextDay(test)
    await seedTestNetwork(test)
    const { here, there } = await findCounter(test)
    clerk = await createStaff(test, { stationId: here })
    colleague = await createStaff(test, { stationId: here })
    otherClerk = await createStaff(test, { stationId: there })
    owner = await createPayer(test)
    for (const { token } of [clerk, otherClerk])
      await test.call(openDrawer, { token, body: { drawerNumber: 1, floatMinor: 10_000, currency } })
  })

  const placeStoreOrder = async (): Promise<OrderDetail> => {
    const order = await placeOrder(test, owner, { count: 2 })
    const body = { expectedTotalMinor: order.totalMinor }
    await test.call(payInStore, { token: owner.token, params: { id: order.id }, body })
    return order
  }
  const sell = async (code: string, totalSeenMinor: number, { token } = clerk) => {
    const body = { drawerNumber: 1, code, totalSeenMinor, givenMinor: 10_000, currency }
    const sold = await test.call(takeCash, { token, body })
    expect(sold.status, JSON.stringify(sold.error)).toBe(200)
    return sold.body
  }
  const print = (id: string, overrides: { token?: string; key?: string; language?: string } = {}) =>
    test.call(printCashReceipt, {
      token: overrides.token ?? clerk.token,
      params: { id },
      ...(overrides.language ? { language: overrides.language } : {}),
      headers: overrides.key ? { 'idempotency-key': overrides.key } : {},
    })
  const getPaper = async (id: string, options: { print?: number; language?: string } = {}) => {
    const answer = await test.call(cashReceiptPaper, {
      token: clerk.token,
      params: { id },
      query: options.print ? { print: options.print } : {},
      ...(options.language ? { language: options.language } : {}),
    })
    expect(answer.status).toBe(200)
    const { pages } = await openPaper(answer.raw)
    expect(pages).toHaveLength(1)
    return (pages[0]?.text ?? '').replaceAll('\u00a0', ' ')
  }

  it('shows the rounding, which has a book of its own', async () => {
    const order = await placeStoreOrder()
    const readBooks = async () => [
      await balanceOfBook(test, 'cash_rounding'),
      await balanceOfBook(test, 'cash_difference'),
    ]
    const [rounding = 0, differences = 0] = await readBooks()
    const { movementId } = await sell(order.number, order.totalMinor)
    const { roundedMinor } = (await print(movementId)).body
    expect(roundedMinor).not.toBe(0)
    expect(await readBooks()).toEqual([rounding + roundedMinor, differences])
  })

  it('shows number, order, lines, tax, cash and change; every print after the first is marked as a copy', async () => {
    const order = await placeStoreOrder()
    const sold = await sell(order.number, order.totalMinor)
    const first = (await print(sold.movementId)).body
    const cashMinor = roundToCash(order.totalMinor, currency)
    expect(first).toMatchObject({
      print: 1,
      copy: false,
      orderNumber: order.number,
      cashier: expect.stringMatching(/^Staff /),
      customer: expect.stringMatching(/^Customer /),
      totalMinor: order.totalMinor,
      roundedMinor: cashMinor - order.totalMinor,
      cashMinor,
      givenMinor: 10_000,
      changeMinor: 10_000 - cashMinor,
    })
    expect(first.parcels).toHaveLength(2)
    expect(first.netMinor + first.taxMinor).toBe(first.totalMinor)
    expect(first.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(first.netMinor)
    const paper = await getPaper(sold.movementId, { print: 1 })
    for (const words of [
      first.number,
      order.number,
      first.invoiceNumber,
      first.station.code,
      first.cashier,
      'RM 100.00',
    ])
      expect(paper).toContain(words)
    expect(paper).not.toContain('COPY')

    const again = (await print(sold.movementId, { token: colleague.token })).body
    // A reprint by a colleague still names the clerk who took the money.
    expect(again).toMatchObject({ number: first.number, print: 2, copy: true, cashier: first.cashier })
    expect(await getPaper(sold.movementId, { print: 2 })).toContain('COPY · print 2')
    // Without its number it could be the second print of any receipt, so it is marked as a copy.
    expect(await getPaper(sold.movementId)).toContain('COPY')
    const chinese = await getPaper(sold.movementId, { print: 2, language: 'zh-CN' })
    for (const words of ['收据', '副本', '收银员', '实收现金', '找零']) expect(chinese).toContain(words)
  })

  it('is printed once for a repeated key', async () => {
    const order = await placeStoreOrder()
    const { movementId } = await sell(order.number, order.totalMinor)
    const [one, two] = await Promise.all([
      print(movementId, { key: 'print-once' }),
      print(movementId, { key: 'print-once' }),
    ])
    expect([one.body.print, two.body.print]).toEqual([1, 1])
    expect((await print(movementId, { key: 'print-once' })).body.copy).toBe(false)
    expect((await print(movementId)).body).toMatchObject({ print: 2, copy: true })
  })

  it('has numbers without gaps per drawer, even with concurrent sales; each station has its own', async () => {
    const orders = await Promise.all([placeStoreOrder(), placeStoreOrder(), placeStoreOrder(), placeStoreOrder()])
    const sales = await Promise.all(
      orders.map(({ number, totalMinor }, n) => sell(number, totalMinor, n % 2 === 0 ? clerk : colleague)),
    )
    const receipts = await Promise.all(sales.map(({ movementId }) => print(movementId)))
    const all = await test.deps.db
      .selectFrom('cash_movements as m')
      .innerJoin('cash_drawers as d', 'd.id', 'm.drawer_id')
      .innerJoin('stations as s', 's.id', 'd.station_id')
      .where('m.kind', '=', 'sale')
      .select(['m.receipt_number', 's.code'])
      .execute()
    const mine = all.filter(({ code }) => code === receipts[0]?.body.station.code)
    const serials = mine.map(({ receipt_number }) => Number(receipt_number?.slice(-4))).sort((a, b) => a - b)
    expect(serials).toEqual(serials.map((_, n) => n + 1))
    const order = await placeStoreOrder()
    const away = await sell(order.number, order.totalMinor, otherClerk)
    const other = (await print(away.movementId, { token: otherClerk.token })).body
    expect(other.number).toMatch(new RegExp(`^${other.station.code}-\\d{8}-1-0001$`))
    // The other station's sales are not listed.
    expect((await print(away.movementId)).status).toBe(404)
    const paper = { token: otherClerk.token, params: { id: sales[0]?.movementId ?? '' }, query: { print: 1 } }
    expect((await test.call(cashReceiptPaper, paper)).status).toBe(404)
    const never = { token: otherClerk.token, params: { id: away.movementId }, query: { print: 2 } }
    expect((await test.call(cashReceiptPaper, never)).status).toBe(404)
  })

  it('also exists for a difference after a re-weighing', async () => {
    const heavy = await handedOver(test, owner, clerk)
    await test.call(reweighParcel, {
      token: clerk.token,
      params: { id: heavy.id },
      body: { weightGrams: 6000, confirmed: true },
    })
    const due = (await test.call(findCashDue, { token: clerk.token, query: { code: heavy.number } })).body
    const sold = await sell(heavy.number, due.totalMinor)
    const { body } = await print(sold.movementId)
    expect(body).toMatchObject({ totalMinor: due.totalMinor, cashMinor: due.cashMinor })
    expect(body.lines.length).toBeGreaterThan(0)
  })
})
