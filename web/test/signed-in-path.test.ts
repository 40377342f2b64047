import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInPath } from '../src/features/accounts/sign-in/signed-in-path.ts'
import { clearSession, storeTokens, storeUser } from '../src/lib/session.ts'

beforeEach(() => vi.stubGlobal('localStorage', {}))
afterEach(() => {
  clearSession()
  vi.unstubAllGlobals()
})

const signIn = (kind: 'customer' | 'staff') => {
  storeTokens({ access: 'a', refresh: 'r' })
  storeUser({ id: 'u', kind } as never)
}
const find = (search: string) => signedInPath(search, 'https://portal.test')

test('leads a signed-in user to their home page, or to the page of the link', () => {
  expect(find('')).toBeNull()
  signIn('customer')
  expect(find('')).toBe('/dashboard')
  expect(find('?next=%2Forders%2F7')).toBe('https://portal.test/orders/7')
  expect(find('?next=%2F%2Fhost.example')).toBe('/dashboard')
  signIn('staff')
  expect(find('')).toBe('/staff')
})

test('lets an invitation and a session that has ended sign in', () => {
  signIn('customer')
  expect(find('?invitation=abc')).toBeNull()
  expect(find('?again')).toBeNull()
})
