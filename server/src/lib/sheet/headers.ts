/** Recognises the columns of an uploaded spreadsheet by their headers. */

import { lookup } from '@waybill/contract/ground/enums/labels'
import { clip } from '../text/clip.ts'
import { inHeaderUnit, type Units } from './cell-values.ts'
import type { ReadCell, ReadRow } from './row.ts'
import { dateText } from './write.ts'

/** Control characters and zero-width marks. */
const invisible = /[\p{Cc}\u200b\ufeff]+/gu
const plain = /^[\x20-\x7e]*$/

/** The text of a cell as it is stored and shown. A number never becomes `1e+21` or `0.30000000000000004`. */
export function cellText(cell: ReadCell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return (plain.test(cell) ? cell : cell.replace(invisible, ' ')).trim()
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : dateText(cell)
  return Number.isInteger(cell) ? cell.toFixed(0) : String(Number(cell.toPrecision(12)))
}

/** Traditional characters of headers, each before its simplified form, in which the names of columns are written. */
const traditional =
  '訂订單单號号編编電电話话機机聯联繫系係系郵邮遞递區区詳详細细國国別别屬属長长寬宽闊阔內内類类價价聲声報报險险貨货產产標标籤签備备註注說说' +
  '務务網网點点數数淨净際际範范圍围運运費费稱称戶户縣县鎮镇額额總总體体積积關关參参領领員员買买時时間间營营業业經经緯纬幣币門门條条'
const letters = [...traditional]
const simplified = new Map(letters.flatMap((letter, n) => (n % 2 === 0 ? [[letter, letters[n + 1] ?? '']] : [])))

/**
 * A header normalised for comparison: lower case, simplified characters, without units in brackets, stars, spaces and
 * punctuation.
 */
export function plainHeader(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\([^)]*\)|\[[^\]]*\]/g, '')
    .replace(/[\s_\-–—.:：*#/\\'"]+/g, '')
    .replace(/\p{Script=Han}/gu, (letter) => simplified.get(letter) ?? letter)
}

/** Words in brackets that are not units: sides, and remarks about the column. */
const remarks = new Set(
  (
    'l w h p t 长 宽 阔 高 length width height required optional mandatory wajib pilihan 必填 选填 可选 gross net actual ' +
    'total 毛重 净重 实重 总重 each parcel'
  ).split(' '),
)
const unitAtEnd = /(?:千克|公斤|毫米|厘米|公分|英寸|[克磅米]|kgs?|lbs?|[cm]m)$/

/**
 * The unit that a header names, such as `Weight (lb)`, `weight_g` or `重量（克）`, also one that is not among `units`;
 * null if it names none.
 */
function findHeaderUnit(header: string, units: Units): string | null {
  const text = header
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
  const words = (part: string) => part.match(/\p{L}+/gu) ?? []
  const isKnown = (word: string) => lookup(units, word) !== undefined
  for (const [, inside = ''] of text.matchAll(/[([]([^)\]]*)[)\]]/g)) {
    // `in kg` is not inches.
    const names = words(inside.replace(/^\s*(?:in\s+(?=\p{L})|单位)/u, ''))
    const unitNames = names.filter(isKnown)
    if (new Set(unitNames.map((name) => units[name])).size > 1) return names.join('')
    if (unitNames[0] !== undefined) return unitNames[0]
    if (names.length === 1 && names[0] !== undefined && !remarks.has(names[0])) return names[0]
  }
  const last = words(text.replace(/[([][^)\]]*[)\]]/g, ' ')).at(-1) ?? ''
  const unit = isKnown(last) ? last : (unitAtEnd.exec(last)?.[0] ?? '')
  return isKnown(unit) ? unit : null
}

/** The units that a file's headers name, if they differ from the columns' own. */
export function findHeaderUnits<F extends string>(
  { headers, mapping }: Pick<SheetHeader<F>, 'headers' | 'mapping'>,
  findUnits: (field: F) => Units | null,
): ReadonlyMap<F, string> {
  const headerUnits = new Map<F, string>()
  for (const [n, field] of mapping.entries()) {
    const units = field && findUnits(field)
    const unit = units && findHeaderUnit(headers[n] ?? '', units)
    if (field && unit && units[unit] !== 1) headerUnits.set(field, unit)
  }
  return headerUnits
}

/** Cells in the units of their headers: as their own units, so that a later edit or download keeps them. */
export function withHeaderUnits<F extends string>(
  cells: string[],
  fields: readonly F[],
  units: ReadonlyMap<F, string>,
): string[] {
  const result = units.size === 0 ? cells : [...cells]
  for (const [field, unit] of units) {
    const n = fields.indexOf(field)
    result[n] = inHeaderUnit(cells[n] ?? '', unit)
  }
  return result
}

/** How many rows (a title, empty lines) may precede the header. */
export const rowsAboveHeader = 20

/** The longest header that is stored. */
const maxHeader = 200

/** A header row with the field of each column, null if it is not recognised. */
export type SheetHeader<F extends string> = { number: number; headers: string[]; mapping: (F | null)[] }

/** How many columns are recognised. */
const countFields = (mapping: readonly (string | null)[]) => mapping.filter((field) => field !== null).length

/**
 * The row with the most recognised headers among the first ones. `fields` are by plain header, null for a column to
 * leave out. Of two columns with the same field the first counts.
 */
export function findHeader<F extends string>(
  rows: readonly ReadRow[],
  fields: ReadonlyMap<string, F | null>,
): SheetHeader<F> | null {
  let best: SheetHeader<F> | null = null
  for (const { number, cells } of rows) {
    const headers = cells.map((cell) => clip(cellText(cell), maxHeader))
    const mapping = mapHeaders(headers, fields)
    if (!best || countFields(mapping) > countFields(best.mapping)) best = { number, headers, mapping }
  }
  return best
}

/** The field of each column, null if it is not recognised. Of two columns with the same field the first counts. */
export function mapHeaders<F extends string>(
  headers: readonly string[],
  fields: ReadonlyMap<string, F | null>,
): (F | null)[] {
  const mapped = new Set<F>()
  return headers.map((header) => {
    const field = fields.get(plainHeader(header)) ?? null
    if (field === null || mapped.has(field)) return null
    mapped.add(field)
    return field
  })
}

/** The headers of a file that the user has said to have none: as many empty texts as columns. */
export const noHeaders = (headers: readonly string[]): string[] => headers.map(() => '')

/**
 * The number of the row with these headers, which the user has mapped: 0 if the file has none. Null: no such row.
 */
export function findHeaderNumber(rows: readonly ReadRow[], headers: readonly string[]): number | null {
  if (headers.length > 0 && headers.every((name) => name === '')) return 0
  const row = rows.find(({ cells }) => headers.every((name, n) => clip(cellText(cells[n]), maxHeader) === name))
  return row?.number ?? null
}

/** The name of a column in spreadsheets: 0 is A, 26 is AA. */
export const columnLetter = (n: number): string =>
  (n < 26 ? '' : columnLetter(Math.floor(n / 26) - 1)) + String.fromCharCode(65 + (n % 26))
