/**
 * What `npm run backup` runs: the database, the uploaded files and the secret key of this deployment in one new
 * folder.
 */
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { ConfigError, loadConfig } from '../config.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { choosePostgresPlace } from '../db/postgres-place.ts'
import { writeBaseBackup } from './base-backup.ts'
import { type Manifest, parts, secretKeyPrint } from './manifest.ts'
import { chooseTools, findTools, runTool } from './postgres-tools.ts'

const say = (line: string) => console.warn(line)

/** For example `2026-11-22T13-05-09Z`: sorts by time and is a valid name on every file system. */
const stamp = (at: Date) => at.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')

async function describe(url: string): Promise<{ postgresMajor: number; schema: string }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const migrated = await client.query<{ exists: boolean }>(
      `select to_regclass('schema_migrations') is not null as exists`,
    )
    if (!migrated.rows[0]?.exists) throw new Error('This database is empty: npm start fills it.')
    const { rows } = await client.query<{ major: number; schema: string }>(
      `select current_setting('server_version_num')::int / 10000 as major, max(name) as schema from schema_migrations`,
    )
    const [row] = rows
    if (!row) throw new Error('This database can not be described.')
    return { postgresMajor: row.major, schema: row.schema }
  } finally {
    await client.end()
  }
}

/** Copies a folder that is in use. A file that is deleted meanwhile is not needed. */
async function copyFolder(from: string, to: string): Promise<number> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  if (!existsSync(from)) return 0
  let copied = 0
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copied += await copyFolder(source, target)
    else {
      const isCopied = await copyFile(source, target).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error
          return false
        },
      )
      if (isCopied) copied += 1
    }
  }
  return copied
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { dump: { type: 'boolean' } }, allowPositionals: true })
  if (positionals.length > 1) throw new Error('Name one folder: npm run backup -- <folder> [--dump].')
  const config = loadConfig(process.env, [])
  // Without the server's environment, a command such as a cron job would create and back up a new database.
  if (!config.database.url && !existsSync(choosePostgresPlace(config.dataDir, say).cluster)) {
    throw new Error(
      `There is no database in ${config.dataDir}. Run this with the environment of the server ` +
        '(DATABASE_URL, or the DATA_DIR of the embedded database).',
    )
  }
  const target = resolve(positionals[0] ?? join(config.dataDir, 'backups'), `waybill-${stamp(new Date())}`)
  const partial = `${target}.partial`
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await mkdir(partial, { mode: 0o700 })

  // Joins the PostgreSQL that a running server has started, if there is one.
  const embedded = config.database.url ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log: say })
  try {
    const url = config.database.url ?? embedded?.url ?? ''
    const about = await describe(url)
    const kind = embedded && !values.dump ? 'base' : 'dump'
    if (embedded && kind === 'base') {
      await writeBaseBackup(url, join(partial, parts.base))
      await copyFile(join(embedded.folder, 'password'), join(partial, parts.password))
    } else {
      const tools = chooseTools(findTools(), about.postgresMajor)
      await runTool(tools, 'pg_dump', url, ['--format=custom', `--file=${join(partial, parts.dump)}`])
    }
    // Copied after the database, so every file that the dump refers to already exists.
    const files = await copyFolder(join(config.dataDir, 'files'), join(partial, parts.files))
    const key = join(config.dataDir, 'secret-key')
    const keyIsOurs = !process.env.SECRET_KEY && existsSync(key)
    if (keyIsOurs) await copyFile(key, join(partial, parts.secretKey))
    const manifest: Manifest = {
      kind,
      createdAt: new Date().toISOString(),
      ...about,
      secretKeyPrint: secretKeyPrint(config.secretKey),
    }
    await writeFile(join(partial, parts.manifest), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    await rename(partial, target)
    say(`${files} files, the database (${about.schema}, PostgreSQL ${about.postgresMajor})`)
    if (config.s3) say(`The files in the bucket ${config.s3.bucket} are not in it: they have a backup of their own.`)
    say(keyIsOurs ? 'The secret key is in it: keep it safe.' : 'SECRET_KEY is not in it: keep that apart.')
    process.stdout.write(`${target}\n`)
  } catch (error) {
    // An incomplete backup is useless and may have filled the disk.
    await rm(partial, { recursive: true, force: true })
    throw error
  } finally {
    await embedded?.stop()
  }
}

process.exitCode = await main().then(
  () => 0,
  (error: unknown) => {
    say(`No backup was made: ${error instanceof ConfigError || error instanceof Error ? error.message : String(error)}`)
    return 1
  },
)
