// The layout of the pickup list, which the rider counts and signs. Pure.

import type { Locale } from '@waybill/contract/ground/constants'
import { formatMoney, formatWeight } from '@waybill/contract/ground/format'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import type { PickupGroup } from '@waybill/contract/parcels/labels'
import { formatPhone } from '../../../lib/phone.ts'
import { columns, Drawing, inset } from '../../../lib/print/drawing.ts'
import type { FontSet } from '../../../lib/print/fonts.ts'
import type { Box, Mark } from '../../../lib/print/marks.ts'
import type { PdfPage } from '../../../lib/print/pdf.ts'
import { type Column, dealRows, layoutRow } from '../../../lib/print/table.ts'
import type { Paragraph } from '../../../lib/print/typeset.ts'

export interface PickupListWords {
  t: Translate
  locale: Locale
  weightUnit: 'kg' | 'lb'
  companyName: string
  accountName: string
  printedOn: string
  day(date: string): string
}

const page = { width: 210, height: 297, margin: 15 }
const width = page.width - 2 * page.margin
const headHeight = 54
const signHeight = 34
const tableColumns: Column[] = [
  { width: 10, align: 'right' },
  { width: 8, align: 'left' },
  { width: 42, align: 'left', oneLine: true },
  { width: 46, align: 'left' },
  { width: 30, align: 'left' },
  { width: 20, align: 'right', oneLine: true },
  { width: 24, align: 'right', oneLine: true },
]

/**
 * A list for each pickup on A4: sender, time and place, parcels with boxes to tick, count and signature. A pickup is
 * laid out when its first page is read.
 */
export function* layoutPickupList(
  fonts: FontSet,
  groups: readonly PickupGroup[],
  language: PickupListWords,
): Generator<PdfPage> {
  const onPaper = (marks: Mark[]) => ({ widthMm: page.width, heightMm: page.height, marks })
  if (groups.length === 0) yield onPaper(emptyList(fonts, language))
  for (const group of groups) yield* layOutGroup(fonts, group, language).map(onPaper)
}

function emptyList(fonts: FontSet, language: PickupListWords): Mark[] {
  const draw = new Drawing(fonts, 0.25)
  head(draw, null, language)
  draw.text([{ text: language.t('pickupDoc.none'), size: 11 }], { x: page.margin, y: 70, width, height: 10 })
  return draw.marks
}

function layOutGroup(fonts: FontSet, group: PickupGroup, language: PickupListWords): Mark[][] {
  const { t, locale, weightUnit } = language
  const cell = (text: string, weight: Paragraph['weight'] = 'regular'): Paragraph[] => [{ text, size: 9, weight }]
  const titles = ['#', '', 'trackingNumber', 'receiver', 'place', 'weight', 'cod']
  const header = layoutRow(
    fonts,
    tableColumns,
    titles.map((title) => cell(title.length > 1 ? t(`pickupDoc.${title}`) : title, 'bold')),
    page.margin,
    20,
  )
  const rows = group.parcels.map((parcel, index) =>
    layoutRow(
      fonts,
      tableColumns,
      [
        cell(String(index + 1)),
        [],
        cell(groupTrackingNumber(parcel.trackingNumber), 'bold'),
        [...cell(parcel.receiverName), ...(parcel.reference ? [{ text: parcel.reference, size: 7.5 }] : [])],
        cell(parcel.receiverPlace),
        cell(formatWeight(parcel.weightGrams, weightUnit, locale)),
        cell(parcel.codAmountMinor ? formatMoney(parcel.codAmountMinor, parcel.currency, locale) : ''),
      ],
      page.margin,
      40,
    ),
  )
  const top = (n: number) => page.margin + (n === 0 ? headHeight : 8) + header.height
  const pages = dealRows(rows, (n) => ({ top: top(n), bottom: page.height - page.margin }), signHeight)
  return pages.map((pageRows, n) => {
    const draw = new Drawing(fonts, 0.25)
    if (n === 0) head(draw, group, language)
    draw.block({ x: page.margin, y: top(n) - header.height, width, height: header.height }, 'eeeeee')
    for (const mark of header.at(top(n) - header.height)) draw.add(mark)
    for (const { row, y } of pageRows) {
      for (const mark of row.at(y)) draw.add(mark)
      // A box to tick.
      draw.add({
        kind: 'frame',
        x: page.margin + 11.5,
        y: y + row.height / 2 - 2,
        width: 4,
        height: 4,
        line: 0.3,
        radius: 0.4,
        colour: '000000',
      })
      draw.rule(page.margin, y + row.height, width, 'across', 'cccccc')
    }
    if (n === pages.length - 1) foot(draw, group, language)
    const number = group.pickup?.number ?? ''
    const footer = [number, language.printedOn, t('pickupDoc.page', { page: n + 1, pages: pages.length })]
    draw.text(
      [{ text: footer.filter(Boolean).join(' · '), size: 7 }],
      { x: page.margin, y: page.height - 11, width, height: 4 },
      { align: 'right' },
    )
    return draw.marks
  })
}

function head(draw: Drawing, group: PickupGroup | null, language: PickupListWords): void {
  const { t } = language
  const pickup = group?.pickup ?? null
  draw.text(
    [
      { text: language.companyName, size: 10 },
      { text: t('pickupDoc.title'), size: 20, weight: 'bold' },
    ],
    { x: page.margin, y: page.margin, width: 110, height: 16 },
  )
  if (pickup) {
    draw.text(
      [
        { text: pickup.number, size: 15, weight: 'bold' },
        { text: `${language.day(pickup.date)}  ${pickup.window.replace('-', ' – ')}`, size: 11, weight: 'bold' },
      ],
      { x: page.margin + 110, y: page.margin, width: width - 110, height: 16 },
      { align: 'right' },
    )
  }
  const facts = { x: page.margin, y: page.margin + 20, width, height: 33 }
  draw.rule(facts.x, facts.y - 1.5, width, 'across')
  const [from, figures] = columns(facts, 120) as [Box, Box]
  const address = pickup?.address
  const names = new Set([language.accountName, address?.contactName].filter(Boolean))
  draw.text(
    [
      { text: t('pickupDoc.from'), size: 7 },
      { text: [...names].join(' · '), size: 11, weight: 'bold' },
      ...(address
        ? [
            { text: [address.line1, address.line2].filter(Boolean).join(', '), size: 10 },
            { text: `${address.postcode} ${address.city}, ${address.state}`, size: 10 },
            { text: formatPhone(address.phone), size: 10 },
            ...(address.remarks ? [{ text: address.remarks, size: 9, weight: 'bold' as const }] : []),
          ]
        : []),
    ],
    inset(from, 0, 0.5),
    { leading: 1.25 },
  )
  if (!group) return
  const [count, weight] = columns(figures, 26) as [Box, Box]
  draw.captioned({ caption: t('pickupDoc.parcels'), value: String(group.parcels.length) }, inset(count, 1, 0.5), 20, {
    weight: 'bold',
    oneLine: true,
  })
  draw.captioned(
    {
      caption: t('pickupDoc.totalWeight'),
      value: formatWeight(group.totalWeightGrams, language.weightUnit, language.locale),
    },
    inset(weight, 1, 0.5),
    15,
    { weight: 'bold', oneLine: true },
  )
}

function foot(draw: Drawing, group: PickupGroup, { t }: PickupListWords): void {
  const y = page.height - page.margin - signHeight + 4
  draw.text([{ text: t('pickupDoc.declare', { count: group.parcels.length }), size: 9 }], {
    x: page.margin,
    y,
    width,
    height: 5,
  })
  const captions = [t('pickupDoc.counted'), t('pickupDoc.rider'), t('pickupDoc.time'), t('pickupDoc.sender')]
  const boxes = columns({ x: page.margin, y: y + 6, width, height: 20 }, 30, 58, 34) as [Box, Box, Box, Box]
  captions.forEach((caption, index) => {
    const box = boxes[index] as Box
    draw.rule(box.x, box.y + 15, box.width - 5, 'across')
    draw.text(
      [{ text: caption, size: 7.5 }],
      { x: box.x, y: box.y + 16, width: box.width - 5, height: 4 },
      { oneLine: true },
    )
  })
}
