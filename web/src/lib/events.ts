import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { ApiError, send } from './api.ts'

/** One server-sent event; `data` is its JSON. */
export type StreamEvent = { type: string; data: unknown }

type Listening = {
  query?: Record<string, string>
  signal: AbortSignal
  onEvent: (event: StreamEvent) => void
  /** Whether the stream is connected. A screen may poll while it is not. */
  onConnected?: (connected: boolean) => void
}

const firstWaitMs = 1_000
const longestWaitMs = 30_000
/** The server sends something every 20 seconds. A network that is gone may not end the connection. */
const silenceMs = 60_000

/**
 * Reads a stream of server-sent events until the signal is aborted. Uses fetch, because EventSource cannot send the
 * bearer token. Reconnects with exponential backoff and jitter; stops on 401, 403 and 404.
 */
export async function listen(
  endpoint: EndpointShape,
  { query, signal, onEvent, onConnected }: Listening,
): Promise<void> {
  let wait = firstWaitMs
  while (!signal.aborted) {
    try {
      const response = await send(endpoint, { query, signal, accept: 'text/event-stream', untimed: true })
      wait = firstWaitMs
      onConnected?.(true)
      for await (const event of response.body ? parseEvents(response.body) : []) {
        // An error of a screen is no reason to connect again, and must not be taken for a lost connection.
        try {
          onEvent(event)
        } catch (error) {
          console.error(error)
        }
      }
    } catch (error) {
      if (error instanceof ApiError && [401, 403, 404].includes(error.statusCode)) return
    }
    if (signal.aborted) return
    onConnected?.(false)
    await pause(wait * (0.5 + Math.random()), signal)
    wait = Math.min(wait * 2, longestWaitMs)
  }
}

/**
 * Calls `start` whenever the page becomes visible, and aborts its signal when the page is hidden: over HTTP/1.1 all
 * tabs of a browser share six connections to a server. Returns a function that ends it.
 */
export function whileVisible(start: (signal: AbortSignal) => void): () => void {
  let stop: AbortController | undefined
  function follow() {
    stop?.abort()
    if (document.hidden) return
    stop = new AbortController()
    start(stop.signal)
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    stop?.abort()
  }
}

/**
 * Splits a stream into its events, until it ends or is silent for too long. Skips events without data and events with
 * invalid JSON.
 */
export async function* parseEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  for (;;) {
    const timer = setTimeout(() => reader.cancel(), silenceMs)
    const { value, done } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    const blocks = (rest + value).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseEvent(block)
      if (event) yield event
    }
  }
}

function parseEvent(block: string): StreamEvent | null {
  const type = /^event:(.*)/m.exec(block)?.[1]?.trim() ?? 'message'
  const data = [...block.matchAll(/^data:(.*)/gm)].map(([, line]) => line).join('\n')
  try {
    return { type, data: JSON.parse(data) }
  } catch {
    return null
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    // Replaces that of an earlier pause. Listeners would accumulate.
    signal.onabort = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
