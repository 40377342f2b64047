import { type APIRequestContext, expect } from '@playwright/test'
import { demoPassword } from './steps.ts'

/** A party of parcels that are created through the API. */
export const party = {
  contactName: 'Goh Pei Shan',
  phone: '+60123847267',
  line1: '3, Jalan Kiara 2',
  postcode: '50480',
  city: 'Kuala Lumpur',
  state: 'Kuala Lumpur',
  country: 'my',
}

/** Signs in through the API and returns functions that call the API as this user. */
export async function createCaller(request: APIRequestContext, side: 'customer' | 'staff', email: string) {
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
