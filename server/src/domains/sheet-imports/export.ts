/** The courier's own records, and the rows of an import that have problems, as files, streamed. */
import type { Readable } from 'node:stream'
import { fractionDigits } from '@waybill/contract/ground/format'
import { inBatches } from '../../db/batches.ts'
import { type SheetColumn, type SheetFormat, writeSheet, writeXlsx } from '../../lib/sheet/write.ts'
import { problemCell } from './describe-problems.ts'
import type { RecordKind } from './kind.ts'
import { buildHeader, presentRow, type Reader } from './present.ts'
import { type FaultyRow, nextFaultyRows } from './queries.ts'
import { requireImport, withSubject } from './service.ts'

/** Rows per query. */
const batch = 500

/** Every record of a kind, or with `template` its examples, with headers in the reader's language. */
export function exportSheet<C extends object>(
  kind: RecordKind<C>,
  reader: Reader,
  { format, template }: { format: SheetFormat; template: boolean },
): Readable {
  const { context, locale, t } = reader
  async function* rows() {
    for await (const record of template ? kind.examples : kind.records(context)) yield kind.write(record, locale)
  }
  return writeSheet(format, rows(), {
    name: t(kind.title),
    moneyDecimals: fractionDigits(context.currency),
    t,
    columns: buildColumns(kind, reader),
  })
}

const buildColumns = <C extends object>(kind: RecordKind<C>, reader: Reader): SheetColumn[] =>
  kind.columns.map((column) => ({
    header: buildHeader(column, reader),
    kind: column.kind,
    width: column.width ?? 16,
    // A spreadsheet would treat a typed postcode as a number and drop its leading zero.
    ...(column.kind === 'text' ? { format: '@' } : {}),
  }))

/**
 * The rows of an import with problems, as they were typed, each with its problems and its number in the uploaded file.
 * Throws not_found.
 */
export async function problemSheet<C extends object>(
  kind: RecordKind<C>,
  reader: Reader,
  id: string,
): Promise<Readable> {
  const { db } = reader.context.deps
  const row = await requireImport(db, kind, reader.context, id)
  const subjectReader = await withSubject(db, kind, reader, row.subjectId)
  const rows = inBatches<FaultyRow<C>>((last) => nextFaultyRows(db, id, last, batch))
  async function* cells() {
    for await (const faulty of rows) {
      const { cells, problems } = presentRow(kind, faulty, row, subjectReader)
      yield [problemCell(problems), ...cells]
    }
  }
  const columns = buildColumns(kind, subjectReader).map(
    (column): SheetColumn => ({ ...column, kind: 'text', format: '@' }),
  )
  return writeXlsx(cells(), {
    name: reader.t(kind.title),
    columns: [{ header: reader.t('bulk.file.problem'), kind: 'text', width: 60 }, ...columns],
  })
}
