/** Connects a command line tool to the deployment's database, with or without a running server. */
import type { Config } from '../config.ts'

/**
 * Returns the database's URL. An embedded PostgreSQL is started, or shared with the server that has started it, until
 * `close`.
 */
export async function connectCommand(
  config: Config,
  log: (line: string) => void,
): Promise<{ url: string; close: () => Promise<void> }> {
  if (config.database.url) return { url: config.database.url, close: async () => undefined }
  const { startEmbeddedPostgres } = await import('./embedded.ts')
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  return { url: postgres.url, close: () => postgres.stop() }
}
