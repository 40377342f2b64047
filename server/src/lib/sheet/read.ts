/**
 * Spreadsheets in: `.xlsx` and `.csv` row by row, told apart by their content whatever their names say.
 *
 *     for await (const { number, cells, marks } of readSheet(bytes, limits)) …
 *
 * An upload is hostile until shown otherwise: what a ZIP inflates to is counted while it is inflated (never believed
 * from its headers), rows are counted while they are read, and reading stops at the first too many. Whoever reads
 * uploads does so in a thread (`threads.ts`). Formulas count by the value that the spreadsheet last worked out;
 * one that has none, or an error, is marked. Cells merged downwards all have the value that one sees in them, and are
 * marked.
 */
import { streamXlsxRows } from 'hucre'
import { csvRows, encodingOf, separatorOf } from './csv.ts'
import { SheetError } from './error.ts'
import { inflated, type ZipEntry, zipEntries } from './zip.ts'

export type CellMark = 'formula_empty' | 'formula_error' | 'merged'
export type ReadCell = string | number | boolean | Date | null
export type ReadRow = {
  /** As the spreadsheet counts, from 1. */
  number: number
  cells: ReadCell[]
  /** By column, from 0; null where there is nothing to say. */
  marks: Map<number, CellMark> | null
}
export type ReadLimits = {
  /** Rows with something in them, headers included; also said in the message. */
  rows: number
  /** Bytes after inflating, all parts together. */
  bytes: number
  /** Bytes after inflating to bytes before: a spreadsheet shrinks fiftyfold at most, a bomb a thousandfold. */
  ratio: number
}

/** What a file is by its first bytes, where it is no spreadsheet: the word goes into the message. */
const otherKinds: readonly [name: string, test: (bytes: Buffer) => boolean][] = [
  ['PDF', (bytes) => bytes.subarray(0, 5).toString('latin1') === '%PDF-'],
  ['PNG', (bytes) => bytes.readUInt32BE(0) === 0x89504e47],
  ['JPEG', (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff],
  ['GIF', (bytes) => bytes.subarray(0, 4).toString('latin1') === 'GIF8'],
  ['GZIP', (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b],
  ['RAR', (bytes) => bytes.subarray(0, 4).toString('latin1') === 'Rar!'],
  ['7z', (bytes) => bytes.readUInt16BE(0) === 0x377a],
  ['RTF', (bytes) => bytes.subarray(0, 5).toString('latin1') === '{\\rtf'],
  ['HTML', (bytes) => /^\s*<(!doctype|html|table|head|body|meta)/i.test(bytes.subarray(0, 200).toString('latin1'))],
  ['XML', (bytes) => /^\s*<\?xml/i.test(bytes.subarray(0, 200).toString('latin1'))],
]

function zipKind(entries: readonly ZipEntry[]): string {
  const has = (start: string) => entries.some(({ name }) => name.startsWith(start))
  if (has('word/')) return 'Word'
  if (has('ppt/')) return 'PowerPoint'
  if (has('content.xml')) return 'OpenDocument'
  return 'ZIP'
}

/** What a file really is. Throws SheetError for what can't be read, saying what it is instead. */
export function sheetFormatOf(bytes: Buffer): 'xlsx' | 'csv' {
  if (bytes.length === 0) throw new SheetError('empty')
  if (bytes.length >= 8) {
    if (bytes.readUInt32BE(0) === 0x504b0304) {
      const entries = zipEntries(bytes)
      if (entries.some(({ name }) => name === 'xl/workbook.xml')) return 'xlsx'
      throw new SheetError('not_a_sheet', { kind: zipKind(entries) })
    }
    // An .xls, or an .xlsx with a password: both are OLE containers.
    if (bytes.readUInt32BE(0) === 0xd0cf11e0) throw new SheetError('old_excel')
    const other = otherKinds.find(([, test]) => test(bytes))
    if (other) throw new SheetError('not_a_sheet', { kind: other[0] })
  }
  if (encodingOf(bytes) === null) throw new SheetError('not_a_sheet', { kind: 'binary' })
  return 'csv'
}

/** Every row of the first sheet with something in it. Throws SheetError. */
export async function* readSheet(bytes: Buffer, limits: ReadLimits): AsyncGenerator<ReadRow> {
  const format = sheetFormatOf(bytes)
  const rows = format === 'xlsx' ? xlsxRows(bytes, limits) : textRows(bytes)
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
 * Whether a file could be read: what it really is, and that it is neither a bomb nor many times too long. Costs a
 * fraction of reading it, and so comes before the sender is told that all is well. Throws SheetError.
 */
export async function inspectSheet(bytes: Buffer, limits: ReadLimits): Promise<'xlsx' | 'csv'> {
  const format = sheetFormatOf(bytes)
  if (format === 'xlsx') {
    const { rows } = await layoutsOf(bytes, zipEntries(bytes), limits)
    if (rows === 0) throw new SheetError('empty')
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
  const encoding = encodingOf(bytes) ?? 'utf-8'
  const head = new TextDecoder(encoding).decode(bytes.subarray(0, 8192), { stream: true })
  let number = 0
  for (const cells of csvRows(decoded(bytes, encoding), separatorOf(head))) {
    number++
    if (cells.length > mostColumns) cells.length = mostColumns
    yield { number, cells, marks: null }
  }
}

/** Cells that are merged downwards. */
type Merge = { top: number; column: number; bottom: number }
/**
 * What the rows of hucre don't say: how many there are by the sheet's own account, merged cells, formulas without a
 * value.
 */
type Layout = {
  merges: Merge[]
  marks: Map<number, Map<number, CellMark>>
  rows: number
  /** Whether the row that is being looked at is among them already. */
  counted: boolean
}

const emptyLayout = (): Layout => ({ merges: [], marks: new Map(), rows: 0, counted: false })

const reference = (ref: string): { row: number; column: number } => {
  const [, letters = 'A', digits = '1'] = /^\$?([A-Z]{1,3})\$?(\d{1,7})/.exec(ref) ?? []
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(digits), column }
}

/** Merged ranges and marks beyond these are somebody's joke. */
const mostMarks = 50_000

/** Columns beyond these can't be mapped to a field, so nothing in them is kept. */
const mostColumns = 200

/**
 * Tags of all parts but the sheets, closing ones included: room for 200,000 shared texts. The library makes an object
 * of each, which takes a hundred times its size in the file.
 */
const mostTags = 820_000
const tagBegin = 0x3c

const longestPiece = 1_048_576

/** Reads a part of the ZIP to its end and counts: a bomb stops here, before anybody holds what it inflates to. */
async function* counted(bytes: Buffer, entry: ZipEntry, limits: ReadLimits, total: { bytes: number }) {
  let size = 0
  for await (const piece of inflated(bytes, entry)) {
    size += piece.length
    total.bytes += piece.length
    // Small parts may be all alike and shrink well.
    const bomb = size > 1_048_576 && size > entry.compressed * limits.ratio
    if (bomb || total.bytes > limits.bytes) throw new SheetError('too_large')
    yield piece
  }
}

/**
 * Cell by cell, each looked at once: an expression over the whole text would let a hostile file keep the process busy.
 */
function markFormulas(xml: string, marks: Layout['marks']): void {
  for (const text of xml.split('</c>')) {
    const begin = text.lastIndexOf('<c ')
    if (begin < 0 || marks.size >= mostMarks) continue
    const cell = text.slice(begin, begin + 4096)
    const opened = cell.slice(0, cell.indexOf('>') + 1)
    const at = reference(/ r="([A-Z]{1,3}\d{1,7})"/.exec(opened)?.[1] ?? '')
    if (opened.includes('t="e"')) mark(marks, at.row, at.column, 'formula_error')
    else if (/<f[ />]/.test(cell) && !/<v>[^<]/.test(cell)) mark(marks, at.row, at.column, 'formula_empty')
  }
}

function mark(marks: Layout['marks'], row: number, column: number, what: CellMark) {
  if (column >= mostColumns) return
  const inRow = marks.get(row) ?? new Map<number, CellMark>()
  if (!inRow.has(column)) inRow.set(column, what)
  marks.set(row, inRow)
}

const found = {
  rowEnd: Buffer.from('</row>'),
  value: Buffer.from('<v'),
  inline: Buffer.from('<is'),
  formula: Buffer.from('<f'),
  error: Buffer.from('t="e"'),
  merge: Buffer.from('<mergeCell '),
  cellEnd: Buffer.from('</c>'),
}

/**
 * Counts rows with something in them. Each place is looked for once and remembered, so that no file makes it look
 * twice.
 */
function countRows(bytes: Buffer, layout: Layout): void {
  const next = (what: Buffer, from: number) => {
    const at = bytes.indexOf(what, from)
    return at < 0 ? bytes.length : at
  }
  let [begin, value, inline] = [0, next(found.value, 0), next(found.inline, 0)]
  while (begin < bytes.length) {
    const end = next(found.rowEnd, begin)
    if (value < begin) value = next(found.value, begin)
    if (inline < begin) inline = next(found.inline, begin)
    if (!layout.counted && (value < end || inline < end)) {
      layout.rows++
      layout.counted = true
    }
    if (end < bytes.length) layout.counted = false
    begin = end + found.rowEnd.length
  }
}

/** Bytes between two cells: as text only where there is something to say. */
function lookAt(bytes: Buffer, layout: Layout): void {
  const { merges, marks } = layout
  countRows(bytes, layout)
  const formulas = bytes.includes(found.formula) || bytes.includes(found.error)
  const merged = bytes.includes(found.merge)
  if (!formulas && !merged) return
  const xml = bytes.toString('utf8')
  if (formulas) markFormulas(xml, marks)
  for (let at = xml.indexOf('<mergeCell '); at >= 0; at = xml.indexOf('<mergeCell ', at + 1)) {
    const ref = / ref="([A-Z\d$:]{2,24})"/.exec(xml.slice(at, at + 100))?.[1]
    if (!ref || merges.length >= mostMarks) continue
    const [from = 'A1', to = from] = ref.split(':')
    const [start, end] = [reference(from), reference(to)]
    // One column, several rows: what one sees in each of them. A title over several columns stays where it begins.
    if (end.row <= start.row || start.column >= mostColumns) continue
    merges.push({ top: start.row, column: start.column, bottom: end.row })
  }
}

/** Where bytes can be cut so that no cell and no tag is. */
function cutOf(bytes: Buffer): number {
  const cell = bytes.lastIndexOf(found.cellEnd)
  if (cell >= 0) return cell + found.cellEnd.length
  return bytes.length > 262_144 ? bytes.lastIndexOf('>') + 1 : 0
}

/**
 * Inflates all that is in the file, and so comes before anything of it is used. The layouts of its sheets by their
 * names in the ZIP, with the rows of all.
 */
async function layoutsOf(
  bytes: Buffer,
  entries: readonly ZipEntry[],
  limits: ReadLimits,
): Promise<{ layouts: Map<string, Layout>; rows: number }> {
  const layouts = new Map<string, Layout>()
  const total = { bytes: 0 }
  let tags = 0
  const rows = () => [...layouts.values()].reduce((sum, layout) => sum + layout.rows, 0)
  for (const entry of entries) {
    const sheet = /^xl\/worksheets\/[^/]+\.xml$/i.test(entry.name)
    const layout = emptyLayout()
    if (sheet) layouts.set(entry.name, layout)
    let carried: Buffer = Buffer.alloc(0)
    let first = true
    for await (const piece of counted(bytes, entry, limits, total)) {
      if (!sheet) {
        for (let at = piece.indexOf(tagBegin); at >= 0; at = piece.indexOf(tagBegin, at + 1)) tags++
        if (tags > mostTags) throw new SheetError('too_large')
        continue
      }
      if (first) {
        const size = /<dimension ref="[A-Z]+\d+:([A-Z]+\d+)"/.exec(piece.toString('latin1', 0, 4096))
        // A sheet that says it is twenty times too long needn't be read; formatted empty rows at its end are forgiven.
        if (size?.[1] && reference(size[1]).row > limits.rows * 15) {
          throw new SheetError('too_many_rows', { max: limits.rows })
        }
        first = false
      }
      // Cut between cells; where there are none, between what follows them. What was carried goes with the first cell,
      // so that little is copied.
      const cell = piece.indexOf(found.cellEnd)
      const head = cell < 0 ? piece.length : cell + found.cellEnd.length
      const begun = Buffer.concat([carried, piece.subarray(0, head)])
      const cut = cutOf(begun)
      lookAt(begun.subarray(0, cut), layout)
      const rest = piece.subarray(head)
      const restCut = cut < begun.length ? 0 : cutOf(rest)
      lookAt(rest.subarray(0, restCut), layout)
      carried = Buffer.concat([begun.subarray(cut), rest.subarray(restCut)])
      if (rows() > limits.rows * 1.1) throw new SheetError('too_many_rows', { max: limits.rows })
      // No cell and no tag is this long.
      if (carried.length > longestPiece) throw new SheetError('too_large')
    }
    lookAt(carried, layout)
  }
  return { layouts, rows: rows() }
}

async function textOf(bytes: Buffer, entries: readonly ZipEntry[], name: string): Promise<string> {
  const entry = entries.find((each) => each.name === name)
  const pieces: Buffer[] = []
  if (entry) for await (const piece of inflated(bytes, entry)) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

/**
 * Which part of the ZIP is the first sheet, the one whose rows hucre gives; undefined where the workbook doesn't say it
 * in the usual way.
 */
async function firstSheet(bytes: Buffer, entries: readonly ZipEntry[]): Promise<string | undefined> {
  const book = await textOf(bytes, entries, 'xl/workbook.xml')
  const links = await textOf(bytes, entries, 'xl/_rels/workbook.xml.rels')
  const id = /\br:id="([^"]+)"/.exec(/<sheet\s[^>]*>/.exec(book)?.[0] ?? '')?.[1]
  const link = [...links.matchAll(/<Relationship ([^>]*)>/g)].find(([, said]) => id && said?.includes(`Id="${id}"`))
  const target = /\bTarget="([^"]*)"/.exec(link?.[1] ?? '')?.[1]
  return target?.replace(/^(?!\/)/, 'xl/').replace(/^\//, '')
}

async function* xlsxRows(bytes: Buffer, limits: ReadLimits): AsyncGenerator<ReadRow> {
  const entries = zipEntries(bytes)
  const { layouts } = await layoutsOf(bytes, entries, limits)
  // Where nobody knows which sheet is the first, it is the first that is in the file.
  const layout = layouts.get((await firstSheet(bytes, entries)) ?? '') ?? [...layouts.values()][0]
  const { merges, marks } = layout ?? emptyLayout()
  merges.sort((a, b) => a.top - b.top)
  // By column. Merged ranges can't overlap, so a column has one at most, and a row as many as there are columns.
  const open = new Map<number, Merge & { value: ReadCell }>()
  let next = 0
  try {
    for await (const { index, values } of streamXlsxRows(bytes)) {
      const number = index + 1
      const cells = values as ReadCell[]
      if (cells.length > mostColumns) cells.length = mostColumns
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
        mark(marks, number, column, 'merged')
      }
      const ownMarks = marks.get(number) ?? null
      marks.delete(number)
      yield { number, cells, marks: ownMarks }
    }
  } catch (error) {
    throw error instanceof SheetError ? error : new SheetError('broken')
  }
}
