/** Health checks for load balancers and monitoring. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { probeFolder } from '../data-folder.ts'
import { type Db, tx } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import type { FileStore } from '../lib/files.ts'
import { AppError } from './errors.ts'

/** Anybody may call this, so requests within this time share one check. */
const sharedForMs = 1_000

type FilesState = 'ok' | 'unavailable'

/** How long the file store may take to answer, so that it cannot slow down readiness. */
const filesLimitMs = 2_000

/**
 * `/healthz`: the process answers. `/readyz`: the database and the data folder are writable. `files` in its response
 * says whether the file store can be reached. Without it the process stays ready: only requests for files fail.
 * `replicas` says whether reads go to all of them; the primary answers for missing ones.
 */
export function healthRoutes(app: FastifyInstance, { db, config, files, replicas }: Deps): void {
  let latest: { at: number; look: Promise<FilesState> } | null = null
  const check = async () => {
    const [state] = await Promise.all([checkFiles(app, files), writeSomething(db, config.dataDir)])
    return state
  }
  const look = () => {
    if (latest === null || performance.now() - latest.at > sharedForMs)
      latest = { at: performance.now(), look: check() }
    return latest.look
  }
  app.get('/healthz', { schema: { hide: true }, logLevel: 'warn' }, async () => ({ ok: true }))
  app.get('/readyz', { schema: { hide: true }, logLevel: 'warn' }, async (request) => {
    const state = await look().catch((error: unknown) => {
      request.log.warn({ err: error }, 'not ready')
      throw new AppError('unavailable', { retryAfter: 5 })
    })
    const replicaState = replicas?.all.every((replica) => replica.state === 'ok') ? 'ok' : 'degraded'
    return { ok: true, files: state, ...(replicas ? { replicas: replicaState } : {}) }
  })
}

async function checkFiles(app: FastifyInstance, files: FileStore): Promise<FilesState> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The file store did not answer in time.')), filesLimitMs)
  })
  try {
    await Promise.race([files.check(), limit])
    return 'ok'
  } catch (error) {
    app.log.warn({ err: error }, 'the file store is not available')
    return 'unavailable'
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reading still works on a full disk. Creating a table needs a new file, and its commit writes the log, so both fail.
 */
async function writeSomething(db: Db, dataDir: string): Promise<void> {
  await tx(db, async (trx) => {
    await sql`create temporary table readiness on commit drop as select repeat('x', 1000) as page`.execute(trx)
  })
  await probeFolder(dataDir)
}
