import type { APIRequestContext } from '@playwright/test'
import { createCaller, party } from './caller.ts'

/**
 * Pays this many parcels of a demo company, which then wait to be brought to a counter. Returns their tracking
 * numbers.
 */
export async function paidParcels(request: APIRequestContext, count: number): Promise<string[]> {
  const { read, post } = await createCaller(request, 'customer', 'owner@kinabalu.example')
  const ids: string[] = []
  let expectedTotalMinor = 0
  for (let n = 0; n < count; n++) {
    const { id, priceMinor } = await post<{ id: string; priceMinor: number }>('/api/customer/parcels', {
      serviceType: 'e_parcel',
      deliveryMode: 'P2D',
      sender: party,
      receiver: { ...party, contactName: `Lim Wei ${n + 1}`, line1: `${n + 1}, Jalan Kiara 3` },
      contentType: 'clothing',
      weightGrams: 400,
      dimensions: { lengthMm: 200, widthMm: 150, heightMm: 50 },
      addToCart: true,
    })
    ids.push(id)
    expectedTotalMinor += priceMinor
  }
  const order = await post<{ id: string }>('/api/customer/orders', { parcelIds: ids, expectedTotalMinor })
  await post(`/api/customer/payments/express_credit/${order.id}`, { pin: '246810', expectedTotalMinor })
  const numbers: string[] = []
  for (const id of ids) {
    const { trackingNumber } = await read<{ trackingNumber: string }>(`/api/customer/parcels/${id}`)
    numbers.push(trackingNumber)
  }
  return numbers
}
