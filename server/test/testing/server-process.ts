import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, vi } from 'vitest'

const main = join(import.meta.dirname, '../../src/main.ts')

export type ServerProcess = {
  child: ChildProcess
  output: () => string
  /** Resolves with the exit code. */
  ended: Promise<number | null>
  /** Resolves with the address from the log line that reports readiness. */
  ready: () => Promise<string>
}

/** Starts the server as a process that inherits only PATH from the environment. Stop it through `child`. */
export function startServerProcess(environment: Record<string, string>): ServerProcess {
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', ...environment }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  return {
    child,
    output: () => output,
    ended: once(child, 'close').then(([code]) => code as number | null),
    ready: async () => {
      const address = () => /ready: (\S+)/.exec(output)?.[1]
      await vi.waitUntil(() => address() !== undefined || child.exitCode !== null, { timeout: 25_000, interval: 20 })
      return address() ?? expect.unreachable(output)
    },
  }
}
