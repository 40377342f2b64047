import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { forgetDraft, keepDraft, readDraft } from '../src/components/form/drafts.ts'
import { clearSession, storeUser } from '../src/lib/session.ts'

const storage = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
  removeItem: (key: string) => void storage.delete(key),
})
beforeEach(() => storage.clear())
afterAll(() => vi.unstubAllGlobals())

const initial = { name: '', city: 'Ipoh', password: '' }

test('returns a draft with the time when it was saved, merged over the current initial values', () => {
  const before = new Date().toISOString()
  keepDraft('parcel:1', { name: 'Mei', password: 'secret' }, ['password'])
  const draft = readDraft('parcel:1', initial)
  expect(draft?.values).toEqual({ name: 'Mei', city: 'Ipoh', password: '' })
  expect((draft?.keptAt ?? '') >= before).toBe(true)
  expect([...storage.values()].join()).not.toContain('secret')
})

test('returns no draft if it was deleted, belongs to another form or is damaged', () => {
  keepDraft('parcel:1', { name: 'Mei' }, [])
  expect(readDraft('parcel:2', initial)).toBeNull()
  forgetDraft('parcel:1')
  expect(readDraft('parcel:1', initial)).toBeNull()
  for (const brokenJson of ['{', 'null', '{"name":"Mei"}', '{"keptAt":"2026-01-01","values":null}']) {
    storage.set('draft:visitor:parcel:1', brokenJson)
    expect(readDraft('parcel:1', initial), brokenJson).toBeNull()
  }
})

test('keeps the drafts of users of one computer apart, also after the session of one has ended', () => {
  storeUser({ id: 'ann' } as never)
  keepDraft('address', { name: 'Mei' }, [])
  clearSession()
  expect(readDraft('address', initial)).toBeNull()
  storeUser({ id: 'ben' } as never)
  expect(readDraft('address', initial)).toBeNull()
  storeUser({ id: 'ann' } as never)
  expect(readDraft('address', initial)?.values.name).toBe('Mei')
})
