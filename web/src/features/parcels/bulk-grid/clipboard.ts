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

export function rangeText(rows: BulkRows, columns: readonly BulkField[], { top, bottom, left, right }: Range): string {
  return Array.from({ length: bottom - top + 1 }, (_, n) => {
    const row = rows.at(top + n)
    return columns
      .slice(left, right + 1)
      .map((name) => (row ? textOfCell(row, name) : ''))
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
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'))
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
