/**
 * Edits of a batch: cells of many rows at once, a suggestion taken everywhere, duplicates let through, another sender.
 * All or none.
 */

import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { type BulkField, bulkFields, bulkLimits, type editBulk } from '@waybill/contract/parcels/bulk'
import type { ShippedAnyway } from '@waybill/contract/parcels/parcels'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { loadRowContext, type Setting } from '../bulk-rows/context.ts'
import { checkRows } from '../bulk-rows/store-rows.ts'
import {
  type BatchRow,
  type BulkRowRow,
  bulkRows,
  countBatchRows,
  deleteBulkRows,
  insertBulkRows,
  rowsToFix,
  updateBatch,
  updateBulkRows,
} from './queries.ts'
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
type Changed = { row: BulkRowRow; cells: string[]; anyway: boolean; now?: readonly ShippedAnyway['field'][] }
type Before = { row: number; cells: Partial<Record<BulkField, string>> }

const withCells = (cells: readonly string[], changes: Partial<Record<BulkField, string>>) =>
  bulkFields.map((field, n) => changes[field]?.trim() ?? cells[n] ?? '')

/**
 * The rows that the body names, changed as it says. Throws not_found for a row that is not there, version_conflict
 * naming the stale ones.
 */
function edited(rows: readonly BulkRowRow[], { edits }: Body): Changed[] {
  const byNumber = new Map(rows.map((row) => [row.row_number, row]))
  const stale: { row: number; version: number }[] = []
  const changed = edits.map((edit): Changed => {
    const row = byNumber.get(edit.row)
    if (!row) throw new AppError('not_found')
    if (row.version !== edit.version || row.state === 'carted')
      stale.push({ row: row.row_number, version: row.version })
    return {
      row,
      cells: withCells(row.cells, edit.cells ?? {}),
      anyway: edit.anyway ?? row.anyway,
      ...(edit.shipAnyway ? { now: edit.shipAnyway } : {}),
    }
  })
  if (stale.length > 0) throw new AppError('version_conflict', { details: { rows: stale } })
  return changed
}

/** New rows behind the last one, checked as any other. Throws validation when there would be too many. */
async function addRows(
  trx: Tx,
  setting: Setting,
  batch: BatchRow,
  add: readonly Partial<Record<BulkField, string>>[],
): Promise<BulkRowRow[]> {
  if (add.length === 0) return []
  const { total, last } = await countBatchRows(trx, batch)
  if (total + add.length > bulkLimits.rows) {
    throw validationError({ field: 'add', rule: 'maxItems', vars: { max: bulkLimits.rows - total } })
  }
  const given = add.map((cells, n) => ({
    // Row 1 has the headers, also of a batch that has no rows left.
    row_number: Math.max(last, 1) + n + 1,
    cells: withCells([], cells),
    anyway: false,
  }))
  const rows = await checkRows(setting, batch, given, null)
  await insertBulkRows(trx, batch, rows)
  return bulkRows(trx, batch, { numbers: given.map(({ row_number }) => row_number) })
}

/** Throws not_found, bulk_not_ready, version_conflict with `details.rows` (their versions now). */
export async function editBatch(deps: Deps, reader: Reader, body: Body): Promise<ResponseOf<typeof editBulk>> {
  const { caller, locale } = reader
  return tx(deps.db, async (trx) => {
    const batch = await requireReadyBatch(trx, caller, body.id)
    const numbers = body.edits.map(({ row }) => row)
    const named = numbers.length > 0 ? await bulkRows(trx, batch, { numbers }, true) : []
    const changes = new Map(edited(named, body).map((change) => [change.row.row_number, change]))
    const before: Before[] = body.edits.flatMap(({ row, cells }) => {
      const was = named.find(({ row_number }) => row_number === row)?.cells ?? []
      const fields = Object.keys(cells ?? {}) as BulkField[]
      return fields.length === 0
        ? []
        : [{ row, cells: Object.fromEntries(fields.map((field) => [field, was[bulkFields.indexOf(field)] ?? ''])) }]
    })
    if (body.fix) {
      const { code, column } = body.fix
      for (const row of await rowsToFix(trx, batch, code, column)) {
        const problem = row.problems?.find((each) => each.code === code && each.column === column)
        const suggestion = problem && suggestionText(problem, locale)
        if (!suggestion || changes.has(row.row_number)) continue
        before.push({ row: row.row_number, cells: { [column]: row.cells[bulkFields.indexOf(column)] ?? '' } })
        changes.set(row.row_number, { row, cells: withCells(row.cells, { [column]: suggestion }), anyway: row.anyway })
      }
    }
    if (body.anyway || body.senderAddressId) {
      if (body.senderAddressId) batch.sender = await findSender(deps, caller, body.senderAddressId)
      for (const row of await bulkRows(trx, batch, {}, true)) {
        const change = changes.get(row.row_number)
        const twin = body.anyway && row.problems?.some(({ code }) => code.startsWith('duplicate_'))
        if (row.state === 'carted' || !(change || twin || body.senderAddressId)) continue
        changes.set(row.row_number, {
          ...change,
          row,
          cells: change?.cells ?? row.cells,
          anyway: twin ? true : (change?.anyway ?? row.anyway),
        })
      }
    }
    const removed = new Set(body.edits.filter(({ remove }) => remove).map(({ row }) => row))
    if (removed.size > 0) await deleteBulkRows(trx, batch, [...removed])
    const rows = [...changes.values()]
      .filter(({ row }) => !removed.has(row.row_number))
      .sort((a, b) => a.row.row_number - b.row.row_number)
    const setting = await loadRowContext(deps, caller.accountId, batch.sender)
    const given = rows.map(({ row, cells, anyway, now = [] }) => {
      const insisting = { before: row.insisted, now, caller }
      return { row_number: row.row_number, cells, anyway, insisting }
    })
    const checked = await checkRows(setting, batch, given, null)
    const versions = new Map(rows.map(({ row }) => [row.row_number, row.version]))
    const withVersions = checked.map((row) => ({ ...row, version: versions.get(row.row_number) ?? 0 }))
    const written = await updateBulkRows(trx, batch, withVersions)
    if (written.length !== rows.length) throw new AppError('version_conflict')
    const added = await addRows(trx, setting, batch, body.add ?? [])
    await updateBatch(trx, batch, { sender: batch.sender }, deps.clock.now())
    const wanted = new Set(numbers)
    return {
      batch: await presentBatch(deps, trx, await getBatch(trx, caller, body.id), reader),
      items: [...written.filter(({ row_number }) => wanted.has(row_number)), ...added].map((row) =>
        presentRow(row, reader),
      ),
      before,
    }
  })
}
