import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { useEffect, useRef } from 'react'
import { whileVisible } from '../../lib/events.ts'
import { useRefresh } from '../../lib/query.ts'
import { currentView } from '../../lib/view.ts'
import { followAnswers } from './live-answers.ts'

/** Follows the events of a stream (of the account, or of staff) while the page is visible. */
export function useLiveAnswers(endpoint: EndpointShape): void {
  const refresh = useRefresh()
  const latest = useRef(refresh)
  latest.current = refresh
  useEffect(() => {
    // A view by staff has no stream: it would outlive the view.
    if (currentView) return
    return whileVisible((signal) => {
      void followAnswers(endpoint, (...endpoints) => latest.current(...endpoints), signal)
    })
  }, [endpoint])
}
