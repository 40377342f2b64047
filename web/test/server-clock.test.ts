import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

vi.mock('@mantine/core', () => ({ Button: (props: object) => createElement('b', props) }))
vi.mock('../src/components/feedback/use-send.ts', () => ({ useSend: () => ({ pending: undefined }) }))
vi.mock('../src/lib/i18n.ts', () => ({ useT: () => (key: string) => key, t: (key: string) => key }))
vi.mock('../src/components/feedback/notify.tsx', () => ({ notify: {} }))
vi.mock('../src/lib/session.ts', () => ({ sessionStore: { subscribe: vi.fn() } }))
vi.mock('../src/lib/send-queue/queue-store.ts', () => ({ indexedStore: vi.fn() }))
const queued: { scannedAt?: string }[] = []
vi.mock('../src/lib/send-queue/send-queue.ts', () => ({
  SendQueue: class {
    open() {}
    add(_number: string, body: { scannedAt?: string }) {
      queued.push(body)
    }
  },
}))
vi.stubGlobal('window', { addEventListener: vi.fn() })

const serverTime = Date.parse('2026-11-28T10:00:00Z')
const minute = 60_000

// The clock is a module's state: each test has its own.
async function load() {
  vi.resetModules()
  const { noteServerTime, serverNow } = await import('../src/lib/time/server-clock.ts')
  const { UndoButton } = await import('../src/features/parcels/scanning/undo-button.tsx')
  const note = (time: number | null) =>
    noteServerTime(new Response(null, time === null ? {} : { headers: { date: new Date(time).toUTCString() } }))
  const showsUndo = (undoUntil: number) =>
    renderToString(
      createElement(UndoButton, { scan: { undoUntil: new Date(undoUntil).toISOString() } as never, onUndone: vi.fn() }),
    ).includes('scanPage.undo')
  const { createFormat, defaultFormatSettings } = await import('../src/lib/format.ts')
  const format = createFormat({ ...defaultFormatSettings, timezone: 'Asia/Kuala_Lumpur' }, 'en')
  return { note, serverNow, showsUndo, format }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([5, -5])(
  'a scan can be undone for two minutes on a device whose clock is %i minutes wrong',
  async (wrong) => {
    vi.setSystemTime(serverTime + wrong * minute)
    const { note, showsUndo } = await load()
    note(serverTime)
    expect(showsUndo(serverTime + 2 * minute)).toBe(true)
    vi.advanceTimersByTime(minute)
    expect(showsUndo(serverTime + 2 * minute)).toBe(true)
    vi.advanceTimersByTime(minute)
    expect(showsUndo(serverTime + 2 * minute)).toBe(false)
  },
)

test.each([90, -90])('distances and today are right on a device whose clock is %i minutes wrong', async (wrong) => {
  // Half an hour to midnight, or after it, in the deployment's time zone.
  const time = Date.parse(wrong > 0 ? '2026-11-28T15:30:00Z' : '2026-11-28T16:30:00Z')
  vi.setSystemTime(time + wrong * minute)
  const { note, format } = await load()
  note(time)
  expect(format.today()).toBe(wrong > 0 ? '2026-11-28' : '2026-11-29')
  expect(format.relative(new Date(time - 5 * minute).toISOString())).toBe('5 minutes ago')
})

test('the clock ignores older times of cached responses, and corrections of the device', async () => {
  vi.setSystemTime(serverTime + minute)
  const { note, serverNow } = await load()
  note(serverTime)
  note(serverTime - 5 * minute)
  note(null)
  expect(serverNow()).toBe(serverTime)
  vi.setSystemTime(serverTime - 60 * minute)
  expect(serverNow()).toBe(serverTime)
  // A device that slept: its `performance.now()` stood still.
  note(serverTime + 30 * minute)
  expect(serverNow()).toBe(serverTime + 30 * minute)
})

test('the clock counts the sleep of a device, whatever the device says the time is', async () => {
  vi.setSystemTime(serverTime - 120 * minute)
  const { note, serverNow } = await load()
  note(serverTime)
  // While the device sleeps, `performance.now()` stops and the clock of the device goes on.
  vi.setSystemTime(serverTime - 90 * minute)
  expect(serverNow()).toBe(serverTime + 30 * minute)
  // The clock of the device was set, and no time has passed: the next response corrects it.
  vi.setSystemTime(serverTime)
  note(serverTime)
  expect(serverNow()).toBe(serverTime)
})

test.each([3, -3])('a scan has the server’s time on a device whose clock is %i days wrong', async (wrong) => {
  vi.setSystemTime(serverTime + wrong * 24 * 60 * minute)
  const { note } = await load()
  const { addScan } = await import('../src/features/parcels/scan-queue/scan-queue.ts')
  note(serverTime)
  vi.advanceTimersByTime(minute)
  addScan({ trackingNumber: 'KMX0000000001', event: 'accepted', photoIds: [] })
  expect(queued.pop()?.scannedAt).toBe(new Date(serverTime + minute).toISOString())
})

test('the time is that of the device before the first response, and if a proxy hides it', async () => {
  vi.setSystemTime(serverTime)
  const { note, serverNow } = await load()
  expect(serverNow()).toBe(serverTime)
  note(null)
  expect(serverNow()).toBe(serverTime)
})
