import { type APIRequestContext, expect } from '@playwright/test'

const party = {
  contactName: 'Goh Pei Shan',
  phone: '+60123847267',
  line1: '3, Jalan Kiara 2',
  postcode: '50480',
  city: 'Kuala Lumpur',
  state: 'Kuala Lumpur',
  country: 'my',
}

/**
 * Pays this many parcels of a demo company, which then wait to be brought to a counter. Returns their tracking
 * numbers.
 */
export async function paidParcels(request: APIRequestContext, count: number): Promise<string[]> {
  const login = await request.post('/api/customer/auth/login', {
    data: { email: 'owner@kinabalu.example', password: 'waybill-demo' },
  })
  const { token } = (await login.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const post = async <T>(path: string, data: object): Promise<T> => {
    const answer = await request.post(`/api/customer/${path}`, { headers, data })
    expect(answer.status(), await answer.text()).toBe(200)
    return (await answer.json()) as T
  }
  const ids: string[] = []
  let expectedTotalMinor = 0
  for (let n = 0; n < count; n++) {
    const { id, priceMinor } = await post<{ id: string; priceMinor: number }>('parcels', {
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
  const order = await post<{ id: string }>('orders', { parcelIds: ids, expectedTotalMinor })
  await post(`payments/express_credit/${order.id}`, { pin: '246810', expectedTotalMinor })
  const numbers: string[] = []
  for (const id of ids) {
    const parcel = await request.get(`/api/customer/parcels/${id}`, { headers })
    numbers.push(String(((await parcel.json()) as { trackingNumber: string }).trackingNumber))
  }
  return numbers
}
