import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { publicTrackLive } from '@waybill/contract/tracking/tracking'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startCredentials } from '../src/lib/credentials.ts'
import { listen } from '../src/lib/events.ts'

const realFetch = globalThis.fetch
let port = 0
let server: Server
let streams: ServerResponse[]

/** A server whose only answer is a stream that stays open. */
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

/** As when its process is killed: nothing is answered any more, and open streams break off. */
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

test('a stream whose server goes away is opened again, and its listener knows that events were missed', async () => {
  const stop = new AbortController()
  const heard: unknown[] = []
  const connections: boolean[] = []
  const done = listen(publicTrackLive, {
    query: { no: 'WB1' },
    signal: stop.signal,
    onEvent: ({ data }) => heard.push(data),
    onConnected: (connected) => connections.push(connected),
  })
  const send = (data: unknown) => streams[0]?.write(`event: tracking\ndata: ${JSON.stringify(data)}\n\n`)
  await expect.poll(() => connections, { timeout: 5_000 }).toEqual([true])
  send(1)
  await expect.poll(() => heard).toEqual([1])
  // Half an event is none.
  streams[0]?.write('event: tracking\ndata: {"half":')
  await killServer()
  await expect.poll(() => connections, { timeout: 5_000 }).toEqual([true, false])
  await startServer()
  await expect.poll(() => connections.at(-1), { timeout: 10_000 }).toBe(true)
  send(2)
  await expect.poll(() => heard).toEqual([1, 2])
  stop.abort()
  await done
}, 20_000)
