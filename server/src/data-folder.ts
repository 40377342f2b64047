/** Creates the private folder that holds the database, the secrets and the uploads. */
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** As root, PostgreSQL runs under another account, which must be able to enter the folder but not to list it. */
const isRoot = () => process.getuid?.() === 0

/**
 * Creates the folder, or removes other users' rights on one that an earlier release created. Throws the error of the
 * file system.
 */
export function prepareDataFolder(path: string): void {
  const allowedMode = isRoot() ? 0o711 : 0o700
  const created = mkdirSync(path, { recursive: true, mode: allowedMode })
  const { mode, uid } = statSync(path)
  // Rights of the group are kept: an operator may have granted them on purpose, for backups.
  const strangers = mode & 0o007 & ~allowedMode
  if (created) chmodSync(path, allowedMode)
  else if (strangers !== 0 && uid === process.getuid?.()) chmodSync(path, mode & 0o777 & ~strangers)
}

/** Writes and removes a file. Throws the error of the file system if the folder cannot be written. */
export async function probeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  const file = join(path, `.readiness-${randomUUID()}`)
  try {
    await writeFile(file, 'x')
  } finally {
    await rm(file, { force: true })
  }
}
