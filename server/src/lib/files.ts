/** The store of uploaded files. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'

/**
 * A store of files by key (lower-case letters, digits, `-`, `/` and one dot). It has only what a bucket of an object
 * store offers too, so that one can replace the disk.
 */
export type FileStore = {
  /** Durable when it resolves. Throws if the key exists. */
  write(key: string, bytes: Buffer): Promise<void>
  /** Null if there is no such file. */
  read(key: string): Promise<Readable | null>
  /** Does nothing if there is no such file. */
  remove(key: string): Promise<void>
}

const keyShape = /^[a-z0-9-]+(\/[a-z0-9-]+)*(\.[a-z0-9]+)?$/

/** A store on this machine's disk, in a folder that nothing else writes to. */
export function localFiles(folder: string): FileStore {
  const root = resolve(folder)
  const pathOf = (key: string) => {
    const path = join(root, key)
    if (!keyShape.test(key) || !path.startsWith(root + sep)) throw new Error(`no key of a file: ${key}`)
    return path
  }
  return {
    async write(key, bytes) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // Written under another name first, so that a reader never sees half a file.
      const unfinished = `${path}.${randomUUID()}`
      const file = await open(unfinished, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
        await rename(unfinished, path)
      } catch (error) {
        // A failed write must not leave its part on a full disk.
        await rm(unfinished, { force: true })
        throw error
      } finally {
        await file.close()
      }
    },
    async read(key) {
      const stream = createReadStream(pathOf(key))
      return new Promise((resolveStream, reject) => {
        stream.once('open', () => resolveStream(stream))
        stream.once('error', (error: NodeJS.ErrnoException) =>
          error.code === 'ENOENT' ? resolveStream(null) : reject(error),
        )
      })
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  }
}
