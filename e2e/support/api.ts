/* Calls of the API as one user, for steps of a journey that are not about a screen. */
import { type APIRequestContext, expect, type Page } from '@playwright/test'

/** The password of every demo login. */
export const demoPassword = 'waybill-demo'

/** Calls as one user. Each expects the status 200 and returns the JSON of the response. */
export type Api = {
  get: <T>(path: string) => Promise<T>
  post: <T>(path: string, data: object) => Promise<T>
  put: <T>(path: string, data: object) => Promise<T>
  delete: <T>(path: string) => Promise<T>
}

/** Calls with an access token, or without one. `portal` is the URL of a portal other than that of all journeys. */
export function callAs(request: APIRequestContext, token: string | null, portal = ''): Api {
  const headers = token ? { authorization: `Bearer ${token}` } : undefined
  const call = async <T>(method: keyof Api, path: string, data?: object): Promise<T> => {
    const answer = await request[method](portal + path, { ...(headers && { headers }), ...(data && { data }) })
    expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200)
    return (await answer.json()) as T
  }
  return {
    get: (path) => call('get', path),
    post: (path, data) => call('post', path, data),
    put: (path, data) => call('put', path, data),
    delete: (path) => call('delete', path),
  }
}

/** Signs in through the API. Addresses of the demo's own domain belong to staff. */
export async function callAsDemoUser(request: APIRequestContext, email: string, portal = ''): Promise<Api> {
  const login = { email, password: demoPassword }
  const { token } = await callAs(request, null, portal).post<{ token: string }>(
    `/api/${getSide(email)}/auth/login`,
    login,
  )
  return callAs(request, token, portal)
}

/** Which sign-in a demo user has. */
export const getSide = (email: string) => (email.endsWith('@waybill.example') ? 'staff' : 'customer')

/** Calls as the user who is signed in on the page. */
export async function callAsPage(page: Page): Promise<Api> {
  return callAs(page.request, await readToken(page))
}

/** The header for other calls as the user who is signed in on the page. */
export async function authorization(page: Page): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await readToken(page)}` }
}

/** The access token as the portal stores it. */
const readToken = (page: Page) => page.evaluate(() => localStorage.getItem('t'))
