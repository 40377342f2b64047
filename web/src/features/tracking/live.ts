import { liveTrackingRequest } from '@waybill/contract/tracking/requests'
import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import { useEffect, useRef } from 'react'
import { listen } from '../../lib/events.ts'

/**
 * Calls `onMoved` whenever one of the numbers moves, for as long as the component is shown; after a broken connection
 * `onBack` says to look again.
 */
export function useLiveTracking(
  numbers: readonly string[],
  onMoved: (tracking: PublicTracking) => void,
  onBack: () => void,
): void {
  const handlers = useRef({ onMoved, onBack })
  handlers.current = { onMoved, onBack }
  const numberList = numbers.join(',')
  useEffect(() => {
    if (numberList === '') return
    const stop = new AbortController()
    let wasConnected = false
    void listen(liveTrackingRequest, {
      query: { no: numberList },
      signal: stop.signal,
      onEvent: ({ type, data }) => {
        if (type === 'tracking') handlers.current.onMoved(data as PublicTracking)
      },
      onConnected: (connected) => {
        // What moved while nobody listened was not told.
        if (connected && wasConnected) handlers.current.onBack()
        wasConnected ||= connected
      },
    })
    return () => stop.abort()
  }, [numberList])
}
