import { liveTrackingRequest } from '@waybill/contract/tracking/requests'
import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import { useEffect, useRef } from 'react'
import { listen } from '../../lib/events.ts'

/**
 * Calls `onMoved` whenever one of the numbers moves while the component is mounted. `onConnected` runs with each
 * connection, the first one included: the numbers may have moved before it, so they have to be read again.
 */
export function useLiveTracking(
  numbers: readonly string[],
  onMoved: (tracking: PublicTracking) => void,
  onConnected: () => void,
): void {
  const handlers = useRef({ onMoved, onConnected })
  handlers.current = { onMoved, onConnected }
  const numberList = numbers.join(',')
  useEffect(() => {
    if (numberList === '') return
    const stop = new AbortController()
    void listen(liveTrackingRequest, {
      query: { no: numberList },
      signal: stop.signal,
      onEvent: ({ type, data }) => {
        if (type === 'tracking') handlers.current.onMoved(data as PublicTracking)
      },
      onConnected: (connected) => {
        if (connected) handlers.current.onConnected()
      },
    })
    return () => stop.abort()
  }, [numberList])
}
