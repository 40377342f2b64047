// Batches of parcels from spreadsheets: upload, list, show, map columns, clear.
import { createHash } from 'node:crypto'
import { type Party, party } from '@waybill/contract/addresses/addresses'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { contentTypeLabels, customsReasonLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel, type Labels, quotedLabel } from '@waybill/contract/ground/enums/labels'
import { deliveryModeLabels, scopeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { groupNumbersIn } from '@waybill/contract/ground/tracking-number'
import { fieldLabel, type Translate } from '@waybill/contract/ground/validation'
import {
  type BulkBatch,
  type BulkField,
  type BulkRow,
  bulkFields,
  bulkLimits,
  type createBulk,
  type getBulk,
  type listBulk,
  type mapBulk,
} from '@waybill/contract/parcels/bulk'
import { safeParse } from 'zod/mini'
import { customerActivity, recordActivity } from '../../../activity.ts'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { presentFault, toAppError } from '../../../http/sheets/sheet-faults.ts'
import type { UploadedFile } from '../../../http/uploads.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { countryName } from '../../../lib/countries.ts'
import { labelsIn } from '../../../lib/i18n.ts'
import { newId } from '../../../lib/ids.ts'
import { noHeaders, plainHeader } from '../../../lib/sheet/headers.ts'
import { inspectInProcess } from '../../../lib/sheet/processes.ts'
import { tableLimits } from '../../../lib/sheet/table.ts'
import { storedFileName } from '../../../lib/text/clip.ts'
import { defaultAddress, readAddress } from '../../addresses/service.ts'
import { onlyCreatedBy } from '../access.ts'
import { missingColumns } from '../bulk-rows/columns.ts'
import { updateDuplicateMarks } from '../bulk-rows/duplicate-rows.ts'
import {
  type BatchRow,
  deleteBatch,
  findBatch,
  findSource,
  insertBatch,
  listBatchRows,
  lockBatches,
  sameFile,
  updateBatch,
} from './queries-batches.ts'
import { storeColumnNames } from './queries-columns.ts'
import {
  type BatchCounts,
  type BulkRowRow,
  bulkRows,
  countProblems,
  deleteBulkRows,
  isWarning,
  type KeptProblem,
} from './queries-rows.ts'

/** The user who views a batch, and their language. */
export type Reader = { caller: CustomerCaller; t: Translate; locale: Locale }

/**
 * A snapshot of the sender's address: the given one, else the account's default. Null if there is none, or if it is
 * incomplete. Throws not_found for another account's address.
 */
export async function findSender(
  db: DbOrTx,
  caller: CustomerCaller,
  addressId: string | undefined,
): Promise<Party | null> {
  const address = addressId
    ? await readAddress(db, caller.accountId, addressId)
    : await defaultAddress(db, caller.accountId)
  if (!address) return null
  const parsed = safeParse(party, address)
  return parsed.success ? parsed.data : null
}

type Upload = { file: UploadedFile | null; body: BodyOf<typeof createBulk>; senderAddressId: string | undefined }

/** An upload as bytes that the job can read. Throws file_… for an unreadable file, validation for an empty request. */
async function readSource({ file, body }: Upload): Promise<{ bytes: Buffer; format: BatchRow['source_format'] }> {
  if (file) {
    try {
      return { bytes: file.bytes, format: await inspectInProcess(file.bytes, tableLimits(bulkLimits.rows)) }
    } catch (error) {
      throw toAppError(error, bulkLimits.rows)
    }
  }
  const { rows } = body
  const cells =
    body.cells ?? (rows ? [[...bulkFields], ...rows.map((row) => bulkFields.map((field) => row[field] ?? ''))] : null)
  if (!cells) throw validationError({ field: 'file', rule: 'required' })
  return { bytes: Buffer.from(JSON.stringify(cells)), format: 'json' }
}

/**
 * Stores a spreadsheet as a batch, and a job to read it. Throws file_not_a_sheet, file_old_excel, file_encrypted,
 * file_broken, file_empty, file_too_many_rows or file_too_large before anything is stored.
 */
export async function createBatch(
  deps: Deps,
  reader: Reader,
  upload: Upload,
  idempotency: Pick<Idempotency, 'keep'>,
): Promise<BulkBatch> {
  const { caller } = reader
  const { bytes, format } = await readSource(upload)
  const sender = await findSender(deps.db, caller, upload.senderAddressId)
  const draft = {
    id: newId(),
    created_by: caller.userId,
    name: storedFileName(upload.file?.name || upload.body.name || ''),
    file_hash: createHash('sha256').update(bytes).digest('hex'),
    source: bytes,
    source_format: format,
    sender,
  }
  return tx(deps.db, async (trx) => {
    const at = deps.clock.now()
    const batch = await insertBatch(trx, caller.accountId, draft, at)
    await recordActivity(trx, customerActivity(caller, 'bulk.uploaded', [batch.id], at))
    await addJob(trx, 'parcels:read-bulk', { accountId: caller.accountId, batchId: batch.id })
    const response = await presentBatch(deps, trx, batch, reader)
    await idempotency.keep(trx, response)
    return response
  })
}

/** A batch that the caller may see; `lock` locks the account's batches for a change of it. Throws not_found. */
export async function getBatch(db: DbOrTx, caller: CustomerCaller, id: string, lock = false): Promise<BatchRow> {
  if (lock) await lockBatches(db, caller.accountId)
  const batch = await findBatch(db, caller.accountId, id, onlyCreatedBy(caller), lock)
  if (!batch) throw new AppError('not_found')
  return batch
}

/** A locked batch that has been read completely. Throws not_found, bulk_not_ready. */
export async function requireReadyBatch(db: DbOrTx, caller: CustomerCaller, id: string): Promise<BatchRow> {
  const batch = await getBatch(db, caller, id, true)
  if (batch.status !== 'ready') throw new AppError('bulk_not_ready')
  return batch
}

export async function listBatches(
  deps: Deps,
  reader: Reader,
  { offset, limit }: QueryOf<typeof listBulk>,
): Promise<ResponseOf<typeof listBulk>> {
  const { caller } = reader
  const { rows, total } = await listBatchRows(deps.db, caller.accountId, onlyCreatedBy(caller), offset, limit)
  const ids = rows.map(({ id }) => id)
  const counts = await countProblems(deps.db, caller.accountId, ids, false)
  return { items: rows.map((batch) => present(deps, batch, counts.get(batch.id), null, reader)), total, offset, limit }
}

/** A batch with a page of its rows. */
export async function batchPage(
  deps: Deps,
  reader: Reader,
  id: string,
  { offset, limit, only, rows: rowList }: QueryOf<typeof getBulk>,
): Promise<ResponseOf<typeof getBulk>> {
  const batch = await getBatch(deps.db, reader.caller, id)
  const numbers = rowList?.split(',').map(Number)
  const view = await presentBatch(deps, deps.db, batch, reader)
  // While the file is being read, its rows are neither counted nor shown.
  const rows =
    batch.status === 'ready'
      ? await bulkRows(deps.db, batch, { state: only, offset, limit, ...(numbers ? { numbers } : {}) })
      : []
  const total = numbers ? rows.length : only ? view.counts[only] : view.counts.total
  return { batch: view, items: rows.map((row) => presentRow(row, reader)), total, offset, limit }
}

/**
 * Stores the sender's mapping of columns to fields, and a job that continues reading. Throws version_conflict,
 * bulk_not_ready for a batch that does not wait for a mapping, validation for missing columns.
 */
export async function mapColumns(deps: Deps, reader: Reader, body: BodyOf<typeof mapBulk>): Promise<BulkBatch> {
  return tx(deps.db, async (trx) => {
    const batch = await getBatch(trx, reader.caller, body.id, true)
    if (batch.version !== body.version) throw new AppError('version_conflict', { details: { version: batch.version } })
    if (batch.status !== 'columns' || !(await findSource(trx, batch.account_id, batch.id)))
      throw new AppError('bulk_not_ready')
    const mapping = batch.headers.map((_, n) => body.mapping[n] ?? null)
    const fields = mapping.filter((field) => field !== null)
    if (new Set(fields).size < fields.length) throw validationError({ field: 'mapping', rule: 'columnTwice' })
    const headers = body.noHeader ? noHeaders(batch.headers) : batch.headers
    const samples = batch.headers.map((cell, n) => [...(body.noHeader ? [cell] : []), ...(batch.samples[n] ?? [])])
    const missing = missingColumns(mapping, samples)
    if (missing.length > 0) {
      const labels = missing.map((field) => reader.t(`bulk.column.${field}`))
      throw validationError({ field: 'mapping', rule: 'columnsMissing', vars: { columns: labels } })
    }
    const columns = headers.map((header, n) => [plainHeader(header), mapping[n] ?? null] as const)
    // A column without a header is known only by its position, which means nothing for the next file.
    const names = new Map(columns.filter(([header]) => header !== ''))
    await storeColumnNames(trx, batch.account_id, names, deps.clock.now())
    await updateBatch(trx, batch, { status: 'reading', headers, mapping, attempts: 0 }, deps.clock.now())
    await addJob(trx, 'parcels:read-bulk', { accountId: batch.account_id, batchId: batch.id })
    return presentBatch(deps, trx, await getBatch(trx, reader.caller, body.id), reader)
  })
}

/** Deletes the rows that did not become parcels; a batch without any parcel is deleted completely. */
export async function clearBatch(deps: Deps, caller: CustomerCaller, id: string): Promise<void> {
  await tx(deps.db, async (trx) => {
    const batch = await getBatch(trx, caller, id, true)
    const counts = await countProblems(trx, caller.accountId, [id], false)
    const hashes = await deleteBulkRows(trx, batch, null)
    if (!counts.get(id)?.carted) await deleteBatch(trx, batch)
    await updateDuplicateMarks(deps, trx, caller.accountId, hashes)
    await recordActivity(trx, customerActivity(caller, 'bulk.cleared', [id], deps.clock.now()))
  })
}

/** Formats a batch for the API, with its counts and its most frequent problems. */
export async function presentBatch(deps: Deps, db: DbOrTx, batch: BatchRow, reader: Reader): Promise<BulkBatch> {
  // The screen polls while a file is read: counting rows each time would slow the reading down.
  const counts = batch.status === 'ready' ? await countProblems(db, batch.account_id, [batch.id], true) : new Map()
  return present(deps, batch, counts.get(batch.id), await sameFile(db, batch), reader)
}

function present(
  deps: Deps,
  batch: BatchRow,
  counts: BatchCounts | undefined,
  same: { id: string; created_at: Date } | null,
  reader: Reader,
): BulkBatch {
  return {
    id: batch.id,
    version: batch.version,
    name: batch.name,
    status: batch.status,
    fault: presentFault(batch, bulkLimits.rows, reader.t),
    headers: batch.headers,
    mapping: batch.mapping,
    samples: batch.status === 'columns' ? batch.samples : [],
    missing: batch.status === 'columns' ? missingColumns(batch.mapping, batch.samples) : [],
    counts: {
      read: batch.rows_read,
      total: counts?.total ?? 0,
      good: counts?.good ?? 0,
      bad: counts?.bad ?? 0,
      carted: counts?.carted ?? 0,
    },
    totalMinor: counts?.total_minor ?? 0,
    currency: deps.settings.get('currency'),
    common: (counts?.common ?? []).map((problem) => ({
      code: problem.code,
      column: problem.column,
      count: problem.count,
      suggested: problem.suggested,
      message: problemText(problem, reader, true),
    })),
    sender: batch.sender,
    sameFile: same && { id: same.id, createdAt: same.created_at.toISOString() },
    createdBy: batch.created_by,
    createdAt: batch.created_at.toISOString(),
  }
}

/** Formats a row for the API, with its problems in the reader's language. */
export function presentRow(row: BulkRowRow, reader: Reader): BulkRow {
  return {
    row: row.row_number,
    version: row.version,
    cells: bulkFields.map((_, n) => row.cells[n] ?? ''),
    state: row.state,
    problems: (row.problems ?? []).map((problem) => ({
      row: row.row_number,
      column: problem.column,
      code: problem.code,
      message: problemText(problem, reader),
      suggestion: suggestionText(problem, reader.locale),
      blocking: !isWarning(problem),
    })),
    overrideDuplicate: row.override_duplicate,
    overrides: (row.overrides ?? []).map(({ field }) => field),
    priceMinor: row.price_minor,
    parcelId: row.parcel_id,
  }
}

/** The message of a problem in the reader's language; with `common` the message without a row's own values. */
export function problemText(
  { column, code, vars, labels }: KeptProblem,
  { t, locale }: Reader,
  common = false,
): string {
  const label = column ? t(`bulk.column.${column}`) : ''
  const suffix = common && rowSpecific.has(code) ? '_many' : ''
  if (code.startsWith('rule.')) {
    const { field, ...rest } = vars ?? {}
    const name = column ? label : fieldLabel(String(field ?? ''), t)
    return t(`validation.${code.slice(5)}${suffix}`, { ...rest, ...labelsIn(labels, locale), field: name })
  }
  const choices = column && choiceLabels[column]
  const variables = {
    ...vars,
    column: label,
    ...(choices && { choices: Object.values(choices).map((choice) => quotedLabel(choice, locale)) }),
  }
  return groupNumbersIn(t(`bulk.problem.${code}${suffix}`, variables))
}

/** Problems whose message contains values of the row. */
const rowSpecific = new Set([
  'city_mismatch',
  'state_mismatch',
  'duplicate_row',
  'duplicate_batch',
  'duplicate_shipped',
  'rule.coins',
])

/** The labels of the columns that are chosen from a list. */
const choiceLabels: Partial<Record<BulkField, Labels<string>>> = {
  serviceType: serviceTypeLabels,
  deliveryMode: deliveryModeLabels,
  contentType: contentTypeLabels,
  customsReason: customsReasonLabels,
  scope: scopeLabels,
}

/** A problem's suggestion; for a choice, its label in the reader's language. */
export function suggestionText({ column, suggestion }: KeptProblem, locale: Locale): string | null {
  if (suggestion === undefined) return null
  const labels = column && choiceLabels[column]
  if (labels) return enumLabel(labels, suggestion, locale)
  return column === 'country' || column?.endsWith('Origin') ? countryName(suggestion, locale) : suggestion
}
