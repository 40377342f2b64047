/** Reads an uploaded file into the records of its rows. */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Translate } from '@waybill/contract/ground/validation'
import type { Deps } from '../../deps.ts'
import { validationError } from '../../http/errors.ts'
import { toAppError } from '../../http/sheets/sheet-faults.ts'
import { SheetError } from '../../lib/sheet/error.ts'
import { findHeader, findHeaderUnits, plainHeader, withHeaderUnits } from '../../lib/sheet/headers.ts'
import { inspectInProcess } from '../../lib/sheet/processes.ts'
import { headerNames, readTable, type TableShape, tableLimits } from '../../lib/sheet/table.ts'
import { cellReader } from './cell-reader.ts'
import type { ParsedRow } from './check-rows.ts'
import { type ImportContext, labelKey, type RecordKind } from './kind.ts'

/** The maximum number of characters of a cell: more than the longest field. */
const cellLength = 500
/** Rows that are checked before other requests get their turn: some milliseconds. */
const checkedAtOnce = 100

/** The header of a column without its unit. */
const label = (t: Translate, key: string) => t(`fields.${labelKey(key)}`)

function requireColumns<C extends object>(kind: RecordKind<C>, mapping: readonly (string | null)[], t: Translate) {
  const missing = kind.columns.filter(({ key }) => !mapping.includes(key))
  if (missing.length === 0) return
  const columns = missing.map(({ key }) => label(t, key))
  throw validationError({ field: 'file', rule: 'fileColumnsMissing', vars: { columns } })
}

/** Refuses a downloaded file of rows with problems: an import would remove the records of the other rows. */
function refuseProblemFile({ translations }: Deps, headers: readonly string[]) {
  const names = (['en', 'cn_zh'] as const).map((locale) => plainHeader(translations(locale)('bulk.file.problem')))
  const column = headers.find((header) => names.includes(plainHeader(header)))
  if (column !== undefined) throw validationError({ field: 'file', rule: 'fileOfProblems', vars: { column } })
}

/**
 * The rows of a file, those that it hides included, and the field of each of its columns. Throws file_… for an
 * unreadable file, validation at `file` if columns are missing or it is a file of rows with problems.
 */
export async function readRows<C extends object>(
  deps: Deps,
  kind: RecordKind<C>,
  context: ImportContext,
  bytes: Buffer,
  t: Translate,
): Promise<{ rows: ParsedRow<C>[]; mapping: (string | null)[]; hiddenRows: number }> {
  const keys = kind.columns.map(({ key }) => key)
  const names = headerNames(
    keys,
    (key) => (['en', 'cn_zh'] as const).map((locale) => label(deps.translations(locale), key)),
    (key) => kind.columns.find((column) => column.key === key)?.aliases ?? [],
  )
  const shape: TableShape<string> = { fields: keys, limits: { rows: kind.rows, cell: cellLength } }
  const rows: ParsedRow<C>[] = []
  let mapping: (string | null)[] = []
  let hiddenRows = 0
  let units: ReadonlyMap<string, string> = new Map()
  try {
    const format = await inspectInProcess(bytes, tableLimits(kind.rows))
    const table = readTable({ bytes, format, names }, shape, async (firstRows) => {
      const header = findHeader(firstRows, names)
      mapping = header?.mapping ?? []
      requireColumns(kind, mapping, t)
      refuseProblemFile(deps, header?.headers ?? [])
      if (header) units = findHeaderUnits(header, (key) => kind.columns.find((one) => one.key === key)?.units ?? null)
      return header
    })
    for await (const row of table) {
      const cells = withHeaderUnits(row.cells, keys, units)
      const reader = cellReader(keys, { ...row, cells })
      const record = kind.read(reader, context)
      if (row.hidden) hiddenRows += 1
      rows.push({ number: row.number, cells, record, problems: [...reader.problems] })
      if (rows.length % checkedAtOnce === 0) await breathe()
    }
    if (rows.length === 0) throw new SheetError('no_rows')
  } catch (error) {
    throw toAppError(error, kind.rows)
  }
  return { rows, mapping, hiddenRows }
}
