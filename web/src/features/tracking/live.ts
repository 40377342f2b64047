import { liveTrackingRequest } from '@waybill/contract/tracking/requests'
import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import { useEffect, useEffectEvent } from 'react'
import { listen, whileVisible } from '../../lib/events.ts'

/**
 * Calls `onMoved` whenever one of the numbers moves while the component is mounted and the page is visible.
 * `onConnected` runs with each connection, the first one included: the numbers may have moved before it, so they have
 * to be read again.
 */
export function useLiveTracking(
  numbers: readonly string[],
  onMoved: (tracking: PublicTracking) => void,
  onConnected: () => void,
): void {
  const showMoved = useEffectEvent(onMoved)
  const readAgain = useEffectEvent(onConnected)
  const numberList = numbers.join(',')
  useEffect(() => {
    if (numberList === '') return
    return whileVisible((signal) => {
      void listen(liveTrackingRequest, {
        query: { no: numberList },
        signal,
        onEvent: ({ type, data }) => {
          if (type === 'tracking') showMoved(data as PublicTracking)
        },
        onConnected: (connected) => {
          if (connected) readAgain()
        },
      })
    })
  }, [numberList])
}
