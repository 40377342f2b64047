/** Creates the private folder that holds the database, the secrets and the uploads. */
import { chmodSync, mkdirSync, statSync } from 'node:fs'

/** Root's PostgreSQL runs as another account, which has to pass through. It may not list what is there. */
const isRoot = () => process.getuid?.() === 0

/**
 * Makes the folder, or takes away what strangers may do in one that an earlier release has made. Throws what the file
 * system says.
 */
export function prepareDataFolder(path: string): void {
  const allowedMode = isRoot() ? 0o711 : 0o700
  const made = mkdirSync(path, { recursive: true, mode: allowedMode })
  const { mode, uid } = statSync(path)
  // A group may have been given access on purpose, for backups.
  const strangers = mode & 0o007 & ~allowedMode
  if (made) chmodSync(path, allowedMode)
  else if (strangers !== 0 && uid === process.getuid?.()) chmodSync(path, mode & 0o777 & ~strangers)
}
