import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { createDb, createPool } from '../../src/db/pool.ts'
import { afterUse } from './after-use.ts'
import type { TestApp } from './app.ts'

/**
 * Another server on the same database, like a second process, or one restarted with other values in its configuration.
 * Closed with its test or its file.
 */
export async function secondProcess(test: TestApp, changes: Partial<Config> = {}): Promise<FastifyInstance> {
  // Connections of its own: what a process keeps in memory is found by its `db`.
  const pool = createPool(test.databaseUrl, { max: 10, name: 'waybill test' })
  afterUse(() => pool.end())
  const app = await buildApp({
    config: { ...test.deps.config, ...changes },
    pool,
    db: createDb(pool),
    databaseUrl: test.databaseUrl,
    smtpUrl: test.mailbox.url,
    clock: test.clock,
  })
  afterUse(() => app.close())
  await app.ready()
  return app
}
