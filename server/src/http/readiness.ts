/** Health checks for load balancers and monitoring. */
import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Db, tx } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { AppError } from './errors.ts'

/** Everybody may ask, so requests within this time share one check. */
const sharedForMs = 1_000

/** `/healthz`: the process answers. `/readyz`: the database and the folder of the files can be written. */
export function healthRoutes(app: FastifyInstance, { db, config }: Deps): void {
  let latest: { at: number; look: Promise<void> } | null = null
  const look = () => {
    if (latest === null || performance.now() - latest.at > sharedForMs)
      latest = { at: performance.now(), look: writeSomething(db, config.dataDir) }
    return latest.look
  }
  app.get('/healthz', { schema: { hide: true }, logLevel: 'warn' }, async () => ({ ok: true }))
  app.get('/readyz', { schema: { hide: true }, logLevel: 'warn' }, async (request) => {
    await look().catch((error: unknown) => {
      request.log.warn({ err: error }, 'not ready')
      throw new AppError('unavailable', { retryAfter: 5 })
    })
    return { ok: true }
  })
}

/**
 * Reading still works on a full disk. Creating a table needs a new file and its commit writes the log, so both fail.
 */
async function writeSomething(db: Db, dataDir: string): Promise<void> {
  await tx(db, async (trx) => {
    await sql`create temporary table readiness on commit drop as select repeat('x', 1000) as page`.execute(trx)
  })
  await mkdir(dataDir, { recursive: true })
  const file = join(dataDir, `.readiness-${randomUUID()}`)
  try {
    await writeFile(file, 'x')
  } finally {
    await rm(file, { force: true })
  }
}
