import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { TestApp } from './app.ts'
import { fillPath } from './app.ts'

export type Heard = { event: string; data: unknown }

export type OpenedStream = {
  status: number
  /** Returns the next event, or waits for it; fails after ten seconds without one. */
  next(): Promise<Heard>
  /** Resolves when the server has ended the stream. */
  ended(): Promise<void>
  close(): Promise<void>
}

const patienceMs = 10_000

/** Reads server-sent events of a call over a real connection to the app at `address`. */
export async function openStream(
  address: string,
  endpoint: EndpointShape,
  options: { query?: Record<string, string>; token?: string } = {},
): Promise<OpenedStream> {
  const stop = new AbortController()
  const response = await fetch(`${address}${fillPath(endpoint, {}, options.query)}`, {
    headers: options.token ? { authorization: `Bearer ${options.token}` } : {},
    signal: stop.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  const heard: Heard[] = []

  const readChunk = async (): Promise<boolean> => {
    const chunk = await reader?.read()
    if (!chunk || chunk.done) return false
    const blocks = (rest + chunk.value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (event && data) heard.push({ event, data: JSON.parse(data) })
    }
    return true
  }
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('nothing came over the stream')), patienceMs)
    })
    return Promise.race([work, late]).finally(() => clearTimeout(timer))
  }

  return {
    status: response.status,
    next: () =>
      inTime(
        (async () => {
          while (heard.length === 0) if (!(await readChunk())) throw new Error('the stream has ended')
          return heard.shift() as Heard
        })(),
      ),
    ended: () =>
      inTime(
        (async () => {
          while (await readChunk());
        })(),
      ),
    async close() {
      stop.abort()
    },
  }
}

/** Starts the app on a free port and returns its address. */
export async function listening(test: TestApp): Promise<string> {
  return test.app.listen({ host: '127.0.0.1', port: 0 })
}
