/** Watches whether the user does anything. */
import { local } from '../browser/storage.ts'
import { actedKey, readIdle, readTime, reportedKey } from './idle-time.ts'

const warningMs = 60_000
const tickMs = 1_000
/** How long a failed report is not repeated. */
const retryMs = 30_000

/** A screen reader may only click, dictation only enters text, and a gesture only navigates. */
const actions = ['pointerdown', 'wheel', 'keydown', 'click', 'input', 'popstate']

/** An action of the user. */
export function recordAction(): void {
  const now = Date.now()
  // A wheel turns many times in a second.
  if (Math.abs(now - (readTime(actedKey) ?? 0)) >= tickMs) local.set(actedKey, String(now))
}

/** `ending`: the session ends within a minute. `over`: it has ended, and no action revives it. */
export type IdlePhase = 'active' | 'ending' | 'over'

type Watching = { onPhase: (phase: IdlePhase) => void; report: () => Promise<void> }

/**
 * Watches the user until the returned function is called. Loading the page is an action. Renewals in the background
 * report the last action to the server; `report` is called when none has done so for a third of the time limit.
 */
export function watchActivity(limitMs: number, { onPhase, report }: Watching): () => void {
  let triedAt = 0
  const getPhase = (): IdlePhase => {
    const idleMs = Date.now() - readIdle().lastAction
    if (idleMs >= limitMs) return 'over'
    return idleMs >= limitMs - warningMs ? 'ending' : 'active'
  }
  const act = () => {
    if (getPhase() !== 'over') recordAction()
  }
  const tick = () => {
    const now = Date.now()
    const phase = getPhase()
    onPhase(phase)
    const { lastAction } = readIdle()
    const reported = readTime(reportedKey) ?? lastAction
    const isDue = lastAction > reported && now - reported >= limitMs / 3
    if (phase === 'over' || !isDue || now - triedAt < retryMs) return
    triedAt = now
    report().catch(() => undefined)
  }
  recordAction()
  tick()
  const timer = setInterval(tick, tickMs)
  for (const action of actions) addEventListener(action, act, { capture: true, passive: true })
  document.addEventListener('visibilitychange', tick)
  return () => {
    clearInterval(timer)
    for (const action of actions) removeEventListener(action, act, { capture: true })
    document.removeEventListener('visibilitychange', tick)
  }
}
