import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'
import { getParcel, type ParcelDetail } from '@waybill/contract/parcels/parcels'
import { type ScanEvent, scan } from '@waybill/contract/parcels/scanning'
import { openDrawer } from '@waybill/contract/payments/cash-desk'
import type { TestApp } from '../app.ts'
import { createStaff, type TestCustomer, type TestStaff } from './accounts.ts'
import { payCredits, placeOrder } from './orders.ts'

type ScanFields = Record<string, unknown>

/** Scans a parcel, and throws if the scan is refused. */
export async function scanned(
  test: TestApp,
  { token }: TestStaff,
  trackingNumber: string,
  event: ScanEvent,
  fields: ScanFields = {},
): Promise<void> {
  const answer = await test.call(scan, { token, body: { trackingNumber, event, ...fields } })
  if (answer.status !== 200) throw new Error(`no scan ${event}: ${JSON.stringify(answer.error)}`)
}

export async function parcelNow(test: TestApp, { token }: TestCustomer, id: string): Promise<ParcelDetail> {
  const answer = await test.call(getParcel, { token, params: { id } })
  if (answer.status !== 200) throw new Error(`no parcel: ${JSON.stringify(answer.error)}`)
  return answer.body
}

/** Two service centres with self-collection in different cities, and a member of staff at the first. */
export async function findCounter(test: TestApp): Promise<{ here: string; there: string; counter: TestStaff }> {
  const stations = await test.deps.db
    .selectFrom('stations')
    .select(['id', 'city'])
    .where('type', '=', 'service_center_t1')
    .orderBy('code')
    .execute()
  const here = stations[0]
  const there = stations.find(({ city }) => city !== here?.city)
  if (!here || !there) throw new Error('no two cities with stations')
  return { here: here.id, there: there.id, counter: await createStaff(test, { stationId: here.id }) }
}

/** The staff of a counter: one who accepts parcels, and a clerk whose cash drawer is open with RM 100. */
export async function openCashDesk(test: TestApp): Promise<{ counter: TestStaff; clerk: TestStaff }> {
  const { here, counter } = await findCounter(test)
  const clerk = await createStaff(test, { stationId: here })
  const drawer = await test.call(openDrawer, {
    token: clerk.token,
    body: { drawerNumber: 1, floatMinor: 10_000, currency: 'MYR' },
  })
  if (drawer.status !== 200) throw new Error(`no drawer: ${JSON.stringify(drawer.error)}`)
  return { counter, clerk }
}

/** A parcel of 1.2 kg that was paid with credits and accepted at a counter: inbound, with its real price. */
export async function handedOver(
  test: TestApp,
  customer: TestCustomer,
  counter: TestStaff,
  mode: DeliveryMode = 'P2D',
): Promise<{ id: string; number: string; orderId: string }> {
  const order = await placeOrder(test, customer, { mode })
  const payment = await payCredits(test, customer, order)
  if (payment.status !== 200) throw new Error(`not paid: ${JSON.stringify(payment.error)}`)
  const id = order.parcels[0]?.id ?? ''
  const number = (await parcelNow(test, customer, id)).trackingNumber ?? ''
  await scanned(test, counter, number, 'accepted')
  return { id, number, orderId: order.id }
}

/** Delivers a parcel that is at a station, with a signature. */
export async function delivered(test: TestApp, rider: TestStaff, number: string): Promise<void> {
  await scanned(test, rider, number, 'out_for_delivery')
  await scanned(test, rider, number, 'delivered', { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' })
}

/** A handed-over parcel with this number of failed deliveries. */
export async function undelivered(
  test: TestApp,
  customer: TestCustomer,
  counter: TestStaff,
  attempts = 1,
): Promise<{ id: string; number: string; orderId: string }> {
  const parcel = await handedOver(test, customer, counter)
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    await scanned(test, counter, parcel.number, 'out_for_delivery')
    await scanned(test, counter, parcel.number, 'attempt_failed', { failureReason: 'not_home' })
  }
  return parcel
}
