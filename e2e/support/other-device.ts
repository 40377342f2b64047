import { type APIRequestContext, expect, type Page } from '@playwright/test'

/* Changes through the API while a page is open, as if made on another device. */

/** Changes the weight of the only parcel in the cart, in grams. */
export async function weighAgain(page: Page, request: APIRequestContext, weightGrams: number): Promise<void> {
  await changeParcel(page, request, () => ({ weightGrams }))
}

/** Gives the receiver and the contents of the only parcel in the cart this name. Returns the id of the parcel. */
export async function nameReceiver(page: Page, request: APIRequestContext, name: string): Promise<string> {
  return changeParcel(page, request, ({ receiver }) => ({
    receiver: { ...receiver, contactName: name },
    contentDescription: name,
  }))
}

type CartParcel = { id: string; receiver: object }

async function changeParcel(
  page: Page,
  request: APIRequestContext,
  change: (parcel: CartParcel) => object,
): Promise<string> {
  const headers = await authorization(page)
  const cart = (await (await request.get('/api/customer/parcels/cart', { headers })).json()) as { items: CartParcel[] }
  const [parcel] = cart.items
  if (!parcel) throw new Error('the cart is empty')
  const data = { ...parcel, ...change(parcel), addToCart: true }
  const answer = await request.put('/api/customer/parcels', { headers, data })
  expect(answer.status(), await answer.text()).toBe(200)
  return parcel.id
}

/** A tracking number of the account, and a copy with two digits swapped that the server can correct. */
export async function getSlip(page: Page, request: APIRequestContext): Promise<{ number: string; slip: string }> {
  const headers = await authorization(page)
  const list = await request.get('/api/customer/parcels?limit=1&tab=delivered', { headers })
  const number = ((await list.json()) as { items: { trackingNumber: string }[] }).items[0]?.trackingNumber ?? ''
  for (let at = 2; at < number.length - 1; at += 1) {
    const slip = `${number.slice(0, at)}${number[at + 1]}${number[at]}${number.slice(at + 2)}`
    const answer = await request.get(`/api/public/parcels/tracking?no=${slip}`)
    const { notFound } = (await answer.json()) as { notFound: { suggestion: string | null }[] }
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

/** The token of the user who is signed in on the page. */
export async function authorization(page: Page): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('t'))}` }
}
