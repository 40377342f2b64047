/** Edits of a batch: cells of many rows at once, a suggestion taken everywhere, duplicates let through, another sender. All or none. */
import { type BulkField, bulkFields, type editBulk } from '@waybill/contract/bulk'
import type { BodyOf, ResponseOf } from '@waybill/contract/endpoint'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../http/errors.ts'
import { batchOf, presentBatch, presentRow, type Reader, readyBatch, senderOf, suggestionText } from './bulk.ts'
import { settingOf } from './bulk-check.ts'
import { checkRows } from './bulk-read.ts'
import { type BulkRowRow, bulkRows, deleteBulkRows, rowsToFix, updateBatch, updateBulkRows } from './queries-bulk.ts'

type Body = BodyOf<typeof editBulk>
type Changed = { row: BulkRowRow; cells: string[]; anyway: boolean }
type Before = { row: number; cells: Partial<Record<BulkField, string>> }

const withCells = (cells: readonly string[], changes: Partial<Record<BulkField, string>>) =>
  bulkFields.map((field, n) => changes[field]?.trim() ?? cells[n] ?? '')

/** The rows that the body names, changed as it says. Throws not_found for a row that is not there, version_conflict naming the stale ones. */
function edited(rows: readonly BulkRowRow[], { edits }: Body): Changed[] {
  const byNumber = new Map(rows.map((row) => [row.row_number, row]))
  const stale: { row: number; version: number }[] = []
  const changed = edits.map((edit): Changed => {
    const row = byNumber.get(edit.row)
    if (!row) throw new AppError('not_found')
    if (row.version !== edit.version || row.state === 'carted')
      stale.push({ row: row.row_number, version: row.version })
    return { row, cells: withCells(row.cells, edit.cells ?? {}), anyway: edit.anyway ?? row.anyway }
  })
  if (stale.length > 0) throw new AppError('version_conflict', { details: { rows: stale } })
  return changed
}

/** Throws not_found, bulk_not_ready, version_conflict with `details.rows` (their versions now). */
export async function editBatch(deps: Deps, reader: Reader, body: Body): Promise<ResponseOf<typeof editBulk>> {
  const { caller, locale } = reader
  return tx(deps.db, async (trx) => {
    const batch = await readyBatch(trx, caller, body.id)
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
      if (body.senderAddressId) batch.sender = await senderOf(deps, caller, body.senderAddressId)
      for (const row of await bulkRows(trx, batch, {}, true)) {
        const change = changes.get(row.row_number)
        const twin = body.anyway && row.problems?.some(({ code }) => code.startsWith('duplicate_'))
        if (row.state === 'carted' || !(change || twin || body.senderAddressId)) continue
        changes.set(row.row_number, {
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
    const setting = await settingOf(deps, caller.accountId, batch.sender)
    const given = rows.map(({ row, cells, anyway }) => ({ row_number: row.row_number, cells, anyway }))
    const checked = await checkRows(setting, batch, given, new Map())
    const versions = new Map(rows.map(({ row }) => [row.row_number, row.version]))
    const withVersions = checked.map((row) => ({ ...row, version: versions.get(row.row_number) ?? 0 }))
    const written = await updateBulkRows(trx, batch, withVersions)
    if (written.length !== rows.length) throw new AppError('version_conflict')
    await updateBatch(trx, batch, { sender: batch.sender }, deps.clock.now())
    const wanted = new Set(numbers)
    return {
      batch: await presentBatch(deps, trx, await batchOf(trx, caller, body.id), reader),
      items: written.filter(({ row_number }) => wanted.has(row_number)).map((row) => presentRow(row, reader)),
      before,
    }
  })
}
