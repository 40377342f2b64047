/** Draws invoices and credit notes. */
import { formatDate, formatMoney } from '@waybill/contract/ground/format'
import { formatPhone } from '../../../lib/phone.ts'
import { columns, Drawing } from '../../../lib/print/drawing.ts'
import type { FontSet } from '../../../lib/print/fonts.ts'
import { type Box, type Colour, ink, type Mark } from '../../../lib/print/marks.ts'
import { type Column, dealRows, layoutRow, type Row } from '../../../lib/print/table.ts'
import type { Paragraph } from '../../../lib/print/typeset.ts'
import type { InvoiceDocument, InvoiceOptions, InvoiceParty } from './document.ts'

/**
 * One list of marks per page. The first page has seller, buyer, numbers and dates. Then come the lines, with the
 * table's heading on each page. Totals and payment stay together on the last page.
 */

/** The size of the page in millimetres. */
export const a4 = { width: 210, height: 297 }

const margin = 18
const contentWidth = a4.width - 2 * margin
const footTop = a4.height - 17
const grey: Colour = '5b6169'
const hairline: Colour = 'd5d8dc'
const shade: Colour = 'f3f4f5'
const stampColours: Record<InvoiceDocument['status'], Colour> = {
  paid: '15803d',
  unpaid: 'b45309',
  refunded: '1d4ed8',
  refunding: '1d4ed8',
}

/** The description gets the remaining width. */
const tableColumns: Column[] = [
  { width: 9, align: 'left' },
  { width: contentWidth - 9 - 15 - 30 - 32, align: 'left' },
  { width: 15, align: 'right', oneLine: true },
  { width: 30, align: 'right', oneLine: true },
  { width: 32, align: 'right', oneLine: true },
]
const headingHeight = 8
/** The position of the table's heading on the first and on later pages. */
const headingTop = { first: 101, next: 32 }
const maxRowHeight = footTop - 6 - headingTop.first - headingHeight

/** The marks of each page. */
export function layoutInvoice(fonts: FontSet, invoice: InvoiceDocument, options: InvoiceOptions): Mark[][] {
  const page = new InvoicePages(fonts, invoice, options)
  const rows = page.rows()
  const top = (index: number) => (index === 0 ? headingTop.first : headingTop.next)
  const dealt = dealRows(rows, (index) => ({ top: top(index) + headingHeight, bottom: footTop - 6 }))
  const last = dealt.at(-1)?.at(-1)
  const endOfRows = last ? last.y + last.row.height : headingTop.first + headingHeight
  // Totals that do not fit below the last line get a separate page.
  const closing = page.closingHeight()
  const closingFits = endOfRows + closing <= footTop
  const count = dealt.length + (closingFits ? 0 : 1)

  return Array.from({ length: count }, (_, index) => {
    const draw = new Drawing(fonts, 0.25)
    if (index === 0) page.opening(draw)
    else page.runningHead(draw)
    const placed = dealt[index] ?? []
    if (placed.length > 0) page.heading(draw, top(index))
    for (const { row, y } of placed) {
      for (const mark of row.at(y)) draw.add(mark)
      draw.rule(margin, y + row.height, contentWidth, 'across', hairline)
    }
    if (index === count - 1) page.closing(draw, closingFits ? endOfRows : headingTop.next)
    page.foot(draw, index + 1, count)
    return draw.marks
  })
}

class InvoicePages {
  readonly #fonts: FontSet
  readonly #invoice: InvoiceDocument
  readonly #options: InvoiceOptions

  constructor(fonts: FontSet, invoice: InvoiceDocument, options: InvoiceOptions) {
    this.#fonts = fonts
    this.#invoice = invoice
    this.#options = options
  }

  #t(key: string, vars?: Record<string, unknown>): string {
    return this.#options.t(`invoiceDoc.${key}`, vars)
  }

  #money(amountMinor: number): string {
    return formatMoney(amountMinor, this.#invoice.currency, this.#options.locale)
  }

  #date(iso: string): string {
    const { settings, locale } = this.#options
    return formatDate(iso, settings.timeZone, settings.dateFormat, locale)
  }

  rows(): Row[] {
    return this.#invoice.lines.map(({ description, detail, quantity, unitMinor, amountMinor }, index) => {
      const text = (value: string, weight?: Paragraph['weight']): Paragraph => ({ text: value, size: 9, weight })
      const cells = [
        [{ text: String(index + 1), size: 9, colour: grey }],
        [text(description), { text: detail ?? '', size: 8, colour: grey }],
        [text(String(quantity))],
        [text(this.#money(unitMinor))],
        [text(this.#money(amountMinor), 'bold')],
      ]
      return layoutRow(this.#fonts, tableColumns, cells, margin, maxRowHeight)
    })
  }

  heading(draw: Drawing, y: number): void {
    draw.block({ x: margin, y, width: contentWidth, height: headingHeight }, shade)
    const words = ['', this.#t('description'), this.#t('quantity'), this.#t('unitPrice'), this.#t('amount')]
    const row = layoutRow(
      this.#fonts,
      tableColumns,
      words.map((text) => [{ text, size: 8, weight: 'bold' as const, colour: grey }]),
      margin,
      headingHeight,
    )
    for (const mark of row.at(y + (headingHeight - row.height) / 2)) draw.add(mark)
  }

  opening(draw: Drawing): void {
    const { seller, buyer, status, payment, kind } = this.#invoice
    draw.block({ x: 0, y: 0, width: a4.width, height: 2.5 }, this.#options.primaryColour.replace('#', ''))
    const { logo } = this.#options
    if (logo) draw.add({ kind: 'image', data: logo, x: margin, y: 7, width: 50, height: 10 })
    const sellerBox = { x: margin, y: 19, width: 104, height: 34 }
    draw.text([{ text: seller.name, size: 15, weight: 'bold' }, ...this.#partyLines(seller, 8.5)], sellerBox, {
      leading: 1.35,
    })
    const right = { x: margin + 110, y: 16, width: contentWidth - 110, height: 12 }
    draw.text([{ text: this.#t(kind), size: 26, weight: 'bold' }], right, { align: 'right', oneLine: true, leading: 1 })
    const paidOn = payment?.paidAt ? this.#date(payment.paidAt) : ''
    this.#stamp(draw, this.#t(status), paidOn, stampColours[status], {
      x: a4.width - margin - 40,
      y: 31,
      width: 40,
      height: 14,
    })

    const [to, facts] = columns({ x: margin, y: 58, width: contentWidth, height: 38 }, 92) as [Box, Box]
    draw.rule(margin, to.y - 3, contentWidth, 'across', hairline)
    draw.text(
      [{ text: this.#t('billTo'), size: 8, weight: 'bold', colour: grey }],
      { ...to, height: 5 },
      { oneLine: true },
    )
    draw.text(
      [{ text: buyer.name, size: 11, weight: 'bold' }, ...this.#partyLines(buyer, 9)],
      { ...to, y: to.y + 5, height: to.height - 5, width: to.width - 6 },
      { leading: 1.35 },
    )
    this.#pairs(draw, this.#facts(), facts, 6.2)
  }

  /** A stamp with the status, which bookkeepers look for first. */
  #stamp(draw: Drawing, word: string, date: string, colour: Colour, box: Box): void {
    draw.add({ kind: 'frame', ...box, line: 0.9, radius: 2, colour })
    draw.text(
      [
        { text: word, size: 17, weight: 'bold', colour },
        { text: date, size: 8, colour },
      ],
      { ...box, x: box.x + 2, width: box.width - 4 },
      { align: 'center', valign: 'middle', leading: 1.12, oneLine: true },
    )
  }

  #partyLines({ registrationNumber, taxNumber, address, phone, email }: InvoiceParty, size: number): Paragraph[] {
    const lines = [
      registrationNumber && `${this.#t('registrationNumber')} ${registrationNumber}`,
      taxNumber && `${this.#t('taxNumber')} ${taxNumber}`,
      ...address,
      [phone && formatPhone(phone), email].filter(Boolean).join('  ·  '),
    ]
    return lines.flatMap((text) => (text ? { text, size, colour: grey } : []))
  }

  #facts(): [string, string][] {
    const { kind, number, issuedAt, dueAt, orderNumber, correctsNumber } = this.#invoice
    const facts: [string, string | null | undefined][] = [
      [this.#t(`${kind}Number`), number],
      [this.#t('issuedOn'), this.#date(issuedAt)],
      [this.#t('dueOn'), dueAt && this.#date(dueAt)],
      [this.#t('orderNumber'), orderNumber],
      [this.#t('corrects'), correctsNumber],
    ]
    return facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
  }

  /** Captions on the left, values on the right, one per line. */
  #pairs(draw: Drawing, pairs: [string, string][], box: Box, pitch: number): void {
    pairs.forEach(([caption, value], index) => {
      const line = { ...box, y: box.y + index * pitch, height: pitch }
      const [left, right] = columns(line, Math.min(34, box.width * 0.44)) as [Box, Box]
      draw.text([{ text: caption, size: 9, colour: grey }], left, { valign: 'middle' })
      draw.text([{ text: value, size: 9.5, weight: 'bold' }], right, {
        align: 'right',
        valign: 'middle',
      })
    })
  }

  runningHead(draw: Drawing): void {
    const { seller, number, kind } = this.#invoice
    draw.block({ x: 0, y: 0, width: a4.width, height: 2.5 }, this.#options.primaryColour.replace('#', ''))
    const [left, right] = columns({ x: margin, y: 16, width: contentWidth, height: 8 }, 100) as [Box, Box]
    draw.text([{ text: seller.name, size: 11, weight: 'bold' }], left, { valign: 'middle' })
    draw.text([{ text: `${this.#t(kind)} ${number}`, size: 10, colour: grey }], right, {
      align: 'right',
      valign: 'middle',
      oneLine: true,
    })
  }

  #totals(): [string, string][] {
    const { subtotalMinor, taxes } = this.#invoice
    return [
      [this.#t('subtotal'), this.#money(subtotalMinor)],
      ...taxes.map(({ label, amountMinor }): [string, string] => [label, this.#money(amountMinor)]),
    ]
  }

  #paymentFacts(): [string, string][] {
    const { payment } = this.#invoice
    if (!payment) return []
    const facts: [string, string][] = [[payment.methodCaption ?? this.#t('paymentMethod'), payment.methodLabel]]
    if (payment.paidAt) facts.push([payment.dateCaption ?? this.#t('paidOn'), this.#date(payment.paidAt)])
    if (payment.reference) facts.push([this.#t('paymentReference'), payment.reference])
    return facts
  }

  closingHeight(): number {
    const remarks = this.#invoice.remarks ? 16 : 0
    return 8 + Math.max(this.#totals().length * 6.2 + 14, this.#paymentFacts().length * 6.2 + 7) + remarks + 4
  }

  closing(draw: Drawing, y: number): void {
    const { totalMinor, remarks } = this.#invoice
    const top = y + 8
    const totals = { x: a4.width - margin - 80, y: top, width: 80 - 2, height: 0 }
    const lines = this.#totals()
    this.#pairs(draw, lines, totals, 6.2)
    const totalTop = top + lines.length * 6.2 + 2
    draw.block({ x: totals.x - 3, y: totalTop, width: totals.width + 5, height: 11 }, shade)
    const [caption, value] = columns({ ...totals, y: totalTop, height: 11 }, 28) as [Box, Box]
    draw.text([{ text: this.#t('total'), size: 12, weight: 'bold' }], caption, { valign: 'middle', oneLine: true })
    draw.text([{ text: this.#money(totalMinor), size: 14, weight: 'bold' }], value, {
      align: 'right',
      valign: 'middle',
      oneLine: true,
    })

    const facts = this.#paymentFacts()
    if (facts.length > 0) {
      draw.text(
        [{ text: this.#invoice.payment?.title ?? this.#t('payment'), size: 8, weight: 'bold', colour: grey }],
        { x: margin, y: top, width: 76, height: 6 },
        { oneLine: true },
      )
      this.#pairs(draw, facts, { x: margin, y: top + 6, width: 76, height: 0 }, 6.2)
    }
    if (!remarks) return
    const below = y + this.closingHeight() - 18
    draw.text(
      [{ text: remarks, size: 8.5, colour: ink }],
      { x: margin, y: below, width: contentWidth, height: 14 },
      { valign: 'top' },
    )
  }

  foot(draw: Drawing, number: number, count: number): void {
    draw.rule(margin, footTop + 3, contentWidth, 'across', hairline)
    const [left, right] = columns({ x: margin, y: footTop + 4.5, width: contentWidth, height: 5 }, 120) as [Box, Box]
    draw.text([{ text: this.#t('generated'), size: 7.5, colour: grey }], left, { valign: 'middle', oneLine: true })
    draw.text([{ text: this.#t('page', { page: number, pages: count }), size: 7.5, colour: grey }], right, {
      align: 'right',
      valign: 'middle',
      oneLine: true,
    })
  }
}
