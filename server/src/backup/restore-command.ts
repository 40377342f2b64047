/**
 * Runs `npm run restore`: restores a backup into this deployment's empty database and folder, and verifies that the
 * books balance.
 */
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, lstatSync, readdirSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import { probeFolder } from '../data-folder.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { readMigrations } from '../db/migrate.ts'
import { createDb, createPool } from '../db/pool.ts'
import { choosePostgresPlace, type PostgresPlace, type ProcessUser } from '../db/postgres-place.ts'
import { findPostmaster } from '../db/postgres-process.ts'
import { countUsers, withClusterLock } from '../db/postgres-users.ts'
import { checkBooks } from '../domains/wallet/ledger/books.ts'
import { type Manifest, parts, readManifest, secretKeyPrint } from './manifest.ts'
import { chooseTools, findTools, runTool } from './postgres-tools.ts'

const say = (line: string) => console.warn(line)

const isEmpty = (path: string) => {
  const there = lstatSync(path, { throwIfNoEntry: false })
  return !there || (there.isDirectory() && readdirSync(path).length === 0)
}

function requireReplaceable(path: string, replace: boolean): void {
  if (!replace && !isEmpty(path))
    throw new Error(
      `${path} already exists. Set another DATA_DIR, or add --replace: the existing data is renamed, not deleted.`,
    )
}

/** Renames an existing file or folder out of the way. Never deletes. */
async function moveAside(path: string, replace: boolean): Promise<void> {
  requireReplaceable(path, replace)
  if (isEmpty(path)) return rm(path, { recursive: true, force: true })
  const aside = `${path}.before-restore-${Date.now()}`
  await rename(path, aside)
  say(`kept ${aside}`)
}

function give(path: string, account: ProcessUser): void {
  chownSync(path, account.uid, account.gid)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path))
    if (!lstatSync(join(path, name)).isSymbolicLink()) give(join(path, name), account)
}

/** The cluster is renamed into place only when complete, so an interrupted restore starts over. */
async function restoreCluster(backup: string, place: PostgresPlace, replace: boolean): Promise<void> {
  await withClusterLock(place.folder, async () => {
    if ((await findPostmaster(place.cluster)) || countUsers(place.folder) > 0)
      throw new Error('The server is running: stop it first.')
    requireReplaceable(place.cluster, replace)
    const partial = `${place.cluster}.new`
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial, { mode: 0o700 })
    const args = ['-xzf', join(backup, parts.base), '-C', partial, '--no-same-owner']
    const tar = spawnSync('tar', args, { encoding: 'utf8' })
    if (tar.error || tar.status !== 0) throw new Error(`tar failed: ${tar.error?.message ?? tar.stderr.trim()}`)
    await chmod(partial, 0o700)
    if (place.account) give(partial, place.account)
    await moveAside(place.cluster, replace)
    await rename(partial, place.cluster)
    await copyFile(join(backup, parts.password), join(place.folder, 'password'))
  })
}

async function restoreDump(backup: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client
    .query<{ tables: number; major: number }>(
      `select current_setting('server_version_num')::int / 10000 as major,
        (select count(*)::int from pg_tables where schemaname not in ('pg_catalog', 'information_schema')) as tables`,
    )
    .finally(() => client.end())
  const [server] = rows
  if (!server || server.tables > 0)
    throw new Error('The database of DATABASE_URL is not empty: a backup is restored into a new one (CREATE DATABASE).')
  const tools = chooseTools(findTools(), server.major)
  const args = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', join(backup, parts.dump)]
  await runTool(tools, 'pg_restore', url, args)
}

/** Checks that the backup fits this deployment, before anything is changed. */
function requireFitting(manifest: Manifest, backup: string, config: Config): void {
  const newest = readMigrations().at(-1)?.name ?? ''
  if (manifest.schema > newest)
    throw new Error(`The backup is of a newer release (${manifest.schema}; this one knows up to ${newest}).`)
  if (manifest.kind === 'base' && config.database.url)
    throw new Error('This is a copy of an embedded cluster: unset DATABASE_URL, or make the backup with --dump.')
  const keyInBackup = existsSync(join(backup, parts.secretKey)) && !process.env.SECRET_KEY
  if (!keyInBackup && secretKeyPrint(config.secretKey) !== manifest.secretKeyPrint)
    throw new Error('SECRET_KEY is not the one that this backup was made with: what is sealed in it could not be read.')
}

async function restoreFolder(backup: string, config: Config, replace: boolean): Promise<void> {
  const files = join(config.dataDir, 'files')
  await moveAside(files, replace)
  await cp(join(backup, parts.files), files, { recursive: true })
  const key = join(backup, parts.secretKey)
  if (process.env.SECRET_KEY || !existsSync(key)) return
  const target = join(config.dataDir, 'secret-key')
  // Reading the configuration created a key if there was none; the backup's key replaces it.
  if (secretKeyPrint(config.secretKey) !== readManifest(backup).secretKeyPrint) await moveAside(target, true)
  await copyFile(key, target)
  await chmod(target, 0o600)
}

async function proveBooks(url: string): Promise<string> {
  const pool = createPool(url, { max: 2, name: 'waybill restore' })
  try {
    const report = await checkBooks(createDb(pool))
    if (!report) return 'It has no books.'
    if (report.problems.length > 0) throw new Error(`Its books do not hold: run npm run ledger:check.`)
    return `Its books hold: ${report.entries} entries, ${report.postings} postings.`
  } finally {
    await pool.end()
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { replace: { type: 'boolean' } }, allowPositionals: true })
  const [folder] = positionals
  if (!folder || positionals.length > 1)
    throw new Error('Name the folder of the backup: npm run restore -- <folder> [--replace].')
  const backup = resolve(folder)
  const manifest = readManifest(backup)
  const config = loadConfig(process.env, [])
  requireFitting(manifest, backup, config)
  await probeFolder(config.dataDir).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`DATA_DIR: ${config.dataDir} cannot be written (${error.code}).`)
  })
  const replace = values.replace === true
  requireReplaceable(join(config.dataDir, 'files'), replace)

  if (manifest.kind === 'base') await restoreCluster(backup, choosePostgresPlace(config.dataDir, say), replace)
  const embedded = config.database.url ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log: say })
  try {
    const url = config.database.url ?? embedded?.url ?? ''
    if (manifest.kind === 'dump') await restoreDump(backup, url)
    await restoreFolder(backup, config, replace).catch((error: Error) => {
      throw new Error(
        `The database is restored, the files are not (${error.message}). Copy ${join(backup, parts.files)} to ` +
          `${join(config.dataDir, 'files')} yourself, and run npm run ledger:check.`,
      )
    })
    say(`Restored as it was at ${manifest.createdAt}. ${await proveBooks(url)}`)
  } finally {
    await embedded?.stop()
  }
}

process.exitCode = await main().then(
  () => 0,
  (error: unknown) => {
    say(`Not restored: ${error instanceof ConfigError || error instanceof Error ? error.message : String(error)}`)
    return 1
  },
)
