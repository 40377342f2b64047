import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The demo, as `npm start` runs it, on an empty data folder and a port of its own. Its address is in WAYBILL_URL for the journeys. */
export default async function setup(): Promise<() => Promise<void>> {
  const given = process.env.WAYBILL_URL
  if (given) return async () => {}
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-e2e-'))
  // As root, PostgreSQL's own account has to enter it.
  chmodSync(dataDir, 0o711)
  const port = await freePort()
  const child = spawn(process.execPath, [join(root, 'server/src/main.ts')], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DATA_DIR: dataDir,
      PORT: String(port),
      // Many journeys come from one address.
      REQUESTS_PER_MINUTE: '1000000',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await ready(child)
  process.env.WAYBILL_URL = `http://localhost:${port}`
  return async () => {
    await stopped(child)
    rmSync(dataDir, { recursive: true, force: true })
  }
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
    let said = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('Waybill is ready')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${said}`)))
  })
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
