import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './server.ts'

export type Load = { requestsPerSecond: number; p95Ms: number; non2xx: number }

/**
 * GETs one address, or POSTs a JSON body to it, from `connections` connections for some seconds, from a process of its
 * own.
 */
export async function load(url: string, connections: number, seconds: number, body?: string): Promise<Load> {
  const post = body === undefined ? [] : ['-m', 'POST', '-H', 'content-type=application/json', '-b', body]
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/autocannon/autocannon.js'),
      '-j',
      '-c',
      String(connections),
      '-d',
      String(seconds),
      ...post,
      url,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  let out = ''
  for await (const chunk of child.stdout) out += chunk
  const result = JSON.parse(out) as {
    requests: { average: number }
    latency: { p97_5: number }
    non2xx: number
    errors: number
  }
  if (result.errors > 0) throw new Error(`${url}: ${result.errors} requests failed`)
  return { requestsPerSecond: result.requests.average, p95Ms: result.latency.p97_5, non2xx: result.non2xx }
}
