/** Live events: from any process to all processes, and from there to browsers. */
import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { DbOrTx } from '../db/pool.ts'
import { openSteadyConnection, type SteadyOptions } from '../db/steady-connection.ts'
import { AppError } from './errors.ts'
import { limitedAddress } from './limits/limited-address.ts'
import { accessTokenSeconds } from './tokens.ts'

/** The media type of server-sent events. */
export const eventStreamType = 'text/event-stream'

/** May return a promise. */
type Listener = (data: unknown) => unknown

/**
 * Messages to every process through LISTEN/NOTIFY on one channel. They are small and may be lost: the tables are
 * authoritative.
 */
export type Live = {
  /** Sends when the transaction commits. `data` may have 7 kB of JSON at most, so send ids instead of records. */
  publish(db: DbOrTx, topic: string, data: unknown): Promise<void>
  /** Sends several messages with one statement. */
  publishAll(db: DbOrTx, messages: readonly { topic: string; data: unknown }[]): Promise<void>
  /**
   * Calls `listener` for each message on the topic. If it fails, the connection is replaced, so that `onReconnect`
   * reads what it has missed. Returns a function that unsubscribes.
   */
  subscribe(topic: string, listener: Listener): () => void
  /**
   * Called after a lost connection was restored. Messages in between are lost, so caches must be reloaded. If the
   * listener fails, the connection is replaced and the listener called again.
   */
  onReconnect(listener: () => void | Promise<void>): void
  /**
   * Opens a server-sent events response: return its `stream` from the handler. It ends with the longest lifetime of an
   * access token; browsers reconnect, and their rights are checked again. Throws too_many_requests if `reader` has too
   * many streams in this process.
   */
  openStream(reader: StreamReader): EventStream
  /**
   * Ends every open stream, because a closing server waits for its responses. Browsers reconnect to another process.
   * Also done after a lost connection was restored, because events in between were not sent to the streams.
   */
  endStreams(): void
  stop(): Promise<void>
}

export type StreamReader = { id: string; most: number }

/** Every browser tab has one. */
const maxStreamsPerUser = 20
/** An office or a mobile network may share one address. */
const maxStreamsPerAddress = 100

/** The key under which streams are counted: the user, or the address without a session. */
export function streamReader({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): StreamReader {
  return caller.kind === 'visitor'
    ? { id: limitedAddress(ip), most: maxStreamsPerAddress }
    : { id: caller.userId, most: maxStreamsPerUser }
}

/** Seconds before a refused stream may be tried again. */
const streamRetrySeconds = 30

const channel = 'waybill_live'

/** The topic of an account: every change that its screens may show. */
export const accountTopic = (accountId: string) => `account:${accountId}`

/** The topic of a user: their notifications. */
export const userTopic = (userId: string) => `user:${userId}`

/** The topic of staff: messages from customers. */
export const staffTopic = 'staff'

/**
 * Connects this process to the channel. `pace`: how soon a silent connection is noticed, for tests that cannot wait
 * ten seconds.
 */
export async function startLive(
  url: string,
  onError: (error: Error) => void,
  pace: Pick<SteadyOptions, 'heartbeatMs' | 'answerMs'> = {},
): Promise<Live> {
  const topics = new Map<string, Set<Listener>>()
  const reconnected: (() => void | Promise<void>)[] = []
  const streams = new Set<EventStream>()
  const streamCounts = new Map<string, number>()

  const deliver = async (payload: string | undefined) => {
    if (!payload) return
    const message = JSON.parse(payload) as { t: string; d: unknown }
    await Promise.all([...(topics.get(message.t) ?? [])].map((listener) => listener(message.d)))
  }

  const endStreams = () => {
    for (const stream of streams) stream.end()
  }

  const connection = await openSteadyConnection(url, {
    ...pace,
    name: 'waybill-live',
    onError,
    async onConnect(client, again) {
      client.on('notification', ({ payload }) => {
        deliver(payload).catch((error: Error) => {
          onError(error)
          void client.end()
        })
      })
      await client.query(`listen ${channel}`)
      if (!again) return
      await Promise.all(reconnected.map((listener) => listener()))
      // Browsers read everything again on a new stream.
      endStreams()
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
      const count = streamCounts.get(id) ?? 0
      if (count >= most) throw new AppError('too_many_requests', { retryAfter: streamRetrySeconds })
      streamCounts.set(id, count + 1)
      const stream = eventStream()
      streams.add(stream)
      stream.onClose(() => {
        streams.delete(stream)
        const remaining = (streamCounts.get(id) ?? 1) - 1
        if (remaining > 0) streamCounts.set(id, remaining)
        else streamCounts.delete(id)
      })
      return stream
    },
    endStreams,
    stop: () => connection.stop(),
  }
}

export type EventStream = {
  stream: PassThrough
  end(): void
  /** Sends one event; does nothing after the reader disconnected. */
  send(event: string, data: unknown): void
  onClose(listener: () => void): void
}

/** Proxies close silent connections after about half a minute. */
const heartbeatMs = 20_000

function eventStream(): EventStream {
  const stream = new PassThrough()
  stream.write('retry: 2000\n\n')
  const heartbeat = setInterval(() => stream.write(': still here\n\n'), heartbeatMs)
  heartbeat.unref()
  const end = () => {
    stream.end()
    // Without a client that reads, the stream would never close, and would always count towards the limit.
    stream.resume()
  }
  const rightsEnd = setTimeout(end, accessTokenSeconds * 1000)
  rightsEnd.unref()
  stream.on('close', () => {
    clearInterval(heartbeat)
    clearTimeout(rightsEnd)
  })
  return {
    stream,
    end,
    send(event, data) {
      if (stream.writable) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    onClose(listener) {
      stream.on('close', listener)
    },
  }
}
