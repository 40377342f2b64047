import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

vi.mock('@mantine/core', () => ({ Button: (props: object) => createElement('b', props) }))
vi.mock('../src/components/feedback/use-send.ts', () => ({ useSend: () => ({ pending: undefined }) }))
vi.mock('../src/lib/i18n.ts', () => ({ useT: () => (key: string) => key }))

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

test('the time is that of the device before the first response, and if a proxy hides it', async () => {
  vi.setSystemTime(serverTime)
  const { note, serverNow } = await load()
  expect(serverNow()).toBe(serverTime)
  note(null)
  expect(serverNow()).toBe(serverTime)
})
