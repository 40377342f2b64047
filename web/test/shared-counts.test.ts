import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useCountedScans } from '../src/features/parcels/gunny/use-counted-scans.ts'
import { useStockCount } from '../src/features/parcels/stock/use-stock-count.ts'
import { readStored, userStorage, writeStored } from '../src/lib/browser/user-storage.ts'
import { storeUser } from '../src/lib/session.ts'

// Components cannot subscribe to the language or the session without a browser.
vi.mock('../src/lib/i18n.ts', () => ({ useT: () => (key: string) => key }))
vi.mock('../src/lib/format.ts', () => ({ useFormat: () => ({ trackingNumber: (number: string) => number }) }))
vi.mock('../src/lib/session.ts', async (original) => ({ ...(await original<object>()), useSession: () => 'WB' }))

const first = 'WB12345678903'
const second = 'WB00000000019'

beforeEach(() => {
  const storage = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  })
  storeUser({ id: 'ann' } as never)
})
afterEach(() => vi.unstubAllGlobals())

/** What a hook returns to a tab that renders once: later changes of other tabs are not in it. */
function openTab<T>(useHook: () => T): T {
  const results: T[] = []
  renderToString(createElement(Tab, { visit: () => results.push(useHook()) }))
  return results[0] as T
}

function Tab({ visit }: { visit: () => unknown }) {
  visit()
  return null
}

test('a count of the stock has the scans of all tabs, and no tab reopens a count that another one has ended', () => {
  const name = 'stock-count-penang'
  const readScans = () => readStored<{ scans: string[] } | null>(userStorage, name, null)?.scans
  writeStored(userStorage, name, { at: '2026-11-28T10:00:00Z', expected: [first, second], scans: [] }, null)
  const [one, other] = [openTab(() => useStockCount('penang')), openTab(() => useStockCount('penang'))]
  one.scan([first])
  other.scan([second])
  expect(readScans()).toEqual([first, second])
  one.undo(first)
  expect(readScans()).toEqual([second])
  one.close()
  other.scan([first])
  other.undo(second)
  expect(userStorage.get(name)).toBeNull()
})

test('a count of a gunny has the scans of all tabs', () => {
  const gunny = { id: 'g1', checks: [], expected: [first, second] } as never
  const uncounted = { failures: [], refuse: vi.fn(), dismiss: vi.fn() } as never
  const [one, other] = [
    openTab(() => useCountedScans(gunny, uncounted)),
    openTab(() => useCountedScans(gunny, uncounted)),
  ]
  one.scan([first])
  other.scan([second])
  expect(readStored(userStorage, 'gunny-g1-0', [])).toEqual([first, second])
})
