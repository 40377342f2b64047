/**
 * Spreadsheets out: `.xlsx` and `.csv` as streams, row by row, so that a hundred thousand rows take no more memory than
 * ten.
 *
 *     const columns = [
 *       { header: 'Tracking number', kind: 'text', width: 18 },
 *       { header: 'Created', kind: 'time' },
 *       { header: `Total (${currency})`, kind: 'money' },
 *     ] satisfies SheetColumn[]
 *     reply.type(sheetMediaTypes.xlsx).header('content-disposition', contentDisposition('orders.xlsx'))
 *     return writeXlsx(readRows(cursor), { name: 'Orders', columns, timeZone })
 *
 * Rows are arrays in the order of the columns, from any (async) iterable, or in batches; they are asked for only as
 * fast as the reader takes the bytes. A generator that reads a cursor is closed (`finally`) when the reader goes away.
 * What the kinds take and how they come out:
 *
 * | kind   | value                        | .xlsx                          | .csv                  |
 * |--------|------------------------------|--------------------------------|-----------------------|
 * | text   | string                       | text, never a formula          | text, neutralised     |
 * | number | number                       | number                         | as it is              |
 * | money  | integer minor units          | number with two decimals       | `12.50`               |
 * | day    | `YYYY-MM-DD`                 | date                           | `YYYY-MM-DD`          |
 * | time   | Date                         | date and time on the wall clock of `timeZone` | `YYYY-MM-DD HH:mm` |
 *
 * null and undefined leave the cell empty. Text that a spreadsheet would take for a formula (`=`, `+`, `-`, `@` and the
 * control characters that hide one) is typed as text in an .xlsx, and gets the leading apostrophe that OWASP advises in
 * a .csv; `readSheet` takes it off again.
 */
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { Translate } from '@waybill/contract/ground/validation'
import type { CellValue, ColumnDef } from 'hucre'
import { lazyPackage } from '../packages/lazy-package.ts'
import { clip } from '../text/clip.ts'
import { showErased } from '../text/erased.ts'

const hucre = lazyPackage<typeof import('hucre')>('hucre')

export type SheetKind = 'text' | 'number' | 'money' | 'day' | 'time'
export type SheetColumn = {
  header: string
  kind: SheetKind
  /** In characters. Default: by the kind. */
  width?: number
  /** Excel's number format. Default: by the kind. */
  format?: string
}
export type SheetValue = string | number | Date | null | undefined
export type SheetRow = readonly SheetValue[]
/** Rows one by one, or in batches: then a row costs no promise. */
export type SheetRows = AsyncIterable<SheetRow> | Iterable<SheetRow> | { batches: AsyncIterable<readonly SheetRow[]> }
export type SheetFormat = 'xlsx' | 'csv'

/** Media types by format. */
export const sheetMediaTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const satisfies Record<SheetFormat, string>

export type SheetOptions = {
  /** The sheet's name, at most 31 characters. */
  name: string
  columns: readonly SheetColumn[]
  /** The time zone in which times are shown. */
  timeZone?: string
  /** The currency's decimals. */
  moneyDecimals?: number
  /** Translates erased texts for the reader. Without it they stay marks: a sheet of what its reader typed has none. */
  t?: Translate
}

const widths: Record<SheetKind, number> = { text: 22, number: 12, money: 14, day: 12, time: 17 }

/** Excel's limit for a cell. */
const maxCellLength = 32_767

const hourMs = 3_600_000
const dayMs = 86_400_000

/**
 * The wall clock of a zone, in milliseconds as if it were UTC. The offset is cached per hour of the data, because a
 * formatter is slow and offsets change on the hour.
 */
function wallClock(timeZone: string): (date: Date) => number {
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  } as const)
  const offsets = new Map<number, number>()
  return (date) => {
    const hour = Math.floor(date.getTime() / hourMs)
    let offset = offsets.get(hour)
    if (offset === undefined) {
      const parts = Object.fromEntries(formatter.formatToParts(hour * hourMs).map(({ type, value }) => [type, +value]))
      const { year, month, day, hour: h, minute, second } = parts as Record<string, number>
      offset = Date.UTC(year ?? 0, (month ?? 1) - 1, day, h, minute, second) - hour * hourMs
      if (offsets.size > 10_000) offsets.clear()
      offsets.set(hour, offset)
    }
    return date.getTime() + offset
  }
}

/** A safe `content-disposition`: ASCII name, no quotes to break out of. Browsers show an `inline` file. */
export function contentDisposition(fileName: string, disposition: 'attachment' | 'inline' = 'attachment'): string {
  return `${disposition}; filename="${fileName.replace(/[^\w.-]+/g, '-')}"`
}

const readable = (text: string, t: Translate | undefined) => (t ? showErased(text, t) : text)

/** Numbers and texts as Excel's own types. */
function xlsxCells({ columns, timeZone = 'UTC', moneyDecimals = 2, t }: SheetOptions) {
  const toWall = wallClock(timeZone)
  const unit = 10 ** moneyDecimals
  return (row: readonly SheetValue[]): CellValue[] =>
    columns.map(({ kind }, n) => {
      const value = row[n]
      if (value === null || value === undefined) return null
      if (kind === 'money') return (value as number) / unit
      if (kind === 'time') return new Date(toWall(value as Date))
      if (kind === 'day') return new Date(Date.parse(`${value as string}T00:00:00Z`))
      if (kind === 'number') return value as number
      return clip(readable(String(value), t), maxCellLength)
    })
}

function getFormat(column: SheetColumn, moneyDecimals: number): string | null {
  if (column.format) return column.format
  if (column.kind === 'money') return moneyDecimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(moneyDecimals)}`
  if (column.kind === 'day') return 'yyyy-mm-dd'
  return column.kind === 'time' ? 'yyyy-mm-dd hh:mm' : null
}

const headerStyle: NonNullable<ColumnDef['style']> = {
  font: { bold: true },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'FFF1F3F5' } },
  alignment: { vertical: 'center', wrapText: true },
}

/** The rows as converted by `cells`. */
function mapRows<T>(rows: SheetRows, cells: (row: SheetRow) => T): AsyncIterable<T> {
  return 'batches' in rows ? mapBatches(rows.batches, cells) : mapEach(rows, cells)
}

async function* mapEach<T>(rows: AsyncIterable<SheetRow> | Iterable<SheetRow>, cells: (row: SheetRow) => T) {
  for await (const row of rows) yield cells(row)
}

/** An async generator would make three promises for each row. This iterator makes one for each batch. */
function mapBatches<T>(batches: AsyncIterable<readonly SheetRow[]>, cells: (row: SheetRow) => T): AsyncIterable<T> {
  const source = batches[Symbol.asyncIterator]()
  let batch: readonly SheetRow[] = []
  let at = 0
  const next = (): IteratorResult<T> | Promise<IteratorResult<T>> => {
    const row = batch[at]
    if (row !== undefined) {
      at += 1
      return { value: cells(row) }
    }
    return source.next().then((result) => {
      if (result.done) return { done: true, value: undefined }
      batch = result.value
      at = 0
      return next()
    })
  }
  const close = async () => {
    await source.return?.()
    return { done: true, value: undefined }
  }
  // `for await` and the library await what `next` returns, promise or not.
  return { [Symbol.asyncIterator]: () => ({ next, return: close }) } as unknown as AsyncIterable<T>
}

/** An .xlsx, written while it is read. The first row has the headers, in bold and frozen. */
export function writeXlsx(rows: SheetRows, options: SheetOptions): Readable {
  const decimals = options.moneyDecimals ?? 2
  const columns: ColumnDef[] = options.columns.map((column) => ({
    width: column.width ?? widths[column.kind],
    style: headerStyle,
  }))
  const cells = xlsxCells(options)
  async function* lines(): AsyncGenerator<CellValue[]> {
    yield options.columns.map(({ header }) => header)
    // The writer reads one style per column for every row. After the header this is the style of the data.
    for (const [n, column] of options.columns.entries()) {
      const format = getFormat(column, decimals)
      const definition = columns[n] as ColumnDef
      delete definition.style
      if (format) definition.style = { numFmt: format }
    }
    yield* mapRows(rows, cells)
  }
  const bytes = hucre().writeXlsxStream(lines(), { name: sheetName(options.name), columns, freezePane: { rows: 1 } })
  return Readable.fromWeb(bytes as WebStream)
}

/** Removes characters that Excel forbids in the name of a sheet. */
export const sheetName = (name: string) => name.replace(/[\\/?*[\]:']/g, ' ').slice(0, 31) || 'Sheet'

const two = (n: number) => String(n).padStart(2, '0')
const minutesOfDay = Array.from({ length: 1440 }, (_, n) => ` ${two(Math.floor(n / 60))}:${two(n % 60)}`)

/** `YYYY-MM-DD HH:mm` of wall clock times. The day is formatted once while times of the same day follow each other. */
function minuteFormat(): (wallMs: number) => string {
  let [day, text] = [Number.NaN, '']
  return (wallMs) => {
    const next = Math.floor(wallMs / dayMs)
    if (next !== day) [day, text] = [next, new Date(wallMs).toISOString().slice(0, 10)]
    return text + minutesOfDay[Math.floor((wallMs - next * dayMs) / 60_000)]
  }
}

/** A .csv, written while it is read: UTF-8 with a byte order mark, so that Excel reads Chinese; commas; CRLF. */
export function writeCsv(rows: SheetRows, options: Omit<SheetOptions, 'name'>): Readable {
  const { columns, timeZone = 'UTC', moneyDecimals = 2, t } = options
  const toWall = wallClock(timeZone)
  const formatMinute = minuteFormat()
  const cell = (kind: SheetKind, value: SheetValue): string | null => {
    if (value === null || value === undefined) return null
    if (kind === 'money') return ((value as number) / 10 ** moneyDecimals).toFixed(moneyDecimals)
    if (kind === 'time') {
      return formatMinute(toWall(value as Date))
    }
    return kind === 'text' ? neutralText(readable(String(value), t)) : String(value)
  }
  const lines = mapRows(rows, (row) => columns.map(({ kind }, n) => cell(kind, row[n])))
  const headers = columns.map(({ header }) => neutralText(header))
  return Readable.fromWeb(hucre().writeCsvStream(lines, { headers, bom: true }) as WebStream)
}

/** `writeXlsx` or `writeCsv`. */
export function writeSheet(format: SheetFormat, rows: SheetRows, options: SheetOptions & { t: Translate }): Readable {
  return format === 'xlsx' ? writeXlsx(rows, options) : writeCsv(rows, options)
}

const formula = /^[=+\-@\t\r\n|]/

/** Escapes text that a spreadsheet would run as a formula. */
export function neutralText(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** A date cell as text: the day, with the time if it has one. */
export function dateText(date: Date): string {
  const text = date.toISOString()
  return date.getTime() % dayMs === 0 ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
}
