import { useSyncExternalStore } from 'react'

/** Below this width every cell of a table would need horizontal scrolling. */
const narrow = matchMedia('(max-width: 43.75em)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Whether the window is as narrow as a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}
