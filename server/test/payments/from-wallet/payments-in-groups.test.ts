// Payments that arrive together share a statement (docs/decisions/0102-calls-in-groups.md).
import { getInvoice, getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { payWithCredits } from '@waybill/contract/payments/payments'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import type { TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'
import { createPayer, expectSoundBooks, testPin } from '../../testing/factories/wallet.ts'

type Purchase = { payer: TestCustomer; order: OrderDetail }

describe('payments that arrive together', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const createPurchase = async (creditsMinor?: number): Promise<Purchase> => {
    const payer = await createPayer(test, { creditsMinor })
    return { payer, order: await placeOrder(test, payer, { count: 2 }) }
  }

  const createPurchases = async (count: number): Promise<Purchase[]> => {
    const purchases: Purchase[] = []
    for (let n = 0; n < count; n += 1) purchases.push(await createPurchase())
    return purchases
  }

  const pay = ({ payer, order }: Purchase, changes: { pin?: string; totalMinor?: number } = {}, attempt = 1) =>
    test.call(payWithCredits, {
      token: payer.token,
      params: { id: order.id },
      body: { pin: changes.pin ?? testPin, expectedTotalMinor: changes.totalMinor ?? order.totalMinor },
      headers: { 'idempotency-key': `pay-${order.id}-${attempt}` },
    })

  const readOrder = async ({ payer, order }: Purchase) =>
    (await test.call(getOrder, { token: payer.token, params: { id: order.id } })).body
  const readBalance = async ({ payer }: Purchase) =>
    (await test.call(getWallet, { token: payer.token })).body.balanceMinor

  /** The order, its parcels, its invoice and the wallet agree with the payment. */
  const expectPaid = async (purchase: Purchase, paymentId: string) => {
    const { payer, order } = purchase
    const paidOrder = await readOrder(purchase)
    expect(paidOrder).toMatchObject({ paymentId, paidMinor: order.totalMinor, paymentMethod: 'express_credit' })
    expect(paidOrder.parcels.map(({ status }) => status)).toEqual(['pending_dropoff', 'pending_dropoff'])
    expect(await readBalance(purchase)).toBe(100_000 - order.totalMinor)
    const invoice = await test.call(getInvoice, { token: payer.token, params: { id: order.id } })
    expect(invoice.body).toMatchObject({ number: paidOrder.invoiceNumber, totalMinor: order.totalMinor })
    const [entry, ...others] = await listActivities(test, { action: 'orders.paid', userId: payer.userId })
    expect([entry?.subject, others]).toEqual([order.number, []])
  }

  const countTransactions = async (purchases: readonly Purchase[]) => {
    const ids = purchases.map(({ order }) => order.id)
    const { rows } = await sql<{ transactions: number }>`
      select count(distinct xmin::text)::int as transactions
      from journal_entries
      where order_id = any(${ids}::uuid[])`.execute(test.deps.db)
    return rows[0]?.transactions
  }

  it('share transactions; each has its own order, invoice, entry and key', async () => {
    const purchases = await createPurchases(16)
    const answers = await Promise.all(purchases.map((purchase) => pay(purchase)))
    expect(answers.map(({ status }) => status)).toEqual(purchases.map(() => 200))
    for (const [n, purchase] of purchases.entries()) await expectPaid(purchase, answers[n]?.body.id ?? '')
    expect(await countTransactions(purchases)).toBeLessThan(purchases.length)
    // The same requests again, also together: each key has its own response, and nothing is paid twice.
    const again = await Promise.all(purchases.map((purchase) => pay(purchase)))
    expect(again.map(({ body }) => body)).toEqual(answers.map(({ body }) => body))
    const { rows } = await sql<{ number: string }>`
      select number from invoices order by number`.execute(test.deps.db)
    const serials = rows.map(({ number }) => Number(number.split('-').at(-1)))
    expect(serials).toEqual(serials.map((_, n) => (serials[0] ?? 0) + n))
    await expectSoundBooks(test)
  })

  it('succeed although others lack credits, have a wrong PIN or an old price, or are sent twice', async () => {
    const purchases = await createPurchases(6)
    const poor = await createPurchase(100)
    const [wrongPin, oldPrice, twice] = (await createPurchases(3)) as [Purchase, Purchase, Purchase]
    const [lacking, refused, outdated, first, second, ...answers] = await Promise.all([
      pay(poor),
      pay(wrongPin, { pin: '999999' }),
      pay(oldPrice, { totalMinor: oldPrice.order.totalMinor - 1 }),
      pay(twice, {}, 1),
      pay(twice, {}, 2),
      ...purchases.map((purchase) => pay(purchase)),
    ])
    expect([lacking?.error.code, refused?.error.code, outdated?.error.code]).toEqual([
      'wallet_too_low',
      'pin_wrong',
      'price_changed',
    ])
    expect([first?.status, second?.status].sort()).toEqual([200, 409])
    expect(answers.map(({ status }) => status)).toEqual(purchases.map(() => 200))
    for (const [n, purchase] of purchases.entries()) await expectPaid(purchase, answers[n]?.body.id ?? '')
    for (const unpaid of [poor, wrongPin, oldPrice]) {
      expect(await readOrder(unpaid)).toMatchObject({ status: 'pending_payment', paidMinor: 0, invoiceNumber: null })
    }
    expect(await readBalance(poor)).toBe(100)
    expect(await readBalance(twice)).toBe(100_000 - twice.order.totalMinor)
    await expectSoundBooks(test)
  })

  it('of one customer take each amount once', async () => {
    const payer = await createPayer(test)
    const orders: OrderDetail[] = []
    for (let n = 0; n < 5; n += 1) orders.push(await placeOrder(test, payer))
    const answers = await Promise.all(orders.map((order) => pay({ payer, order })))
    expect(answers.map(({ status }) => status)).toEqual(orders.map(() => 200))
    const spentMinor = orders.reduce((sum, { totalMinor }) => sum + totalMinor, 0)
    expect((await test.call(getWallet, { token: payer.token })).body.balanceMinor).toBe(100_000 - spentMinor)
    await expectSoundBooks(test)
  })

  it('do not wait for an order that is locked', async () => {
    const purchases = await createPurchases(10)
    // In the middle: the first of them runs alone.
    const locked = purchases[5] as Purchase
    let late: ReturnType<typeof pay> | undefined
    await test.deps.db.transaction().execute(async (trx) => {
      await sql`select 1 from orders where id = ${locked.order.id}::uuid for update`.execute(trx)
      const payments = purchases.map((purchase) => pay(purchase))
      late = payments[5]
      const statuses: number[] = []
      for (const payment of payments) void payment.then(({ status }) => statuses.push(status))
      // A statement that waits for the lock would fail after ten seconds, and only then be repeated for each order.
      await expect.poll(() => statuses, { timeout: 8_000 }).toEqual(purchases.slice(1).map(() => 200))
    })
    expect((await late)?.status).toBe(200)
    await expectSoundBooks(test)
  })
})
