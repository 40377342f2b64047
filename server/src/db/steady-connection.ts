/** A connection outside the pool that reconnects by itself: for LISTEN and for session locks. */
import { Socket } from 'node:net'
import pg from 'pg'

export type SteadyOptions = {
  /** Shown in pg_stat_activity. */
  name: string
  /** Prepares each new connection (LISTEN, locks). `again`: it replaces a lost one. */
  onConnect: (client: pg.Client, again: boolean) => Promise<void>
  onError: (error: Error) => void
  /** How often it is probed: a connection through a dead network path reports no error. */
  heartbeatMs?: number | undefined
  /** How long a reply may take before the connection counts as dead. */
  answerMs?: number | undefined
}

export type SteadyConnection = {
  /** Runs one statement at a time. Throws while the connection is down. */
  query<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>
  stop(): Promise<void>
}

const longestPauseMs = 10_000

/** Connects, and throws if that fails. A connection that is lost or silent later is replaced, with growing pauses. */
export async function openSteadyConnection(url: string, options: SteadyOptions): Promise<SteadyConnection> {
  const { name, onConnect, onError, heartbeatMs = 10_000, answerMs = 5_000 } = options
  let open: { client: pg.Client; socket: Socket } | null = null
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  let queue: Promise<unknown> = Promise.resolve()

  const query = <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R[]> => {
    const result = queue.then(async () => {
      if (!open) throw new Error(`${name}: not connected`)
      return (await open.client.query<R>(text, [...values])).rows
    })
    queue = result.catch(() => undefined)
    return result
  }

  const connect = async (again: boolean): Promise<void> => {
    const socket = new Socket()
    const client = new pg.Client({
      connectionString: url,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: answerMs,
      stream: () => socket,
    })
    const next = { client, socket }
    const reconnect = () => {
      if (open !== next) return
      open = null
      reconnectIn(1_000)
    }
    client.on('error', (error) => {
      if (open === next) onError(error)
      reconnect()
    })
    client.on('end', reconnect)
    try {
      await client.connect()
      await within(answerMs, onConnect(client, again))
    } catch (error) {
      socket.destroy()
      throw error
    }
    if (stopped) return void socket.destroy()
    open = next
    schedule(beat, heartbeatMs)
  }

  const schedule = (work: () => void, ms: number) => {
    if (timer) clearTimeout(timer)
    timer = stopped ? null : setTimeout(work, ms).unref()
  }

  const beat = () => {
    const connectionAtStart = open
    if (!connectionAtStart) return
    within(answerMs, query('select 1')).then(
      () => {
        if (open === connectionAtStart) schedule(beat, heartbeatMs)
      },
      (error: Error) => {
        if (open !== connectionAtStart) return
        onError(error)
        open = null
        // A graceful close would wait for the same dead connection.
        connectionAtStart.socket.destroy()
        queue = Promise.resolve()
        reconnectIn(0)
      },
    )
  }

  const reconnectIn = (pause: number) => {
    schedule(() => {
      connect(true).catch((error: Error) => {
        onError(error)
        reconnectIn(Math.min(Math.max(pause, 500) * 2, longestPauseMs))
      })
    }, pause)
  }

  await connect(false)
  return {
    query,
    async stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      const last = open
      open = null
      if (last) await within(answerMs, last.client.end()).catch(() => last.socket.destroy())
    },
  }
}

/** The result of `promise`, or an error after `ms` milliseconds. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`PostgreSQL did not answer within ${ms} ms`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
