/** Draws the slip for the counter. */

import type { Locale } from '@waybill/contract/ground/constants'
import { formatDate, formatMoney, type PrintSettings } from '@waybill/contract/ground/format'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import { roundToCash } from '@waybill/contract/payments/coins'
import { code128QuietModules, encodeCode128 } from '../../../lib/print/barcode.ts'
import { Drawing } from '../../../lib/print/drawing.ts'
import type { FontSet } from '../../../lib/print/fonts.ts'
import type { Colour, Mark } from '../../../lib/print/marks.ts'
import { type Column, dealRows, layoutRow } from '../../../lib/print/table.ts'

/**
 * The order's number as a barcode, the amount due, then the parcels. A6, the size of consignment notes, so that the
 * same printer can print it.
 */
export const a6 = { width: 105, height: 148 }

const margin = 8
const width = a6.width - 2 * margin
const grey: Colour = '5b6169'
const hairline: Colour = 'd5d8dc'
const tableColumns: Column[] = [
  { width: width - 24, align: 'left' },
  { width: 24, align: 'right', oneLine: true },
]
const tableTop = { first: 74, next: 12 }
const foot = a6.height - 16

/** The content of a slip. Money in minor units of `currency`, times in ISO 8601. */
export interface SlipDocument {
  number: string
  companyName: string
  amountMinor: number
  currency: string
  bookedAt: string
  parcels: { trackingNumber: string; receiver: string; amountMinor: number }[]
}

export interface SlipOptions {
  locale: Locale
  /** Translates the keys of the locale files' `slip` object. */
  t: Translate
  settings: PrintSettings
  /** `#rrggbb` */
  primaryColour: string
  now: Date
}

/** The marks of each page. */
export function layoutSlip(fonts: FontSet, slip: SlipDocument, options: SlipOptions): Mark[][] {
  const money = (amount: number) => formatMoney(amount, slip.currency, options.locale)
  const rows = slip.parcels.map(({ trackingNumber, receiver, amountMinor }) =>
    layoutRow(
      fonts,
      tableColumns,
      [
        [
          { text: groupTrackingNumber(trackingNumber), size: 8.5, weight: 'bold' },
          { text: receiver, size: 7.5, colour: grey },
        ],
        [{ text: money(amountMinor), size: 8.5 }],
      ],
      margin,
      40,
    ),
  )
  const dealt = dealRows(rows, (page) => ({ top: page === 0 ? tableTop.first : tableTop.next, bottom: foot }))
  return dealt.map((placed, page) => {
    const draw = new Drawing(fonts, 0.25)
    if (page === 0) opening(draw, slip, options, money)
    for (const { row, y } of placed) {
      for (const mark of row.at(y)) draw.add(mark)
      draw.rule(margin, y + row.height, width, 'across', hairline)
    }
    const words = [options.t('slip.bring'), dealt.length > 1 ? `${slip.number} · ${page + 1} / ${dealt.length}` : '']
    draw.text(
      words.filter(Boolean).map((text) => ({ text, size: 7.5, colour: grey })),
      { x: margin, y: foot + 2, width, height: 10 },
    )
    return draw.marks
  })
}

function opening(
  draw: Drawing,
  slip: SlipDocument,
  { t, locale, settings, primaryColour }: SlipOptions,
  money: (minor: number) => string,
): void {
  draw.block({ x: 0, y: 0, width: a6.width, height: 2 }, primaryColour.replace('#', ''))
  draw.text(
    [{ text: slip.companyName, size: 9, weight: 'bold' }],
    { x: margin, y: 6, width, height: 5 },
    { oneLine: true },
  )
  draw.text(
    [{ text: t('slip.title'), size: 14, weight: 'bold' }],
    { x: margin, y: 12, width, height: 8 },
    { oneLine: true },
  )
  const symbol = encodeCode128(slip.number)
  const module = Math.min(0.5, width / (symbol.modules + 2 * code128QuietModules))
  const bars = symbol.modules * module
  draw.add({
    kind: 'code128',
    value: slip.number,
    symbol,
    x: (a6.width - bars) / 2,
    y: 23,
    module,
    width: bars,
    height: 15,
  })
  draw.text(
    [{ text: slip.number, size: 13, weight: 'bold' }],
    { x: margin, y: 39, width, height: 7 },
    { align: 'center', valign: 'middle', oneLine: true },
  )
  draw.rule(margin, 48.5, width, 'across', hairline)
  const [left, right] = [
    { x: margin, y: 51, width: width / 2, height: 11 },
    { x: margin + width / 2, y: 51, width: width / 2, height: 11 },
  ]
  const caption = (text: string) => ({ text, size: 7.5, colour: grey })
  draw.text(
    [
      caption(t('slip.booked')),
      { text: formatDate(slip.bookedAt, settings.timeZone, settings.dateTimeFormat, locale), size: 9 },
    ],
    left,
  )
  // Cash is rounded to the smallest coin, so the amount may differ from the price.
  const cashMinor = roundToCash(slip.amountMinor, slip.currency)
  const inCoins = cashMinor === slip.amountMinor ? [] : [caption(t('slip.inCash', { amount: money(cashMinor) }))]
  draw.text(
    [caption(t('slip.due')), { text: money(slip.amountMinor), size: 14, weight: 'bold' }, ...inCoins],
    { ...right, height: 14 },
    { align: 'right' },
  )
  draw.text(
    [{ text: t('slip.parcels', { count: slip.parcels.length }), size: 8, weight: 'bold', colour: grey }],
    { x: margin, y: 67, width, height: 5 },
    { oneLine: true },
  )
  draw.rule(margin, tableTop.first - 0.5, width, 'across', hairline)
}
