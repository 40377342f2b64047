import { type APIRequestContext, expect, type Page } from '@playwright/test'

/*
 * Changes made through the API, as if on another device, while a page is open.
 */

/** The only parcel of the cart gets another weight, in grams. */
export async function weighAgain(page: Page, request: APIRequestContext, weightGrams: number): Promise<void> {
  const headers = await authorization(page)
  const cart = (await (await request.get('/api/customer/parcels/cart', { headers })).json()) as { items: object[] }
  const answer = await request.put('/api/customer/parcels', {
    headers,
    data: { ...cart.items[0], weightGrams, addToCart: true },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** A number of the account's, and the same with two digits swapped of which the server knows what was meant. */
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

/** Signs every device out but the one that this makes. */
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
