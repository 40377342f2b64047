/** The folder with the database, the secrets and the uploads: nobody else's business. */
import { chmodSync, mkdirSync, statSync } from 'node:fs'

/** Root's PostgreSQL runs as another account, which has to pass through. It may not list what is there. */
const isRoot = () => process.getuid?.() === 0

/**
 * Makes the folder, or takes away what strangers may do in one that an earlier release has made. Throws what the file
 * system says.
 */
export function makeDataFolder(path: string): void {
  const wanted = isRoot() ? 0o711 : 0o700
  const made = mkdirSync(path, { recursive: true, mode: wanted })
  const { mode, uid } = statSync(path)
  // A group may have been given access on purpose, for backups.
  const strangers = mode & 0o007 & ~wanted
  if (made) chmodSync(path, wanted)
  else if (strangers !== 0 && uid === process.getuid?.()) chmodSync(path, mode & 0o777 & ~strangers)
}
