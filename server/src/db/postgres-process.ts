/** The PostgreSQL processes: creates a cluster; starts, finds and stops its server. */
import { spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { ProcessUser } from './postgres-place.ts'
import { isAlive } from './postgres-users.ts'

/** A running server: its process id and port. */
export type Postmaster = { pid: number; port: number }

/** PostgreSQL does not inherit our environment: a stray PGDATA or LC_ALL would change its behaviour. */
const childEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

const startLimitMs = 60_000
const stopLimitMs = 30_000
const logLimitBytes = 5_000_000

/**
 * Creates a cluster in the new folder `cluster` with UTF-8, code point order and passwords for everyone.
 * @param options.durable false skips the final sync to disk (tests)
 * @throws Error with one sentence for the operator.
 */
export async function initCluster(options: {
  binaries: PostgresBinaries
  account: ProcessUser | undefined
  cluster: string
  superuser: string
  password: string
  durable: boolean
}): Promise<void> {
  const { account, cluster } = options
  const passwordFile = `${cluster}.password`
  try {
    mkdirSync(cluster, { mode: 0o700 })
    writeFileSync(passwordFile, options.password, { mode: 0o600 })
    if (account) for (const path of [cluster, passwordFile]) chownSync(path, account.uid, account.gid)
    const args = [
      `--pgdata=${cluster}`,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--auth=scram-sha-256',
      `--username=${options.superuser}`,
      `--pwfile=${passwordFile}`,
      '--no-instructions',
      ...(options.durable ? [] : ['--no-sync']),
    ]
    const result = await run(options.binaries.initdb, args, account)
    if (result.code !== 0) throw new Error(result.output)
  } catch (error) {
    rmSync(cluster, { recursive: true, force: true })
    throw new Error(explain((error as Error).message, cluster))
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/**
 * Starts PostgreSQL on `cluster` and waits until it accepts connections. It runs in its own session, so that Ctrl-C
 * does not reach it and we can stop it after the last request. It logs to a file, so that it survives this process.
 * @param options.onExit called with a signal or a code if it exits after it was ready
 * @throws Error with one sentence for the operator.
 */
export async function launchPostmaster(options: {
  binaries: PostgresBinaries
  account: ProcessUser | undefined
  cluster: string
  logFile: string
  port: number
  settings: Record<string, string>
  onExit: (how: string) => void
}): Promise<Postmaster> {
  const { cluster, port } = options
  removeStalePidFile(cluster)
  if (getFileSize(options.logFile) > logLimitBytes) truncateSync(options.logFile)
  const log = openSync(options.logFile, 'a', 0o600)
  const logFrom = getFileSize(options.logFile)
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(options.binaries.postgres, ['-D', cluster, '-p', String(port), ...settings], {
    ...options.account,
    cwd: '/',
    env: childEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()

  let exitReason: string | undefined
  let ready = false
  child.on('error', (error) => {
    exitReason ??= error.message
  })
  child.on('exit', (code, signal) => {
    exitReason ??= signal ?? `code ${code}`
    if (ready) options.onExit(exitReason)
  })
  const deadline = Date.now() + startLimitMs
  while (!ready) {
    await delay(10)
    if (exitReason !== undefined) {
      const output = readFileSync(options.logFile).subarray(logFrom).toString('utf8')
      throw new Error(explain(output || exitReason, cluster))
    }
    ready =
      child.pid !== undefined && readPidFile(cluster)?.status === 'ready' && readPidFile(cluster)?.pid === child.pid
    if (!ready && Date.now() > deadline) {
      child.kill('SIGQUIT')
      throw new Error(`PostgreSQL did not become ready within a minute; see ${options.logFile}.`)
    }
  }
  return { pid: child.pid as number, port }
}

/**
 * Finds the server on `cluster`; undefined if there is none. Waits for one that is starting or stopping.
 * @throws Error after half a minute.
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const deadline = Date.now() + stopLimitMs
  for (;;) {
    const pidFile = readPidFile(cluster)
    if (!pidFile || !runsOn(pidFile.pid, cluster)) return undefined
    if (pidFile.status === 'ready') return { pid: pidFile.pid, port: pidFile.port }
    if (Date.now() > deadline)
      throw new Error(
        `PostgreSQL (process ${pidFile.pid}) on ${cluster} neither starts nor stops; end it and try again.`,
      )
    await delay(25)
  }
}

/** Fast shutdown: open transactions are rolled back, committed ones are kept. Resolves when the process has exited. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(postmaster.pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  signal('SIGINT')
  const deadline = Date.now() + stopLimitMs
  while (isAlive(postmaster.pid)) {
    // An immediate shutdown loses no data either: the next start recovers from the write-ahead log.
    if (Date.now() > deadline) signal('SIGQUIT')
    await delay(10)
  }
}

type PidFile = { pid: number; port: number; status: string }

/**
 * postmaster.pid, line by line: process id, data folder, start time, port, socket folder, address, shared memory,
 * status.
 */
function readPidFile(cluster: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(explain((error as Error).message, cluster))
  }
}

/**
 * Whether process `pid` is a PostgreSQL server on `cluster`. The id alone proves nothing: after a restart of the
 * machine or container another process may have it.
 */
function runsOn(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
  } catch {
    const ps = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return ps.error ? true : ps.stdout.includes('postgres') && ps.stdout.includes(cluster)
  }
}

/**
 * Removes a stale postmaster.pid: PostgreSQL refuses to start if any live process of its account has that process id.
 */
function removeStalePidFile(cluster: string): void {
  const pidFile = readPidFile(cluster)
  if (pidFile && !runsOn(pidFile.pid, cluster)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function getFileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function run(
  program: string,
  args: string[],
  account: ProcessUser | undefined,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...account,
      cwd: '/',
      env: childEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    }
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** Turns PostgreSQL's output into one sentence for the operator. */
function explain(output: string, cluster: string): string {
  if (/No space left on device|ENOSPC/.test(output)) return `The disk that holds ${cluster} is full.`
  if (/Permission denied|EACCES|EPERM/.test(output)) {
    return (
      `PostgreSQL may not read or write ${cluster}: ` +
      'it belongs to another account; start as that account or set another DATA_DIR.'
    )
  }
  if (/could not (create|map|resize) .*shared memory|Cannot allocate memory/i.test(output)) {
    return 'There is not enough memory for the embedded PostgreSQL (it asks for 256 MB).'
  }
  const lines = output.trim().split('\n')
  const message = lines.findLast((line) => /FATAL|error:|PANIC/.test(line)) ?? lines.at(-1) ?? 'no reason given'
  return `PostgreSQL could not start on ${cluster}: ${message.replace(/^.*?(FATAL|PANIC|error):\s*/, '')}`
}
