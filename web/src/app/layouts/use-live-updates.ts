import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { useEffect, useRef } from 'react'
import { useRefresh } from '../../lib/query.ts'
import { currentView } from '../../lib/view.ts'
import { followAnswers } from './live-answers.ts'

/**
 * Follows the events of a stream (of the account, or of staff) as long as the page is looked at: a hidden tab holds no
 * connection.
 */
export function useLiveAnswers(endpoint: EndpointShape): void {
  const refresh = useRefresh()
  const latest = useRef(refresh)
  latest.current = refresh
  useEffect(() => {
    // A view by staff has no stream: it would outlive the view.
    if (currentView) return
    let stream: AbortController | null = null
    function follow() {
      stream?.abort()
      stream = null
      if (document.hidden) return
      stream = new AbortController()
      void followAnswers(endpoint, (...endpoints) => latest.current(...endpoints), stream.signal)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      stream?.abort()
    }
  }, [endpoint])
}
