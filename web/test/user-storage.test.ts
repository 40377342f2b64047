import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lastingUserStorage, readStored, userStorage, writeStored } from '../src/lib/browser/user-storage.ts'
import { clearSession, storeUser } from '../src/lib/session.ts'

beforeEach(() => {
  const storage: Record<string, string> = {}
  Object.defineProperties(storage, {
    getItem: { value: (key: string) => storage[key] ?? null },
    setItem: { value: (key: string, value: string) => Object.assign(storage, { [key]: value }) },
    removeItem: { value: (key: string) => Reflect.deleteProperty(storage, key) },
  })
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => vi.unstubAllGlobals())

const signIn = (id: string) => storeUser({ id } as never)

test('stores values for one user only, and removes all but the lasting ones when the user signs out', () => {
  signIn('ann')
  userStorage.set('scan-station', 'penang')
  lastingUserStorage.set('scan-open', '[]')
  localStorage.setItem('lang', 'en')
  expect(userStorage.get('scan-station')).toBe('penang')
  // The value remains after a renewed session; another user never sees it.
  signIn('ben')
  expect(userStorage.get('scan-station')).toBeNull()
  expect(lastingUserStorage.get('scan-open')).toBeNull()
  signIn('ann')
  expect(userStorage.get('scan-station')).toBe('penang')
  clearSession()
  expect(userStorage.get('scan-station')).toBeNull()
  signIn('ann')
  expect(userStorage.get('scan-station')).toBeNull()
  expect(lastingUserStorage.get('scan-open')).toBe('[]')
  expect(localStorage.getItem('lang')).toBe('en')
})

test('stores a list that is not empty, and leaves no entry of an empty one', () => {
  signIn('ann')
  writeStored(userStorage, 'gunny-pack', ['WB1'], [])
  expect(readStored<readonly string[]>(userStorage, 'gunny-pack', [])).toEqual(['WB1'])
  writeStored(userStorage, 'gunny-pack', [], [])
  expect(userStorage.get('gunny-pack')).toBeNull()
  expect(readStored<readonly string[]>(userStorage, 'gunny-pack', [])).toEqual([])
})

test('reports that a value is not stored where the browser forbids it', () => {
  signIn('ann')
  expect(writeStored(userStorage, 'gunny-pack', ['WB1'], [])).toBe(true)
  vi.stubGlobal('localStorage', undefined)
  expect(writeStored(userStorage, 'gunny-pack', ['WB1', 'WB2'], [])).toBe(false)
})
