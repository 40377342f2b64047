/**
 * Uploaded files. A domain that uses them does three things:
 *
 * 1. Its form uploads with `POST /api/attachments/create` (`PhotoField` in the web) and sends the ids.
 * 2. In the transaction that writes its own row it calls `claimAttachments`. From then on the files belong to the
 *   subject's account. A file that nothing claims is deleted after a day.
 * 3. Its responses contain `presentAttachmentsById(deps, db, ids)`, or `attachmentLink(deps, row)` for a single file.
 *   Such a link is valid for a quarter of an hour, so the domain must check that the caller may see the subject.
 *
 * A file that the server makes (a drawing, a scan) is stored with `storeAttachment`. When a subject is deleted or
 * drops a file, call `releaseAttachments`.
 */
import type { Readable } from 'node:stream'
import type { Attachment, AttachmentPurpose } from '@waybill/contract/attachments/attachments'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { UserCaller } from '../../http/caller.ts'
import { validationError } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { mayManageAttachment } from './access.ts'
import { printablePhoto } from './content.ts'
import { presentWithLink } from './file-links.ts'
import { keepFile, readStream } from './file-store.ts'
import {
  type AttachmentRow,
  attachmentsBySubjects,
  type ContentColumns,
  clearSubject,
  deleteLooseFiles,
  findAttachment,
  findAttachments,
  insertAttachment,
  lockAttachments,
  setSubject,
} from './queries.ts'
import { fitsPurpose } from './rules.ts'

/** The uploader. A customer uploads for their own account; for staff the account is null. */
export type AttachmentOwner = { accountId: string | null; userId: string }

/**
 * Stores a file for its owner, unclaimed. Its content decides the type: an image, which is re-encoded, or a PDF if the
 * purpose allows one. If `trx` is rolled back, a cleanup deletes the file. Throws unsupported_media, too_large.
 */
export async function storeAttachment(
  deps: Deps,
  trx: DbOrTx | undefined,
  owner: AttachmentOwner,
  bytes: Buffer | Readable,
  { purpose, name = '' }: { purpose: AttachmentPurpose; name?: string },
): Promise<AttachmentRow> {
  const whole = Buffer.isBuffer(bytes) ? bytes : await readStream(bytes)
  const newFile = await keepFile(deps, { name, bytes: whole }, purpose)
  const write = async (inside: DbOrTx) => {
    const row = await insertNew(deps, inside, owner, purpose, newFile.name, newFile.columns)
    await deleteLooseFiles(inside, [newFile.storageKey])
    return row
  }
  return trx ? write(trx) : tx(deps.db, write)
}

/** Inserts the row of a new, unclaimed attachment. */
export function insertNew(
  deps: Deps,
  trx: DbOrTx,
  owner: AttachmentOwner,
  purpose: AttachmentPurpose,
  name: string,
  columns: ContentColumns,
): Promise<AttachmentRow> {
  const at = deps.clock.now()
  return insertAttachment(trx, {
    ...columns,
    id: newId(),
    account_id: owner.accountId,
    uploaded_by: owner.userId,
    purpose,
    name,
    created_at: at,
    updated_at: at,
  })
}

/**
 * Links uploads to the record that uses them, in the transaction that writes it. They must be the caller's own uploads
 * for this purpose or without one, unclaimed or claimed by this subject. `accountId`: the account of the subject.
 * Throws validation on `field` (default: `attachmentIds`).
 */
export async function claimAttachments(
  deps: Deps,
  trx: DbOrTx,
  ids: readonly string[],
  caller: UserCaller,
  subject: { kind: string; id: string; accountId: string | null; purpose: AttachmentPurpose; field?: string },
): Promise<AttachmentRow[]> {
  if (ids.length === 0) return []
  const uniqueIds = [...new Set(ids)]
  const rows = await lockAttachments(trx, uniqueIds)
  const fits = (row: AttachmentRow) =>
    fitsPurpose(row, subject.purpose, caller.kind) &&
    (row.subject_id === subject.id || (row.claimed_at === null && mayManageAttachment(row, caller)))
  if (rows.length !== uniqueIds.length || !rows.every(fits)) {
    throw validationError({ field: subject.field ?? 'attachmentIds', rule: 'attachment' })
  }
  const unclaimed = rows.filter((row) => row.claimed_at === null).map(({ id }) => id)
  if (unclaimed.length > 0) await setSubject(trx, unclaimed, subject, deps.clock.now())
  return rows
}

/** Unlinks attachments from their subject. Unless claimed again, they are deleted after a day. */
export async function releaseAttachments(deps: Deps, trx: DbOrTx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await clearSubject(trx, ids, deps.clock.now())
}

/** Attachments by id; deleted ones are missing from the map. */
export async function presentAttachmentsById(
  deps: Deps,
  db: DbOrTx,
  ids: readonly string[],
): Promise<Map<string, Attachment>> {
  if (ids.length === 0) return new Map()
  return new Map((await findAttachments(db, ids)).map((row) => [row.id, presentWithLink(deps, row)]))
}

/** Attachments by the id of their subject, for kinds of subjects that do not store ids. */
export async function listAttachmentsBySubject(
  deps: Deps,
  db: DbOrTx,
  kind: string,
  subjectIds: readonly string[],
): Promise<Map<string, Attachment[]>> {
  if (subjectIds.length === 0) return new Map()
  const rows = await attachmentsBySubjects(db, kind, subjectIds)
  return new Map(
    Object.entries(Object.groupBy(rows, ({ subject_id }) => subject_id ?? '')).map(([id, own = []]) => [
      id,
      own.map((row) => presentWithLink(deps, row)),
    ]),
  )
}

/** The content of a stored file, for printing; null if there is none. The calling domain checks access. */
export async function attachmentBytes(deps: Deps, id: string): Promise<Buffer | null> {
  const key = (await findAttachment(deps.db, id))?.storage_key
  const stream = key ? await deps.files.read(key) : null
  return stream ? readStream(stream) : null
}

/** Stored photos as JPEGs for print, small enough for a page with several. Photos that are missing are left out. */
export async function photosForPrint(deps: Deps, ids: readonly string[]): Promise<Buffer[]> {
  const photos: Buffer[] = []
  // One by one: each photo is decoded in memory.
  for (const id of ids) {
    const bytes = await attachmentBytes(deps, id)
    if (bytes) photos.push(await printablePhoto(bytes))
  }
  return photos
}
