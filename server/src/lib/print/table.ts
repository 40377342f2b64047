/** Tables in print. */
import { printable } from './characters.ts'
import { inset } from './drawing.ts'
import type { FontSet } from './fonts.ts'
import type { Mark } from './marks.ts'
import { flowText, type Paragraph } from './typeset.ts'

/**
 * Each row is as high as its tallest cell. Rows are measured before they are placed, so that a page break falls between
 * rows.
 */

export interface Column {
  /** Millimetres. */
  width: number
  align: 'left' | 'right'
  /** Shrinks instead of wrapping, for amounts and numbers. */
  oneLine?: boolean
}

export interface Row {
  height: number
  /** The marks of the row with its top edge at `y`. */
  at(y: number): Mark[]
}

const padding = { side: 2, top: 1.6 }

/**
 * Lays out a row from the left edge `x`; a cell is a list of paragraphs. A row higher than `maxHeight` shrinks until it
 * fits.
 */
export function layoutRow(fonts: FontSet, columns: Column[], cells: Paragraph[][], x: number, maxHeight: number): Row {
  let columnX = x
  const set = columns.map((column, index) => {
    const box = inset({ x: columnX, y: 0, width: column.width, height: 0 }, padding.side, 0)
    columnX += column.width
    const paragraphs = (cells[index] ?? []).map((each) =>
      fitting(fonts, { ...each, text: printable(each.text) }, column, box.width),
    )
    return flowText(
      fonts,
      paragraphs,
      { x: box.x, top: padding.top, width: box.width },
      { align: column.align, leading: 1.3 },
    )
  })
  const height = Math.max(...set.map((cell) => cell.height)) + 2 * padding.top
  if (height > maxHeight) {
    const smaller = cells.map((cell) => cell.map((each) => ({ ...each, size: each.size * 0.85 })))
    return layoutRow(fonts, columns, smaller, x, maxHeight)
  }
  return {
    height,
    at: (y) => set.flatMap(({ marks }) => marks.map((mark) => ({ ...mark, baseline: mark.baseline + y }))),
  }
}

function fitting(fonts: FontSet, paragraph: Paragraph, column: Column, width: number): Paragraph {
  if (!column.oneLine) return paragraph
  const textWidth = fonts.width(paragraph.text, paragraph.weight ?? 'regular', paragraph.size)
  return textWidth <= width ? paragraph : { ...paragraph, size: (paragraph.size * width) / textWidth }
}

export interface Body {
  top: number
  bottom: number
}

/**
 * Distributes rows over at least one page. `getBody` returns the space for the rows of a page (from 0). The last page
 * keeps `footHeight` free below its rows. No row may be higher than the smallest space (see `layoutRow`).
 */
export function dealRows(rows: Row[], getBody: (page: number) => Body, footHeight = 0): { row: Row; y: number }[][] {
  const pages: { row: Row; y: number }[][] = [[]]
  let y = getBody(0).top
  const place = (row: Row) => {
    pages.at(-1)?.push({ row, y })
    y += row.height
  }
  const turnPage = () => {
    pages.push([])
    y = getBody(pages.length - 1).top
  }
  for (const row of rows) {
    if (y + row.height > getBody(pages.length - 1).bottom && pages.at(-1)?.length) turnPage()
    place(row)
  }
  const last = pages.at(-1) ?? []
  const end = getBody(pages.length - 1).bottom - footHeight
  const rowsAboveFoot = last.filter((placed) => placed.y + placed.row.height <= end)
  if (rowsAboveFoot.length > 0 && rowsAboveFoot.length < last.length) {
    pages[pages.length - 1] = rowsAboveFoot
    turnPage()
    for (const { row } of last.slice(rowsAboveFoot.length)) place(row)
  }
  return pages
}
