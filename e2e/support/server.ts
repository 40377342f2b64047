import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A demo for all journeys. Its address is in WAYBILL_URL; one that is there already is taken as it is. */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.WAYBILL_URL) return async () => {}
  const { url, stop } = await startDemo()
  process.env.WAYBILL_URL = url
  return stop
}

/** The demo, as `npm start` runs it, on an empty data folder and a port of its own. */
export async function startDemo(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { url, stop } = await startServer({})
  return { url, stop }
}

export type StartedServer = {
  url: string
  /** What it was started with, for commands on the same data folder. */
  environment: Record<string, string | undefined>
  stop: () => Promise<void>
}

/** A server on an empty data folder and a port of its own, with further variables. */
export async function startServer(variables: Record<string, string>): Promise<StartedServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-e2e-'))
  // As root, PostgreSQL's own account has to enter it.
  chmodSync(dataDir, 0o711)
  const port = await freePort()
  const environment = {
    ...process.env,
    NODE_ENV: 'development',
    DATA_DIR: dataDir,
    PORT: String(port),
    // Many journeys come from one address.
    REQUESTS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
    // Receivers of webhooks run on this machine.
    WEBHOOK_TARGETS: 'any',
    ...variables,
  }
  const child = spawn(process.execPath, [join(root, 'server/src/main.ts')], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await ready(child)
  const stop = async () => {
    await stopped(child)
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url: `http://localhost:${port}`, environment, stop }
}

/** Runs a command of the server beside it, on the same data. Throws with its output unless it succeeds. */
export async function runCommand(file: string, args: readonly string[], { environment }: StartedServer): Promise<void> {
  const child = spawn(process.execPath, [join(root, file), ...args], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${file} ended with ${code}:\n${output}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Waybill is ready')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
