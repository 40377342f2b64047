/** A streaming replica of a running cluster, created with the embedded PostgreSQL programs from a base backup. */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { writeBaseBackup } from '../../src/backup/base-backup.ts'
import { findPostgresBinaries } from '../../src/db/postgres-binaries.ts'
import { choosePostgresPlace, type ProcessUser } from '../../src/db/postgres-place.ts'
import { launchPostmaster, type Postmaster, stopPostmaster } from '../../src/db/postgres-process.ts'

export type Standby = {
  /** Its connection string: the primary's with another port. The port stays the same after a restart. */
  url: string
  query<R extends pg.QueryResultRow>(text: string): Promise<R[]>
  /** Starts it again after `kill`. */
  start(): Promise<void>
  /** Stops it immediately, even during its work. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Settings that must not be lower on a standby than on its primary. */
const standbySettings = {
  max_connections: '200',
  max_locks_per_transaction: '256',
  shared_buffers: '128MB',
  hot_standby: 'on',
  hot_standby_feedback: 'on',
  unix_socket_directories: '',
  listen_addresses: '127.0.0.1',
  fsync: 'off',
}

/** Copies the cluster behind `primaryUrl` and starts the copy as its standby. `stop` also removes it. */
export async function startStandby(primaryUrl: string): Promise<Standby> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-standby-'))
  chmodSync(dataDir, 0o711)
  const place = choosePostgresPlace(dataDir, () => undefined)
  await copyCluster(primaryUrl, place.cluster, place.account)
  const binaries = findPostgresBinaries(place.account, place.copyDir)
  const port = await freePort()
  const url = overNetwork(primaryUrl)
  url.port = String(port)
  let postmaster: Postmaster | null = null
  const start = async () => {
    postmaster = await launchPostmaster({
      binaries,
      account: place.account,
      cluster: place.cluster,
      logFile: join(place.folder, 'postgres.log'),
      port,
      settings: standbySettings,
      onExit: () => undefined,
    })
  }
  const end = async (stopNow: (running: Postmaster) => Promise<void>) => {
    const running = postmaster
    postmaster = null
    if (running) await stopNow(running)
  }
  await start()
  return {
    url: url.href,
    start,
    async query<R extends pg.QueryResultRow>(text: string) {
      const client = new pg.Client({ connectionString: url.href })
      await client.connect()
      try {
        return (await client.query<R>(text)).rows
      } finally {
        await client.end()
      }
    },
    kill: () =>
      end(async (running) => {
        process.kill(running.pid, 'SIGQUIT')
        await stopPostmaster(running)
      }),
    async stop() {
      await end(stopPostmaster)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function copyCluster(primaryUrl: string, cluster: string, account: ProcessUser | undefined): Promise<void> {
  const archive = `${cluster}.tar.gz`
  await writeBaseBackup(primaryUrl, archive)
  mkdirSync(cluster, { mode: 0o700 })
  const tar = spawnSync('tar', ['-xzf', archive, '-C', cluster, '--no-same-owner'], { encoding: 'utf8' })
  if (tar.status !== 0) throw new Error(`tar failed: ${tar.stderr}`)
  rmSync(archive)
  const { hostname, port, username, password } = overNetwork(primaryUrl)
  writeFileSync(join(cluster, 'standby.signal'), '')
  appendFileSync(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  )
  if (account) giveAway(cluster, account)
}

/** Changes a socket URL to TCP: the embedded cluster listens on both. */
function overNetwork(url: string): URL {
  const changed = new URL(url)
  changed.hostname = '127.0.0.1'
  changed.searchParams.delete('host')
  return changed
}

function giveAway(folder: string, { uid, gid }: ProcessUser): void {
  chownSync(folder, uid, gid)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) chownSync(join(folder, name), uid, gid)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0))
    })
  })
}
