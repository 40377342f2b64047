const pauseMs = 1_000
let lastKeyAt = Number.NEGATIVE_INFINITY

/** Notes when keys are pressed, from now on. Returns a function that ends it. */
export function watchTyping(): () => void {
  const note = () => {
    lastKeyAt = performance.now()
  }
  window.addEventListener('keydown', note, { capture: true })
  return () => window.removeEventListener('keydown', note, { capture: true })
}

/** Resolves once no key has been pressed for a second. */
export async function untilTypingPauses(): Promise<void> {
  for (;;) {
    const restMs = lastKeyAt + pauseMs - performance.now()
    if (restMs <= 0) return
    await new Promise((resolve) => setTimeout(resolve, restMs))
  }
}
