import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { useEffect, useRef } from 'react'
import { listen } from '../../lib/events.ts'
import { dispatchSignal } from '../../lib/live-signals.ts'
import { useRefresh } from '../../lib/query.ts'
import { currentView } from '../../lib/view.ts'

/**
 * Follows the events of a stream (of the account, or of staff) and asks again for what they change, as long as the page
 * is looked at: a hidden tab holds no connection. After a lost connection everything that events change is read again,
 * because those that were sent meanwhile never arrive.
 */
export function useLiveAnswers(endpoint: EndpointShape): void {
  const refresh = useRefresh()
  const latest = useRef(refresh)
  latest.current = refresh
  useEffect(() => {
    // A view by staff has no stream: it would outlive the view.
    if (currentView) return
    let stream: AbortController | null = null
    let connectedBefore = false
    async function tell(type: string, data: unknown) {
      dispatchSignal(type, data)
      const { changedBy } = await import('./live-queries.ts')
      if (type in changedBy) await latest.current(...changedBy[type as keyof typeof changedBy])
    }
    async function readAgain() {
      const { changedBy } = await import('./live-queries.ts')
      await latest.current(...new Set<EndpointShape>(Object.values(changedBy).flat()))
    }
    function onConnected(connected: boolean) {
      if (connected && connectedBefore) void readAgain()
      connectedBefore ||= connected
    }
    function follow() {
      stream?.abort()
      stream = null
      if (document.hidden) return
      stream = new AbortController()
      const { signal } = stream
      void listen(endpoint, { signal, onEvent: ({ type, data }) => void tell(type, data), onConnected })
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      stream?.abort()
    }
  }, [endpoint])
}
