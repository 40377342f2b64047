/** Uploads of the caller: created, replaced and deleted while nothing uses them. */

import { type Attachment, type AttachmentPurpose, attachmentPurposes } from '@waybill/contract/attachments/attachments'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { UserCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import type { UploadedFile } from '../../http/uploads.ts'
import { mayManageAttachment, maySeeAttachment } from './access.ts'
import { presentWithLink } from './file-links.ts'
import { keepFile, removeReleased } from './file-store.ts'
import {
  type AttachmentRow,
  type ContentColumns,
  deleteAttachment,
  deleteLooseFiles,
  findAttachment,
  lockAttachments,
  recordLooseFiles,
  updateAttachment,
} from './queries.ts'
import { fileName, mayUpload } from './rules.ts'
import { type AttachmentOwner, insertNew, storeAttachment } from './service.ts'

const getOwner = (caller: UserCaller): AttachmentOwner => ({
  accountId: caller.kind === 'customer' ? caller.accountId : null,
  userId: caller.userId,
})

const linkColumns = (url: string): ContentColumns => ({
  type: 'url',
  url,
  storage_key: null,
  media_type: null,
  bytes: null,
  width: null,
  height: null,
  sha256: null,
})

/** An upload: a file or a link to one. */
type Upload = { file: UploadedFile | null; url?: string | undefined; name?: string | undefined }

function checkUpload({ file, url }: Upload, purpose: AttachmentPurpose): void {
  if (url && !attachmentPurposes[purpose].link) throw validationError({ field: 'url', rule: 'noLink' })
  if (file && url) throw validationError({ field: 'url', rule: 'fileOrLink' })
}

/**
 * `POST /api/attachments/create`. Throws validation (also for a purpose that the caller may not use),
 * unsupported_media.
 */
export async function uploadAttachment(
  deps: Deps,
  caller: UserCaller,
  purpose: AttachmentPurpose,
  upload: Upload,
): Promise<Attachment> {
  if (!mayUpload(purpose, caller.kind)) throw validationError({ field: 'purpose', rule: 'enum' })
  checkUpload(upload, purpose)
  if (upload.url) {
    const columns = linkColumns(upload.url)
    const name = upload.name ?? new URL(upload.url).hostname
    return presentWithLink(deps, await insertNew(deps, deps.db, getOwner(caller), purpose, name, columns))
  }
  if (!upload.file) throw validationError({ field: 'file', rule: 'required' })
  const file = { ...upload.file, name: upload.name ?? upload.file.name }
  return presentWithLink(
    deps,
    await storeAttachment(deps, undefined, getOwner(caller), file.bytes, { purpose, name: file.name }),
  )
}

/** Locks an attachment that the caller may change. Throws not_found, attachment_in_use. */
async function lockUnclaimed(trx: DbOrTx, caller: UserCaller, id: string): Promise<AttachmentRow> {
  const [row] = await lockAttachments(trx, [id])
  if (!row || !mayManageAttachment(row, caller)) throw new AppError('not_found')
  if (row.claimed_at !== null) throw new AppError('attachment_in_use')
  return row
}

/**
 * `POST /api/attachments/update/{id}`. Throws not_found, attachment_in_use, version_conflict and the errors of
 * uploading.
 */
export async function replaceAttachment(
  deps: Deps,
  caller: UserCaller,
  id: string,
  version: number,
  upload: Upload,
): Promise<Attachment> {
  // Checked before the expensive work on the file, and again under the lock.
  const before = await findAttachment(deps.db, id)
  if (!before || !mayManageAttachment(before, caller)) throw new AppError('not_found')
  checkUpload(upload, before.purpose)
  const newFile = upload.file ? await keepFile(deps, upload.file, before.purpose) : null
  const { row, replacedKey } = await tx(deps.db, async (trx) => {
    const old = await lockUnclaimed(trx, caller, id)
    if (old.version !== version) throw new AppError('version_conflict')
    const columns: Partial<ContentColumns> = newFile?.columns ?? (upload.url ? linkColumns(upload.url) : {})
    const extension = (columns.storage_key ?? old.storage_key)?.split('.').at(-1)
    const name =
      upload.name && extension && !upload.url ? fileName(upload.name, extension) : (upload.name ?? newFile?.name)
    const at = deps.clock.now()
    const updatedRow = await updateAttachment(trx, old, { ...columns, ...(name ? { name } : {}) }, at)
    const replacedKey = old.storage_key !== null && updatedRow.storage_key !== old.storage_key ? old.storage_key : null
    if (replacedKey) await recordLooseFiles(trx, [replacedKey], at)
    if (newFile) await deleteLooseFiles(trx, [newFile.storageKey])
    return { row: updatedRow, replacedKey }
  })
  if (replacedKey) await removeReleased(deps, replacedKey)
  return presentWithLink(deps, row)
}

/** `DELETE /api/attachments/delete/{id}`. Throws not_found, attachment_in_use. */
export async function removeAttachment(deps: Deps, caller: UserCaller, id: string): Promise<{ ok: true }> {
  const key = await tx(deps.db, async (trx) => {
    const row = await lockUnclaimed(trx, caller, id)
    await deleteAttachment(trx, row.id)
    if (row.storage_key) await recordLooseFiles(trx, [row.storage_key], deps.clock.now())
    return row.storage_key
  })
  if (key) await removeReleased(deps, key)
  return { ok: true }
}

/**
 * `GET /api/attachments/{id}`, for its uploader, for users who see all of its account, and for staff who serve
 * customers. Throws not_found.
 */
export async function readAttachment(deps: Deps, caller: UserCaller, id: string): Promise<Attachment> {
  const row = await findAttachment(deps.db, id)
  if (!row || !maySeeAttachment(row, caller)) throw new AppError('not_found')
  return presentWithLink(deps, row)
}
