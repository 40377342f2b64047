import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { useEffect, useRef } from 'react'
import { listen, type StreamEvent } from '../../lib/events.ts'
import { dispatchSignal } from '../../lib/live-signals.ts'
import { useRefresh } from '../../lib/query.ts'
import { currentView } from '../../lib/view.ts'
import { changedBy } from './live-queries.ts'

const liveQueries = [...new Set(Object.values(changedBy).flat())].map((id) => ({ id }))

/**
 * Follows the events of a stream (of the account, or of staff) and asks again for what they change, as long as the page
 * is looked at: a hidden tab holds no connection. With each connection, the first one included, everything that events
 * change is read again: events before it never arrive, and may be newer than what was read.
 */
export function useLiveAnswers(endpoint: EndpointShape): void {
  const refresh = useRefresh()
  const latest = useRef(refresh)
  latest.current = refresh
  useEffect(() => {
    // A view by staff has no stream: it would outlive the view.
    if (currentView) return
    let stream: AbortController | null = null
    function onEvent({ type, data }: StreamEvent) {
      dispatchSignal(type, data)
      const ids = type in changedBy ? changedBy[type as keyof typeof changedBy] : []
      void latest.current(...ids.map((id) => ({ id })))
    }
    function onConnected(connected: boolean) {
      if (connected) void latest.current(...liveQueries)
    }
    function follow() {
      stream?.abort()
      stream = null
      if (document.hidden) return
      stream = new AbortController()
      const { signal } = stream
      void listen(endpoint, { signal, onEvent, onConnected })
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      stream?.abort()
    }
  }, [endpoint])
}
