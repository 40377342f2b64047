import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** The in-memory file system of Linux. */
const sharedMemory = '/dev/shm'
/** More than the databases of a whole test run need. */
const neededBytes = 3 * 1024 ** 3

/**
 * The folder for temporary files of the tests: in memory if there is enough space, otherwise the system's folder. A
 * test database has a thousand files; creating and removing them on ext4 takes eight times the CPU time.
 */
export function temporaryFolder(): string {
  return process.env.TMPDIR === undefined && canHoldFiles() ? sharedMemory : tmpdir()
}

function canHoldFiles(): boolean {
  // Programs may be copied into it, but containers often forbid running them there or limit it to 64 MB.
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8').split('\n') : []
  const options = mounts
    .findLast((line) => line.startsWith(`tmpfs ${sharedMemory} `))
    ?.split(' ')[3]
    ?.split(',')
  if (!options?.includes('rw') || options.includes('noexec')) return false
  const { bavail, bsize } = statfsSync(sharedMemory)
  return Math.min(bavail * bsize, process.availableMemory()) > neededBytes
}
