/** What staff see who answer a sender: a parcel by its number, its order, and what they may do with it. */
import { getOrderForStaff, type OrderDetail } from '@waybill/contract/orders/orders'
import { cancelParcels } from '@waybill/contract/orders/refunds'
import { scan, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { replayParcelPrice } from '@waybill/contract/pricing/price-replay'
import { searchAllForStaff, searchParcelsForStaff } from '@waybill/contract/search/search'
import { beforeAll, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../testing/factories/accounts.ts'
import { findCounter } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { orderNow, payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createPayer } from '../testing/factories/wallet.ts'

let test: TestApp
let customer: TestCustomer
let counter: TestStaff
let seller: TestStaff
let order: OrderDetail
let no: string

beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  counter = (await findCounter(test)).counter
  seller = await createStaff(test, { role: 'inside_sales_representative' })
  customer = await createPayer(test, { name: 'Kedai Sinar' })
  const placed = await placeOrder(test, customer, { mode: 'P2D' })
  expect((await payCredits(test, customer, placed)).status).toBe(200)
  order = await orderNow(test, customer, placed)
  no = order.parcels[0]?.trackingNumber ?? ''
  const body = { trackingNumber: no, event: 'accepted' as const }
  expect((await test.call(scan, { token: counter.token, body })).status).toBe(200)
})

const see = async ({ token }: TestStaff) => (await test.call(staffParcelByNumber, { token, params: { no } })).body

it('is the whole parcel with the names of those who handled it', async () => {
  const parcel = await see(seller)
  expect(parcel).toMatchObject({ accountId: customer.accountId, accountName: 'Kedai Sinar', orderId: order.id })
  expect(parcel.receiver?.phone).toMatch(/^\+60/)
  const { rows } = await test.deps.pool.query('select name from users where id = $1', [counter.userId])
  expect(parcel.events.find(({ event }) => event === 'accepted')?.byName).toBe(rows[0].name)
})

it('can be moved and weighed only by staff who operate', async () => {
  expect((await see(counter)).allowedEvents).toContain('sorted')
  expect((await see(counter)).mayWeigh).toBe(true)
  const parcel = await see(seller)
  expect(parcel.allowedEvents).toEqual([])
  expect(parcel.mayWeigh).toBe(false)
  const body = { trackingNumber: no, event: 'sorted' as const }
  expect((await test.call(scan, { token: seller.token, body })).status).toBe(403)
})

it('is found by its number, its order and the receiver’s phone', async () => {
  const { receiver } = await see(seller)
  for (const q of [no, order.number, receiver?.phone ?? '']) {
    const { body } = await test.call(searchAllForStaff, { token: seller.token, query: { q } })
    expect(body.items, q).toContainEqual(expect.objectContaining({ kind: 'parcel', title: no }))
  }
  const { body } = await test.call(searchParcelsForStaff, { token: seller.token, query: { q: order.number } })
  expect(body.items.map(({ trackingNumber }) => trackingNumber)).toContain(no)
})

it('explains its price', async () => {
  const { body } = await test.call(replayParcelPrice, { token: seller.token, params: { no } })
  expect(body.result).toBe('same')
})

it('has an order, with its payment and the person who made it', async () => {
  const { body } = await test.call(getOrderForStaff, { token: seller.token, params: { id: order.id } })
  expect(body).toMatchObject({
    number: order.number,
    accountId: customer.accountId,
    accountName: 'Kedai Sinar',
    paymentMethod: 'express_credit',
    totalMinor: order.totalMinor,
    invoiceNumber: order.invoiceNumber,
    visits: [],
  })
  expect(body.createdByName).toBeTruthy()
  const unknown = await test.call(getOrderForStaff, { token: seller.token, params: { id: customer.accountId } })
  expect([unknown.status, unknown.error.code]).toEqual([404, 'not_found'])
})

it('has an order with the pickup that a rider comes for', async () => {
  const placed = await placeOrder(test, customer, { mode: 'D2D' })
  expect((await payCredits(test, customer, placed)).status).toBe(200)
  const { body } = await test.call(getOrderForStaff, { token: seller.token, params: { id: placed.id } })
  const { date, window } = placed.pickup ?? {}
  expect(body.visits).toEqual([expect.objectContaining({ date, window, status: 'new', number: expect.any(String) })])
})

it('has an order without the visit of its cancelled parcels, which comes for another order', async () => {
  const placed = await placeOrder(test, customer, { mode: 'D2D' })
  expect((await payCredits(test, customer, placed)).status).toBe(200)
  const ids = (await orderNow(test, customer, placed)).parcels.map(({ id }) => id)
  expect((await test.call(cancelParcels, { token: customer.token, body: { ids } })).status).toBe(200)
  await test.settle()
  const { body } = await test.call(getOrderForStaff, { token: seller.token, params: { id: placed.id } })
  expect(body).toMatchObject({ refundedMinor: placed.totalMinor, visits: [] })
  expect((await orderNow(test, customer, placed)).visits).toEqual([])
})
