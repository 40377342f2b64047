import { getInvoice, getOrder, type OrderDetail, printInvoice } from '@waybill/contract/orders/orders'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { getPayment, payWithCredits } from '@waybill/contract/payments/payments'
import { listPickupRequests } from '@waybill/contract/pickups/pickups'
import { getWallet, walletHistory } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import type { ParcelEvent } from '../../../src/domains/parcels/status.ts'
import { lockParcels, transitionParcels } from '../../../src/domains/parcels/transition.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createPayer, expectSoundBooks, fundWallet, testPin } from '../../testing/factories/wallet.ts'

describe('paying with credits', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const richCustomer = async (amountMinor = 100_000) => {
    const customer = await createPayer(test, { creditsMinor: amountMinor })
    return customer
  }
  const balance = async ({ token }: TestCustomer) => (await test.call(getWallet, { token })).body.balanceMinor
  const count = async (table: 'payments' | 'invoices' | 'journal_entries', { accountId }: TestCustomer) =>
    (await test.deps.db.selectFrom(table).select('id').where('account_id', '=', accountId).execute()).length

  it('deducts the credits, releases the parcels and issues an invoice in one transaction', async () => {
    const customer = await richCustomer()
    const { token } = customer
    const order = await placeOrder(test, customer, { count: 3, mode: 'D2D' })
    const payment = await payCredits(test, customer, order)
    expect(payment.status).toBe(200)
    expect(payment.body).toMatchObject({
      purpose: 'order',
      orderId: order.id,
      method: 'express_credit',
      status: 'succeeded',
      amountMinor: order.totalMinor,
    })
    expect(await balance(customer)).toBe(100_000 - order.totalMinor)

    const now = (await test.call(getOrder, { token, params: { id: order.id } })).body
    expect(now).toMatchObject({
      status: 'pending',
      paidMinor: order.totalMinor,
      paymentMethod: 'express_credit',
      paymentId: payment.body.id,
      expiresAt: null,
    })
    expect(now.invoiceNumber).toMatch(/^INV-\d{4}-\d{6}$/)
    expect(now.pickup?.number).toMatch(/^PU-\d{8}$/)
    for (const { id } of now.parcels) {
      const parcel = (await test.call(getParcel, { token, params: { id } })).body
      expect(parcel.status).toBe('pending_pickup')
      expect(parcel.trackingNumber).toMatch(/^WB\d{11}$/)
      expect(parcel.events.map(({ event }) => event)).toContain('checkout_credit')
    }
    const pickups = (await test.call(listPickupRequests, { token })).body
    expect(pickups).toMatchObject({
      total: 1,
      items: [{ number: now.pickup?.number, orderId: order.id, parcelCount: 3, status: 'new' }],
    })
    const [movement] = (await test.call(walletHistory, { token })).body.items
    expect(movement).toMatchObject({
      kind: 'order',
      reference: order.number,
      orderId: order.id,
      amountMinor: -order.totalMinor,
      balanceAfterMinor: 100_000 - order.totalMinor,
    })
    expect((await test.call(getPayment, { token, params: { id: payment.body.id } })).body).toEqual(payment.body)
    await expectSoundBooks(test)
  })

  it('issues an invoice for what was paid, in both languages and as PDF', async () => {
    const customer = await richCustomer()
    const { token } = customer
    const order = await placeOrder(test, customer, { count: 2, mode: 'D2D' })
    expect((await test.call(getInvoice, { token, params: { id: order.id } })).status).toBe(404)
    await payCredits(test, customer, order)
    const invoice = (await test.call(getInvoice, { token, params: { id: order.id } })).body
    expect(invoice).toMatchObject({
      orderNumber: order.number,
      totalMinor: order.totalMinor,
      buyer: { email: customer.email },
      paymentMethod: 'express_credit',
    })
    expect(invoice.netMinor + invoice.taxMinor).toBe(order.totalMinor)
    expect(invoice.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(invoice.netMinor)
    expect(invoice.lines[0]).toMatchObject({ description: 'Freight (E-parcel, Pick Up - Delivery)', quantity: 2 })
    const chinese = await test.call(getInvoice, { token, params: { id: order.id }, language: 'zh-CN' })
    expect(chinese.body.lines[0]?.description).toContain('运费')
    const pdf = await test.call(printInvoice, { token, params: { id: order.id } })
    expect(pdf.headers['content-type']).toBe('application/pdf')
    expect(pdf.raw.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('changes nothing if there are too few credits', async () => {
    const customer = await richCustomer(100)
    const order = await placeOrder(test, customer)
    const refusal = await payCredits(test, customer, order)
    expect(refusal.status).toBe(422)
    expect(refusal.error).toMatchObject({
      code: 'wallet_too_low',
      details: { balanceMinor: 100, neededMinor: order.totalMinor },
    })
    const now = (await test.call(getOrder, { token: customer.token, params: { id: order.id } })).body
    expect(now).toMatchObject({ status: 'pending_payment', invoiceNumber: null, parcels: [{ status: 'incart' }] })
    expect(now.parcels[0]?.trackingNumber).toBeNull()
    expect(await count('payments', customer)).toBe(0)
    expect(await balance(customer)).toBe(100)
    await fundWallet(test, customer, order.totalMinor)
    expect((await payCredits(test, customer, order)).status).toBe(200)
  })

  it('requires the PIN; the fifth wrong one locks it, although each payment was rolled back', async () => {
    const customer = await richCustomer()
    const order = await placeOrder(test, customer)
    const pay = (pin: string) =>
      test.call(payWithCredits, {
        token: customer.token,
        params: { id: order.id },
        body: { pin, expectedTotalMinor: order.totalMinor },
      })
    for (let n = 0; n < 4; n += 1) expect((await pay('305817')).error.code).toBe('pin_wrong')
    const fifth = await pay('305817')
    expect(fifth.status).toBe(429)
    expect(Number(fifth.headers['retry-after'])).toBeGreaterThan(890)
    expect((await pay(testPin)).error.code).toBe('pin_locked')
    expect(await balance(customer)).toBe(100_000)
    const bare = await createCustomer(test)
    const unpaid = await placeOrder(test, bare)
    expect((await payCredits(test, bare, unpaid)).error.code).toBe('pin_not_set')
  })

  it('charges the total that the user saw or nothing', async () => {
    const customer = await richCustomer()
    const order = await placeOrder(test, customer)
    const cheaper = await payCredits(test, customer, { ...order, totalMinor: order.totalMinor - 1 })
    expect(cheaper.error).toMatchObject({
      code: 'price_changed',
      details: { expectedTotalMinor: order.totalMinor - 1, totalMinor: order.totalMinor },
    })
    expect(await balance(customer)).toBe(100_000)
  })

  it('charges once for concurrent requests', async () => {
    const customer = await richCustomer()
    const order = await placeOrder(test, customer, { count: 2 })
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => payCredits(test, customer, order)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, error } of answers) if (status !== 200) expect(error.code).toBe('order_closed')
    expect(await balance(customer)).toBe(100_000 - order.totalMinor)
    expect([await count('payments', customer), await count('invoices', customer)]).toEqual([1, 1])
  })

  it('returns the same response for the same key', async () => {
    const customer = await richCustomer()
    const order = await placeOrder(test, customer)
    const headers = { 'idempotency-key': 'pay-credits-0001' }
    const answers = await Promise.all([1, 2, 3].map(() => payCredits(test, customer, order, { headers })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const other = await payCredits(test, customer, { ...order, totalMinor: 1 }, { headers })
    expect(other.error.code).toBe('idempotency_conflict')
    expect(await balance(customer)).toBe(100_000 - order.totalMinor)
  })

  it('numbers invoices without gaps, even if some of many concurrent payments fail', async () => {
    const customers = await Promise.all(Array.from({ length: 20 }, (_, n) => richCustomer(n % 4 === 3 ? 1 : 100_000)))
    const orders: OrderDetail[] = []
    for (const customer of customers) orders.push(await placeOrder(test, customer))
    const answers = await Promise.all(
      customers.map((customer, n) => payCredits(test, customer, orders[n] as OrderDetail)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(15)
    const { rows } = await sql<{ number: string }>`select number from invoices order by number`.execute(test.deps.db)
    const serials = rows.map(({ number }) => Number(number.split('-')[2]))
    expect(serials).toEqual(serials.map((_, n) => n + 1))
    await expectSoundBooks(test)
  })

  it('never deducts more than the balance in concurrent payments', async () => {
    const customer = await richCustomer(1)
    const orders: OrderDetail[] = []
    for (let n = 0; n < 6; n += 1) orders.push(await placeOrder(test, customer))
    const each = orders[0]?.totalMinor ?? 0
    await fundWallet(test, customer, each * 3)
    const answers = await Promise.all(orders.map((order) => payCredits(test, customer, order)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    for (const { status, error } of answers) if (status !== 200) expect(error.code).toBe('wallet_too_low')
    expect(await balance(customer)).toBe(1)
  })

  it('returns 404 to another customer', async () => {
    const [customer, other] = [await richCustomer(), await richCustomer()]
    const order = await placeOrder(test, customer)
    expect((await payCredits(test, other, order)).status).toBe(404)
    const payment = await payCredits(test, customer, order)
    const view = await test.call(getPayment, { token: other.token, params: { id: payment.body.id } })
    expect(view.status).toBe(404)
  })

  it('rejects an invalid request', async () => {
    const customer = await richCustomer()
    const order = await placeOrder(test, customer)
    const getField = async (body: object) => {
      const answer = await test.call(payWithCredits, {
        token: customer.token,
        params: { id: order.id },
        body: body as never,
      })
      expect(answer.status).toBe(422)
      return answer.error.errors?.map(({ field }) => field)
    }
    expect(await getField({ expectedTotalMinor: 1 })).toEqual(['pin'])
    expect(await getField({ pin: testPin, expectedTotalMinor: 1.5 })).toEqual(['expectedTotalMinor'])
    expect(await getField({ pin: testPin, expectedTotalMinor: -1 })).toEqual(['expectedTotalMinor'])
    expect(await getField({ pin: 274916, expectedTotalMinor: '1' })).toEqual(['pin', 'expectedTotalMinor'])
  })

  it('completes the order once all of its parcels have a final status', async () => {
    const customer = await richCustomer()
    const order = await placeOrder(test, customer, { count: 2, mode: 'P2D' })
    await payCredits(test, customer, order)
    const deliver = async (id: string) => {
      for (const event of ['accepted', 'sorted', 'out_for_delivery', 'delivered'] satisfies ParcelEvent[]) {
        await tx(test.deps.db, async (trx) => {
          const rows = await lockParcels(trx, customer.accountId, [id])
          await transitionParcels(test.deps, trx, rows, event, { actorId: null })
        })
      }
      await test.settle()
      return (await test.call(getOrder, { token: customer.token, params: { id: order.id } })).body.status
    }
    expect(await deliver(order.parcels[0]?.id ?? '')).toBe('pending')
    expect(await deliver(order.parcels[1]?.id ?? '')).toBe('completed')
  })
})
