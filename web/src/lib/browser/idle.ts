/** Runs work that nobody waits for once the browser is idle; where it cannot tell (Safari), after two seconds. */
export function whenIdle(work: () => void): void {
  if (window.requestIdleCallback) window.requestIdleCallback(work)
  else setTimeout(work, 2_000)
}
