/** The store of uploaded files on the disk. `s3-files.ts` is the equivalent for a bucket. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'

/**
 * A store of files by key (lower-case letters, digits, `-`, `/` and one dot). It offers only what both a disk and a
 * bucket can do.
 */
export type FileStore = {
  /** Durable when it resolves. The key must be new. */
  write(key: string, bytes: Buffer): Promise<void>
  /** `write` for a file on this machine's disk, which may be larger than memory. */
  writeFile(key: string, path: string): Promise<void>
  /** Null if there is no such file. */
  read(key: string): Promise<Readable | null>
  /** Does nothing if there is no such file. */
  remove(key: string): Promise<void>
  /** Throws if the store cannot be reached. */
  check(): Promise<void>
  close(): void
}

/** The file store is unavailable or too slow. Callers get a 503, and may try again. */
export class FileStoreUnavailable extends Error {}

const keyShape = /^[a-z0-9-]+(\/[a-z0-9-]+)*(\.[a-z0-9]+)?$/

/** Throws for a key that is not one of ours, so that no key leads out of the store. */
export function requireFileKey(key: string): void {
  if (!keyShape.test(key)) throw new Error(`no key of a file: ${key}`)
}

/** A store on this machine's disk, in a folder that nothing else writes to. */
export function localFiles(folder: string): FileStore {
  const root = resolve(folder)
  const getPath = (key: string) => {
    const path = join(root, key)
    requireFileKey(key)
    if (!path.startsWith(root + sep)) throw new Error(`no key of a file: ${key}`)
    return path
  }
  return {
    async write(key, bytes) {
      const path = getPath(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // Written under a temporary name first, so that a reader never sees a partial file.
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
    async writeFile(key, source) {
      const path = getPath(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const unfinished = `${path}.${randomUUID()}`
      try {
        await copyFile(source, unfinished)
        const file = await open(unfinished, 'r+')
        await file.sync().finally(() => file.close())
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    async read(key) {
      const stream = createReadStream(getPath(key))
      return new Promise((resolveStream, reject) => {
        stream.once('open', () => resolveStream(stream))
        stream.once('error', (error: NodeJS.ErrnoException) =>
          error.code === 'ENOENT' ? resolveStream(null) : reject(error),
        )
      })
    },
    remove: (key) => rm(getPath(key), { force: true }),
    // `/readyz` writes to the data folder, which contains this one.
    check: async () => {},
    close() {},
  }
}
