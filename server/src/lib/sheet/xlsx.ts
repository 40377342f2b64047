/**
 * Reads `.xlsx`. hucre parses the rows; a scan of the XML before that finds bombs, merged cells and formulas without a
 * value. A formula counts by the value that the spreadsheet last calculated; one without a value, or with an error, is
 * marked.
 */
import { hash } from 'node:crypto'
import { streamXlsxRows } from 'hucre'
import { SheetError } from './error.ts'
import { plainHeader, rowsAboveHeader } from './headers.ts'
import { type CellMark, type HeaderNames, maxColumns, type ReadCell, type ReadLimits, type ReadRow } from './row.ts'
import { inflateEntry, type ZipEntry, zipEntries } from './zip.ts'

/** A merge of cells of one column. Rows are counted from 1, columns from 0. */
type Merge = { top: number; column: number; bottom: number }
/**
 * Facts about a sheet that hucre's rows do not contain: their number before reading, merged cells, formulas without a
 * value, and hidden rows.
 */
type Layout = {
  merges: Merge[]
  marks: Map<number, Map<number, CellMark>>
  hidden: Set<number>
  rows: number
  /** Whether it has far too many rows. */
  tooLong: boolean
  /** Whether the current row is already counted in `rows`. */
  counted: boolean
}

const emptyLayout = (): Layout => ({
  merges: [],
  marks: new Map(),
  hidden: new Set(),
  rows: 0,
  tooLong: false,
  counted: false,
})

const reference = (ref: string): { row: number; column: number } => {
  const [, letters = 'A', digits = '1'] = /^\$?([A-Z]{1,3})\$?(\d{1,7})/.exec(ref) ?? []
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(digits), column }
}

/** More merges or marks than this are an attack, and ignored. */
const maxMarks = 50_000

/**
 * The maximum number of tags in all parts except the sheets, closing tags included: enough for 200,000 shared strings.
 * hucre creates an object for each, which takes a hundred times its size in the file.
 */
const maxTags = 820_000
const tagStart = 0x3c
/** Bytes between two cells. No valid cell or tag is that long. */
const maxCarriedBytes = 1_048_576

/** Inflates a part of the ZIP and counts its bytes, so that a bomb stops before it fills the memory. */
async function* inflateCounted(bytes: Buffer, entry: ZipEntry, limits: ReadLimits, total: { bytes: number }) {
  let size = 0
  for await (const piece of inflateEntry(bytes, entry)) {
    size += piece.length
    total.bytes += piece.length
    // The ratio says nothing about small parts: repetitive ones compress well.
    const bomb = size > 1_048_576 && size > entry.compressed * limits.ratio
    if (bomb || total.bytes > limits.bytes) throw new SheetError('too_large')
    yield piece
  }
}

/** Cell by cell, each once: a regular expression over the whole text could backtrack for minutes. */
function markFormulas(xml: string, marks: Layout['marks']): void {
  for (const text of xml.split('</c>')) {
    const begin = text.lastIndexOf('<c ')
    if (begin < 0 || marks.size >= maxMarks) continue
    const cell = text.slice(begin, begin + 4096)
    const tag = cell.slice(0, cell.indexOf('>') + 1)
    const at = reference(/ r="([A-Z]{1,3}\d{1,7})"/.exec(tag)?.[1] ?? '')
    if (tag.includes('t="e"')) addMark(marks, at.row, at.column, 'formula_error')
    else if (/<f[ />]/.test(cell) && !/<v>[^<]/.test(cell)) addMark(marks, at.row, at.column, 'formula_empty')
  }
}

function addMark(marks: Layout['marks'], row: number, column: number, mark: CellMark) {
  if (column >= maxColumns) return
  const inRow = marks.get(row) ?? new Map<number, CellMark>()
  if (!inRow.has(column)) inRow.set(column, mark)
  marks.set(row, inRow)
}

const tokens = {
  rowEnd: Buffer.from('</row>'),
  value: Buffer.from('<v'),
  inline: Buffer.from('<is'),
  formula: Buffer.from('<f'),
  error: Buffer.from('t="e"'),
  merge: Buffer.from('<mergeCell '),
  hidden: Buffer.from('hidden="'),
  cellEnd: Buffer.from('</c>'),
}

/** Counts rows that are not empty. It remembers each position it searched for, so the time stays linear. */
function countRows(bytes: Buffer, layout: Layout): void {
  const next = (token: Buffer, from: number) => {
    const at = bytes.indexOf(token, from)
    return at < 0 ? bytes.length : at
  }
  let [begin, value, inline] = [0, next(tokens.value, 0), next(tokens.inline, 0)]
  while (begin < bytes.length) {
    const end = next(tokens.rowEnd, begin)
    if (value < begin) value = next(tokens.value, begin)
    if (inline < begin) inline = next(tokens.inline, begin)
    if (!layout.counted && (value < end || inline < end)) {
      layout.rows++
      layout.counted = true
    }
    if (end < bytes.length) layout.counted = false
    begin = end + tokens.rowEnd.length
  }
}

/** Finds the rows that a filter or the sender has hidden. */
function findHiddenRows(xml: string, hidden: Set<number>): void {
  for (const [tag] of xml.matchAll(/<row\s[^>]{0,500}>/g)) {
    const number = /\shidden="(?:1|true)"/.test(tag) ? /\sr="(\d{1,7})"/.exec(tag)?.[1] : undefined
    if (number && hidden.size < maxMarks) hidden.add(Number(number))
  }
}

/** Scans whole cells. They are decoded to text only if they have a formula or a merge. */
function scanCells(bytes: Buffer, layout: Layout): void {
  const { merges, marks } = layout
  countRows(bytes, layout)
  if (bytes.includes(tokens.hidden)) findHiddenRows(bytes.toString('latin1'), layout.hidden)
  const formulas = bytes.includes(tokens.formula) || bytes.includes(tokens.error)
  const merged = bytes.includes(tokens.merge)
  if (!formulas && !merged) return
  const xml = bytes.toString('utf8')
  if (formulas) markFormulas(xml, marks)
  for (let at = xml.indexOf('<mergeCell '); at >= 0; at = xml.indexOf('<mergeCell ', at + 1)) {
    const ref = / ref="([A-Z\d$:]{2,24})"/.exec(xml.slice(at, at + 100))?.[1]
    if (!ref || merges.length >= maxMarks) continue
    const [from = 'A1', to = from] = ref.split(':')
    const [start, end] = [reference(from), reference(to)]
    // Every row of a vertical merge shows its value. A title that spans columns keeps it in its first cell.
    if (end.row <= start.row || start.column >= maxColumns) continue
    merges.push({ top: start.row, column: start.column, bottom: end.row })
  }
}

/** The last position at which the bytes can be cut without splitting a cell or a tag. */
function findCut(bytes: Buffer): number {
  const cell = bytes.lastIndexOf(tokens.cellEnd)
  if (cell >= 0) return cell + tokens.cellEnd.length
  return bytes.length > 262_144 ? bytes.lastIndexOf('>') + 1 : 0
}

type Scan = { layouts: Map<string, Layout>; rows: number }

/** The scan of the last inspected file, for its reading. The key is the content, so it cannot be another file's. */
let inspected: { key: string; scan: Scan } | null = null

const scanKey = (bytes: Buffer, limits: ReadLimits) => hash('sha256', bytes) + JSON.stringify(limits)

/** Scans a file that will be read later, usually by the same process. Returns the total number of rows. */
export async function inspectXlsx(bytes: Buffer, limits: ReadLimits): Promise<number> {
  const scan = await scanSheets(bytes, zipEntries(bytes), limits)
  inspected = { key: scanKey(bytes, limits), scan }
  return scan.rows
}

/** The scan of a file that is being read. Reading changes it, so the kept scan serves only once. */
async function takeScan(bytes: Buffer, entries: readonly ZipEntry[], limits: ReadLimits): Promise<Scan> {
  const earlier = inspected
  inspected = null
  return earlier?.key === scanKey(bytes, limits) ? earlier.scan : scanSheets(bytes, entries, limits)
}

const isSheet = ({ name }: ZipEntry) => /^xl\/worksheets\/[^/]+\.xml$/i.test(name)

/**
 * Inflates the whole file once, before anything of it is used, and so finds bombs. Returns the layouts of the sheets
 * by their names in the ZIP, and the total number of rows. Throws SheetError, too_many_rows only if no sheet is short
 * enough.
 */
async function scanSheets(bytes: Buffer, entries: readonly ZipEntry[], limits: ReadLimits): Promise<Scan> {
  const layouts = new Map<string, Layout>()
  const total = { bytes: 0 }
  const isSingle = entries.filter(isSheet).length === 1
  const tooManyRows = () => new SheetError('too_many_rows', { max: limits.rows })
  let tags = 0
  for (const entry of entries) {
    const layout = emptyLayout()
    if (isSheet(entry)) layouts.set(entry.name, layout)
    let carried: Buffer = Buffer.alloc(0)
    let first = true
    for await (const piece of inflateCounted(bytes, entry, limits, total)) {
      if (!isSheet(entry)) {
        for (let at = piece.indexOf(tagStart); at >= 0; at = piece.indexOf(tagStart, at + 1)) tags++
        if (tags > maxTags) throw new SheetError('too_large')
        continue
      }
      if (first) {
        const size = /<dimension ref="[A-Z]+\d+:([A-Z]+\d+)"/.exec(piece.toString('latin1', 0, 4096))
        // The factor allows for formatted but empty rows at the end of the sheet.
        layout.tooLong = size?.[1] !== undefined && reference(size[1]).row > limits.rows * 15
        first = false
      }
      // Cut between cells, or between tags where there is no cell. The carried bytes are joined only with the first
      // cell, so that little is copied.
      const cell = piece.indexOf(tokens.cellEnd)
      const head = cell < 0 ? piece.length : cell + tokens.cellEnd.length
      const joined = Buffer.concat([carried, piece.subarray(0, head)])
      const cut = findCut(joined)
      scanCells(joined.subarray(0, cut), layout)
      const rest = piece.subarray(head)
      const restCut = cut < joined.length ? 0 : findCut(rest)
      scanCells(rest.subarray(0, restCut), layout)
      carried = Buffer.concat([joined.subarray(cut), rest.subarray(restCut)])
      if (layout.rows > limits.rows * 1.1) layout.tooLong = true
      if (layout.tooLong && isSingle) throw tooManyRows()
      if (carried.length > maxCarriedBytes) throw new SheetError('too_large')
    }
    scanCells(carried, layout)
  }
  const filled = [...layouts.values()].filter(({ rows }) => rows > 0)
  if (filled.length > 0 && filled.every(({ tooLong }) => tooLong)) throw tooManyRows()
  return { layouts, rows: filled.reduce((sum, { rows }) => sum + rows, 0) }
}

async function readText(bytes: Buffer, entries: readonly ZipEntry[], name: string): Promise<string> {
  const entry = entries.find((each) => each.name === name)
  const pieces: Buffer[] = []
  if (entry) for await (const piece of inflateEntry(bytes, entry)) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

/** A sheet with its place in the workbook; without one hucre reads the first sheet. */
type Sheet = { index: number | undefined; layout: Layout }

/** The sheets that have rows, in the order of the workbook; hidden ones only if there are no others. */
async function listSheets(
  bytes: Buffer,
  entries: readonly ZipEntry[],
  layouts: ReadonlyMap<string, Layout>,
): Promise<Sheet[]> {
  const book = await readText(bytes, entries, 'xl/workbook.xml')
  const links = await readText(bytes, entries, 'xl/_rels/workbook.xml.rels')
  const parts = new Map(
    [...links.matchAll(/<Relationship (?=[^>]{0,2000}?\bId="([^"]*)")(?=[^>]{0,2000}?\bTarget="([^"]*)")/g)].map(
      ([, id = '', target = '']) => [id, target.replace(/^(?!\/)/, 'xl/').replace(/^\//, '')],
    ),
  )
  const sheets = [...book.matchAll(/<sheet\s[^>]{0,2000}>/g)]
    // hucre counts only sheets that have both.
    .filter(([tag]) => /\bname="[^"]/.test(tag) && /\br:id="[^"]/.test(tag))
    .flatMap(([tag], index) => {
      const layout = layouts.get(parts.get(/\br:id="([^"]+)"/.exec(tag)?.[1] ?? '') ?? '')
      return layout && layout.rows > 0 ? [{ index, layout, isHidden: /\bstate="(?:veryH|h)idden"/.test(tag) }] : []
    })
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  if (visible.length > 0) return visible
  const [first = emptyLayout()] = layouts.values()
  return sheets.length > 0 ? sheets : [{ index: undefined, layout: first }]
}

/** How many sheets are searched for the header: each search reads the file's texts again. */
const maxSearched = 8

const isFilled = ({ cells }: ReadRow) => cells.some((cell) => cell !== null && cell !== '')

/** Begins to read a sheet: its rows, the first of them already read, and whether the header is among those. */
async function openSheet(bytes: Buffer, sheet: Sheet, headers: HeaderNames | null) {
  const rows = sheetRows(bytes, sheet)
  const head: ReadRow[] = []
  while (headers && head.filter(isFilled).length < rowsAboveHeader) {
    const { value, done } = await rows.next()
    if (done) break
    head.push(value)
  }
  const hasHeader = head.some(({ cells }) => {
    const names = new Set(cells.map((cell) => (typeof cell === 'string' ? plainHeader(cell) : '')))
    return headers !== null && headers.names.filter((name) => names.has(name)).length >= headers.least
  })
  return { sheet, head, rows, hasHeader }
}

/**
 * The rows of the first sheet with a header of the table, else of the first sheet; empty rows included. Vertical merges
 * have their value in every row.
 */
export async function* xlsxRows(
  bytes: Buffer,
  limits: ReadLimits,
  headers: HeaderNames | null,
): AsyncGenerator<ReadRow> {
  const entries = zipEntries(bytes)
  const { layouts } = await takeScan(bytes, entries, limits)
  const sheets = await listSheets(bytes, entries, layouts)
  const [first, ...others] = sheets
  if (!first) return
  const tableHeaders = others.length > 0 ? headers : null
  let table = await openSheet(bytes, first, tableHeaders)
  if (tableHeaders && !table.hasHeader) {
    for (const sheet of others.slice(0, maxSearched)) {
      const other = await openSheet(bytes, sheet, tableHeaders)
      const [best, rest] = other.hasHeader ? [other, table] : [table, other]
      table = best
      await rest.rows.return()
      if (table.hasHeader) break
    }
  }
  if (table.sheet.layout.tooLong) throw new SheetError('too_many_rows', { max: limits.rows })
  yield* table.head
  yield* table.rows
}

async function* sheetRows(bytes: Buffer, { index: sheet, layout }: Sheet): AsyncGenerator<ReadRow, void, undefined> {
  const { merges, marks, hidden } = layout
  merges.sort((a, b) => a.top - b.top)
  // By column. Merges cannot overlap, so each column has at most one open merge.
  const open = new Map<number, Merge & { value: ReadCell }>()
  let next = 0
  try {
    for await (const { index, values } of streamXlsxRows(bytes, sheet === undefined ? {} : { sheet })) {
      const number = index + 1
      const cells = values as ReadCell[]
      if (cells.length > maxColumns) cells.length = maxColumns
      for (let merge = merges[next]; merge && merge.top <= number; merge = merges[++next]) {
        open.set(merge.column, { ...merge, value: merge.top === number ? (cells[merge.column] ?? null) : null })
      }
      for (const [column, { top, bottom, value }] of open) {
        if (bottom < number) {
          open.delete(column)
          continue
        }
        if (top !== number) {
          while (cells.length <= column) cells.push(null)
          cells[column] = value
        }
        addMark(marks, number, column, 'merged')
      }
      const ownMarks = marks.get(number) ?? null
      marks.delete(number)
      yield hidden.has(number) ? { number, cells, marks: ownMarks, hidden: true } : { number, cells, marks: ownMarks }
    }
  } catch (error) {
    throw error instanceof SheetError ? error : new SheetError('broken')
  }
}
