// One edit of a batch: cells, a suggestion applied everywhere, duplicates allowed, another sender. All or nothing.
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { type BulkField, bulkFields, bulkLimits, type editBulk } from '@waybill/contract/parcels/bulk'
import type { ParcelOverride } from '@waybill/contract/parcels/parcels'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { loadRowContext, type RowContext } from '../bulk-rows/context.ts'
import { isDuplicateProblem, updateDuplicateMarks } from '../bulk-rows/duplicate-rows.ts'
import { checkRows } from '../bulk-rows/store-rows.ts'
import { type BatchRow, updateBatch } from './queries-batches.ts'
import {
  type BulkRowRow,
  bulkRows,
  countBulkRows,
  deleteBulkRows,
  insertBulkRows,
  lockRowsWith,
  updateBulkRows,
} from './queries-rows.ts'
import {
  findSender,
  getBatch,
  presentBatch,
  presentRow,
  type Reader,
  requireReadyBatch,
  suggestionText,
} from './service.ts'

type Body = BodyOf<typeof editBulk>
type Change = { row: BulkRowRow; cells: string[]; overrideDuplicate: boolean; now?: readonly ParcelOverride['field'][] }
type OldCells = { row: number; cells: Partial<Record<BulkField, string>> }

const withCells = (cells: readonly string[], changes: Partial<Record<BulkField, string>>) =>
  bulkFields.map((field, n) => changes[field]?.trim() ?? cells[n] ?? '')

/** The edits of single rows. Throws not_found for a missing row, version_conflict with the stale rows. */
function buildChanges(rows: readonly BulkRowRow[], { edits }: Body): Change[] {
  const byNumber = new Map(rows.map((row) => [row.row_number, row]))
  const stale: { row: number; version: number }[] = []
  const changes = edits.map((edit): Change => {
    const row = byNumber.get(edit.row)
    if (!row) throw new AppError('not_found')
    if (row.version !== edit.version || row.state === 'carted')
      stale.push({ row: row.row_number, version: row.version })
    return {
      row,
      cells: withCells(row.cells, edit.cells ?? {}),
      overrideDuplicate: edit.overrideDuplicate ?? row.override_duplicate,
      ...(edit.override ? { now: edit.override } : {}),
    }
  })
  if (stale.length > 0) throw new AppError('version_conflict', { details: { rows: stale } })
  return changes
}

/** Checks changed rows and stores them. Throws version_conflict if one has changed since it was read. */
async function storeChanges(
  trx: Tx,
  context: RowContext,
  batch: BatchRow,
  changes: readonly Change[],
  caller: Reader['caller'],
): Promise<BulkRowRow[]> {
  const newRows = changes.map(({ row, cells, overrideDuplicate, now = [] }) => {
    const overrideContext = { before: row.overrides, now, caller }
    const hidden = row.problems?.some(({ code }) => code === 'row_hidden') ?? false
    return { row_number: row.row_number, cells, override_duplicate: overrideDuplicate, hidden, overrideContext }
  })
  const checkedRows = await checkRows(context, trx, batch, newRows, null)
  const versions = new Map(changes.map(({ row }) => [row.row_number, row.version]))
  const withVersions = checkedRows.map((row) => ({ ...row, version: versions.get(row.row_number) ?? 0 }))
  const updatedRows = await updateBulkRows(trx, batch, withVersions)
  if (updatedRows.length !== changes.length) throw new AppError('version_conflict')
  return updatedRows
}

/** Adds rows after the last one, checked like all others. Throws validation if there would be too many. */
async function addRows(
  trx: Tx,
  context: RowContext,
  batch: BatchRow,
  add: readonly Partial<Record<BulkField, string>>[],
): Promise<BulkRowRow[]> {
  if (add.length === 0) return []
  const { total, last } = await countBulkRows(trx, batch)
  if (total + add.length > bulkLimits.rows) {
    throw validationError({ field: 'add', rule: 'maxItems', vars: { max: bulkLimits.rows - total } })
  }
  const newRows = add.map((cells, n) => ({
    // Row 1 is the header, even in a batch that has no rows left.
    row_number: Math.max(last, 1) + n + 1,
    cells: withCells([], cells),
    override_duplicate: false,
  }))
  await insertBulkRows(trx, batch, await checkRows(context, trx, batch, newRows, null))
  return bulkRows(trx, batch, { numbers: newRows.map(({ row_number }) => row_number) })
}

/** The rows in which one of these cells is empty, each with its empty cells. */
async function fillChanges(
  trx: Tx,
  batch: BatchRow,
  fill: Partial<Record<BulkField, string>>,
): Promise<[BulkRowRow, Partial<Record<BulkField, string>>][]> {
  const fields = Object.keys(fill) as BulkField[]
  if (fields.length === 0) return []
  const rows = await lockRowsWith(trx, batch, 'required', fields)
  return rows.map((row) => {
    const empty = fields.filter((field) => (row.cells[bulkFields.indexOf(field)] ?? '') === '')
    return [row, Object.fromEntries(empty.map((field) => [field, fill[field]]))]
  })
}

/** The previous values of edited cells, so that the screen can undo the edit. */
function cellsBefore(rows: readonly BulkRowRow[], edits: Body['edits']): OldCells[] {
  return edits.flatMap(({ row, cells }) => {
    const before = rows.find(({ row_number }) => row_number === row)?.cells ?? []
    const fields = Object.keys(cells ?? {}) as BulkField[]
    return fields.length === 0
      ? []
      : [{ row, cells: Object.fromEntries(fields.map((field) => [field, before[bulkFields.indexOf(field)] ?? ''])) }]
  })
}

/**
 * Applies an edit in one transaction, and returns the batch with the edited rows, and its rows that are no longer
 * duplicates of them. Throws not_found, bulk_not_ready, version_conflict with `details.rows` (the
 * current versions).
 */
export async function editBatch(deps: Deps, reader: Reader, body: Body): Promise<ResponseOf<typeof editBulk>> {
  const { caller, locale } = reader
  return tx(deps.db, async (trx) => {
    const batch = await requireReadyBatch(trx, caller, body.id)
    const numbers = body.edits.map(({ row }) => row)
    const editedRows = numbers.length > 0 ? await bulkRows(trx, batch, { numbers }, true) : []
    const changes = new Map(buildChanges(editedRows, body).map((change) => [change.row.row_number, change]))
    const before = cellsBefore(editedRows, body.edits)
    if (body.fix) {
      const { code, column } = body.fix
      for (const row of await lockRowsWith(trx, batch, code, [column])) {
        const problem = row.problems?.find((each) => each.code === code && each.column === column)
        const suggestion = problem && suggestionText(problem, locale)
        if (!suggestion || changes.has(row.row_number)) continue
        before.push({ row: row.row_number, cells: { [column]: row.cells[bulkFields.indexOf(column)] ?? '' } })
        changes.set(row.row_number, {
          row,
          cells: withCells(row.cells, { [column]: suggestion }),
          overrideDuplicate: row.override_duplicate,
        })
      }
    }
    for (const [row, cells] of await fillChanges(trx, batch, body.fill ?? {})) {
      if (changes.has(row.row_number)) continue
      const old = Object.keys(cells).map((field) => [field, row.cells[bulkFields.indexOf(field as BulkField)] ?? ''])
      before.push({ row: row.row_number, cells: Object.fromEntries(old) })
      changes.set(row.row_number, {
        row,
        cells: withCells(row.cells, cells),
        overrideDuplicate: row.override_duplicate,
      })
    }
    if (body.overrideDuplicates || body.senderAddressId) {
      if (body.senderAddressId) batch.sender = await findSender(trx, caller, body.senderAddressId)
      for (const row of await bulkRows(trx, batch, {}, true)) {
        const change = changes.get(row.row_number)
        const isDuplicate = body.overrideDuplicates && row.problems?.some(isDuplicateProblem)
        if (row.state === 'carted' || !(change || isDuplicate || body.senderAddressId)) continue
        changes.set(row.row_number, {
          ...change,
          row,
          cells: change?.cells ?? row.cells,
          overrideDuplicate: isDuplicate ? true : (change?.overrideDuplicate ?? row.override_duplicate),
        })
      }
    }
    const removed = new Set(body.edits.filter(({ remove }) => remove).map(({ row }) => row))
    for (const code of [body.leaveOutTotals && 'total_row', body.leaveOutHidden && 'row_hidden']) {
      if (!code) continue
      for (const { row_number } of await lockRowsWith(trx, batch, code, [null])) removed.add(row_number)
    }
    const oldHashes = removed.size > 0 ? await deleteBulkRows(trx, batch, [...removed]) : []
    const rows = [...changes.values()]
      .filter(({ row }) => !removed.has(row.row_number))
      .sort((a, b) => a.row.row_number - b.row.row_number)
    const context = await loadRowContext(deps, trx, caller.accountId, batch.sender)
    const updatedRows = await storeChanges(trx, context, batch, rows, caller)
    // Duplicates of edited or removed rows may no longer be duplicates, also in other batches.
    oldHashes.push(...rows.flatMap(({ row }) => row.hash ?? []))
    const changedRows = await updateDuplicateMarks(deps, trx, caller.accountId, oldHashes)
    const changedNumbers = new Set(changedRows.flatMap((row) => (row.batch_id === batch.id ? row.row_number : [])))
    const addedRows = await addRows(trx, context, batch, body.add ?? [])
    await updateBatch(trx, batch, { sender: batch.sender }, deps.clock.now())
    const editedNumbers = new Set(numbers)
    return {
      batch: await presentBatch(deps, trx, await getBatch(trx, caller, body.id), reader),
      items: [
        ...updatedRows.filter(({ row_number }) => editedNumbers.has(row_number) && !changedNumbers.has(row_number)),
        ...(await bulkRows(trx, batch, { numbers: [...changedNumbers] })),
        ...addedRows,
      ].map((row) => presentRow(row, reader)),
      before,
    }
  })
}
