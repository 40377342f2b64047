/** Cells in clipboard format, as spreadsheets use it: tabs between cells, one line for each row. */
import type { BulkField } from '@waybill/contract/parcels/bulk'
import { type BulkRows, textOfCell } from './bulk-rows.ts'
import type { CellChanges } from './edit-history.ts'
import type { Place } from './grid-keys.ts'

/** A rectangle of cells. All four edges are inclusive. */
export type Range = { top: number; bottom: number; left: number; right: number }

export const buildRange = (a: Place, b: Place): Range => ({
  top: Math.min(a.row, b.row),
  bottom: Math.max(a.row, b.row),
  left: Math.min(a.column, b.column),
  right: Math.max(a.column, b.column),
})

export const isInRange = ({ top, bottom, left, right }: Range, { row, column }: Place): boolean =>
  row >= top && row <= bottom && column >= left && column <= right

/** A cell in quotes, as spreadsheets copy one with a line break, a tab or a quote. */
const quotedCell = /"((?:[^"]|"")*)"(?=[\t\n]|$)/y
const plainCell = /[^\t\n]*/y

function readCell(text: string, from: number): { cell: string; end: number } {
  quotedCell.lastIndex = from
  const quoted = quotedCell.exec(text)?.[1]
  // A cell of the grid has one line.
  if (quoted !== undefined)
    return { cell: quoted.replaceAll('""', '"').replaceAll('\n', ' '), end: quotedCell.lastIndex }
  plainCell.lastIndex = from
  const cell = plainCell.exec(text)?.[0] ?? ''
  return { cell, end: from + cell.length }
}

/** The lines of a copied text, each with its cells. */
function readLines(text: string): string[][] {
  const lines: string[][] = [[]]
  for (let at = 0; at <= text.length; ) {
    const { cell, end } = readCell(text, at)
    lines.at(-1)?.push(cell)
    if (text[end] === '\n') lines.push([])
    at = end + 1
  }
  return lines
}

const quote = (cell: string) => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

export function rangeText(rows: BulkRows, columns: readonly BulkField[], { top, bottom, left, right }: Range): string {
  return Array.from({ length: bottom - top + 1 }, (_, n) => {
    const row = rows.at(top + n)
    return columns
      .slice(left, right + 1)
      .map((name) => (row ? quote(textOfCell(row, name)) : ''))
      .join('\t')
  }).join('\n')
}

/**
 * The changes of pasting a text, with the index of each row. One cell fills the whole range. Several start at its top
 * left corner and may extend beyond the last row.
 */
export function pastedCells(
  text: string,
  columns: readonly BulkField[],
  { top, bottom, left, right }: Range,
): { place: number; cells: CellChanges }[] {
  const lines = readLines(text.replace(/\r\n?/g, '\n').replace(/\n$/, ''))
  const single = lines.length === 1 && lines[0]?.length === 1
  const height = single ? bottom - top + 1 : lines.length
  return Array.from({ length: height }, (_, n) => {
    const line = single ? Array<string>(right - left + 1).fill(lines[0]?.[0] ?? '') : (lines[n] ?? [])
    const cells = Object.fromEntries(
      line.flatMap((cell, k) => {
        const name = columns[left + k]
        return name ? [[name, cell.trim().slice(0, 2000)]] : []
      }),
    ) as CellChanges
    return { place: top + n, cells }
  })
}
