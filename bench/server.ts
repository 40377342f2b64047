import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** The signing key of the measured servers, so that a benchmark can issue its own tokens. */
export const benchSecret = 'a secret of the benchmark that is long enough'

/** How `npm start` starts the process: Node flags and variables. */
const startOptions = JSON.parse(readFileSync(join(root, 'server/process.json'), 'utf8')) as {
  flags: string[]
  variables: Record<string, string>
}

export type RunningServer = {
  address: string
  pid: number
  /** Time from the command to the first response. */
  readyMs: number
  /** Resident memory of the server's process only, in bytes. */
  memory(): number
  stop(): Promise<void>
}

/** A data folder for this run. If we are root, PostgreSQL's account must be able to enter it. */
export function newDataFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'waybill-bench-'))
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** A data folder that is kept between runs. */
export function keptDataFolder(path: string): { path: string; remove(): void } {
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o711)
  return { path, remove: () => undefined }
}

/** The real server, as `npm start` runs it, on a separate port. */
export async function startServer(dataDir: string, environment: Record<string, string> = {}): Promise<RunningServer> {
  const begin = performance.now()
  const child = spawn(process.execPath, [...startOptions.flags, join(root, 'server/src/main.ts')], {
    cwd: root,
    env: {
      ...startOptions.variables,
      ...process.env,
      NODE_ENV: 'development',
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
      REQUESTS_PER_MINUTE: '1000000000',
      SECRET_KEY: benchSecret,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const address = await ready(child)
  const answer = await fetch(`${address}/readyz`)
  if (!answer.ok) throw new Error(`/readyz answered ${answer.status}`)
  const readyMs = performance.now() - begin
  const pid = child.pid ?? 0
  return {
    address,
    pid,
    readyMs,
    memory: () => residentBytes(pid),
    stop: () => stopped(child),
  }
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const listen = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /Waybill is ready: (\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve()
      return
    }
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}
