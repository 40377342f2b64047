/** Formats imports and their rows for the API. */
import type { Locale } from '@waybill/contract/ground/constants'
import { fractionDigits } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import type { SheetImport, SheetImportRow } from '@waybill/contract/sheet-imports/sheet-imports'
import { columnLetter } from '../../lib/sheet/headers.ts'
import type { SheetValue } from '../../lib/sheet/write.ts'
import type { RowProblem } from './cell-reader.ts'
import type { PreviewRow } from './check-rows.ts'
import { problemText, suggestionText } from './describe-problems.ts'
import { type ImportContext, labelKey, type RecordKind, type SheetImportColumn } from './kind.ts'
import type { ImportRow, RowCounts } from './queries.ts'

/** The user who views an import, and their language. */
export type Reader = { context: ImportContext; t: Translate; locale: Locale }

/** The header of a column, with its unit. */
export function buildHeader({ key, unit }: SheetImportColumn, { t, context }: Reader): string {
  if (!unit) return t(`fields.${labelKey(key)}`)
  return t('phrase.detail', {
    text: t(`fields.${labelKey(key)}`),
    detail: unit === 'currency' ? context.currency : unit,
  })
}

export function presentImport<C extends object>(
  kind: RecordKind<C>,
  row: ImportRow,
  counts: RowCounts,
  reader: Reader,
): SheetImport {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    columns: kind.columns.map((column) => ({ key: column.key, header: buildHeader(column, reader) })),
    counts,
    hiddenRows: row.hiddenRows,
    applied: row.appliedAt !== null,
    resultId: row.resultId,
    createdAt: row.createdAt.toISOString(),
  }
}

/** The values of a record as text, as in a file. */
function toTexts<C extends object>(kind: RecordKind<C>, record: C, { locale, context }: Reader): string[] {
  const digits = fractionDigits(context.currency)
  const toText = (value: SheetValue, n: number) =>
    kind.columns[n]?.kind === 'money' && typeof value === 'number'
      ? (value / 10 ** digits).toFixed(digits)
      : String(value ?? '')
  return kind.write(record, locale).map(toText)
}

function presentProblem(
  { column, rule, vars, suggestion }: RowProblem,
  number: number,
  { mapping }: ImportRow,
  { t, locale }: Reader,
): SheetImportRow['problems'][number] {
  const n = column === null ? -1 : mapping.indexOf(column)
  const text = problemText({ column: labelKey(column ?? ''), rule, ...(vars && { vars }) }, { t, locale })
  const message =
    column === null
      ? t('sheets.atRow', { row: number, text })
      : t('sheets.atCell', { row: number, column: t(`fields.${labelKey(column)}`), text })
  const cell = n < 0 ? null : `${columnLetter(n)}${number}`
  return {
    column,
    cell,
    code: rule,
    message,
    suggestion: suggestionText({ suggestion }, { locale }),
  }
}

export function presentRow<C extends object>(
  kind: RecordKind<C>,
  { number, cells, state, record, before, problems }: PreviewRow<C>,
  row: ImportRow,
  reader: Reader,
): SheetImportRow {
  const old = before ? toTexts(kind, before, reader) : []
  const next = record ? toTexts(kind, record, reader) : []
  const changes = kind.columns.flatMap(({ key }, n) =>
    state === 'changed' && old[n] !== next[n] ? [{ column: key, before: old[n] ?? '', after: next[n] ?? '' }] : [],
  )
  return {
    row: number,
    state,
    cells: number === null ? old : cells,
    problems: number === null ? [] : problems.map((problem) => presentProblem(problem, number, row, reader)),
    changes,
  }
}
