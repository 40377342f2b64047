/** Imports of the courier's own records: upload, preview, apply. */
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { SheetApply, SheetImport, SheetPreview } from '@waybill/contract/sheet-imports/sheet-imports'
import { recordActivity } from '../../activity.ts'
import { type DbOrTx, type Tx, tx } from '../../db/pool.ts'
import { AppError, validationError } from '../../http/errors.ts'
import type { UploadedFile } from '../../http/uploads.ts'
import { newId } from '../../lib/ids.ts'
import { storedFileName } from '../../lib/text/clip.ts'
import { buildPreview, fingerprint, type PreviewRow } from './check-rows.ts'
import type { ImportContext, RecordKind } from './kind.ts'
import { presentImport, presentRow, type Reader } from './present.ts'
import {
  countImportRows,
  deleteRows,
  findImport,
  type ImportRow,
  insertImport,
  insertRows,
  listRows,
  updateImport,
} from './queries.ts'
import { readRows } from './read-rows.ts'

/** An import of this kind that the caller uploaded. Throws not_found. */
export async function requireImport<C extends object>(
  db: DbOrTx,
  kind: RecordKind<C>,
  { caller }: ImportContext,
  id: string,
  lock = false,
): Promise<ImportRow> {
  const row = await findImport(db, { id, kind: kind.name, createdBy: caller.userId }, lock)
  if (!row) throw new AppError('not_found')
  return row
}

/** The reader of an import with this subject. Throws not_found for a missing one. */
export async function withSubject<C extends object>(
  db: DbOrTx,
  kind: RecordKind<C>,
  reader: Reader,
  subjectId: string | null,
): Promise<Reader> {
  const context = { ...reader.context, subjectId }
  const subject = subjectId === null ? {} : await kind.getSubject?.(db, context)
  return { ...reader, context: { ...context, ...subject } }
}

async function presentOne<C extends object>(db: DbOrTx, kind: RecordKind<C>, reader: Reader, id: string) {
  const row = await requireImport(db, kind, reader.context, id)
  return presentImport(kind, row, await countImportRows(db, id), reader)
}

/**
 * Reads a file and stores a preview; the records themselves are not changed. Throws file_… for an unreadable file,
 * validation without a file or if columns are missing, and the errors of the kind's `prepare`.
 */
export async function uploadSheet<C extends object>(
  kind: RecordKind<C>,
  reader: Reader,
  file: UploadedFile | null,
): Promise<SheetImport> {
  const { context, t } = reader
  const { deps, caller, subjectId } = context
  if (!file) throw validationError({ field: 'file', rule: 'required' })
  await kind.prepare?.(deps.db, context)
  const { rows, mapping, hiddenRows } = await readRows(deps, kind, context, file.bytes, t)
  const checked = await buildPreview(deps.db, kind, context, rows)
  const id = newId()
  return tx(deps.db, async (trx) => {
    const name = storedFileName(file.name)
    const row = { id, kind: kind.name, subjectId, name, mapping, hiddenRows, fingerprint: fingerprint(kind, checked) }
    await insertImport(trx, { ...row, createdBy: caller.userId }, deps.clock.now())
    await insertRows(trx, id, checked)
    return presentOne(trx, kind, reader, id)
  })
}

/** An import with a page of its rows. Throws not_found. */
export async function readImport<C extends object>(
  kind: RecordKind<C>,
  reader: Reader,
  id: string,
  { offset, limit, only }: QueryOf<SheetPreview>,
): Promise<ResponseOf<SheetPreview>> {
  const { db } = reader.context.deps
  const row = await requireImport(db, kind, reader.context, id)
  const subjectReader = await withSubject(db, kind, reader, row.subjectId)
  const counts = await countImportRows(db, id)
  const rows = await listRows<C>(db, id, { state: only ?? null, offset, limit })
  const total = only ? counts[only] : Object.values(counts).reduce((sum, count) => sum + count, 0)
  const items = rows.map((one) => presentRow(kind, one, row, subjectReader))
  return { import: presentImport(kind, row, counts, subjectReader), items, total, offset, limit }
}

/** Checks the rows of an import again, against the current database. Rows whose own cells have a problem keep it. */
async function recheck<C extends object>(trx: Tx, kind: RecordKind<C>, context: ImportContext, row: ImportRow) {
  const previewRows = await listRows<C>(trx, row.id, { state: null, offset: 0, limit: null })
  const rows = previewRows.flatMap(({ number, cells, record, problems }) =>
    number === null ? [] : [{ number, cells, record, problems: record ? [] : problems }],
  )
  return buildPreview(trx, kind, context, rows)
}

/** Writes the changes of an import, marks it as applied, and records it. */
async function save<C extends object>(
  trx: Tx,
  kind: RecordKind<C>,
  context: ImportContext,
  row: ImportRow,
  rows: readonly PreviewRow<C>[],
): Promise<void> {
  const { deps, caller } = context
  const at = deps.clock.now()
  const all = rows.flatMap(({ record }) => record ?? [])
  const changed = rows.flatMap(({ state, record, before }) =>
    record && (state === 'new' || state === 'changed') ? [{ record, before }] : [],
  )
  const removed = rows.flatMap(({ state, before }) => (state === 'removed' && before ? [before] : []))
  if (changed.length === 0 && removed.length === 0) throw new AppError('sheet_import_unchanged')
  const { resultId, detail } = await kind.save(trx, context, { changed, removed, all })
  await updateImport(trx, row.id, { applied_at: at, result_id: resultId }, at)
  const created = changed.filter(({ before }) => before === null).length
  const counts = { new: created, changed: changed.length - created, removed: removed.length }
  await recordActivity(trx, {
    action: `${kind.name}.import`,
    level: 'NOTICE',
    userId: caller.userId,
    subject: resultId ?? row.id,
    detail: { import: row.id, file: row.name, ...counts, ...detail },
    at,
  })
}

/**
 * Applies every row of an import or none, in one transaction. If the outcome differs from the preview, nothing is
 * applied and the new preview is stored. Throws not_found, version_conflict, sheet_import_applied,
 * sheet_import_outdated (with a new preview), sheet_import_faulty, sheet_import_unchanged.
 */
export async function applySheet<C extends object>(
  kind: RecordKind<C>,
  reader: Reader,
  id: string,
  { version }: BodyOf<SheetApply>,
): Promise<SheetImport> {
  const { deps } = reader.context
  const answer = await tx(deps.db, async (trx) => {
    const row = await requireImport(trx, kind, reader.context, id, true)
    const { context } = await withSubject(trx, kind, reader, row.subjectId)
    if (row.appliedAt) throw new AppError('sheet_import_applied')
    if (row.version !== version) throw new AppError('version_conflict', { details: { version: row.version } })
    await kind.lock(trx, context)
    await kind.prepare?.(trx, context)
    const rows = await recheck(trx, kind, context, row)
    const outcome = fingerprint(kind, rows)
    if (outcome !== row.fingerprint) {
      await deleteRows(trx, id)
      await insertRows(trx, id, rows)
      await updateImport(trx, id, { fingerprint: outcome }, deps.clock.now())
      return null
    }
    if (rows.some(({ state }) => state === 'faulty')) throw new AppError('sheet_import_faulty')
    await save(trx, kind, context, row, rows)
    return presentOne(trx, kind, reader, id)
  })
  // Thrown after the transaction, which has stored the new preview.
  if (!answer) throw new AppError('sheet_import_outdated')
  return answer
}
