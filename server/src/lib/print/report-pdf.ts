/** Prints lists on A4. */
import type { Readable } from 'node:stream'
import { columns, Drawing } from './drawing.ts'
import { type FontSet, loadFonts } from './fonts.ts'
import type { Box, Colour } from './marks.ts'
import { type PdfInfo, type PdfPage, pdfStream } from './pdf.ts'
import { type Column, layoutRow, type Row } from './table.ts'
import type { Paragraph } from './typeset.ts'

/**
 * A printed list: issuer, title, facts, a table over as many pages as needed, and sums at the end. Rows come from an
 * (async) iterable and are drawn page by page, so that a long statement is never held in memory. Texts, money and
 * dates are already formatted.
 */
export type Report = ReportTable & {
  title: string
  /** Below the title: the reader or the date of the report. */
  subtitle?: string
  /** The issuer's name, then lines of address and registration numbers. */
  issuer: { name: string; lines: readonly string[] }
  facts: readonly (readonly [caption: string, value: string])[]
  /** The sums below the table. Called after the last row. The last sum is printed largest. */
  closing: () => readonly (readonly [caption: string, value: string])[]
  /** Tables after the sums, each with a title. */
  furtherTables?: readonly (ReportTable & { title: string })[]
  /** The footer of page `n` (from 1). */
  foot: (page: number) => string
  /** The deployment's primary colour, `#rrggbb`. */
  colour: string
}
export type ReportTable = {
  columns: readonly ReportColumn[]
  rows: AsyncIterable<ReportRow> | Iterable<ReportRow>
  /** The text shown if there are no rows. */
  empty: string
  /** The least height of a row in millimetres, for what is written by hand. */
  rowHeight?: number
}
export type ReportColumn = {
  header: string
  /** Millimetres. One column may have no width and gets the rest. */
  width?: number
  align?: 'left' | 'right'
}
/** A text; several: those after the first one are smaller, below; or lines of the same size. */
export type ReportCell = string | readonly [string, ...string[]] | { lines: readonly string[] }
export type ReportRow = { cells: readonly ReportCell[]; strong?: boolean }

const a4 = { width: 210, height: 297 }
const margin = 16
const contentWidth = a4.width - 2 * margin
const footTop = a4.height - 15
const headingHeight = 8
const titleHeight = 9
const closingLine = 6.4
const grey: Colour = '5b6169'
const hairline: Colour = 'd5d8dc'
const shade: Colour = 'f3f4f5'

/** Reports as one PDF, drawn while they are read. Each begins on a page of its own, which has the number 1. */
export function renderReports(reports: readonly Report[], info: PdfInfo): Readable {
  async function* pages(): AsyncGenerator<PdfPage> {
    for (const report of reports) yield* drawPages(report)
  }
  return pdfStream(info, pages())
}

/** The page being drawn, and the lower edge of its content so far. */
type Position = { draw: Drawing; number: number; y: number }

async function* drawPages(report: Report): AsyncGenerator<PdfPage> {
  const pages = new ReportPages(await loadFonts(), report)
  const at = { draw: pages.open(1), number: 1, y: pages.firstTable }
  yield* drawTable(pages, report, at)
  const closing = report.closing()
  if (at.y + 6 + closing.length * closingLine > footTop) yield turnPage(pages, at)
  at.y = pages.close(at.draw, at.y + 6, closing)
  for (const table of report.furtherTables ?? []) {
    // A title must not be alone at the bottom of a page.
    if (at.y + 2 * titleHeight + headingHeight + 10 > footTop) yield turnPage(pages, at)
    else at.y += titleHeight
    at.y = pages.drawTitle(at.draw, at.y, table.title)
    yield* drawTable(pages, table, at)
  }
  yield toPdfPage(at.draw)
}

async function* drawTable(pages: ReportPages, table: ReportTable, at: Position): AsyncGenerator<PdfPage> {
  const layout = layOutColumns(table.columns)
  at.y = pages.drawHeadings(at.draw, at.y, table, layout)
  let any = false
  for await (const row of table.rows) {
    any = true
    const set = pages.set(row, layout, table.rowHeight)
    if (at.y + set.height > footTop - 4) {
      yield turnPage(pages, at)
      at.y = pages.drawHeadings(at.draw, at.y, table, layout)
    }
    for (const mark of set.at(at.y)) at.draw.add(mark)
    at.y += set.height
    at.draw.rule(margin, at.y, contentWidth, 'across', hairline)
  }
  if (!any) at.y = pages.drawEmptyText(at.draw, at.y, table.empty)
}

/** Opens the next page, and returns the one that is complete. */
function turnPage(pages: ReportPages, at: Position): PdfPage {
  const complete = toPdfPage(at.draw)
  at.number += 1
  at.draw = pages.open(at.number)
  at.y = pages.continued
  return complete
}

const toPdfPage = (draw: Drawing): PdfPage => ({ widthMm: a4.width, heightMm: a4.height, marks: draw.marks })

function layOutColumns(reportColumns: readonly ReportColumn[]): Column[] {
  const fixedWidth = reportColumns.reduce((sum, { width }) => sum + (width ?? 0), 0)
  return reportColumns.map(({ width, align }) => ({
    width: width ?? contentWidth - fixedWidth,
    align: align ?? 'left',
    ...(align === 'right' ? { oneLine: true } : {}),
  }))
}

class ReportPages {
  readonly #fonts: FontSet
  readonly #report: Report
  /** The top of the table on the first page. */
  readonly firstTable: number
  /** The top of the table from the second page on. */
  readonly continued = 28

  constructor(fonts: FontSet, report: Report) {
    this.#fonts = fonts
    this.#report = report
    const lines = Math.max(report.issuer.lines.length + 1, report.facts.length)
    this.firstTable = 44 + lines * 5.2
  }

  open(number: number): Drawing {
    const { title, subtitle, issuer, facts, foot, colour } = this.#report
    const draw = new Drawing(this.#fonts, 0.25)
    draw.block({ x: 0, y: 0, width: a4.width, height: 2.5 }, colour.replace('#', ''))
    draw.rule(margin, footTop, contentWidth, 'across', hairline)
    draw.text([{ text: foot(number), size: 7.5, colour: grey }], {
      x: margin,
      y: footTop + 2,
      width: contentWidth,
      height: 5,
    })
    if (number > 1) {
      const [left, right] = columns({ x: margin, y: 14, width: contentWidth, height: 7 }, 90) as [Box, Box]
      draw.text([{ text: issuer.name, size: 10, weight: 'bold' }], left, { valign: 'middle', oneLine: true })
      draw.text([{ text: `${title} ${subtitle ?? ''}`, size: 9, colour: grey }], right, {
        align: 'right',
        valign: 'middle',
        oneLine: true,
      })
      return draw
    }
    draw.text(
      [{ text: title, size: 20, weight: 'bold' }],
      { x: margin, y: 14, width: contentWidth, height: 10 },
      { oneLine: true },
    )
    if (subtitle)
      draw.text(
        [{ text: subtitle, size: 11, colour: grey }],
        { x: margin, y: 25, width: contentWidth, height: 6 },
        { oneLine: true },
      )
    const [left, right] = columns({ x: margin, y: 37, width: contentWidth, height: this.firstTable - 42 }, 92) as [
      Box,
      Box,
    ]
    draw.rule(margin, 34, contentWidth, 'across', hairline)
    draw.text(
      [
        { text: issuer.name, size: 10, weight: 'bold' },
        ...issuer.lines.map((text) => ({ text, size: 8.5, colour: grey })),
      ],
      { ...left, width: left.width - 4 },
      { leading: 1.35 },
    )
    this.#pairs(draw, facts, right, 5.2, 9)
    return draw
  }

  drawHeadings(draw: Drawing, y: number, table: ReportTable, layout: Column[]): number {
    draw.block({ x: margin, y, width: contentWidth, height: headingHeight }, shade)
    const row = layoutRow(
      this.#fonts,
      layout,
      table.columns.map(({ header }) => [{ text: header, size: 8, weight: 'bold' as const, colour: grey }]),
      margin,
      headingHeight,
    )
    for (const mark of row.at(y + (headingHeight - row.height) / 2)) draw.add(mark)
    return y + headingHeight
  }

  drawTitle(draw: Drawing, y: number, title: string): number {
    const box = { x: margin, y, width: contentWidth, height: titleHeight - 2 }
    draw.text([{ text: title, size: 11, weight: 'bold' }], box, { valign: 'middle', oneLine: true })
    return y + titleHeight
  }

  set({ cells, strong }: ReportRow, layout: Column[], leastHeight = 0): Row {
    const weight = strong ? ('bold' as const) : undefined
    const toParagraphs = (cell: ReportCell): Paragraph[] => {
      if (typeof cell === 'string') return [{ text: cell, size: 8.5, weight }]
      if ('lines' in cell) return cell.lines.map((text) => ({ text, size: 8.5, weight }))
      const [first, ...others] = cell
      return [{ text: first, size: 8.5, weight }, ...others.map((text) => ({ text, size: 7.5, colour: grey }))]
    }
    const maxHeight = footTop - this.continued - headingHeight - 8
    const row = layoutRow(this.#fonts, layout, cells.map(toParagraphs), margin, maxHeight)
    return { ...row, height: Math.max(row.height, leastHeight) }
  }

  drawEmptyText(draw: Drawing, y: number, text: string): number {
    const box = { x: margin, y: y + 4, width: contentWidth, height: 8 }
    draw.text([{ text, size: 9.5, colour: grey }], box, { align: 'center' })
    return y + 14
  }

  close(draw: Drawing, y: number, closing: Report['facts']): number {
    // Aligned with the amounts of the table.
    const box = { x: a4.width - margin - 92, y, width: 90, height: 0 }
    this.#pairs(draw, closing.slice(0, -1), box, closingLine, 9.5)
    const last = closing.at(-1)
    if (!last) return y
    const top = y + (closing.length - 1) * closingLine
    draw.block({ x: box.x - 2, y: top, width: box.width + 4, height: closingLine + 2 }, shade)
    this.#pairs(draw, [last], { ...box, y: top + 1 }, closingLine, 11)
    return top + closingLine + 2
  }

  #pairs(draw: Drawing, pairs: Report['facts'], box: Box, pitch: number, size: number): void {
    pairs.forEach(([caption, value], index) => {
      const line = { ...box, y: box.y + index * pitch, height: pitch }
      const [left, right] = columns(line, box.width * 0.5) as [Box, Box]
      draw.text([{ text: caption, size: size - 0.5, colour: grey }], left, { valign: 'middle', oneLine: true })
      draw.text([{ text: value, size, weight: 'bold' }], right, { align: 'right', valign: 'middle', oneLine: true })
    })
  }
}
