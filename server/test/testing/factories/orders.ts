import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'
import { createOrder, getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { createParcel as createParcelCall, type Parcel } from '@waybill/contract/parcels/parcels'
import type { GatewayForm } from '@waybill/contract/payments/payments'
import { payWithCredits, payWithIpay88 } from '@waybill/contract/payments/payments'
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import { priceSummary } from '@waybill/contract/pricing/pricing'
import type { TestApp } from '../app.ts'
import type { TestCustomer } from './accounts.ts'
import { parcelBody, testParty } from './parcels.ts'
import { testPin } from './wallet.ts'
import { workingDay } from './working-day.ts'

/** Puts parcels in the cart, priced by the rates of the network. Call `seedTestNetwork` first. */
export async function fillCart(
  test: TestApp,
  { token }: TestCustomer,
  count = 1,
  deliveryMode: DeliveryMode = 'P2D',
): Promise<Parcel[]> {
  const parcels: Parcel[] = []
  for (let n = 0; n < count; n += 1) {
    const answer = await test.call(createParcelCall, {
      token,
      body: parcelBody({ deliveryMode, weightGrams: 1200 + n, addToCart: true }),
    })
    if (answer.status !== 200) throw new Error(`no parcel: ${JSON.stringify(answer.error)}`)
    parcels.push(answer.body)
  }
  return parcels
}

/** A valid pickup, at the earliest the day after tomorrow, so that no cut-off time applies. */
export function testPickup(test: TestApp, overrides: Partial<PickupChoice> = {}): PickupChoice {
  const date = workingDay(test, 2)
  return { address: testParty(), date, window: '09:00-12:00', ...overrides }
}

/** Today's total for a checkout of these parcels with this pickup. */
export async function quoteTotal(
  test: TestApp,
  { token }: TestCustomer,
  parcels: readonly Pick<Parcel, 'id'>[],
  pickup: PickupChoice | null = null,
): Promise<number> {
  const answer = await test.call(priceSummary, { token, body: { parcelIds: parcels.map(({ id }) => id), pickup } })
  if (answer.status !== 200) throw new Error(`no total: ${JSON.stringify(answer.error)}`)
  return answer.body.totalMinor
}

/** Places an order that waits for its payment. */
export async function placeOrder(
  test: TestApp,
  customer: TestCustomer,
  { count = 1, mode = 'P2D', pickup }: { count?: number; mode?: DeliveryMode; pickup?: PickupChoice } = {},
): Promise<OrderDetail> {
  return orderParcels(test, customer, await fillCart(test, customer, count, mode), mode, pickup)
}

/** Places an order of parcels in the cart. */
export async function orderParcels(
  test: TestApp,
  customer: TestCustomer,
  parcels: readonly Pick<Parcel, 'id'>[],
  mode: DeliveryMode = 'P2D',
  choice: PickupChoice = testPickup(test),
): Promise<OrderDetail> {
  const pickup = mode.startsWith('D') ? choice : null
  const answer = await test.call(createOrder, {
    token: customer.token,
    body: {
      parcelIds: parcels.map(({ id }) => id),
      expectedTotalMinor: await quoteTotal(test, customer, parcels, pickup),
      pickup,
    },
  })
  if (answer.status !== 200) throw new Error(`no order: ${JSON.stringify(answer.error)}`)
  return answer.body
}

/** The current state of an order as its customer sees it. */
export async function orderNow(
  test: TestApp,
  { token }: TestCustomer,
  { id }: Pick<OrderDetail, 'id'>,
): Promise<OrderDetail> {
  return (await test.call(getOrder, { token, params: { id } })).body
}

/** Pays with credits, and returns any response. */
export function payCredits(
  test: TestApp,
  { token }: TestCustomer,
  order: OrderDetail,
  { headers = {}, pin = testPin }: { headers?: Record<string, string>; pin?: string } = {},
) {
  return test.call(payWithCredits, {
    token,
    params: { id: order.id },
    body: { pin, expectedTotalMinor: order.totalMinor },
    headers,
  })
}

/** Starts a payment at the gateway, and returns the fields of its form with the payment id. */
export async function payAtGateway(test: TestApp, { token }: TestCustomer, order: OrderDetail): Promise<GatewayForm> {
  const body = { expectedTotalMinor: order.totalMinor }
  const answer = await test.call(payWithIpay88, { token, params: { id: order.id }, body })
  if (answer.status !== 200) throw new Error(`no payment: ${JSON.stringify(answer.error)}`)
  return answer.body
}
