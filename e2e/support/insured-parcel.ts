import { type APIRequestContext, expect } from '@playwright/test'
import { demoPassword } from './steps.ts'

const party = {
  contactName: 'Goh Pei Shan',
  phone: '+60123847267',
  line1: '3, Jalan Kiara 2',
  postcode: '50480',
  city: 'Kuala Lumpur',
  state: 'Kuala Lumpur',
  country: 'my',
}

/** Signs in through the API and returns functions that call the API as this user. */
async function createCaller(request: APIRequestContext, side: 'customer' | 'staff', email: string) {
  const login = await request.post(`/api/${side}/auth/login`, { data: { email, password: demoPassword } })
  const { token } = (await login.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const read = async <T>(path: string): Promise<T> => (await (await request.get(path, { headers })).json()) as T
  const post = async <T>(path: string, data: object): Promise<T> => {
    const answer = await request.post(path, { headers, data })
    expect(answer.status(), await answer.text()).toBe(200)
    return (await answer.json()) as T
  }
  return { read, post }
}

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
