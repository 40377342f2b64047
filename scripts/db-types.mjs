// Writes server/src/db/schema.ts: the types of the migrated schema, for the query builder.
// npm run db:types: migrates a temporary, empty database and writes the file
// node scripts/db-types.mjs --url <url> --verify: compares the file with a migrated database; exits with 1 if it
// differs
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { url: { type: 'string' }, verify: { type: 'boolean', default: false } } })

if (values.url) {
  process.exitCode = generate(values.url)
} else {
  const { startTemporaryPostgres } = await import('../server/test/testing/temporary-postgres.ts')
  const { migrate } = await import('../server/src/db/migrate.ts')
  const postgres = await startTemporaryPostgres((line) => console.log(line))
  try {
    await migrate(postgres.url)
    process.exitCode = generate(postgres.url)
  } finally {
    await postgres.stop()
  }
}

/**
 * The settings in server/.kysely-codegenrc.json must match createPool in server/src/db/pool.ts, which determines the
 * types of query results.
 */
function generate(url) {
  const args = [
    'run',
    '--silent',
    'schema-types',
    '-w',
    'server',
    '--',
    `--url=${url}`,
    ...(values.verify ? ['--verify'] : []),
  ]
  return spawnSync('npm', args, { cwd: root, stdio: 'inherit' }).status ?? 1
}
