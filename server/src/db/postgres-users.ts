/**
 * Tracks the processes that use an embedded cluster, with one small file each. The last one to leave stops PostgreSQL,
 * even if another process started it. The file of a killed process is recognised by process id and start time, and
 * removed.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

let registered = 0

/** Registers this process as a user of the cluster in `folder`. Returns the function that unregisters it. */
export function registerUser(folder: string): () => void {
  const dir = join(folder, 'users')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  registered += 1
  const file = join(dir, `${process.pid}-${registered}`)
  writeFileSync(file, getStartTime(process.pid))
  return () => rmSync(file, { force: true })
}

/** Counts the live users of the cluster in `folder`, and removes the files of dead ones. */
export function countUsers(folder: string): number {
  const dir = join(folder, 'users')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  let live = 0
  for (const name of readdirSync(dir)) {
    const file = join(dir, name)
    if (isAlive(Number(name.split('-')[0]), readIfThere(file))) live += 1
    else rmSync(file, { force: true })
  }
  return live
}

/**
 * Runs `work` under the cluster's lock, so that two commands do not create or start it at the same time.
 * @throws Error if another live process holds the lock for a minute.
 */
export async function withClusterLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = join(folder, 'lock')
  const mine = `${process.pid} ${getStartTime(process.pid)}`
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      writeFileSync(lock, mine, { flag: 'wx' })
      break
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC') rmSync(lock, { force: true }) // created, but still empty
      if (code !== 'EEXIST') throw error
    }
    const holder = readIfThere(lock)
    const [pid, ...identity] = holder?.split(' ') ?? []
    // An empty lock was just created and is about to be written, unless its process died in between.
    const abandoned = holder ? !isAlive(Number(pid), identity.join(' ')) : getFileAge(lock) > 5_000
    if (abandoned) breakLock(lock, holder ?? '')
    else if (Date.now() > deadline)
      throw new Error(`Another process (${pid}) is still starting or stopping the database in ${folder}.`)
    else await delay(25)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** True if process `pid` runs and, as far as the system can tell, is the one that `identity` was taken from. */
export function isAlive(pid: number, identity = ''): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = getStartTime(pid)
  return now === 'zombie' ? false : !identity || !now || now === identity
}

/**
 * The start time of a process in clock ticks since boot, because process ids are reused. Empty where /proc is missing.
 */
function getStartTime(pid: number): string {
  const stat = readIfThere(`/proc/${pid}/stat`)
  // The command name in brackets may contain spaces, but nothing after it does. The start time is field 22.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields?.[0] === 'Z') return 'zombie'
  return fields?.[19] ?? ''
}

/** Renaming is atomic: only one of several processes removes a dead holder's lock. */
function breakLock(lock: string, expected: string): void {
  const aside = `${lock}.${process.pid}`
  try {
    renameSync(lock, aside)
  } catch {
    return
  }
  if (readIfThere(aside) !== expected) renameSync(aside, lock)
  else rmSync(aside, { force: true })
}

function getFileAge(file: string): number {
  const fileStats = statSync(file, { throwIfNoEntry: false })
  return fileStats ? Date.now() - fileStats.mtimeMs : 0
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
