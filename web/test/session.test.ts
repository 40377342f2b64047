import { expect, test } from 'vitest'
import { createSessionStore, type SessionStorage } from '../src/lib/session.ts'

function memory(start: Record<string, string> = {}): SessionStorage & { entries: Map<string, string> } {
  const entries = new Map(Object.entries(start))
  return {
    entries,
    get: (key) => entries.get(key) ?? null,
    set: (key, value) => void entries.set(key, value),
    remove: (key) => void entries.delete(key),
  }
}

const user = { id: 'u1', name: 'Mei', kind: 'customer' }

test('stores user, tokens, settings and notes under their short keys', async () => {
  const storage = memory()
  const store = createSessionStore(storage)
  store.setState({ tokens: { access: 'A', refresh: 'R' }, awb: ['p1'] })
  store.setState(({ auth }) => ({ auth: { ...auth, user: user as never } }))
  store.setState(({ setting }) => ({ setting: { ...setting, settings: { appName: 'W' } as never } }))
  expect(Object.fromEntries(storage.entries)).toEqual({
    u: JSON.stringify(user),
    t: 'A',
    rt: 'R',
    gs: '{"appName":"W"}',
    awb: '["p1"]',
  })

  const again = createSessionStore(storage)
  await again.persist.rehydrate()
  expect(again.getState()).toMatchObject({
    auth: { user, permissions: [] },
    tokens: { access: 'A', refresh: 'R' },
    awb: ['p1'],
  })
})

test('removes cleared values from the storage', () => {
  const storage = memory({ t: 'A' })
  const store = createSessionStore(storage)
  store.setState({ tokens: { access: null, refresh: null } })
  expect(storage.entries.has('t')).toBe(false)
})

test('starts empty if the storage does not respond', async () => {
  let late: (value: string) => void = () => {}
  const storage: SessionStorage = {
    get: () => new Promise((resolve) => (late = resolve)),
    set: () => {},
    remove: () => {},
  }
  const store = createSessionStore(storage, 20)
  await store.persist.rehydrate()
  late('too late')
  expect(store.getState()).toMatchObject({ auth: { user: null }, tokens: { access: null } })
})

test('ignores invalid values in the storage', async () => {
  const store = createSessionStore(memory({ u: '{', gs: 'x', awb: '[' }))
  await store.persist.rehydrate()
  expect(store.getState()).toMatchObject({ auth: { user: null }, setting: { settings: null }, awb: [] })
})

test('signs out when another tab signs out', async () => {
  const storage = memory({ u: JSON.stringify(user), t: 'A' })
  const store = createSessionStore(storage)
  await store.persist.rehydrate()
  storage.entries.clear()
  await store.persist.rehydrate()
  expect(store.getState()).toMatchObject({ auth: { user: null }, tokens: { access: null } })
})
