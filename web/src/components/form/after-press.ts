let isPointerDown = false
let waiting: (() => void)[] = []

function onRelease() {
  isPointerDown = false
  const due = waiting
  waiting = []
  // After the click that follows the release.
  setTimeout(() => {
    for (const work of due) work()
  })
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', () => (isPointerDown = true), true)
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, onRelease, true)
}

/**
 * Runs the work now, or after the click while a pointer is down. Otherwise leaving a field for a button would show the
 * field's error, which moves the button away under the pointer, so the click would miss it.
 */
export function afterPress(work: () => void): void {
  if (isPointerDown) waiting.push(work)
  else work()
}
