import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { accountNobody, canEnter } from '../../src/db/postgres-place.ts'
import { countUsers } from '../../src/db/postgres-users.ts'

const folderPrefix = 'waybill-temporary-'

/** The data does not outlive the process, so nothing has to be written durably. */
const unsafeAndFast = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
  // The servers of a test file keep their pools open until its end, and two files run in parallel.
  max_connections: '400',
}

/**
 * A separate, empty PostgreSQL server in the system's folder for temporary files; `stop` also removes it.
 * Servers of killed commands are stopped and removed first.
 */
export async function startTemporaryPostgres(
  log: (line: string) => void,
  settings: Record<string, string> = unsafeAndFast,
): Promise<EmbeddedPostgres> {
  const base = temporaryBase()
  await removeLeftOvers(base, log)
  const dataDir = mkdtempSync(join(base, folderPrefix))
  chmodSync(dataDir, 0o711) // as root, PostgreSQL's account has to enter it
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings }).catch((error: unknown) => {
    remove()
    throw error
  })
  return {
    ...postgres,
    stop: async () => {
      await postgres.stop()
      remove()
    },
  }
}

/** As root, a folder that every account may enter, because TMPDIR may be below /root. */
function temporaryBase(): string {
  if (process.getuid?.() !== 0) return tmpdir()
  const nobody = accountNobody()
  return [tmpdir(), '/tmp', '/var/tmp'].find((dir) => existsSync(dir) && canEnter(dir, nobody)) ?? tmpdir()
}

async function removeLeftOvers(base: string, log: (line: string) => void): Promise<void> {
  for (const name of readdirSync(base)) {
    const dataDir = join(base, name)
    const folder = join(dataDir, 'postgres')
    if (!name.startsWith(folderPrefix) || !isOurs(dataDir) || isInUse(dataDir, folder)) continue
    if (existsSync(join(folder, 'cluster', 'postmaster.pid'))) {
      // Starting adopts the orphaned server, so that stopping ends its process.
      const orphan = await startEmbeddedPostgres({ dataDir, log: () => undefined, settings: unsafeAndFast }).catch(
        () => undefined,
      )
      await orphan?.stop()
    }
    rmSync(dataDir, { recursive: true, force: true })
    log(`removed ${dataDir}, left over from a command that was killed`)
  }
}

function isOurs(dataDir: string): boolean {
  return statSync(dataDir, { throwIfNoEntry: false })?.uid === process.getuid?.()
}

/** Another command may just have created the folder and not registered as its user yet. */
function isInUse(dataDir: string, folder: string): boolean {
  if (Date.now() - statSync(dataDir).ctimeMs < 60_000) {
    return !existsSync(join(folder, 'users')) || countUsers(folder) > 0 || lockHeld(folder)
  }
  return existsSync(folder) && countUsers(folder) > 0
}

function lockHeld(folder: string): boolean {
  return existsSync(join(folder, 'lock')) && readFileSync(join(folder, 'lock'), 'utf8') !== ''
}

/** The connection string `url` with another database's name. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
