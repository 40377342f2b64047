/** Calls of the measured server over keep-alive connections. */
import { randomUUID } from 'node:crypto'
import { type Agent, request } from 'node:http'
import type { RunningServer } from './server.ts'

/**
 * POSTs JSON to `/api/customer/…`, or to a full path that begins with a slash, with a new Idempotency-Key. Returns the
 * JSON of the response; throws unless it is a 200.
 */
export function call<T>(
  server: Pick<RunningServer, 'address'>,
  agent: Agent,
  token: string,
  path: string,
  body: object,
): Promise<T> {
  const text = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'idempotency-key': randomUUID(),
  }
  const url = `${server.address}${path.startsWith('/') ? path : `/api/customer/${path}`}`
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
      let content = ''
      answer.on('data', (chunk) => {
        content += chunk
      })
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(JSON.parse(content) as T)
        else reject(new Error(`${path}: ${answer.statusCode}: ${content}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}

/** The value that a share of the values does not exceed, such as 0.95 of them. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}
