import { payCorporate } from '@waybill/contract/orders/monthly-billing'
import { getInvoice, type OrderDetail, printInvoice } from '@waybill/contract/orders/orders'
import { cancelParcels } from '@waybill/contract/orders/refunds'
import { listOutstanding, payInStore, payOutstanding, printPaymentSlip } from '@waybill/contract/parcels/outstanding'
import { createParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import { findCashDue, takeCash } from '@waybill/contract/payments/cash-desk'
import { printCashReceipt } from '@waybill/contract/payments/cash-receipts'
import { getPayment, payWithCredits, payWithIpay88 } from '@waybill/contract/payments/payments'
import { putSettings } from '@waybill/contract/settings/settings'
import { walletHistory } from '@waybill/contract/wallet/wallet'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../testing/factories/accounts.ts'
import { openCashDesk, parcelNow, scanned } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { fillCart, orderNow, orderParcels } from '../testing/factories/orders.ts'
import { parcelBody } from '../testing/factories/parcels.ts'
import { createPayer, expectSoundBooks, testPin } from '../testing/factories/wallet.ts'
import { openPaper } from '../testing/paper.ts'

describe('a free order', () => {
  let test: TestApp
  let customer: TestCustomer
  let clerk: TestStaff
  let counter: TestStaff
  /** The freight of a light parcel. */
  let freightMinor: number
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const desk = await openCashDesk(test)
    counter = desk.counter
    clerk = desk.clerk
    const { token } = await createStaff(test, { type: 'superadmin' })
    const values = { 'price.serviceCharge': { type: 'fixed', value: 0 }, 'price.fuelBasisPoints': 0 }
    expect((await test.call(putSettings, { token, body: { values } })).status).toBe(200)
    const [parcel] = await fillCart(test, await createCustomer(test))
    freightMinor = parcel?.price?.lines.find(({ kind }) => kind === 'freight')?.amountMinor ?? 0
    expect(freightMinor).toBeGreaterThan(0)
  })
  beforeEach(async () => {
    customer = await createPayer(test)
    // Light parcels become free, heavy ones only cheaper.
    await discount(customer)
  })

  const discount = ({ accountId }: TestCustomer) =>
    test.deps.db
      .updateTable('accounts')
      .set({ discount_type: 'fixed', discount_value: freightMinor })
      .where('id', '=', accountId)
      .execute()
  const createHeavy = async (): Promise<Parcel> => {
    const body = parcelBody({ deliveryMode: 'P2D', weightGrams: 9000, addToCart: true })
    return (await test.call(createParcel, { token: customer.token, body })).body
  }
  const placeFree = async () => {
    const order = await orderParcels(test, customer, await fillCart(test, customer))
    expect(order.totalMinor).toBe(0)
    return order
  }
  const placeMixed = async () => {
    const [light] = (await fillCart(test, customer)) as [Parcel]
    const heavy = await createHeavy()
    const order = await orderParcels(test, customer, [light, heavy])
    expect([light.priceMinor, heavy.priceMinor]).toEqual([0, order.totalMinor])
    expect(order.totalMinor).toBeGreaterThan(0)
    await book(order)
    return { order, light, heavy }
  }
  const request = ({ id, totalMinor }: OrderDetail) => ({
    token: customer.token,
    params: { id },
    body: { expectedTotalMinor: totalMinor },
  })
  const book = async (order: OrderDetail) => expect((await test.call(payInStore, request(order))).status).toBe(200)
  const statuses = async (order: OrderDetail) =>
    (await orderNow(test, customer, order)).parcels.map(({ status }) => status)
  const findDue = (code: string) => test.call(findCashDue, { token: clerk.token, query: { code } })
  const sell = (code: string, totalSeenMinor: number, givenMinor = 50_000) =>
    test.call(takeCash, {
      token: clerk.token,
      body: { drawerNumber: 1, code, totalSeenMinor, givenMinor, currency: 'MYR' },
    })
  const payDue = (parcelIds: string[], totalSeenMinor: number, pin?: string) =>
    test.call(payOutstanding, { token: customer.token, body: { parcelIds, totalSeenMinor, ...(pin ? { pin } : {}) } })

  it('is confirmed without a PIN, and has a payment and an invoice of 0 but no entry in the books', async () => {
    const order = await placeFree()
    expect(order.methods.filter(({ open }) => open).map(({ method }) => method)).toEqual(['express_credit'])
    expect(new Set(order.methods.filter(({ open }) => !open).map(({ reason }) => reason))).toEqual(
      new Set(['nothing_to_pay']),
    )
    const paid = await test.call(payWithCredits, request(order))
    expect(paid.status, JSON.stringify(paid.error)).toBe(200)
    expect(paid.body).toMatchObject({ status: 'succeeded', amountMinor: 0, orderId: order.id })
    const { token } = customer
    expect((await test.call(getPayment, { token, params: { id: paid.body.id } })).body).toEqual(paid.body)
    const now = await orderNow(test, customer, order)
    expect(now).toMatchObject({ status: 'pending', paymentMethod: 'express_credit', paidMinor: 0 })
    expect(now.paidAt).not.toBeNull()
    expect(await statuses(order)).toEqual(['pending_dropoff'])
    const invoice = await test.call(getInvoice, { token, params: { id: order.id } })
    expect(invoice.body).toMatchObject({ totalMinor: 0, netMinor: 0, taxMinor: 0 })
    expect((await test.call(printInvoice, { token, params: { id: order.id } })).status).toBe(200)
    const movements = (await test.call(walletHistory, { token })).body.items
    expect(movements.map(({ kind }) => kind)).toEqual(['topup'])
    const parcel = now.parcels[0]
    await scanned(test, counter, parcel?.trackingNumber ?? '', 'accepted')
    await expectSoundBooks(test)
  })

  it('is refused with a reason by every other method', async () => {
    const order = await placeFree()
    const answers = [
      await test.call(payWithIpay88, request(order)),
      await test.call(payInStore, request(order)),
      await test.call(payCorporate, request(order)),
    ]
    for (const { status, error } of answers) expect([status, error.details?.reason]).toEqual([422, 'nothing_to_pay'])
  })

  it('is cancelled without a refund', async () => {
    const order = await placeFree()
    expect((await test.call(payWithCredits, request(order))).status).toBe(200)
    const ids = order.parcels.map(({ id }) => id)
    const cancelled = await test.call(cancelParcels, { token: customer.token, body: { ids } })
    expect(cancelled.body.refunds).toEqual([])
    expect(await statuses(order)).toEqual(['cancel'])
  })

  it('is paid at the counter with the other parcels of its order, as the slip prints them', async () => {
    const { order, light } = await placeMixed()
    const number = (await parcelNow(test, customer, light.id)).trackingNumber ?? ''
    const slip = await test.call(printPaymentSlip, { token: customer.token, params: { id: order.id } })
    const text = (await openPaper(slip.raw)).pages[0]?.text.replaceAll(/\s/g, '')
    for (const code of [order.number, number]) {
      const due = (await findDue(code)).body
      expect(due.totalMinor).toBe(order.totalMinor)
      expect(due.parcels.map(({ amountDueMinor }) => amountDueMinor).sort((a, b) => a - b)).toEqual([
        0,
        order.totalMinor,
      ])
      for (const { trackingNumber } of due.parcels) expect(text).toContain(trackingNumber)
    }
    const sold = await sell(order.number, order.totalMinor)
    expect(sold.status, JSON.stringify(sold.error)).toBe(200)
    expect(sold.body.parcels).toHaveLength(2)
    expect(await statuses(order)).toEqual(['pending_dropoff', 'pending_dropoff'])
    await expectSoundBooks(test)
  })

  it('is paid with credits with the other parcels of its order, which is paid whole', async () => {
    const { order, light, heavy } = await placeMixed()
    const half = await payDue([heavy.id], order.totalMinor, testPin)
    expect([half.status, half.error.code]).toEqual([422, 'order_not_whole'])
    const alone = await payDue([light.id], 0)
    expect([alone.status, alone.error.code]).toEqual([422, 'order_not_whole'])
    expect((await payDue([light.id, heavy.id], order.totalMinor)).status).toBe(422)
    expect((await payDue([light.id, heavy.id], order.totalMinor, testPin)).status).toBe(200)
    expect(await statuses(order)).toEqual(['pending_dropoff', 'pending_dropoff'])
  })

  it('is released by the customer or at the counter if only its free parcels are left', async () => {
    const orders = [await placeMixed(), await placeMixed()] as const
    for (const { heavy } of orders)
      expect((await test.call(cancelParcels, { token: customer.token, body: { ids: [heavy.id] } })).status).toBe(200)
    const list = (await test.call(listOutstanding, { token: customer.token })).body
    expect(list).toMatchObject({ total: 2, totalDueMinor: 0 })
    const [first, second] = orders
    expect((await parcelNow(test, customer, first.light.id)).allowedActions).toContain('pay_outstanding')
    expect((await payDue([first.light.id], 0)).status).toBe(200)
    expect((await findDue(second.order.number)).body).toMatchObject({ totalMinor: 0, cashMinor: 0 })
    const sold = await sell(second.order.number, 0, 0)
    expect(sold.body).toMatchObject({ totalMinor: 0, changeMinor: 0 })
    const receipt = await test.call(printCashReceipt, { token: clerk.token, params: { id: sold.body.movementId } })
    expect(receipt.body).toMatchObject({ orderNumber: second.order.number, totalMinor: 0 })
    for (const { order } of orders) expect(await statuses(order)).toEqual(['pending_dropoff', 'cancel'])
    await expectSoundBooks(test)
  })
})
