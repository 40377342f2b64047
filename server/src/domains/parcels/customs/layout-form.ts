// What CN22 and CN23 share, the customs forms of the Universal Postal Union. Headings are in the reader's language, the
// sender's texts as they were typed. Pure.

import type { Locale } from '@waybill/contract/ground/constants'
import type { CustomsReason } from '@waybill/contract/ground/enums/enums'
import { customsReasonLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { formatMoney, formatWeight } from '@waybill/contract/ground/format'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import { formatPhone } from '../../../lib/phone.ts'
import { encodeCode128 } from '../../../lib/print/barcode.ts'
import { columns, Drawing, inset } from '../../../lib/print/drawing.ts'
import type { FontSet } from '../../../lib/print/fonts.ts'
import { type Box, type Colour, ink } from '../../../lib/print/marks.ts'
import { type Column, layoutRow, type Row } from '../../../lib/print/table.ts'
import type { Paragraph } from '../../../lib/print/typeset.ts'

export type CustomsForm = 'cn22' | 'cn23'

/** The form: CN22 up to 300 SDR and 2 kg, else CN23. `sdrMinor`: one SDR in minor units of the value's currency. */
export function chooseCustomsForm(totalMinor: number, weightGrams: number, sdrMinor: number): CustomsForm {
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

/** The contents of a declaration. Weights in grams, money in minor units of `currency`, countries by name. */
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
  /** In the date format of the settings. */
  date: string
  companyName: string
}

export type CustomsLanguage = { locale: Locale; t: Translate }

export const grey: Colour = '5b6169'
export const shade: Colour = 'f0f1f2'
export const line = 0.3

/** The texts and amounts of a form in one language, and the common parts of both forms. */
export class Form {
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

  /** Customs require kilograms, whatever the unit of the settings. */
  weight = (grams: number | null) => (grams === null ? '–' : formatWeight(grams, 'kg', 'en'))
  money = (minor: number) =>
    formatMoney(minor, this.paper.currency, this.#language.locale)
      .replace(/[^\d.,\s-]/g, '')
      .trim()

  reason(reason: CustomsReason): string {
    // Foreign customs must be able to read it.
    const [english, chinese] = customsReasonLabels[reason]
    return this.#language.locale === 'cn_zh' ? `${english} ${chinese}` : english
  }

  frame(box: Box): void {
    this.draw.add({ kind: 'frame', ...box, line, radius: 0, colour: ink })
  }

  /** Checkboxes in `perRow` columns, one of them ticked. */
  categories(box: Box, perRow: number, size: number): void {
    const reasons = labelValues(customsReasonLabels)
    const rowHeight = box.height / Math.ceil(reasons.length / perRow)
    // The first column has the longest labels.
    const extra = 0.3
    const unit = box.width / (perRow + extra)
    reasons.forEach((reason, index) => {
      const column = index % perRow
      const x = box.x + (column === 0 ? 0 : column + extra) * unit
      const width = column === 0 ? (1 + extra) * unit : unit
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

export function customsRows(
  form: Form,
  table: Column[],
  x: number,
  size: number,
  cells: (line: CustomsPaper['lines'][number]) => string[],
  most: number,
): Row[] {
  return form.paper.lines.map((each) =>
    layoutRow(
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

export function headingRow(form: Form, table: Column[], words: string[], x: number, size: number): Row {
  return layoutRow(
    form.fonts,
    table,
    words.map((text) => [{ text, size, weight: 'bold' as const, colour: grey }]),
    x,
    14,
  )
}

export const a6 = { width: 105, height: 148 }
export const a4 = { width: 210, height: 297 }
