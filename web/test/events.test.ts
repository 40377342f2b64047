import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accountEvents } from '@waybill/contract/tracking/account-events'
import { publicTrackLive } from '@waybill/contract/tracking/tracking'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { followAnswers } from '../src/app/layouts/live-answers.ts'
import { startCredentials } from '../src/lib/credentials.ts'
import { listen, parseEvents, whileVisible } from '../src/lib/events.ts'

const realFetch = globalThis.fetch
let port = 0
let server: Server
let streams: ServerResponse[]

/** A server that responds to every request with a stream that stays open. */
async function startServer(): Promise<void> {
  streams = []
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    streams.push(response)
  })
  await new Promise<void>((resolve) => server.listen(port, resolve))
  port = (server.address() as AddressInfo).port
}

/** Stops responding and breaks open streams, as if the process were killed. */
async function killServer(): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

beforeEach(async () => {
  await startServer()
  globalThis.fetch = ((input: string, init?: RequestInit) =>
    input === '/settings.json'
      ? Promise.resolve(Response.json({ apiHost: `http://localhost:${port}`, timeoutMs: 300 }))
      : realFetch(input, init)) as typeof fetch
  startCredentials()
})

afterEach(async () => {
  globalThis.fetch = realFetch
  await killServer()
})

test('reopens a stream after the server restarts, and reports that events may have been missed', async () => {
  const stop = new AbortController()
  const events: unknown[] = []
  const connections: boolean[] = []
  const done = listen(publicTrackLive, {
    query: { no: 'WB1' },
    signal: stop.signal,
    onEvent: ({ data }) => events.push(data),
    onConnected: (connected) => connections.push(connected),
  })
  const send = (data: unknown) => streams[0]?.write(`event: tracking\ndata: ${JSON.stringify(data)}\n\n`)
  await expect.poll(() => connections, { timeout: 5_000 }).toEqual([true])
  send(1)
  await expect.poll(() => events).toEqual([1])
  // An incomplete event is ignored.
  streams[0]?.write('event: tracking\ndata: {"half":')
  await killServer()
  await expect.poll(() => connections, { timeout: 5_000 }).toEqual([true, false])
  await startServer()
  await expect.poll(() => connections.at(-1), { timeout: 10_000 }).toBe(true)
  send(2)
  await expect.poll(() => events).toEqual([1, 2])
  stop.abort()
  await done
}, 20_000)

test('an error of a screen is logged, and ends neither the stream nor opens another one', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => log.mockRestore())
  const stop = new AbortController()
  const bug = new TypeError('a bug of a screen')
  const events: unknown[] = []
  const done = listen(publicTrackLive, {
    query: { no: 'WB1' },
    signal: stop.signal,
    onEvent({ data }) {
      if (data === 1) throw bug
      events.push(data)
    },
  })
  await expect.poll(() => streams.length, { timeout: 5_000 }).toBe(1)
  streams[0]?.write('data: 1\n\n')
  await expect.poll(() => log.mock.calls).toEqual([[bug]])
  streams[0]?.write('data: 2\n\n')
  await expect.poll(() => events).toEqual([2])
  expect(streams).toHaveLength(1)
  stop.abort()
  await done
})

test('reads everything that events change again after the server was away, else only what changed', async () => {
  const stop = new AbortController()
  const refreshes: string[][] = []
  const refresh = (...endpoints: { id: string }[]) => refreshes.push(endpoints.map(({ id }) => id))
  const done = followAnswers(accountEvents, refresh, stop.signal)
  await expect.poll(() => refreshes.length, { timeout: 5_000 }).toBe(1)
  streams[0]?.write('event: wallet\ndata: {}\n\n')
  await expect.poll(() => refreshes).toHaveLength(2)
  expect(refreshes[1]).toEqual(['wallet.get'])
  await killServer()
  await startServer()
  // Nothing is sent by the new server: what happened meanwhile is only found by reading.
  await expect.poll(() => refreshes.length, { timeout: 10_000 }).toBe(3)
  expect(refreshes[2]).toEqual(refreshes[0])
  expect(refreshes[2]).toEqual(
    expect.arrayContaining(['parcels.list', 'wallet.get', 'notifications.list', 'chat.messages']),
  )
  stop.abort()
  await done
}, 20_000)

test('ends a stream that is silent for a minute, because the server sends something every 20 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  let source: ReadableStreamDefaultController<Uint8Array> | undefined
  const cancel = vi.fn()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      source = controller
    },
    cancel,
  })
  const reading = parseEvents(body)
  const first = reading.next()
  await vi.advanceTimersByTimeAsync(50_000)
  source?.enqueue(new TextEncoder().encode(': still here\n\nevent: wallet\ndata: 1\n\n'))
  expect((await first).value).toEqual({ type: 'wallet', data: 1 })
  const second = reading.next()
  await vi.advanceTimersByTimeAsync(50_000)
  expect(cancel).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(10_000)
  expect((await second).done).toBe(true)
  await vi.waitFor(() => expect(cancel).toHaveBeenCalled())
})

test('a hidden page holds no connection, and opens it again when it becomes visible', async () => {
  const page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const show = (visible: boolean) => {
    page.hidden = !visible
    page.dispatchEvent(new Event('visibilitychange'))
  }
  const end = whileVisible((signal) => {
    void listen(publicTrackLive, { query: { no: 'WB1' }, signal, onEvent: () => undefined })
  })
  const open = () => streams.filter(({ destroyed }) => !destroyed).length
  await expect.poll(open, { timeout: 5_000 }).toBe(1)
  show(false)
  await expect.poll(open, { timeout: 5_000 }).toBe(0)
  show(true)
  await expect.poll(() => [streams.length, open()], { timeout: 5_000 }).toEqual([2, 1])
  end()
  await expect.poll(open, { timeout: 5_000 }).toBe(0)
  show(true)
  expect(streams).toHaveLength(2)
})
