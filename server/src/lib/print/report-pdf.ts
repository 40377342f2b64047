/** Prints lists on A4. */
import type { Readable } from 'node:stream'
import { columns, Drawing } from './drawing.ts'
import { type FontSet, loadFonts } from './fonts.ts'
import type { Box, Colour } from './marks.ts'
import { type PdfInfo, type PdfPage, pdfStream } from './pdf.ts'
import { type Column, layoutRow, type Row } from './table.ts'

/**
 * A printed list: issuer, title, facts, a table over as many pages as needed, and sums at the end. Rows come from an
 * (async) iterable and are drawn page by page, so that a long statement is never held in memory. Texts, money and dates
 * are already formatted.
 */
export type Report = {
  title: string
  /** Below the title: for whom or for when. */
  subtitle?: string
  /** The issuer's name, then lines of address and registration numbers. */
  issuer: { name: string; lines: readonly string[] }
  facts: readonly (readonly [caption: string, value: string])[]
  columns: readonly ReportColumn[]
  rows: AsyncIterable<ReportRow> | Iterable<ReportRow>
  /** The text shown if there are no rows. */
  empty: string
  /** The sums below the table. Called after the last row. The last sum is printed largest. */
  closing: () => readonly (readonly [caption: string, value: string])[]
  /** The footer of page `n` (from 1). */
  foot: (page: number) => string
  /** The deployment's primary colour, `#rrggbb`. */
  colour: string
}
export type ReportColumn = {
  header: string
  /** Millimetres. One column may have no width and takes the rest. */
  width?: number
  align?: 'left' | 'right'
}
/** A cell is a text, or two: the second one smaller, below. */
export type ReportRow = { cells: readonly (string | readonly [string, string])[]; strong?: boolean }

const a4 = { width: 210, height: 297 }
const margin = 16
const contentWidth = a4.width - 2 * margin
const footTop = a4.height - 15
const headingHeight = 8
const closingLine = 6.4
const grey: Colour = '5b6169'
const hairline: Colour = 'd5d8dc'
const shade: Colour = 'f3f4f5'

/** The report as a PDF, drawn while it is read. */
export function renderReport(report: Report, info: PdfInfo): Readable {
  return pdfStream(info, drawPages(report))
}

async function* drawPages(report: Report): AsyncGenerator<PdfPage> {
  const pages = new ReportPages(await loadFonts(), report)
  const page = (draw: Drawing): PdfPage => ({ widthMm: a4.width, heightMm: a4.height, marks: draw.marks })
  let number = 1
  let draw = pages.open(number)
  let y = pages.startTable(draw, number)
  let any = false
  for await (const row of report.rows) {
    any = true
    const set = pages.set(row)
    if (y + set.height > footTop - 4) {
      yield page(draw)
      number += 1
      draw = pages.open(number)
      y = pages.startTable(draw, number)
    }
    for (const mark of set.at(y)) draw.add(mark)
    y += set.height
    draw.rule(margin, y, contentWidth, 'across', hairline)
  }
  if (!any) y = pages.sayEmpty(draw, y)
  const closing = report.closing()
  if (y + 6 + closing.length * closingLine > footTop) {
    yield page(draw)
    draw = pages.open(number + 1)
    y = pages.continued
  }
  pages.close(draw, y + 6, closing)
  yield page(draw)
}

class ReportPages {
  readonly #fonts: FontSet
  readonly #report: Report
  readonly #columns: Column[]
  readonly #firstTable: number
  /** The top of the table from the second page on. */
  readonly continued = 28

  constructor(fonts: FontSet, report: Report) {
    this.#fonts = fonts
    this.#report = report
    const fixedWidth = report.columns.reduce((sum, { width }) => sum + (width ?? 0), 0)
    this.#columns = report.columns.map(({ width, align }) => ({
      width: width ?? contentWidth - fixedWidth,
      align: align ?? 'left',
      ...(align === 'right' ? { oneLine: true } : {}),
    }))
    const lines = Math.max(report.issuer.lines.length + 1, report.facts.length)
    this.#firstTable = 44 + lines * 5.2
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
    const [left, right] = columns({ x: margin, y: 37, width: contentWidth, height: this.#firstTable - 42 }, 92) as [
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

  startTable(draw: Drawing, number: number): number {
    const y = number === 1 ? this.#firstTable : this.continued
    draw.block({ x: margin, y, width: contentWidth, height: headingHeight }, shade)
    const row = layoutRow(
      this.#fonts,
      this.#columns,
      this.#report.columns.map(({ header }) => [{ text: header, size: 8, weight: 'bold' as const, colour: grey }]),
      margin,
      headingHeight,
    )
    for (const mark of row.at(y + (headingHeight - row.height) / 2)) draw.add(mark)
    return y + headingHeight
  }

  set({ cells, strong }: ReportRow): Row {
    const weight = strong ? ('bold' as const) : undefined
    return layoutRow(
      this.#fonts,
      this.#columns,
      cells.map((cell) =>
        typeof cell === 'string'
          ? [{ text: cell, size: 8.5, weight }]
          : [
              { text: cell[0], size: 8.5, weight },
              { text: cell[1], size: 7.5, colour: grey },
            ],
      ),
      margin,
      footTop - this.continued - headingHeight - 8,
    )
  }

  sayEmpty(draw: Drawing, y: number): number {
    const box = { x: margin, y: y + 4, width: contentWidth, height: 8 }
    draw.text([{ text: this.#report.empty, size: 9.5, colour: grey }], box, { align: 'center' })
    return y + 14
  }

  close(draw: Drawing, y: number, closing: Report['facts']): void {
    // Aligned with the amounts of the table.
    const box = { x: a4.width - margin - 92, y, width: 90, height: 0 }
    this.#pairs(draw, closing.slice(0, -1), box, closingLine, 9.5)
    const last = closing.at(-1)
    if (!last) return
    const top = y + (closing.length - 1) * closingLine
    draw.block({ x: box.x - 2, y: top, width: box.width + 4, height: closingLine + 2 }, shade)
    this.#pairs(draw, [last], { ...box, y: top + 1 }, closingLine, 11)
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
