import type { accountEvents, staffEvents } from '@waybill/contract/tracking/account-events'
import { useEffect, useRef } from 'react'
import { listen } from '../../lib/events.ts'
import { useRefresh } from '../../lib/query.ts'
import { currentView } from '../../lib/view.ts'

/**
 * Follows the events of the account, or those of staff, and asks again for what they change, as long as the page is looked at: a hidden tab
 * holds no connection.
 */
export function useLiveAnswers(events: typeof accountEvents | typeof staffEvents): void {
  const refresh = useRefresh()
  const latest = useRef(refresh)
  latest.current = refresh
  useEffect(() => {
    // A view by staff has no stream: it would outlive the view.
    if (currentView) return
    let stream: AbortController | null = null
    async function tell(type: string) {
      const { changedBy } = await import('./live-queries.ts')
      if (type in changedBy) await latest.current(...changedBy[type as keyof typeof changedBy])
    }
    function follow() {
      stream?.abort()
      stream = null
      if (document.hidden) return
      stream = new AbortController()
      void listen(events, { signal: stream.signal, onEvent: ({ type }) => void tell(type) })
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      stream?.abort()
    }
  }, [events])
}
