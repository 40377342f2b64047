/** Draws the receipt of a sale. */

import type { Locale } from '@waybill/contract/ground/constants'
import { type DateTimeFormat, formatDate, formatMoney } from '@waybill/contract/ground/format'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import { type CashReceipt, receiptParcels } from '@waybill/contract/payments/cash-receipts'
import { encodeCode128 } from '../../../lib/print/barcode.ts'
import { printable } from '../../../lib/print/characters.ts'
import type { FontSet } from '../../../lib/print/fonts.ts'
import type { Mark } from '../../../lib/print/marks.ts'
import { flowText, type Paragraph } from '../../../lib/print/typeset.ts'

/**
 * A roll 80 mm wide, of which a printer reaches 72 mm, as long as its content. Black only, because receipt printers
 * cannot print grey.
 */
export const rollWidthMm = 80
const edge = 4
const width = rollWidthMm - 2 * edge
const line = 0.25
const size = { small: 7.5, text: 8.5, strong: 11, title: 13 }

export interface ReceiptOptions {
  /** Translates the keys of the locale files' `receiptDoc` object. */
  t: Translate
  locale: Locale
  /** IANA name. */
  timeZone: string
  dateTimeFormat: DateTimeFormat
}

/** The marks, and the length of the paper in millimetres. */
export function layoutReceipt(
  fonts: FontSet,
  receipt: CashReceipt,
  { t, locale, timeZone, dateTimeFormat }: ReceiptOptions,
): { marks: Mark[]; heightMm: number } {
  const roll = new Roll(fonts)
  const money = (minor: number) => formatMoney(minor, receipt.currency, locale)
  const { seller, station } = receipt

  if (receipt.copy) roll.banner(t('receiptDoc.copy', { print: receipt.print }))
  roll.centred({ text: seller.name, size: size.title, weight: 'bold' })
  const address = seller.address.split('\n').filter((each) => each.trim() !== '')
  for (const text of address) roll.centred({ text, size: size.small })
  const numbers = [
    [t('receiptDoc.registrationNumber'), seller.registrationNumber],
    [t('receiptDoc.taxNumber'), seller.taxNumber],
  ].flatMap(([caption, number]) => (number ? `${caption} ${number}` : []))
  for (const text of numbers) roll.centred({ text, size: size.small })
  roll.gap(1.5)
  roll.centred({ text: t('receiptDoc.title'), size: size.strong, weight: 'bold' })
  roll.centred({ text: receipt.number, size: size.text, weight: 'bold' })
  roll.rule()

  roll.pair(t('receiptDoc.at'), formatDate(receipt.at, timeZone, dateTimeFormat, locale))
  roll.pair(t('receiptDoc.station'), station.name)
  roll.pair(t('receiptDoc.cashier'), receipt.cashier)
  roll.pair(t('receiptDoc.customer'), receipt.customer)
  roll.pair(t('receiptDoc.order'), receipt.orderNumber)
  roll.pair(t('receiptDoc.invoice'), receipt.invoiceNumber)
  roll.rule()

  for (const { description, quantity, amountMinor } of receipt.lines)
    roll.pair(quantity > 1 ? `${description} ×\u00a0${quantity}` : description, money(amountMinor))
  if (receipt.parcels.length > 0) {
    roll.gap(1)
    const trackingNumbers = receipt.parcels.slice(0, receiptParcels)
    for (const number of trackingNumbers) roll.text({ text: groupTrackingNumber(number), size: size.small })
    const more = receipt.parcels.length - trackingNumbers.length
    if (more > 0) roll.text({ text: t('receiptDoc.more', { count: more }), size: size.small })
  }
  roll.rule()

  roll.pair(t('receiptDoc.net'), money(receipt.netMinor))
  roll.pair(t('price.line.tax'), money(receipt.taxMinor))
  roll.pair(t('receiptDoc.total'), money(receipt.totalMinor), receipt.roundedMinor === 0 ? 'strong' : 'text')
  if (receipt.roundedMinor !== 0) {
    roll.pair(t('receiptDoc.rounded'), money(receipt.roundedMinor))
    roll.pair(t('receiptDoc.toPay'), money(receipt.cashMinor), 'strong')
  }
  roll.rule()
  roll.pair(t('receiptDoc.given'), money(receipt.givenMinor))
  roll.pair(t('receiptDoc.change'), money(receipt.changeMinor), 'strong')
  roll.rule()
  roll.code(receipt.orderNumber)
  roll.centred({ text: t('receiptDoc.thanks'), size: size.small })
  if (receipt.copy) {
    roll.gap(1.5)
    roll.banner(t('receiptDoc.copy', { print: receipt.print }))
  }
  return roll.end()
}

/** Paper that grows with its content. */
class Roll {
  readonly #fonts: FontSet
  readonly #marks: Mark[] = []
  #y = edge

  constructor(fonts: FontSet) {
    this.#fonts = fonts
  }

  gap(mm: number): void {
    this.#y += mm
  }

  text(paragraph: Paragraph, align: 'left' | 'center' = 'left'): void {
    this.#y += this.#flow(paragraph, { x: edge, width, align })
  }

  centred(paragraph: Paragraph): void {
    this.text(paragraph, 'center')
  }

  /** A caption on the left and its value on the right; each wraps in its own part. */
  pair(caption: string, value: string, look: 'text' | 'strong' = 'text'): void {
    const weight = look === 'strong' ? ('bold' as const) : undefined
    const paragraph = (text: string) => ({ text, size: size[look], weight })
    // The longer one gets the space, as long as the other keeps a third.
    const valueWidth = this.#fonts.width(printable(value), weight ?? 'regular', size[look]) + 1
    const right = Math.min(Math.max(valueWidth, width / 3), (width * 2) / 3)
    const heights = [
      this.#flow(paragraph(caption), { x: edge, width: width - right - 2, align: 'left' }),
      this.#flow(paragraph(value), { x: edge + width - right, width: right, align: 'right' }),
    ]
    this.#y += Math.max(...heights)
  }

  rule(): void {
    this.#y += 1.5
    this.#marks.push({ kind: 'rect', x: edge, y: this.#y, width, height: line, colour: '000000' })
    this.#y += 1.5 + line
  }

  /** White on black, so that a copy is never mistaken for the original. */
  banner(text: string): void {
    const height = 7
    this.#marks.push({ kind: 'rect', x: edge, y: this.#y, width, height, colour: '000000' })
    const top = this.#y
    this.#y += 1.3
    this.#flow({ text, size: size.strong, weight: 'bold', colour: 'ffffff' }, { x: edge, width, align: 'center' })
    this.#y = top + height + 2
  }

  /** The order's number as a barcode, for the next scan. */
  code(value: string): void {
    const symbol = encodeCode128(value)
    // Ten quiet modules on either side belong to the symbol.
    const module = Math.min(0.375, width / (symbol.modules + 20))
    const bars = symbol.modules * module
    const height = 11
    this.#marks.push({
      kind: 'code128',
      value,
      symbol,
      x: (rollWidthMm - bars) / 2,
      y: this.#y + 1,
      module,
      width: bars,
      height,
    })
    this.#y += height + 3
  }

  end(): { marks: Mark[]; heightMm: number } {
    return { marks: this.#marks, heightMm: Math.ceil(this.#y + edge) }
  }

  #flow(paragraph: Paragraph, box: { x: number; width: number; align: 'left' | 'center' | 'right' }): number {
    const { marks, height } = flowText(
      this.#fonts,
      [{ ...paragraph, text: printable(paragraph.text) }],
      { x: box.x, top: this.#y, width: box.width },
      { align: box.align, leading: 1.35 },
    )
    this.#marks.push(...marks)
    return height
  }
}
