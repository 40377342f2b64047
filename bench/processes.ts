/** Other programs that a benchmark runs: floors, pgbench, the load generator. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export type Floor = { address: string; stop(): void }

/** Starts a baseline of this folder (a bare HTTP server, or the proxy of P9) in its own process. */
export async function startFloor(script: string, ...args: string[]): Promise<Floor> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout) {
    const address = /(?:floor|proxy) is ready: (\S+)/.exec(String(chunk))?.[1]
    if (address) return { address, stop: () => child.kill('SIGTERM') }
  }
  throw new Error(`${script} did not start`)
}

/** The standard output of a program. Throws with its error output if it fails. */
export async function runAndRead(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${output}${errors}`)
  return output
}
