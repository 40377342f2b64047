/* Parcels and orders that are created through the API. */
import type { APIRequestContext } from '@playwright/test'
import { type Api, callAsDemoUser } from './api.ts'

/** The wallet PIN of every demo account. */
export const demoPin = '246810'

export const kualaLumpur = {
  contactName: 'Goh Pei Shan',
  phone: '+60123847267',
  line1: '3, Jalan Kiara 2',
  postcode: '50480',
  city: 'Kuala Lumpur',
  state: 'Kuala Lumpur',
  country: 'my',
}
const georgeTown = {
  ...kualaLumpur,
  ...{ contactName: 'Lim Wei', postcode: '10300', city: 'George Town', state: 'Pulau Pinang' },
}

/** A parcel in the cart from Kuala Lumpur to George Town, with changes. */
const parcelTo = (changes: object) => ({
  serviceType: 'e_parcel',
  deliveryMode: 'P2D',
  sender: kualaLumpur,
  contentType: 'clothing',
  weightGrams: 800,
  dimensions: { lengthMm: 300, widthMm: 200, heightMm: 100 },
  addToCart: true,
  receiver: georgeTown,
  ...changes,
})

/** An unpaid order: the ids of its parcels, and its total in minor units. */
export type PlacedOrder = { id: string; number: string; parcelIds: string[]; totalMinor: number }

/** Puts a parcel in the cart for each element: the fields that differ from a usual parcel. */
export async function fillCart(
  api: Api,
  parcels: readonly object[],
): Promise<Pick<PlacedOrder, 'parcelIds' | 'totalMinor'>> {
  const parcelIds: string[] = []
  let totalMinor = 0
  for (const changes of parcels) {
    const path = '/api/customer/parcels'
    const { id, priceMinor } = await api.post<{ id: string; priceMinor: number }>(path, parcelTo(changes))
    parcelIds.push(id)
    totalMinor += priceMinor
  }
  return { parcelIds, totalMinor }
}

/** `fillCart`, and one order of these parcels. `buyer` places it, if another member of the company does. */
export async function placeOrder(api: Api, parcels: readonly object[], buyer: Api = api): Promise<PlacedOrder> {
  const { parcelIds, totalMinor } = await fillCart(api, parcels)
  const checkout = { parcelIds, expectedTotalMinor: totalMinor }
  const { id, number } = await buyer.post<{ id: string; number: string }>('/api/customer/orders', checkout)
  return { id, number, parcelIds, totalMinor }
}

/** Chooses payment in cash at a counter. */
export async function payAtCounter(api: Api, { id, totalMinor }: PlacedOrder): Promise<void> {
  await api.post(`/api/customer/payments/store/${id}`, { expectedTotalMinor: totalMinor })
}

/** A paid parcel. */
export type PaidParcel = { id: string; number: string }

/** `placeOrder` of a demo user, paid with credits. Returns the parcels with their tracking numbers. */
export async function payParcels(api: Api, parcels: readonly object[]): Promise<PaidParcel[]> {
  return payOrder(api, await placeOrder(api, parcels))
}

/** Pays an order of a demo user with credits. Returns its parcels with their tracking numbers. */
export async function payOrder(api: Api, { id, parcelIds, totalMinor }: PlacedOrder): Promise<PaidParcel[]> {
  const payment = { pin: demoPin, expectedTotalMinor: totalMinor }
  await api.post(`/api/customer/payments/express_credit/${id}`, payment)
  const read = (parcel: string) => api.get<{ trackingNumber: string }>(`/api/customer/parcels/${parcel}`)
  return Promise.all(parcelIds.map(async (parcel) => ({ id: parcel, number: (await read(parcel)).trackingNumber })))
}

/** `payParcels` of one parcel. */
export async function payParcel(api: Api, changes: object = {}): Promise<PaidParcel> {
  const [parcel] = await payParcels(api, [changes])
  if (!parcel) throw new Error('no parcel was paid')
  return parcel
}

/**
 * Pays this many parcels of a demo company, which then wait to be brought to a counter. Returns their tracking
 * numbers.
 */
export async function payCompanyParcels(request: APIRequestContext, count: number): Promise<string[]> {
  const company = await callAsDemoUser(request, 'owner@kinabalu.example')
  const receivers = Array.from({ length: count }, (_, n) => ({
    receiver: { ...kualaLumpur, contactName: `Lim Wei ${n + 1}`, line1: `${n + 1}, Jalan Kiara 3` },
  }))
  return (await payParcels(company, receivers)).map(({ number }) => number)
}

/** A counter of the demo accepts a parcel. */
export async function acceptAtCounter(request: APIRequestContext, trackingNumber: string): Promise<void> {
  const counter = await callAsDemoUser(request, 'kl@waybill.example')
  await counter.post('/api/staff/scans', { trackingNumber, event: 'accepted' })
}
