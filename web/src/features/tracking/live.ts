import { liveTrackingRequest } from '@waybill/contract/tracking/requests'
import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import { useEffect, useRef } from 'react'
import { listen } from '../../lib/events.ts'

/**
 * Calls `onMoved` whenever one of the numbers moves while the component is mounted. After a reconnect `onBack` runs,
 * because events may have been missed.
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
        // Events during the interruption were missed.
        if (connected && wasConnected) handlers.current.onBack()
        wasConnected ||= connected
      },
    })
    return () => stop.abort()
  }, [numberList])
}
