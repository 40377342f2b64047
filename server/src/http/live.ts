import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { DbOrTx } from '../db/pool.ts'
import { openSteadyConnection, type SteadyOptions } from '../db/steady-connection.ts'
import { AppError } from './errors.ts'

type Listener = (data: unknown) => void

/**
 * Messages to every process: LISTEN/NOTIFY on one PostgreSQL channel. Messages are small and may be lost; what matters
 * is in tables.
 */
export type Live = {
  /** Sends when the transaction commits. `data` must stay under 7 kB of JSON: send ids, not records. */
  publish(db: DbOrTx, topic: string, data: unknown): Promise<void>
  /** Several messages with one statement. */
  publishAll(db: DbOrTx, messages: readonly { topic: string; data: unknown }[]): Promise<void>
  /** Calls `listener` for each message on the topic; answers how to stop. */
  subscribe(topic: string, listener: Listener): () => void
  /**
   * Called after a lost connection came back: messages in between are gone, so caches must be read anew. Where that
   * fails the connection counts as lost again, and the next one calls the listener again.
   */
  onReconnect(listener: () => void | Promise<void>): void
  /**
   * A server-sent events answer: return its `stream` from the handler. `reader` is who reads it, with the number of
   * streams that this process keeps open for them. Throws too_many_requests.
   */
  openStream(reader: StreamReader): EventStream
  /**
   * Ends every open answer, since a server waits for its answers before it closes; readers connect again to another
   * process.
   */
  endStreams(): void
  stop(): Promise<void>
}

export type StreamReader = { id: string; most: number }

/** Every tab has one. */
const mostOfUser = 20
/** An office or a mobile network behind one address. */
const mostOfAddress = 100

/** Whose streams are counted together: a user's, or those of an address without a session. */
export function streamReader({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): StreamReader {
  return caller.kind === 'visitor' ? { id: ip, most: mostOfAddress } : { id: caller.userId, most: mostOfUser }
}

/** Seconds until a stream that was refused may be tried again: tabs are closed, connections end. */
const streamRetrySeconds = 30

const channel = 'waybill_live'

/** The topic of an account: whatever changes in it and a screen of it may show. */
export const accountTopic = (accountId: string) => `account:${accountId}`

/** `pace`: how soon a silent connection is noticed, where a test cannot wait for the usual ten seconds. */
export async function startLive(
  url: string,
  onError: (error: Error) => void,
  pace: Pick<SteadyOptions, 'heartbeatMs' | 'answerMs'> = {},
): Promise<Live> {
  const topics = new Map<string, Set<Listener>>()
  const reconnected: (() => void | Promise<void>)[] = []
  const streams = new Set<PassThrough>()
  const streamsOf = new Map<string, number>()

  const deliver = (payload: string | undefined) => {
    if (!payload) return
    const message = JSON.parse(payload) as { t: string; d: unknown }
    for (const listener of topics.get(message.t) ?? []) listener(message.d)
  }

  const connection = await openSteadyConnection(url, {
    ...pace,
    name: 'waybill-live',
    onError,
    async onConnect(client, again) {
      client.on('notification', (notification) => deliver(notification.payload))
      await client.query(`listen ${channel}`)
      if (again) await Promise.all(reconnected.map((listener) => listener()))
    },
  })

  return {
    async publish(db, topic, data) {
      await sql`select pg_notify(${channel}, ${JSON.stringify({ t: topic, d: data })})`.execute(db)
    },
    async publishAll(db, messages) {
      if (messages.length === 0) return
      const payloads = messages.map(({ topic, data }) => JSON.stringify({ t: topic, d: data }))
      await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(db)
    },
    subscribe(topic, listener) {
      const listeners = topics.get(topic) ?? new Set()
      topics.set(topic, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) topics.delete(topic)
      }
    },
    onReconnect(listener) {
      reconnected.push(listener)
    },
    openStream({ id, most }) {
      const count = streamsOf.get(id) ?? 0
      if (count >= most) throw new AppError('too_many_requests', { retryAfter: streamRetrySeconds })
      streamsOf.set(id, count + 1)
      const opened = eventStream()
      streams.add(opened.stream)
      opened.onClose(() => {
        streams.delete(opened.stream)
        const left = (streamsOf.get(id) ?? 1) - 1
        if (left > 0) streamsOf.set(id, left)
        else streamsOf.delete(id)
      })
      return opened
    },
    endStreams() {
      for (const stream of streams) stream.end()
    },
    stop: () => connection.stop(),
  }
}

export type EventStream = {
  stream: PassThrough
  /** Sends one event; dropped once the reader has gone. */
  send(event: string, data: unknown): void
  onClose(listener: () => void): void
}

/** Proxies cut silent connections after half a minute or so. */
const heartbeatMs = 20_000

function eventStream(): EventStream {
  const stream = new PassThrough()
  stream.write('retry: 2000\n\n')
  const heartbeat = setInterval(() => stream.write(': still here\n\n'), heartbeatMs)
  heartbeat.unref()
  stream.on('close', () => clearInterval(heartbeat))
  return {
    stream,
    send(event, data) {
      if (stream.writable) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    onClose(listener) {
      stream.on('close', listener)
    },
  }
}
