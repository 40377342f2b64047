/**
 * Reads `.xlsx` and `.csv` row by row.
 *
 * for await (const { number, cells, marks } of readSheet(bytes, limits)) …
 *
 * An upload may be hostile. Inflated bytes are counted while inflating, never read from the ZIP's headers. Rows are
 * counted while reading, and reading stops at the first one too many. Uploads are read in a child process
 * (`processes.ts`).
 */
import { detectEncoding } from '../text/encoding.ts'
import { csvRows, detectSeparator } from './csv.ts'
import { SheetError } from './error.ts'
import { detectSheetFormat } from './format.ts'
import { type HeaderNames, maxColumns, type ReadLimits, type ReadRow } from './row.ts'
import { inspectXlsx, xlsxRows } from './xlsx.ts'

/**
 * The rows that are not empty: of the first sheet with these headers, else of the first sheet. Throws SheetError.
 */
export async function* readSheet(
  bytes: Buffer,
  limits: ReadLimits,
  headers: HeaderNames | null = null,
): AsyncGenerator<ReadRow> {
  const format = detectSheetFormat(bytes)
  const rows = format === 'xlsx' ? xlsxRows(bytes, limits, headers) : textRows(bytes)
  let count = 0
  for await (const row of rows) {
    if (row.cells.every((cell) => cell === null || cell === '')) continue
    count++
    if (count > limits.rows) throw new SheetError('too_many_rows', { max: limits.rows })
    yield row
  }
  if (count === 0) throw new SheetError('empty')
}

/**
 * Checks the format and the size of a file at a fraction of the cost of reading it, so that an upload gets a fast
 * response. Throws SheetError for a bomb, for far too many rows and for an empty file.
 */
export async function inspectSheet(bytes: Buffer, limits: ReadLimits): Promise<'xlsx' | 'csv'> {
  const format = detectSheetFormat(bytes)
  if (format === 'xlsx') {
    if ((await inspectXlsx(bytes, limits)) === 0) throw new SheetError('empty')
    return format
  }
  let count = 0
  for (const { cells } of textRows(bytes)) {
    if (cells.every((cell) => cell === '')) continue
    count++
    if (count > limits.rows) throw new SheetError('too_many_rows', { max: limits.rows })
  }
  if (count === 0) throw new SheetError('empty')
  return format
}

function* decoded(bytes: Buffer, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding)
  const step = 262_144
  for (let at = 0; at < bytes.length; at += step)
    yield decoder.decode(bytes.subarray(at, at + step), { stream: at + step < bytes.length })
}

function* textRows(bytes: Buffer): Generator<ReadRow> {
  const encoding = detectEncoding(bytes) ?? 'utf-8'
  const head = new TextDecoder(encoding).decode(bytes.subarray(0, 8192), { stream: true })
  let number = 0
  for (const cells of csvRows(decoded(bytes, encoding), detectSeparator(head))) {
    number++
    if (cells.length > maxColumns) cells.length = maxColumns
    yield { number, cells, marks: null }
  }
}
