import { useSyncExternalStore } from 'react'

function createMedia(condition: string): () => boolean {
  const query = matchMedia(condition)
  const subscribe = (listener: () => void) => {
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}

/** Whether the window is too narrow for a spreadsheet: every cell would need horizontal scrolling. */
export const useNarrow = createMedia('(max-width: 43.75em)')

/** Whether the window is as narrow as a phone. The style sheets of frame and lists change at the same width. */
export const usePhone = createMedia('(max-width: 48em)')

/** Whether all columns of a list fit next to the navigation, or a phone has them behind the button of a row. */
export const useWide = createMedia('(min-width: 89em), (max-width: 48em)')

/** Whether a side panel fits next to a list. */
export const useRoomForPanel = createMedia('(min-width: 75em)')

/** Whether the window is between a phone and a laptop: open navigation would take a quarter of it. */
export const useTablet = createMedia('(max-width: 75em) and (min-width: 48.01em)')

/** Whether side panels fit next to a table of numbers, so that its columns need no scrolling. */
export const useRoomBesideTable = createMedia('(min-width: 80em)')
