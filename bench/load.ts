import { join } from 'node:path'
import { runAndRead } from './processes.ts'
import { root } from './server.ts'

export type Load = { requestsPerSecond: number; p95Ms: number; non2xx: number }

/**
 * Sends GETs, or POSTs of a JSON body, to one URL from `connections` connections for some seconds, in a separate
 * process.
 */
export async function load(url: string, connections: number, seconds: number, body?: string): Promise<Load> {
  const post = body === undefined ? [] : ['-m', 'POST', '-H', 'content-type=application/json', '-b', body]
  const out = await runAndRead(process.execPath, [
    join(root, 'node_modules/autocannon/autocannon.js'),
    ...['-j', '-c', String(connections), '-d', String(seconds), ...post],
    url,
  ])
  const result = JSON.parse(out) as {
    requests: { average: number }
    latency: { p97_5: number }
    non2xx: number
    errors: number
  }
  if (result.errors > 0) throw new Error(`${url}: ${result.errors} requests failed`)
  return { requestsPerSecond: result.requests.average, p95Ms: result.latency.p97_5, non2xx: result.non2xx }
}

/** Requests per second that a URL answers; every response must be a success. The warm-up is shorter. */
export async function requestRate(url: string, round: number, body?: string): Promise<number> {
  const { requestsPerSecond, non2xx } = await load(url, 64, round < 0 ? 2 : 4, body)
  if (non2xx > 0) throw new Error(`${url}: ${non2xx} answers were no success`)
  return requestsPerSecond
}
