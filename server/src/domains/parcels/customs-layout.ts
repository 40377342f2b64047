import type { CustomsReason, Locale } from '@waybill/contract/enums'
import { customsReasonLabels, valuesOf } from '@waybill/contract/enums'
import { groupTrackingNumber } from '@waybill/contract/tracking-number'
import type { Translate } from '@waybill/contract/validation'
import { encodeCode128 } from '../../lib/barcode.ts'
import { columns, Drawing, inset } from '../../lib/drawing.ts'
import type { FontSet } from '../../lib/fonts.ts'
import { formatMoney, formatPhone, formatWeight } from '../../lib/format.ts'
import { type Box, type Colour, ink, type Mark } from '../../lib/marks.ts'
import { type Column, dealRows, type Row, setRow } from '../../lib/table.ts'
import type { Paragraph } from '../../lib/typeset.ts'

/**
 * The customs declarations of the Universal Postal Union as drawings: CN22, a label for what is light and cheap, and CN23, a sheet. Pure. Headings come
 * in the reader's language; what the sender wrote stands as it was written.
 */

export type CustomsForm = 'cn22' | 'cn23'

/** CN22 up to 300 SDR and 2 kg, else CN23. `sdrMinor`: one SDR in minor units of the value's currency. */
export function customsFormFor(totalMinor: number, weightGrams: number, sdrMinor: number): CustomsForm {
  return totalMinor <= 300 * sdrMinor && weightGrams <= 2000 ? 'cn22' : 'cn23'
}

export type CustomsParty = {
  name: string
  company: string | null
  street: string[]
  place: string
  country: string
  /** E.164. */
  phone: string
  email: string | null
}

/** What a declaration says. Weights in grams, money in minor units of `currency`; countries by their names. */
export type CustomsPaper = {
  trackingNumber: string
  reference: string | null
  sender: CustomsParty
  receiver: CustomsParty
  reason: CustomsReason
  reasonText: string | null
  lines: {
    description: string
    quantity: number
    netWeightGrams: number | null
    valueMinor: number
    hsCode: string | null
    origin: string
  }[]
  grossWeightGrams: number
  totalMinor: number
  currency: string
  comments: string | null
  licenceNumber: string | null
  certificateNumber: string | null
  invoiceNumber: string | null
  /** In the deployment's date format. */
  date: string
  companyName: string
}

export type CustomsLanguage = { locale: Locale; t: Translate }

const grey: Colour = '5b6169'
const shade: Colour = 'f0f1f2'
const line = 0.3

/** A form's words in one language and a paper's figures, as both forms draw them. */
class Form {
  readonly draw: Drawing
  readonly fonts: FontSet
  readonly paper: CustomsPaper
  readonly #language: CustomsLanguage

  constructor(fonts: FontSet, paper: CustomsPaper, language: CustomsLanguage) {
    this.draw = new Drawing(fonts, line)
    this.fonts = fonts
    this.paper = paper
    this.#language = language
  }

  t(key: string, vars?: Record<string, unknown>): string {
    return this.#language.t(`customsDoc.${key}`, vars)
  }

  /** Customs count in kilograms, whatever unit the portal shows. */
  weight = (grams: number | null) => (grams === null ? '–' : formatWeight(grams, 'kg', 'en'))
  money = (minor: number) =>
    formatMoney(minor, this.paper.currency, this.#language.locale)
      .replace(/[^\d.,\s-]/g, '')
      .trim()

  reason(reason: CustomsReason): string {
    // Customs of another country read it too.
    const [english, chinese] = customsReasonLabels[reason]
    return this.#language.locale === 'cn_zh' ? `${english} ${chinese}` : english
  }

  frame(box: Box): void {
    this.draw.add({ kind: 'frame', ...box, line, radius: 0, colour: ink })
  }

  /** Boxes to tick, the given one ticked, in `perRow` columns. */
  categories(box: Box, perRow: number, size: number): void {
    const reasons = valuesOf(customsReasonLabels)
    const rowHeight = box.height / Math.ceil(reasons.length / perRow)
    const width = box.width / perRow
    reasons.forEach((reason, index) => {
      const x = box.x + (index % perRow) * width
      const y = box.y + Math.floor(index / perRow) * rowHeight
      const side = Math.min(3, rowHeight - 1)
      const top = y + (rowHeight - side) / 2
      const ticked = reason === this.paper.reason
      this.frame({ x, y: top, width: side, height: side })
      if (ticked) {
        this.draw.text(
          [{ text: '×', size: side * 3.6, weight: 'bold' }],
          { x, y: top, width: side, height: side },
          {
            align: 'center',
            valign: 'middle',
            oneLine: true,
            leading: 1,
          },
        )
      }
      const why = ticked && reason === 'other' && this.paper.reasonText ? `: ${this.paper.reasonText}` : ''
      this.draw.text(
        [{ text: `${this.reason(reason)}${why}`, size, weight: ticked ? 'bold' : 'regular' }],
        { x: x + side + 1.2, y, width: width - side - 2, height: rowHeight },
        { valign: 'middle' },
      )
    })
  }

  party(
    caption: string,
    { name, company, street, place, country, phone, email }: CustomsParty,
    box: Box,
    size: number,
  ): void {
    const area = inset(box, 2, 1.4)
    this.draw.text(
      [{ text: caption, size: 7, weight: 'bold', colour: grey }],
      { ...area, height: 3.6 },
      { oneLine: true },
    )
    const lines: Paragraph[] = [
      { text: name, size, weight: 'bold' },
      { text: company ?? '', size },
      ...street.map((text) => ({ text, size })),
      { text: place, size },
      { text: country.toUpperCase(), size, weight: 'bold' },
      { text: [formatPhone(phone), email].filter(Boolean).join('  ·  '), size: size * 0.9 },
    ]
    this.draw.text(
      lines.filter(({ text }) => text !== ''),
      { ...area, y: area.y + 3.8, height: area.height - 3.8 },
      { leading: 1.25 },
    )
  }

  barcode(box: Box): void {
    const symbol = encodeCode128(this.paper.trackingNumber)
    const module = Math.min(0.375, box.width / (symbol.modules + 20))
    const width = symbol.modules * module
    const x = box.x + (box.width - width) / 2
    this.draw.add({
      kind: 'code128',
      value: this.paper.trackingNumber,
      symbol,
      x,
      y: box.y,
      module,
      width,
      height: box.height - 5,
    })
    this.draw.text(
      [{ text: groupTrackingNumber(this.paper.trackingNumber), size: 10, weight: 'bold' }],
      { ...box, y: box.y + box.height - 4.6, height: 4.6 },
      { align: 'center', valign: 'middle', oneLine: true },
    )
  }

  signature(box: Box, size: number): void {
    this.draw.text([{ text: this.t('declare'), size }], { ...box, height: box.height - 9 }, { leading: 1.2 })
    const below = { ...box, y: box.y + box.height - 8, height: 8 }
    const [left, right] = columns(below, 34) as [Box, Box]
    this.draw.captioned({ caption: this.t('date'), value: this.paper.date }, left, 9)
    this.draw.text([{ text: this.t('signature'), size: 6 }], { ...right, height: 2.7 }, { oneLine: true })
    this.draw.rule(right.x, right.y + right.height - 0.5, right.width, 'across', grey)
  }
}

function rowsOf(
  form: Form,
  table: Column[],
  x: number,
  size: number,
  cells: (line: CustomsPaper['lines'][number]) => string[],
  most: number,
): Row[] {
  return form.paper.lines.map((each) =>
    setRow(
      form.fonts,
      table,
      cells(each).map((text) =>
        text.split('\n').map((part, n) => ({ text: part, size: n === 0 ? size : size * 0.88 })),
      ),
      x,
      most,
    ),
  )
}

function headingRow(form: Form, table: Column[], words: string[], x: number, size: number): Row {
  return setRow(
    form.fonts,
    table,
    words.map((text) => [{ text, size, weight: 'bold' as const, colour: grey }]),
    x,
    14,
  )
}

export const a6 = { width: 105, height: 148 }
export const a4 = { width: 210, height: 297 }

/** How many lines a CN22 shows one by one: more would not be read on a label. */
const cn22Lines = 6

/** Whether the label has room for the lines; a declaration with more of them goes on a CN23. */
export const fitsLabel = ({ lines }: Pick<CustomsPaper, 'lines'>): boolean => lines.length <= cn22Lines

/** A label, A6 so that it leaves the printer of the consignment notes. */
export function layoutCn22(fonts: FontSet, paper: CustomsPaper, language: CustomsLanguage): Mark[] {
  const form = new Form(fonts, paper, language)
  const { draw } = form
  const box = { x: 3, y: 3, width: a6.width - 6, height: a6.height - 6 }
  form.frame(box)
  const head = { ...box, height: 13 }
  const [title, code] = columns(inset(head, 2.2, 1.2), 72) as [Box, Box]
  draw.text(
    [
      { text: form.t('title'), size: 11, weight: 'bold' },
      { text: form.t('official'), size: 7, colour: grey },
    ],
    title,
    { valign: 'middle', leading: 1.2 },
  )
  draw.text([{ text: 'CN 22', size: 20, weight: 'bold' }], code, { align: 'right', valign: 'middle', oneLine: true })
  draw.rule(box.x, head.y + head.height, box.width, 'across')

  const route = { ...box, y: head.y + head.height, height: 19 }
  const [from, to] = columns(route, route.width / 2) as [Box, Box]
  const short = ({ name, country }: CustomsParty) => ({ name, country })
  for (const [caption, party, area] of [
    ['from', short(paper.sender), from],
    ['to', short(paper.receiver), to],
  ] as const) {
    const inner = inset(area, 2.2, 1.4)
    draw.text(
      [{ text: form.t(caption), size: 6.5, weight: 'bold', colour: grey }],
      { ...inner, height: 3.4 },
      { oneLine: true },
    )
    draw.text(
      [
        { text: party.name, size: 9 },
        { text: party.country.toUpperCase(), size: 10, weight: 'bold' },
      ],
      { ...inner, y: inner.y + 3.6, height: inner.height - 3.6 },
      { leading: 1.2 },
    )
  }
  draw.rule(to.x, to.y, to.height, 'down')
  draw.rule(box.x, route.y + route.height, box.width, 'across')
  form.categories(inset({ ...box, y: route.y + route.height, height: 13 }, 2.2, 1), 3, 7.2)

  const table: Column[] = [
    { width: box.width - 14 - 20 - 24, align: 'left' },
    { width: 14, align: 'right', oneLine: true },
    { width: 20, align: 'right', oneLine: true },
    { width: 24, align: 'right', oneLine: true },
  ]
  let y = route.y + route.height + 13
  draw.rule(box.x, y, box.width, 'across')
  const heading = headingRow(
    form,
    table,
    [form.t('contents'), form.t('quantity'), form.t('netWeight'), form.t('value', { currency: paper.currency })],
    box.x,
    6.5,
  )
  draw.block({ x: box.x + line / 2, y: y + line / 2, width: box.width - line, height: heading.height }, shade)
  for (const mark of heading.at(y)) draw.add(mark)
  y += heading.height
  const foot = 47
  const room = box.y + box.height - foot - y
  const cells = (each: CustomsPaper['lines'][number]) => [
    [each.description, [each.hsCode && `HS ${each.hsCode}`, each.origin].filter(Boolean).join(' · ')].join('\n'),
    String(each.quantity),
    form.weight(each.netWeightGrams),
    form.money(each.valueMinor),
  ]
  const size = paper.lines.length > 3 ? 6.4 : 7.8
  for (const row of rowsOf(form, table, box.x, size, cells, room / Math.max(1, paper.lines.length))) {
    for (const mark of row.at(y)) draw.add(mark)
    y += row.height
    draw.rule(box.x, y, box.width, 'across', grey)
  }
  const sums = { ...box, y: box.y + box.height - foot, height: 8 }
  draw.rule(box.x, sums.y, box.width, 'across')
  const [weight, value] = columns(inset(sums, 2.2, 0), 46) as [Box, Box]
  draw.text(
    [{ text: `${form.t('grossWeight')}  ${form.weight(paper.grossWeightGrams)}`, size: 8.5, weight: 'bold' }],
    weight,
    { valign: 'middle', oneLine: true },
  )
  draw.text(
    [{ text: `${form.t('total')}  ${paper.currency} ${form.money(paper.totalMinor)}`, size: 9.5, weight: 'bold' }],
    value,
    {
      align: 'right',
      valign: 'middle',
      oneLine: true,
    },
  )
  draw.rule(box.x, sums.y + sums.height, box.width, 'across')
  form.signature(inset({ ...box, y: sums.y + sums.height + 1, height: 21 }, 2.2, 0.6), 6.6)
  draw.rule(box.x, sums.y + sums.height + 22.5, box.width, 'across')
  form.barcode({ x: box.x + 2, y: sums.y + sums.height + 24, width: box.width - 4, height: 14 })
  return draw.marks
}

const margin = 12
const width = a4.width - 2 * margin

/** A sheet for everything else; as many pages as the lines need, sums and signature on the last. */
export function layoutCn23(fonts: FontSet, paper: CustomsPaper, language: CustomsLanguage): Mark[][] {
  const first = new Form(fonts, paper, language)
  const table: Column[] = [
    { width: 8, align: 'left', oneLine: true },
    { width: width - 8 - 16 - 24 - 30 - 26 - 32, align: 'left' },
    { width: 16, align: 'right', oneLine: true },
    { width: 24, align: 'right', oneLine: true },
    { width: 30, align: 'right', oneLine: true },
    { width: 26, align: 'left', oneLine: true },
    { width: 32, align: 'left' },
  ]
  const words = [
    '',
    first.t('contents'),
    first.t('quantity'),
    first.t('netWeight'),
    first.t('value', { currency: paper.currency }),
    first.t('hsCode'),
    first.t('origin'),
  ]
  const heading = headingRow(first, table, words, margin, 8)
  const top = (page: number) => (page === 0 ? 108 : 30)
  const closing = 82
  const bottom = a4.height - margin
  let number = 0
  const rows = rowsOf(
    first,
    table,
    margin,
    9,
    (each) => {
      number += 1
      return [
        String(number),
        each.description,
        String(each.quantity),
        first.weight(each.netWeightGrams),
        first.money(each.valueMinor),
        each.hsCode ?? '–',
        each.origin,
      ]
    },
    60,
  )
  const dealt = dealRows(rows, (page) => ({ top: top(page) + heading.height, bottom: bottom - closing }))
  return dealt.map((placed, page) => {
    const form = new Form(fonts, paper, language)
    const { draw } = form
    head(form, page, dealt.length)
    if (page === 0) parties(form)
    draw.block({ x: margin, y: top(page), width, height: heading.height }, shade)
    for (const mark of heading.at(top(page))) draw.add(mark)
    draw.rule(margin, top(page), width, 'across')
    for (const { row, y } of placed) {
      draw.rule(margin, y, width, 'across', grey)
      for (const mark of row.at(y)) draw.add(mark)
    }
    const end = placed.at(-1)
    const y = end ? end.y + end.row.height : top(page) + heading.height
    draw.rule(margin, y, width, 'across')
    if (page === dealt.length - 1) close(form, { x: margin, y, width, height: closing })
    return draw.marks
  })
}

function head(form: Form, page: number, pages: number): void {
  const { draw, paper } = form
  const [title, code] = columns({ x: margin, y: margin, width, height: 14 }, 120) as [Box, Box]
  draw.text(
    [
      { text: form.t('title'), size: 17, weight: 'bold' },
      { text: `${paper.companyName}  ·  ${form.t('official')}`, size: 8.5, colour: grey },
    ],
    title,
    { valign: 'middle', leading: 1.2 },
  )
  draw.text([{ text: 'CN 23', size: 26, weight: 'bold' }], code, { align: 'right', valign: 'middle', oneLine: true })
  if (pages > 1) {
    draw.text(
      [
        {
          text: `${groupTrackingNumber(paper.trackingNumber)}  ·  ${form.t('page', { page: page + 1, pages })}`,
          size: 7.5,
          colour: grey,
        },
      ],
      { x: margin, y: a4.height - margin + 1, width, height: 5 },
      { align: 'right', oneLine: true },
    )
  }
}

function parties(form: Form): void {
  const { draw, paper } = form
  const box = { x: margin, y: 30, width, height: 50 }
  const [left, right] = columns(box, width / 2) as [Box, Box]
  form.frame(box)
  draw.rule(right.x, right.y, right.height, 'down')
  form.party(form.t('sender'), paper.sender, left, 10)
  form.party(form.t('addressee'), paper.receiver, right, 10)
  const numbers = { x: margin, y: 80, width, height: 26 }
  form.frame(numbers)
  const [bars, facts] = columns(numbers, 96) as [Box, Box]
  form.barcode({ ...inset(bars, 2, 3) })
  draw.rule(facts.x, facts.y, facts.height, 'down')
  const captions: [string, string | null][] = [
    ['reference', paper.reference],
    ['invoice', paper.invoiceNumber],
    ['licence', paper.licenceNumber],
    ['certificate', paper.certificateNumber],
  ]
  const area = inset(facts, 2, 1.5)
  captions.forEach(([caption, value], index) => {
    const cell = {
      x: area.x + (index % 2) * (area.width / 2),
      y: area.y + Math.floor(index / 2) * (area.height / 2),
      width: area.width / 2 - 2,
      height: area.height / 2,
    }
    draw.captioned({ caption: form.t(caption), value: value ?? '–' }, cell, 9.5, { weight: 'bold' })
  })
}

function close(form: Form, box: Box): void {
  const { draw, paper } = form
  const sums = { ...box, y: box.y, height: 10 }
  const [weight, value] = columns(inset(sums, 2, 0), width / 2) as [Box, Box]
  draw.text(
    [{ text: `${form.t('grossWeight')}   ${form.weight(paper.grossWeightGrams)}`, size: 11, weight: 'bold' }],
    weight,
    { valign: 'middle' },
  )
  draw.text(
    [{ text: `${form.t('total')}   ${paper.currency} ${form.money(paper.totalMinor)}`, size: 12.5, weight: 'bold' }],
    value,
    {
      align: 'right',
      valign: 'middle',
    },
  )
  const category = { ...box, y: box.y + 14, height: 20 }
  draw.text(
    [{ text: form.t('category'), size: 8, weight: 'bold', colour: grey }],
    { ...category, height: 4 },
    { oneLine: true },
  )
  form.categories({ ...category, y: category.y + 5, height: 14 }, 3, 9.5)
  const below = { ...box, y: box.y + 38, height: box.height - 40 }
  const [comments, sign] = columns(below, 84) as [Box, Box]
  form.frame(below)
  draw.rule(sign.x, sign.y, sign.height, 'down')
  draw.captioned({ caption: form.t('comments'), value: paper.comments ?? '–' }, inset(comments, 2, 2), 9.5)
  form.signature(inset(sign, 2.5, 2.5), 8.5)
}
