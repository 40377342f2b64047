import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '../../server/test/testing/memory-folder.ts'

const root = join(import.meta.dirname, '../..')

/**
 * A demo for all journeys, as `npm start` runs it. Its URL is stored in WAYBILL_URL; if that is already set, the portal
 * at it is used.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.WAYBILL_URL) return async () => {}
  const { url, stop } = await startServer({})
  process.env.WAYBILL_URL = url
  return stop
}

export type StartedServer = {
  url: string
  /** The environment that it was started with, for commands on the same data folder. */
  environment: Record<string, string | undefined>
  stop: () => Promise<void>
}

/** A server with an empty data folder and a free port, with additional variables. */
export async function startServer(variables: Record<string, string>): Promise<StartedServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(variables)
    } catch (error) {
      // Another program may take the free port in the seconds before the server listens on it.
      if (attempt === 3 || !/is taken by another program/.test((error as Error).message)) throw error
    }
  }
}

async function startOnce(variables: Record<string, string>): Promise<StartedServer> {
  const dataDir = mkdtempSync(join(temporaryFolder(), 'waybill-e2e-'))
  // If the tests run as root, the user of PostgreSQL needs access to the folder.
  chmodSync(dataDir, 0o711)
  const port = await freePort()
  const environment = {
    ...process.env,
    NODE_ENV: 'development',
    DATA_DIR: dataDir,
    PORT: String(port),
    // Each journey has an IP address of its own, which it names itself (support/journey.ts).
    TRUST_PROXY: 'on',
    // All journeys use the same demo logins.
    REQUESTS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
    // The receivers of webhooks run on this machine.
    WEBHOOK_TARGETS: 'any',
    // Followers get the events of a parcel immediately instead of after a minute.
    FOLLOW_GATHER_MS: '0',
    ...variables,
  }
  const child = spawn(process.execPath, [join(root, 'server/src/main.ts')], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await ready(child).catch((error: unknown) => {
    rmSync(dataDir, { recursive: true, force: true })
    throw error
  })
  const stop = async () => {
    await stopped(child)
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url: `http://localhost:${port}`, environment, stop }
}

/** Runs a command of the server alongside it, on the same data. Throws with its output unless it succeeds. */
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

/** Waits until the server is ready. If it ends instead, the error has everything that it printed. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Waybill is ready')) resolve()
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      process.stderr.write(chunk)
    })
    child.once('close', (code, signal) => {
      reject(new Error(`the server ended with ${code ?? signal}:\n${output.trim()}`))
    })
  })
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
