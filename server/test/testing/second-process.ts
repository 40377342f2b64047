import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/app.ts'
import { afterFile } from './after-file.ts'
import type { TestApp } from './app.ts'

/**
 * Another server on the same database, like a second or a restarted process. Closed after the file's last test.
 */
export async function secondProcess(test: TestApp): Promise<FastifyInstance> {
  const { config, pool, db } = test.deps
  const app = await buildApp({
    config,
    pool,
    db,
    databaseUrl: test.databaseUrl,
    smtpUrl: test.mailbox.url,
    clock: test.clock,
  })
  afterFile(() => app.close())
  await app.ready()
  return app
}
