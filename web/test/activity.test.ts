import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { type IdlePhase, watchActivity } from '../src/lib/input/activity.ts'
import { noteReport, readIdle } from '../src/lib/input/idle-time.ts'

const storage = new Map<string, string>()
const page = new EventTarget()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
})
vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
vi.stubGlobal('document', new EventTarget())
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

let stops: (() => void)[] = []
beforeEach(() => {
  for (const stop of stops) stop()
  stops = []
  storage.clear()
  vi.useFakeTimers()
})

const minute = 60_000
const act = () => page.dispatchEvent(new Event('keydown'))

/** One tab. Its report reaches the server if `answer` does. */
function openTab(answer: () => Promise<void> = async () => noteReport(readIdle().lastAction)) {
  const report = vi.fn(answer)
  let phase: IdlePhase | null = null
  const onPhase = (next: IdlePhase) => {
    phase = next
  }
  const close = watchActivity(15 * minute, { onPhase, report })
  stops.push(close)
  return { getPhase: () => phase, report, close }
}

test('warns a minute before the end; an action ends the warning, and after the end no action does', () => {
  const { getPhase } = openTab()
  vi.advanceTimersByTime(13.9 * minute)
  expect(getPhase()).toBe('active')
  vi.advanceTimersByTime(0.2 * minute)
  expect(getPhase()).toBe('ending')
  act()
  vi.advanceTimersByTime(1_000)
  expect([getPhase(), readIdle().idleSeconds]).toEqual(['active', 1])
  vi.advanceTimersByTime(15 * minute)
  expect(getPhase()).toBe('over')
  act()
  vi.advanceTimersByTime(1_000)
  expect(getPhase()).toBe('over')
})

test('counts an action in any tab', () => {
  const first = openTab()
  first.close()
  vi.advanceTimersByTime(10 * minute)
  const second = openTab()
  vi.advanceTimersByTime(10 * minute)
  expect(second.getPhase()).toBe('active')
  expect(readIdle().idleSeconds).toBe(600)
})

test('reports an action while the server would still renew the session, and nothing of an idle user', () => {
  const { report } = openTab()
  vi.advanceTimersByTime(14 * minute)
  expect(report).not.toHaveBeenCalled()
  noteReport(readIdle().lastAction)
  act()
  vi.advanceTimersByTime(1_000)
  expect(report).toHaveBeenCalledTimes(1)
  for (let minutes = 0; minutes < 60; minutes += 1) {
    act()
    vi.advanceTimersByTime(minute)
  }
  expect(report.mock.calls.length).toBeGreaterThan(8)
  expect(report.mock.calls.length).toBeLessThan(16)
})

test('repeats a report that has failed, but not at once', () => {
  const { report } = openTab(() => Promise.reject(new Error('offline')))
  noteReport(Date.now())
  vi.advanceTimersByTime(6 * minute)
  act()
  vi.advanceTimersByTime(2 * minute)
  expect(report).toHaveBeenCalledTimes(4)
})
