/** Recognises the columns of an uploaded spreadsheet by their headers. */

import { clip } from '../text/clip.ts'
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

/** A header normalised for comparison: lower case, without units in brackets, stars, spaces and punctuation. */
export function plainHeader(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\([^)]*\)|\[[^\]]*\]/g, '')
    .replace(/[\s_\-–—.:：*#/\\'"]+/g, '')
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

/** The row whose cells are these headers; the user has mapped them before. */
export function findHeaderRow(rows: readonly ReadRow[], headers: readonly string[]): ReadRow | undefined {
  return rows.find(({ cells }) => headers.every((name, n) => clip(cellText(cells[n]), maxHeader) === name))
}

/** The name of a column in spreadsheets: 0 is A, 26 is AA. */
export const columnLetter = (n: number): string =>
  (n < 26 ? '' : columnLetter(Math.floor(n / 26) - 1)) + String.fromCharCode(65 + (n % 26))
