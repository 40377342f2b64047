import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { callAsPage } from './api.ts'

/* Changes through the API while a page is open, as if made on another device. */

/** Changes the weight of the only parcel in the cart, in grams. */
export async function weighAgain(page: Page, weightGrams: number): Promise<void> {
  await changeParcel(page, () => ({ weightGrams }))
}

/** Gives the receiver and the contents of the only parcel in the cart this name. Returns the id of the parcel. */
export async function nameReceiver(page: Page, name: string): Promise<string> {
  return changeParcel(page, ({ receiver }) => ({
    receiver: { ...receiver, contactName: name },
    contentDescription: name,
  }))
}

type CartParcel = { id: string; receiver: object }

async function changeParcel(page: Page, change: (parcel: CartParcel) => object): Promise<string> {
  const customer = await callAsPage(page)
  const [parcel] = (await customer.get<{ items: CartParcel[] }>('/api/customer/parcels/cart')).items
  if (!parcel) throw new Error('the cart is empty')
  await customer.put('/api/customer/parcels', { ...parcel, ...change(parcel), addToCart: true })
  return parcel.id
}

/** A tracking number of the account, and a copy with two digits swapped that the server can correct. */
export async function getSlip(page: Page): Promise<{ number: string; slip: string }> {
  const customer = await callAsPage(page)
  type Parcels = { items: { trackingNumber: string }[] }
  const { items } = await customer.get<Parcels>('/api/customer/parcels?limit=1&tab=delivered')
  const number = items[0]?.trackingNumber ?? ''
  for (let at = 2; at < number.length - 1; at += 1) {
    const slip = `${number.slice(0, at)}${number[at + 1]}${number[at]}${number.slice(at + 2)}`
    type Tracking = { notFound: { suggestion: string | null }[] }
    const { notFound } = await customer.get<Tracking>(`/api/public/parcels/tracking?no=${slip}`)
    if (notFound[0]?.suggestion === number) return { number, slip }
  }
  throw new Error(`${number} has no slip that can be repaired`)
}

/** Ends all sessions except the one that this call creates. */
export async function endOtherSessions(request: APIRequestContext, email: string, password: string): Promise<void> {
  const login = await request.post('/api/customer/auth/login', { data: { email, password } })
  const { token } = (await login.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const { items } = (await (await request.get('/api/customer/auth/sessions', { headers })).json()) as {
    items: { id: string; current: boolean }[]
  }
  for (const { id } of items.filter(({ current }) => !current)) {
    expect((await request.delete(`/api/customer/auth/sessions/${id}`, { headers })).status()).toBe(200)
  }
}
