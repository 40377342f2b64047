import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { listen, type StreamEvent } from '../../lib/events.ts'
import { dispatchSignal } from '../../lib/live-signals.ts'
import { changedBy } from './live-queries.ts'

type Refresh = (...endpoints: { id: string }[]) => unknown

const liveQueries = [...new Set(Object.values(changedBy).flat())].map((id) => ({ id }))

/**
 * Follows a stream of events until the signal is aborted, and refreshes what each event changes. With each connection,
 * the first one included, everything that events change is read again: events before it never arrive.
 */
export function followAnswers(endpoint: EndpointShape, refresh: Refresh, signal: AbortSignal): Promise<void> {
  function onEvent({ type, data }: StreamEvent) {
    dispatchSignal(type, data)
    const ids = type in changedBy ? changedBy[type as keyof typeof changedBy] : []
    void refresh(...ids.map((id) => ({ id })))
  }
  function onConnected(connected: boolean) {
    if (connected) void refresh(...liveQueries)
  }
  return listen(endpoint, { signal, onEvent, onConnected })
}
