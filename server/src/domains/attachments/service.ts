/**
 * Files that people upload. A domain that uses them does three things:
 *
 * 1. Its form uploads with `POST /api/attachments/create` (`PhotoField` in the web) and sends the ids it got.
 * 2. In the transaction that writes its own row it calls `claimAttachments(deps, trx, ids, caller, subject)`: from then
 * on the files stay, and belong to the
 *    subject's account. What nothing claims is deleted after a day.
 * 3. What it answers carries `attachmentsById(deps, db, ids)`, or `attachmentLink(deps, row)` for a single one: links
 * that work for a quarter of an hour,
 *    made anew with every answer. Whether the caller may see the subject is the domain's own question; a link is given only where it is answered.
 *
 * A server-made file (a drawing, a scan) goes in by `storeAttachment`. When a subject is deleted or lets go of a file:
 * `releaseAttachments`.
 */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  type Attachment,
  type AttachmentPurpose,
  attachmentPurposes,
  largestFileBytes,
} from '@waybill/contract/attachments/attachments'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller, StaffCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import type { UploadedFile } from '../../http/uploads.ts'
import { dayIn, days, hours, later } from '../../lib/clock.ts'
import { hmacSha256, isMacOfAny } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { mayManage, maySee } from './access.ts'
import { readContent } from './content.ts'
import { presentAttachment } from './present.ts'
import {
  type AttachmentRow,
  attachmentsBySubjects,
  type ContentColumns,
  clearSubject,
  deleteAttachment,
  deleteLooseFiles,
  deleteUnclaimed,
  findAttachment,
  findAttachments,
  insertAttachment,
  lockAttachments,
  looseFilesSince,
  recordLooseFiles,
  setSubject,
  updateAttachment,
} from './queries.ts'
import { fileName, linkEnd, mayUpload } from './rules.ts'

/** Who uploads: a customer for the own account, or staff for nobody yet (null). */
export type AttachmentOwner = { accountId: string | null; userId: string }

type SignedIn = CustomerCaller | StaffCaller
const ownerOf = (caller: SignedIn): AttachmentOwner => ({
  accountId: caller.kind === 'customer' ? caller.accountId : null,
  userId: caller.userId,
})

/** How long nothing may have claimed an attachment, and how long a file may have no row. */
const unclaimedFor = days(1)
const looseFor = hours(1)
const batch = 200

/**
 * Puts a file into the store and answers what its row says of it. The file is written before the row commits: until
 * then it is noted as loose, in a transaction of its own, so that whatever happens in between a sweep finds it.
 */
async function keepFile(
  deps: Deps,
  file: UploadedFile,
  purpose: AttachmentPurpose,
): Promise<{ name: string; columns: ContentColumns; storageKey: string }> {
  const content = await readContent(file.bytes, attachmentPurposes[purpose])
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

/**
 * Keeps a file for its owner, unclaimed: by its content an image (made anew) or, where the purpose allows one, a PDF.
 * `bytes` whole or as a stream. In `trx` where one is given; if that is rolled back, the file is swept. Throws
 * unsupported_media, too_large.
 */
export async function storeAttachment(
  deps: Deps,
  trx: DbOrTx | undefined,
  owner: AttachmentOwner,
  bytes: Buffer | Readable,
  { purpose, name = '' }: { purpose: AttachmentPurpose; name?: string },
): Promise<AttachmentRow> {
  const whole = Buffer.isBuffer(bytes) ? bytes : await wholeOf(bytes)
  const kept = await keepFile(deps, { name, bytes: whole }, purpose)
  const write = async (inside: DbOrTx) => {
    const row = await insertNew(deps, inside, owner, purpose, kept.name, kept.columns)
    await deleteLooseFiles(inside, [kept.storageKey])
    return row
  }
  return trx ? write(trx) : tx(deps.db, write)
}

async function wholeOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    length += (chunk as Buffer).length
    if (length > largestFileBytes) throw new AppError('too_large')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

function insertNew(
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

type Given = { file: UploadedFile | null; url?: string | undefined; name?: string | undefined }

/** Either a file or a link. */
function checkGiven({ file, url }: Given): void {
  if (file && url) throw validationError({ field: 'url', rule: 'fileOrLink' })
}

/**
 * `POST /api/attachments/create`. Throws validation, forbidden (not a purpose of theirs), unsupported_media, too_large.
 */
export async function uploadAttachment(
  deps: Deps,
  caller: SignedIn,
  purpose: AttachmentPurpose,
  given: Given,
): Promise<Attachment> {
  if (!mayUpload(purpose, caller.kind)) throw validationError({ field: 'purpose', rule: 'enum' })
  checkGiven(given)
  if (given.url) {
    const columns = linkColumns(given.url)
    const name = given.name ?? new URL(given.url).hostname
    return presented(deps, await insertNew(deps, deps.db, ownerOf(caller), purpose, name, columns))
  }
  if (!given.file) throw validationError({ field: 'file', rule: 'required' })
  const file = { ...given.file, name: given.name ?? given.file.name }
  return presented(
    deps,
    await storeAttachment(deps, undefined, ownerOf(caller), file.bytes, { purpose, name: file.name }),
  )
}

/** The caller's own attachment, locked, while nothing uses it. Throws not_found, conflict. */
async function changeable(trx: DbOrTx, caller: SignedIn, id: string): Promise<AttachmentRow> {
  const [row] = await lockAttachments(trx, [id])
  if (!row || !mayManage(row, caller)) throw new AppError('not_found')
  if (row.claimed_at !== null) throw new AppError('attachment_in_use')
  return row
}

/**
 * `POST /api/attachments/update/{id}`. Throws not_found, attachment_in_use, version_conflict and what uploading throws.
 */
export async function replaceAttachment(
  deps: Deps,
  caller: SignedIn,
  id: string,
  version: number,
  given: Given,
): Promise<Attachment> {
  checkGiven(given)
  // Looked at before the work of unpacking, and again under the lock.
  const before = await findAttachment(deps.db, id)
  if (!before || !mayManage(before, caller)) throw new AppError('not_found')
  const kept = given.file ? await keepFile(deps, given.file, before.purpose) : null
  const { row, left } = await tx(deps.db, async (trx) => {
    const old = await changeable(trx, caller, id)
    if (old.version !== version) throw new AppError('version_conflict')
    const columns: Partial<ContentColumns> = kept?.columns ?? (given.url ? linkColumns(given.url) : {})
    const extension = (columns.storage_key ?? old.storage_key)?.split('.').at(-1)
    const name = given.name && extension && !given.url ? fileName(given.name, extension) : (given.name ?? kept?.name)
    const at = deps.clock.now()
    const changed = await updateAttachment(trx, old, { ...columns, ...(name ? { name } : {}) }, at)
    const replaced = old.storage_key !== null && changed.storage_key !== old.storage_key ? old.storage_key : null
    if (replaced) await recordLooseFiles(trx, [replaced], at)
    if (kept) await deleteLooseFiles(trx, [kept.storageKey])
    return { row: changed, left: replaced }
  })
  if (left) await removeLoose(deps, [left])
  return presented(deps, row)
}

/** `DELETE /api/attachments/delete/{id}`. Throws not_found, attachment_in_use. */
export async function removeAttachment(deps: Deps, caller: SignedIn, id: string): Promise<{ ok: true }> {
  const key = await tx(deps.db, async (trx) => {
    const row = await changeable(trx, caller, id)
    await deleteAttachment(trx, row.id)
    if (row.storage_key) await recordLooseFiles(trx, [row.storage_key], deps.clock.now())
    return row.storage_key
  })
  if (key) await removeLoose(deps, [key])
  return { ok: true }
}

/**
 * `GET /api/attachments/{id}`: whoever uploaded it, whoever sees all of its account, and staff who serve customers.
 * Throws not_found.
 */
export async function readAttachment(deps: Deps, caller: SignedIn, id: string): Promise<Attachment> {
  const row = await findAttachment(deps.db, id)
  if (!row || !maySee(row, caller)) throw new AppError('not_found')
  return presented(deps, row)
}

/**
 * Ties uploads to the thing that uses them, in the transaction that writes it; they are kept as long as it is. They
 * must be this caller's own uploads for this purpose, and free or this subject's already. `accountId`: whose the
 * subject is. Throws validation on `field` (default: `attachmentIds`) for one that isn't.
 */
export async function claimAttachments(
  deps: Deps,
  trx: DbOrTx,
  ids: readonly string[],
  caller: SignedIn,
  subject: { kind: string; id: string; accountId: string | null; purpose: AttachmentPurpose; field?: string },
): Promise<AttachmentRow[]> {
  if (ids.length === 0) return []
  const wanted = [...new Set(ids)]
  const rows = await lockAttachments(trx, wanted)
  const fits = (row: AttachmentRow) =>
    row.purpose === subject.purpose &&
    (row.subject_id === subject.id || (row.claimed_at === null && mayManage(row, caller)))
  if (rows.length !== wanted.length || !rows.every(fits)) {
    throw validationError({ field: subject.field ?? 'attachmentIds', rule: 'attachment' })
  }
  const free = rows.filter((row) => row.claimed_at === null).map(({ id }) => id)
  if (free.length > 0) await setSubject(trx, free, subject, deps.clock.now())
  return rows
}

/** The subject lets go of these; unless claimed again they are gone after a day. */
export async function releaseAttachments(deps: Deps, trx: DbOrTx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await clearSubject(trx, ids, deps.clock.now())
}

/** Attachments by their own ids; those that are gone are left out. */
export async function presentAttachmentsById(
  deps: Deps,
  db: DbOrTx,
  ids: readonly string[],
): Promise<Map<string, Attachment>> {
  if (ids.length === 0) return new Map()
  return new Map((await findAttachments(db, ids)).map((row) => [row.id, presented(deps, row)]))
}

/** What things of a kind have claimed, by the things' ids: for things that keep no list of their own. */
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
      own.map((row) => presented(deps, row)),
    ]),
  )
}

function presented(deps: Deps, row: AttachmentRow): Attachment {
  return presentAttachment(row, attachmentLink(deps, row))
}

const linkPurpose = 'file links'
const linkSignature = (key: Buffer, id: string, end: number): Buffer => hmacSha256(key, `${id}.${end}`)

/**
 * A link to the content that works for a while without a session: on the file host where there is one, else a path of
 * the portal.
 */
export function attachmentLink(
  deps: Deps,
  row: Pick<AttachmentRow, 'id' | 'type' | 'url'>,
): { address: string; endsAt: Date | null } {
  if (row.type === 'url') return { address: row.url ?? '', endsAt: null }
  const end = linkEnd(deps.clock.now().getTime())
  const signature = linkSignature(deps.keys.derive(linkPurpose), row.id, end).toString('base64url')
  const host = deps.config.http.fileHostUrl ?? ''
  return {
    address: `${host}/${row.id}/file?expires=${end}&signature=${signature}`,
    endsAt: new Date(end * 1000),
  }
}

/**
 * What a signed link leads to. Throws not_found for a wrong, spent or foreign signature as for a file that is gone:
 * nobody is told which.
 */
export async function fileOfLink(
  deps: Deps,
  id: string,
  given: { expires: number; signature: string },
): Promise<{ row: AttachmentRow; open: () => Promise<Readable> }> {
  const ends = given.expires * 1000
  const now = deps.clock.now().getTime()
  const genuine = isMacOfAny(deps.keys.derivations(linkPurpose), Buffer.from(given.signature, 'base64url'), (key) =>
    linkSignature(key, id, given.expires),
  )
  if (!genuine || ends <= now) throw new AppError('not_found')
  const row = await findAttachment(deps.db, id)
  const key = row?.storage_key
  if (!row || !key) throw new AppError('not_found')
  const open = async () => {
    const stream = await deps.files.read(key)
    if (!stream) throw new AppError('not_found')
    return stream
  }
  return { row, open }
}

/**
 * What a file of ours holds, for printing it; null when there is none. Whether the caller may see it is the domain's
 * own question.
 */
export async function attachmentBytes(deps: Deps, id: string): Promise<Buffer | null> {
  const key = (await findAttachment(deps.db, id))?.storage_key
  const stream = key ? await deps.files.read(key) : null
  return stream ? wholeOf(stream) : null
}

async function removeLoose(deps: Deps, keys: readonly string[]): Promise<void> {
  for (const key of keys) await deps.files.remove(key)
  await deleteLooseFiles(deps.db, keys)
}

/** Part of `housekeeping:sweep`: what nothing has claimed for a day, and files that no row names. */
export async function sweepAttachments(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const looseUntil = later(now, -looseFor)
  // What is deleted now has waited long enough: its file goes in the same sweep.
  while ((await deleteUnclaimed(deps.db, later(now, -unclaimedFor), later(looseUntil, -1), batch)) === batch);
  for (;;) {
    const keys = await looseFilesSince(deps.db, looseUntil, batch)
    await removeLoose(deps, keys)
    if (keys.length < batch) return
  }
}
