/**
 * An embedded PostgreSQL for machines without one: a cluster in the data folder, started by the first command that
 * needs it and stopped by the last. It is the same engine as in production, so there is one code path and real locks.
 */
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { choosePostgresPlace, type PostgresPlace } from './postgres-place.ts'
import { findPostmaster, initCluster, launchPostmaster, type Postmaster, stopPostmaster } from './postgres-process.ts'
import { countUsers, isAlive, registerUser, withClusterLock } from './postgres-users.ts'

const superuserName = 'waybill'
const databaseName = 'waybill'
const majorVersion = '18'

/** Settings that differ from PostgreSQL's defaults. Sizes fit a small machine; a big one sets DATABASE_URL. */
const serverSettings: Record<string, string> = {
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_connections: '200',
  // A transaction that touches a table partitioned by month locks every partition it may read.
  max_locks_per_transaction: '256',
  random_page_cost: '1.1',
  jit: 'off',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  listen_addresses: '127.0.0.1',
}

/** The system limits a socket's path: 103 bytes on macOS, 107 on Linux. */
const longestSocketPath = 103

/** How often to poll a PostgreSQL that is not our child process, because we get no signal when it exits. */
const watchEveryMs = 1_000

/** Pauses between attempts to restart PostgreSQL. They never end: a full disk may be freed after hours. */
export function* relaunchPauses(): Generator<number, never> {
  for (let pause = 250; ; pause = Math.min(pause * 2, 10_000)) yield pause
}

export type EmbeddedPostgres = {
  /** Connection string of the application's database, with its password. */
  url: string
  port: number
  /** True when PostgreSQL was already running and this process only joined. */
  joined: boolean
  /** Where the cluster really lives (see choosePostgresPlace). */
  folder: string
  /**
   * Leaves the cluster; the last user stops PostgreSQL (fast shutdown) and waits until it has exited. May be called
   * twice.
   */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** Absolute path of the data folder; created if missing. */
  dataDir: string
  /** Receives one line for everything an operator should know. */
  log: (line: string) => void
  /**
   * PostgreSQL settings that override `serverSettings`, such as `fsync: 'off'` for tests. They do not affect a server
   * that already runs.
   */
  settings?: Record<string, string>
}

/**
 * Starts the cluster in `dataDir` and creates it if there is none. Joins a cluster that another process of ours runs,
 * and takes over one whose process was killed. If PostgreSQL dies, it is restarted on the same port.
 * @throws Error with one sentence for the operator: unwritable folder, full disk, no PostgreSQL for this platform, a
 * cluster of another version.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = choosePostgresPlace(options.dataDir, options.log)
  return startIn(place, options).catch((error: unknown) => {
    throw forOperator(error, place.folder)
  })
}

async function startIn(place: PostgresPlace, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  return withClusterLock(place.folder, async () => {
    const others = countUsers(place.folder)
    const running = await findPostmaster(place.cluster)
    const cluster = new Cluster(place, options, running)
    if (!running) await cluster.start()
    await ensureDatabase(cluster.getUrl('postgres'), cluster.url)
    if (running && others === 0)
      options.log('found PostgreSQL still running after its server was killed; it goes on from there')
    const leave = registerUser(place.folder)
    cluster.watch()
    let stopped: Promise<void> | undefined
    return {
      url: cluster.url,
      port: cluster.port,
      joined: running !== undefined,
      folder: place.folder,
      stop: () => {
        stopped ??= cluster.settle().then(() => leaveCluster(place, cluster, leave))
        return stopped
      },
    }
  })
}

async function leaveCluster(place: PostgresPlace, cluster: Cluster, leave: () => void): Promise<void> {
  const leaveNow = async () => {
    leave()
    if (countUsers(place.folder) === 0) await cluster.stop()
  }
  try {
    await withClusterLock(place.folder, leaveNow)
  } catch (error) {
    // The lock is a file: a full disk must not prevent PostgreSQL from stopping.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    await leaveNow()
  }
}

/** Turns a file system error into a sentence for the operator; other errors are returned unchanged. */
function forOperator(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return new Error(`The disk that holds ${folder} is full.`)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new Error(
      `Files in ${folder} cannot be read or written (${code}): ` +
        'start as the account they belong to, or set another DATA_DIR.',
    )
  }
  return error
}

/** One cluster and, while it runs, its server process (postmaster). */
class Cluster {
  readonly #place: PostgresPlace
  readonly #options: EmbeddedOptions
  readonly #password: string
  readonly #leaving = new AbortController()
  #postmaster: Postmaster | undefined
  #restart: Promise<void> | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(place: PostgresPlace, options: EmbeddedOptions, running: Postmaster | undefined) {
    this.#place = place
    this.#options = options
    this.#password = keptPassword(place)
    this.#postmaster = running
  }

  get port(): number {
    if (!this.#postmaster) throw new Error('PostgreSQL is not running.')
    return this.#postmaster.port
  }

  get url(): string {
    return this.getUrl(databaseName)
  }

  /** A Unix socket is faster than TCP. A cluster that an older release started has none. */
  getUrl(database: string): string {
    const url = `postgres://${superuserName}:${this.#password}@127.0.0.1:${this.port}/${database}`
    const folder = socketFolder(this.#place)
    const hasSocket = folder !== undefined && existsSync(join(folder, socketName(this.port)))
    return hasSocket ? `${url}?host=${encodeURIComponent(folder)}` : url
  }

  /** Creates the cluster if there is none, and starts it on a free port. */
  async start(): Promise<void> {
    const { cluster, account, copyDir } = this.#place
    const binaries = findPostgresBinaries(account, copyDir)
    if (!existsSync(join(cluster, 'PG_VERSION'))) await this.#make(binaries)
    const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
    if (version !== majorVersion) {
      throw new Error(
        `The database in ${cluster} was made by PostgreSQL ${version} and this release brings ${majorVersion}: ` +
          'move its data over, or set another DATA_DIR.',
      )
    }
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#launch(binaries, await freePort())
        return
      } catch (error) {
        // Another program may take the free port before PostgreSQL listens on it.
        if (attempt === 3 || !/address already in use|could not bind/i.test((error as Error).message)) throw error
      }
    }
  }

  /** Restarts PostgreSQL when it dies, even if another process started it. */
  watch(): void {
    this.#watch = setInterval(() => {
      if (this.#postmaster && !isAlive(this.#postmaster.pid)) this.#ended('its process is gone')
    }, watchEveryMs)
    this.#watch.unref()
  }

  /** Stops watching: PostgreSQL is not restarted after this. Waits for a restart in progress. */
  async settle(): Promise<void> {
    this.#leaving.abort()
    clearInterval(this.#watch)
    await this.#restart
  }

  async stop(): Promise<void> {
    if (this.#postmaster) await stopPostmaster(this.#postmaster)
  }

  async #make(binaries: PostgresBinaries): Promise<void> {
    const { cluster, account } = this.#place
    const partial = `${cluster}.new`
    rmSync(partial, { recursive: true, force: true })
    rmSync(cluster, { recursive: true, force: true })
    await initCluster({
      binaries,
      account,
      cluster: partial,
      superuser: superuserName,
      password: this.#password,
      durable: this.#options.settings?.fsync !== 'off',
    })
    // The cluster is renamed into place only when complete, so an interrupted initdb starts over.
    renameSync(partial, cluster)
  }

  async #launch(binaries: PostgresBinaries, port: number): Promise<void> {
    this.#postmaster = await launchPostmaster({
      binaries,
      account: this.#place.account,
      cluster: this.#place.cluster,
      logFile: join(this.#place.folder, 'postgres.log'),
      port,
      settings: {
        ...serverSettings,
        unix_socket_directories: makeSocketFolder(this.#place) ?? '',
        ...this.#options.settings,
      },
      onExit: (how) => this.#ended(how),
    })
  }

  #ended(how: string): void {
    if (this.#leaving.signal.aborted || this.#restart) return
    this.#options.log(`PostgreSQL ended unexpectedly (${how}); starting it again`)
    this.#restart = this.#relaunch().finally(() => {
      this.#restart = undefined
    })
  }

  /** Restarts on the same port, because clients keep its address. Its old processes may need a moment to exit. */
  async #relaunch(): Promise<void> {
    const { port } = this
    let reason = ''
    for (const pause of relaunchPauses()) {
      if (this.#leaving.signal.aborted) return
      try {
        await withClusterLock(this.#place.folder, () => this.#rejoinOrLaunch(port))
        this.#options.log('PostgreSQL is back')
        return
      } catch (error) {
        const { message } = error as Error
        if (message !== reason) this.#options.log(`PostgreSQL does not come back yet, tried again: ${message}`)
        reason = message
        await delay(pause, undefined, { signal: this.#leaving.signal }).catch(() => undefined)
      }
    }
  }

  /** Another process that watches the same cluster may have restarted it already. */
  async #rejoinOrLaunch(port: number): Promise<void> {
    const { cluster, account, copyDir } = this.#place
    const running = await findPostmaster(cluster)
    if (running && running.port === port) this.#postmaster = running
    else await this.#launch(findPostgresBinaries(account, copyDir), port)
  }
}

const socketName = (port: number) => `.s.PGSQL.${port}`

/** The folder of the Unix socket; undefined where none is possible: on Windows, and where the path is too long. */
function socketFolder({ folder }: PostgresPlace): string | undefined {
  const sockets = join(folder, 'socket')
  const isTooLong = Buffer.byteLength(join(sockets, socketName(65_535))) > longestSocketPath
  return process.platform === 'win32' || isTooLong ? undefined : sockets
}

function makeSocketFolder(place: PostgresPlace): string | undefined {
  const sockets = socketFolder(place)
  if (sockets === undefined) return undefined
  mkdirSync(sockets, { recursive: true, mode: 0o700 })
  if (place.account) chownSync(sockets, place.account.uid, place.account.gid)
  return sockets
}

/**
 * The cluster's password: generated once, readable by us alone, stored next to the cluster (which belongs to another
 * account if we are root).
 */
function keptPassword(place: PostgresPlace): string {
  const file = join(place.folder, 'password')
  // Written under a temporary name first: a full disk would leave an empty password file.
  const unfinished = `${file}.${process.pid}`
  if (!existsSync(file)) {
    writeFileSync(unfinished, randomBytes(24).toString('base64url'), { mode: 0o600 })
    renameSync(unfinished, file)
  }
  return readFileSync(file, 'utf8').trim()
}

async function ensureDatabase(adminUrl: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.end()
  } catch (error) {
    const invalidCatalogName = '3D000'
    if ((error as pg.DatabaseError).code !== invalidCatalogName) throw error
    const admin = new pg.Client({ connectionString: adminUrl })
    await admin.connect()
    await admin.query(`CREATE DATABASE ${databaseName}`)
    await admin.end()
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port')),
      )
    })
  })
}
