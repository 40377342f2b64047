import type { APIRequestContext } from '@playwright/test'
import { createCaller, party } from './caller.ts'

/** The id of a paid parcel of a demo company, insured for 250.00 and accepted at a counter. */
export async function insuredParcel(request: APIRequestContext): Promise<string> {
  const company = await createCaller(request, 'customer', 'owner@kinabalu.example')
  const { id, priceMinor } = await company.post<{ id: string; priceMinor: number }>('/api/customer/parcels', {
    serviceType: 'e_parcel',
    deliveryMode: 'P2D',
    sender: party,
    receiver: { ...party, contactName: 'Lim Wei', line1: '9, Jalan Kiara 3' },
    contentType: 'clothing',
    declaredValueMinor: 30_000,
    insuredValueMinor: 25_000,
    weightGrams: 400,
    dimensions: { lengthMm: 200, widthMm: 150, heightMm: 50 },
    addToCart: true,
  })
  const expectedTotalMinor = priceMinor
  const body = { parcelIds: [id], expectedTotalMinor }
  const order = await company.post<{ id: string }>('/api/customer/orders', body)
  const payment = { pin: '246810', expectedTotalMinor }
  await company.post(`/api/customer/payments/express_credit/${order.id}`, payment)
  const { trackingNumber } = await company.read<{ trackingNumber: string }>(`/api/customer/parcels/${id}`)
  const counter = await createCaller(request, 'staff', 'kl@waybill.example')
  await counter.post('/api/staff/scans', { trackingNumber, event: 'accepted' })
  return id
}
