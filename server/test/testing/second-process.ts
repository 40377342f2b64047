import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { afterUse } from './after-use.ts'
import type { TestApp } from './app.ts'

/**
 * Another server on the same database, like a second process, or one restarted with other values in its configuration.
 * Closed with its test or its file.
 */
export async function secondProcess(test: TestApp, changes: Partial<Config> = {}): Promise<FastifyInstance> {
  const { config, pool, db } = test.deps
  const app = await buildApp({
    config: { ...config, ...changes },
    pool,
    db,
    databaseUrl: test.databaseUrl,
    smtpUrl: test.mailbox.url,
    clock: test.clock,
  })
  afterUse(() => app.close())
  await app.ready()
  return app
}
