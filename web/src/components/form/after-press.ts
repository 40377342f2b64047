let pressed = false
let waiting: (() => void)[] = []

function released() {
  pressed = false
  const due = waiting
  waiting = []
  // After the click that the release makes.
  setTimeout(() => {
    for (const work of due) work()
  })
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', () => (pressed = true), true)
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, released, true)
}

/**
 * Does it now, or, while a finger or mouse button is down, after the click that follows. Leaving a field for a button
 * would else show the field's message under the pointer, move the button away, and the click would miss it.
 */
export function afterPress(work: () => void): void {
  if (pressed) waiting.push(work)
  else work()
}
