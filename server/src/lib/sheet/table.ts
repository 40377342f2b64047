/** Reads an uploaded spreadsheet as a table: finds the header among the first rows, and maps cells to fields. */

import { clip } from '../text/clip.ts'
import { SheetError } from './error.ts'
import { cellText, plainHeader, rowsAboveHeader, type SheetHeader } from './headers.ts'
import { type ProcessLimits, readInProcess } from './processes.ts'
import type { CellMark, HeaderNames, ReadRow } from './row.ts'

/** The fields of a table in their order, and the limits of a file: rows below the header, characters of a cell. */
export type TableShape<F extends string> = {
  fields: readonly F[]
  limits: { rows: number; cell: number }
}

/** The number of the header's row, and the field of each column. */
type HeaderPosition<F extends string> = Pick<SheetHeader<F>, 'number' | 'mapping'>

/** A row as read. `marks` has the file's marks on cells, such as a broken formula. */
export type TableRow<F extends string> = {
  number: number
  cells: string[]
  marks?: Map<F, CellMark>
  /** The spreadsheet does not show the row. */
  hidden?: true
}

/**
 * The limits for reading a file with at most this many rows below its header. The reader does not know which row is
 * the header, so it allows some more rows. 30 MB are 10,000 rows with 45 columns, all filled in.
 */
export const tableLimits = (rows: number): ProcessLimits => ({
  rows: rows + rowsAboveHeader,
  bytes: 30_000_000,
  ratio: 200,
  deadline: 12_000,
})

/** The fields by their normalised headers: their own names, labels in each language, and additional names. */
export function headerNames<F extends string>(
  fields: readonly F[],
  labels: (field: F) => readonly string[],
  aliases: (field: F) => readonly string[],
): ReadonlyMap<string, F> {
  const names = new Map<string, F>()
  for (const field of fields) {
    for (const label of labels(field)) names.set(plainHeader(label), field)
    names.set(field.toLowerCase(), field)
    for (const alias of aliases(field)) names.set(plainHeader(alias), field)
  }
  return names
}

type MappedColumn<F extends string> = { column: number; field: F; index: number }

const mapColumns = <F extends string>({ mapping }: HeaderPosition<F>, fields: readonly F[]): MappedColumn<F>[] =>
  mapping.flatMap((field, column) => (field === null ? [] : [{ column, field, index: fields.indexOf(field) }]))

/** The cells of a row by field; null for an empty row. A formula that gives an error is an empty cell with a mark. */
function toTableRow<F extends string>(
  row: ReadRow,
  columns: readonly MappedColumn<F>[],
  { fields, limits }: TableShape<F>,
): TableRow<F> | null {
  const cells = Array<string>(fields.length).fill('')
  let marks: Map<F, CellMark> | undefined
  for (const { column, field, index } of columns) {
    const mark = row.marks?.get(column)
    if (mark) {
      marks ??= new Map()
      marks.set(field, mark)
    }
    cells[index] = mark === 'formula_error' ? '' : clip(cellText(row.cells[column]), limits.cell)
  }
  if (!marks && cells.every((cell) => cell === '')) return null
  return { number: row.number, cells, ...(marks ? { marks } : {}), ...(row.hidden ? { hidden: true } : {}) }
}

/** As many known headers make a sheet the one to read. A sheet of notes may have one of these words, too. */
const leastHeaders = 3

/**
 * The rows of a file below its header, read in a child process. `names` are the known headers, by which the sheet is
 * found. `findPosition` picks the header among the first rows; null stops the reading, because the user has to map the
 * columns first. Throws SheetError.
 */
export async function* readTable<F extends string>(
  source: { bytes: Uint8Array; format: 'xlsx' | 'csv' | 'json'; names: ReadonlyMap<string, F | null> },
  shape: TableShape<F>,
  findPosition: (firstRows: readonly ReadRow[]) => Promise<HeaderPosition<F> | null>,
): AsyncGenerator<TableRow<F>> {
  const { rows: most } = shape.limits
  let firstRows: ReadRow[] = []
  let headerNumber: number | null = null
  let columns: MappedColumn<F>[] = []
  let count = 0
  const begin = async () => {
    const position = await findPosition(firstRows)
    if (!position) return false
    headerNumber = position.number
    columns = mapColumns(position, shape.fields)
    return true
  }
  function* take(rows: readonly ReadRow[]) {
    for (const row of rows) {
      const tableRow = row.number > (headerNumber ?? 0) ? toTableRow(row, columns, shape) : null
      if (!tableRow) continue
      count += 1
      if (count > most) throw new SheetError('too_many_rows', { max: most })
      yield tableRow
    }
  }
  const headers: HeaderNames = {
    names: [...source.names].flatMap(([name, field]) => (field === null ? [] : [name])),
    least: Math.min(leastHeaders, shape.fields.length),
  }
  for await (const row of readInProcess(source.bytes, source.format, tableLimits(most), headers)) {
    if (headerNumber !== null) {
      yield* take([row])
      continue
    }
    firstRows.push(row)
    if (firstRows.length < rowsAboveHeader) continue
    if (!(await begin())) return
    yield* take(firstRows)
    firstRows = []
  }
  if (headerNumber !== null) return
  if (firstRows.length === 0) throw new SheetError('empty')
  if (await begin()) yield* take(firstRows)
}
