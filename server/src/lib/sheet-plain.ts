/**
 * The sheet of an .xlsx as nearly every program writes it: cells one after the other in a handful of forms. Read by those forms alone it takes a quarter of
 * the time that a parser of XML needs. Whatever is written otherwise is not guessed at: from that row on the library reads (`sheet-read.ts`), and what
 * is plain here means the same there.
 */
import { inflated, type ZipEntry } from './sheet-zip.ts'

export type PlainCell = string | number | boolean | null
export type PlainRow = { number: number; cells: PlainCell[] }

/** What cells of the first sheet refer to. */
export type PlainBook = {
  sheet: ZipEntry
  strings: readonly string[]
  /** By style: whether a number in it may be a day. */
  days: readonly boolean[]
}

/** A row that is longer is none that people wrote. */
const longestRow = 4_194_304

const longestTag = 4096

/** As Excel itself: XFD. */
const mostColumns = 16_384

async function textOf(bytes: Buffer, entry: ZipEntry): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of inflated(bytes, entry)) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text between tags as it is meant. */
function meant(raw: string): string {
  const text = raw.includes('&')
    ? raw.replace(/&(#x[0-9a-f]+|#\d+|[a-z]+);/gi, (written, ref: string) => {
        if (!ref.startsWith('#')) return named[ref] ?? written
        const code = /^#x/i.test(ref) ? Number.parseInt(ref.slice(2), 16) : Number.parseInt(ref.slice(1), 10)
        return code <= 0x10ffff ? String.fromCodePoint(code) : written
      })
    : raw
  // Excel's own way to write what XML can't.
  return text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
}

/** The texts that cells share, in their order; null where they are written otherwise. */
function stringsOf(xml: string): string[] | null {
  if (!/<sst[ >]/.test(xml) || /<si[ /]|<rPh|<!/.test(xml)) return null
  const strings: string[] = []
  for (let at = xml.indexOf('<si>'); at >= 0; ) {
    const end = xml.indexOf('</si>', at)
    if (end < 0) return null
    const texts = [...xml.slice(at, end).matchAll(/<t(?: [^<>]*[^/])?>([^<]*)<\/t>|<t\/>/g)]
    // Of several only runs make one text.
    if (texts.length !== 1 && xml.indexOf('<r>', at) > end) return null
    strings.push(texts.map(([, text]) => meant(text ?? '')).join(''))
    at = xml.indexOf('<si>', end)
  }
  return strings
}

const numberFormats = [
  [0, 13],
  [37, 44],
  [48, 49],
] as const

/** Whether numbers of a style may be days; what stands in quotes, in brackets or behind a backslash is no part of a date. Null where they are written otherwise. */
function daysOf(xml: string): boolean[] | null {
  const formats = new Map(
    [...xml.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [
      Number(id),
      meant(code ?? ''),
    ]),
  )
  const isNumber = (id: number) => {
    const code = formats.get(id)
    if (code === undefined) return numberFormats.some(([from, to]) => id >= from && id <= to)
    return !/[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|\[(?!(?:h+|m+|s+)\])[^\]]*\]|general/gi, ''))
  }
  const styles = /<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(xml)?.[1]
  if (styles === undefined || xml.includes('<!')) return null
  return [...styles.matchAll(/<xf\b([^>]*)>/g)].map(
    ([, attributes = '']) => !isNumber(Number(/\bnumFmtId="(\d+)"/.exec(attributes)?.[1] ?? Number.NaN)),
  )
}

/** The first sheet and what its cells refer to; null where a workbook is written otherwise. */
export async function plainBook(bytes: Buffer, entries: readonly ZipEntry[]): Promise<PlainBook | null> {
  const part = async (name: string) => {
    const entry = entries.find((each) => each.name === name)
    return entry ? textOf(bytes, entry) : null
  }
  const [root, book, links] = [
    await part('_rels/.rels'),
    await part('xl/workbook.xml'),
    await part('xl/_rels/workbook.xml.rels'),
  ]
  if (!root || !book || !links) return null
  if (!/Target="\/?xl\/workbook\.xml"/.test(root) || /date1904="(?:1|true)"|<!/.test(book) || links.includes('<!'))
    return null
  const first = /\br:id="([^"]+)"/.exec(/<sheet\s[^>]*>/.exec(book)?.[0] ?? '')?.[1]
  const targets = [...links.matchAll(/<Relationship ([^>]*)>/g)].map(([, attributes = '']) => ({
    id: /\bId="([^"]*)"/.exec(attributes)?.[1],
    type: /\bType="[^"]*\/([^"/]*)"/.exec(attributes)?.[1],
    path: (/\bTarget="([^"]*)"/.exec(attributes)?.[1] ?? '').replace(/^(?!\/)/, 'xl/').replace(/^\//, ''),
  }))
  const sheet = targets.find(({ id, type }) => id === first && type === 'worksheet')
  const entry = first && sheet && entries.find(({ name }) => name === sheet.path)
  if (!entry) return null
  const shared = targets.find(({ type }) => type === 'sharedStrings')
  const styled = targets.find(({ type }) => type === 'styles')
  const strings = shared ? stringsOf((await part(shared.path)) ?? '') : []
  const days = styled ? daysOf((await part(styled.path)) ?? '') : []
  return strings && days && { sheet: entry, strings, days }
}

const openRow = /<row r="(\d{1,7})"[^<>]*>/y
const cell =
  /<c r="([A-Z]{1,3})\d{1,7}"(?: s="(\d{1,6})")?(?: t="(\w+)")?(?: s="(\d{1,6})")?(?:\/>|>(?:<f(?: [^<>]*)?(?:\/>|>[^<]*<\/f>))?(?:<v>([^<]*)<\/v>|<is>(?:<t(?: xml:space="preserve")?>([^<]*)<\/t>|<t\/>)<\/is>)?<\/c>)/y

const columns = new Map<string, number>()

function columnOf(letters: string): number {
  let column = columns.get(letters)
  if (column === undefined) {
    column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
    columns.set(letters, column)
  }
  return column
}

/** The value of a cell; undefined where the library has to say. */
function cellValue(
  type: string,
  style: string | undefined,
  value: string | undefined,
  inline: string | undefined,
  book: PlainBook,
) {
  switch (type) {
    case 'inlineStr':
      return value === undefined ? meant(inline ?? '') : undefined
    case 's':
      return value ? (book.strings[Number(value)] ?? null) : undefined
    case 'str':
    case 'e':
      return meant(value ?? '')
    case 'n':
    case '': {
      if (inline !== undefined) return undefined
      if (value === undefined || value === '') return null
      if (style !== undefined && book.days[Number(style)]) return undefined
      const number = Number(value)
      return Number.isNaN(number) ? undefined : number
    }
    case 'b':
      return value === '1' ? true : value === '0' ? false : undefined
    default:
      return undefined
  }
}

/** Cells of what stands between a row's tags; null where one is not plain. */
function cellsOf(xml: string, begin: number, end: number, book: PlainBook): PlainCell[] | null {
  const cells: PlainCell[] = []
  for (let at = begin; at < end; at = cell.lastIndex) {
    cell.lastIndex = at
    const found = cell.exec(xml)
    if (!found || cell.lastIndex > end) return null
    const [, letters = '', before, type = '', behind, value, inline] = found
    const column = columnOf(letters)
    const said = cellValue(type, before ?? behind, value, inline, book)
    if (said === undefined || column >= mostColumns) return null
    while (cells.length < column) cells.push(null)
    cells[column] = said
  }
  return cells
}

/** Rows in their order, empty ones too; null, and nothing more, before the first that is not plain. */
export async function* plainRows(bytes: Buffer, book: PlainBook): AsyncGenerator<PlainRow | null> {
  const decoder = new TextDecoder('utf-8')
  let xml = ''
  let begun = false
  for await (const piece of inflated(bytes, book.sheet)) {
    xml += decoder.decode(piece, { stream: true })
    let at = 0
    if (!begun) {
      const data = xml.indexOf('<sheetData>')
      if (xml.includes('<!') || (data < 0 && xml.length > longestRow)) return yield null
      if (data < 0) continue
      begun = true
      at = data + '<sheetData>'.length
    }
    for (;;) {
      if (xml.startsWith('</sheetData>', at)) return
      openRow.lastIndex = at
      const row = openRow.exec(xml)
      const empty = row?.[0].endsWith('/>') ?? false
      const end = row ? (empty ? openRow.lastIndex : xml.indexOf('</row>', openRow.lastIndex)) : -1
      if (!row && xml.length - at > longestTag) return yield null
      if (!row || end < 0) break
      const cells = empty ? [] : cellsOf(xml, openRow.lastIndex, end, book)
      if (!cells) return yield null
      yield { number: Number(row[1]), cells }
      at = empty ? end : end + '</row>'.length
    }
    xml = xml.slice(at)
    if (xml.length > longestRow) return yield null
  }
  yield null
}
