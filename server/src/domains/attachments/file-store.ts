/** Writes uploaded files to the file store, and deletes those without a row. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type AttachmentPurpose,
  attachmentPurposes,
  largestFileBytes,
  profilePhotoPixels,
} from '@waybill/contract/attachments/attachments'
import { deleteInBatches } from '../../db/batches.ts'
import { type DbOrTx, type Tx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../http/errors.ts'
import type { UploadedFile } from '../../http/uploads.ts'
import { dayIn, days, later } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { readContent } from './content.ts'
import { type ContentColumns, deleteLooseFiles, recordLooseFiles } from './queries.ts'
import { fileName } from './rules.ts'

/**
 * Writes a file to the store and returns the columns of its row. The caller inserts the row and then calls
 * `deleteLooseFiles`: until that commits the file is listed as loose, so that a cleanup finds it after a crash. Throws
 * unsupported_media.
 */
export async function keepFile(
  deps: Deps,
  file: UploadedFile,
  purpose: AttachmentPurpose,
): Promise<{ name: string; columns: ContentColumns; storageKey: string }> {
  const square = purpose === 'profile_photo' ? profilePhotoPixels : null
  const logo = purpose === 'logo'
  const content = await readContent(file.bytes, { pdf: attachmentPurposes[purpose].pdf, square, logo })
  const now = deps.clock.now()
  const storageKey = `${dayIn(now, 'UTC').replaceAll('-', '/')}/${newId()}.${content.extension}`
  await recordLooseFiles(deps.db, [storageKey], now)
  await deps.files.write(storageKey, content.bytes)
  const columns: ContentColumns = {
    type: 'file',
    url: null,
    storage_key: storageKey,
    media_type: content.mediaType,
    bytes: content.bytes.length,
    width: content.width,
    height: content.height,
    sha256: createHash('sha256').update(content.bytes).digest(),
  }
  return { name: fileName(file.name, content.extension), columns, storageKey }
}

/**
 * Moves a file that the server made, such as an export, from its disk into the store. As with `keepFile`, it is listed
 * as loose until the caller's row refers to it and `keepStored` has run.
 */
export async function storeMadeFile(deps: Deps, path: string, extension: string): Promise<string> {
  const now = deps.clock.now()
  const storageKey = `${dayIn(now, 'UTC').replaceAll('-', '/')}/${newId()}.${extension}`
  await recordLooseFiles(deps.db, [storageKey], now)
  await deps.files.writeFile(storageKey, path)
  return storageKey
}

/**
 * Writes a stream to the server's disk while `use` runs with its path and size. The store gets only complete files, so
 * a document that fails midway is never stored.
 */
export async function writeToDisk<T>(content: Readable, use: (path: string, bytes: number) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-file-'))
  try {
    const path = join(folder, 'file')
    await pipeline(content, createWriteStream(path, { mode: 0o600 }))
    return await use(path, (await stat(path)).size)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Marks files as used by a row, in the transaction that writes the row. */
export async function keepStored(trx: DbOrTx, keys: readonly string[]): Promise<void> {
  await deleteLooseFiles(trx, keys)
}

/** Marks files as unused once the transaction commits. The caller then calls `removeReleased`. */
export async function releaseStored(deps: Deps, trx: DbOrTx, keys: readonly string[]): Promise<void> {
  await recordLooseFiles(trx, keys, deps.clock.now())
}

/** Reads a stream into memory. Throws too_large. */
export async function readStream(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    length += (chunk as Buffer).length
    if (length > largestFileBytes) throw new AppError('too_large')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** Deletes a file of the store that no row refers to any more. */
export async function removeLoose(deps: Deps, key: string): Promise<void> {
  await deps.files.remove(key)
  await deleteLooseFiles(deps.db, [key])
}

/** Deletes a file that a committed transaction has released. Without the store, a cleanup deletes it later. */
export async function removeReleased(deps: Deps, key: string): Promise<void> {
  await removeLoose(deps, key).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'a deleted file stays in the store until the next cleanup'),
  )
}

/** The number of days for which a document made by a job can be downloaded. */
export const madeFileDays = 7

type MadeFiles = {
  /** Rows of documents made before a given time. */
  list: (trx: Tx, before: Date, limit: number) => Promise<readonly { id: string; storage_key: string | null }[]>
  remove: (trx: Tx, ids: readonly string[]) => Promise<unknown>
}

/** Deletes old documents made by jobs. Their files are listed as loose, so `sweepAttachments` deletes them next. */
export async function sweepMadeFiles(deps: Deps, { list, remove }: MadeFiles): Promise<void> {
  const before = later(deps.clock.now(), -days(madeFileDays))
  await deleteInBatches((limit) =>
    tx(deps.db, async (trx) => {
      const rows = await list(trx, before, limit)
      const keys = rows.flatMap(({ storage_key }) => storage_key ?? [])
      await recordLooseFiles(trx, keys, before)
      await remove(
        trx,
        rows.map(({ id }) => id),
      )
      return rows.length
    }),
  )
}
