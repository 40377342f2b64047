/** Chooses the account that runs the embedded PostgreSQL, and the folder of its cluster. */
import { createHash } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { prepareDataFolder } from '../data-folder.ts'

/** A user and group to run a child process as. */
export type ProcessUser = { uid: number; gid: number }

export type PostgresPlace = {
  /** Our folder that contains all of the following. */
  folder: string
  /** The database cluster itself; owned by `account` when there is one. */
  cluster: string
  /** Where the programs are copied to if they cannot run where npm installed them. */
  copyDir: string
  /** Set if we are root: PostgreSQL refuses to run as root. */
  account: ProcessUser | undefined
}

/**
 * The folder for a cluster of root, if other accounts cannot enter the data folder. Root owns it, so that no other
 * account can create a folder in it first.
 */
const systemStateFolder = '/var/lib/waybill'

/**
 * Decides where the cluster for `dataDir` (absolute) is stored, and creates the folder.
 *
 * For an ordinary user this is `<dataDir>/postgres`. For root the cluster belongs to `nobody`, who must be able to
 * enter every folder above it. Where that is impossible (a checkout below /root), the cluster is in
 * /var/lib/waybill/<hash of dataDir>, and `<dataDir>/postgres.location` says so.
 *
 * @throws Error with one sentence if the folder cannot be created or written.
 */
export function choosePostgresPlace(dataDir: string, log: (line: string) => void): PostgresPlace {
  makeFolder(dataDir)
  if (process.getuid?.() !== 0) return place(dataDir, join(dataDir, 'postgres'), undefined)

  const nobody = accountNobody()
  const inside = join(dataDir, 'postgres')
  const owner = findOwner(join(inside, 'cluster')) ?? nobody
  if (canEnter(dataDir, owner)) return place(dataDir, inside, owner)

  const outside = join(systemStateFolder, createHash('sha256').update(dataDir).digest('hex').slice(0, 12))
  makeFolder(systemStateFolder, 0o755)
  const newPlace = place(systemStateFolder, outside, nobody)
  const pointer = join(dataDir, 'postgres.location')
  if (!existsSync(pointer)) {
    writeFileSync(pointer, `${outside}\n`)
    log(
      `the database of ${dataDir} lives in ${outside}: ` +
        'PostgreSQL does not run as root, and no other account may enter that folder',
    )
  }
  return newPlace
}

/** True if `account` may enter `dir` and every folder above it, according to the permission bits. */
export function canEnter(dir: string, account: ProcessUser): boolean {
  for (let at = dir; ; at = dirname(at)) {
    const { mode, uid, gid } = statSync(at)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if (!(mode & bit)) return false
    if (at === dirname(at)) return true
  }
}

/** The unprivileged account that runs PostgreSQL if we are root. */
export function accountNobody(): ProcessUser {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  // macOS lists nobody as -2; the system calls take it as an unsigned number.
  return { uid: Number(uid ?? 65534) >>> 0, gid: Number(gid ?? 65534) >>> 0 }
}

function place(base: string, folder: string, account: ProcessUser | undefined): PostgresPlace {
  makeFolder(folder, account ? 0o711 : 0o700)
  return { folder, cluster: join(folder, 'cluster'), copyDir: base, account }
}

/**
 * The account that owns an existing cluster: a cluster created by an ordinary user stays theirs when root starts it
 * once.
 */
function findOwner(cluster: string): ProcessUser | undefined {
  const folderStats = statSync(cluster, { throwIfNoEntry: false })
  return folderStats && folderStats.uid !== 0 ? { uid: folderStats.uid, gid: folderStats.gid } : undefined
}

/** Creates a folder. Without a mode it is created like the data folder. */
function makeFolder(dir: string, mode?: number): void {
  try {
    if (mode === undefined) prepareDataFolder(dir)
    // A strict umask would lock PostgreSQL's account out.
    else if (mkdirSync(dir, { recursive: true, mode })) chmodSync(dir, mode)
    accessSync(dir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOSPC') throw new Error(`The disk that holds ${dir} is full.`)
    throw new Error(
      `The data folder ${dir} cannot be written (${code}): set DATA_DIR to a folder that this account may write.`,
    )
  }
}
