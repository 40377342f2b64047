// The layout of a gunny's label and manifest. Pure.
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import { code128QuietModules, encodeGs1128 } from '../../../lib/print/barcode.ts'
import { columns, Drawing, inset } from '../../../lib/print/drawing.ts'
import type { FontSet } from '../../../lib/print/fonts.ts'
import { type Box, ink, type Mark, paper } from '../../../lib/print/marks.ts'
import { type Column, dealRows, layoutRow } from '../../../lib/print/table.ts'
import type { Paragraph } from '../../../lib/print/typeset.ts'

/** The texts of the documents, in the language of the reader. */
export interface GunnyText {
  /** What the label calls it, and its number, destination and origin. */
  captions: { title: string; number: string; to: string; from: string }
  number: string
  sscc: string
  companyName: string
  sender: string
  senderPlace: string
  station: string
  seal: string
  parcels: string
  weight: string
  packedOn: string
}

export interface ManifestRow {
  number: string
  reference: string
  receiver: string
  place: string
  weight: string
}

const edge = 3
const line = 0.35
const dot = 0.125
const padding = 2.5

/** `(00) 0 0614141 123456789 7`: in groups that can be read out. */
function groupSscc(sscc: string): string {
  return `(00) ${sscc.replace(/(\d{1})(\d{7})(\d{9})(\d)/, '$1 $2 $3 $4')}`
}

/**
 * The SSCC as GS1-128 with its digits below. It is as wide as the box allows; bars are whole dots of a 203 dpi
 * printer, because scanners cannot read blurred bars.
 */
function ssccBars(draw: Drawing, sscc: string, box: Box, barHeight: number): void {
  const value = `00${sscc}`
  const symbol = encodeGs1128('00', sscc)
  const withQuiet = symbol.modules + 2 * code128QuietModules
  const module = [5 * dot, 4 * dot, 3 * dot].find((each) => each * withQuiet <= box.width - line) ?? 0.33
  const width = symbol.modules * module
  const x = Math.round((box.x + (box.width - width) / 2) / dot) * dot
  draw.add({ kind: 'code128', value, symbol, gs1: true, x, y: box.y, module, width, height: barHeight })
  draw.text(
    [{ text: groupSscc(sscc), size: 12, weight: 'bold' }],
    { ...box, y: box.y + barHeight + 1.2, height: 6 },
    { align: 'center', valign: 'middle', oneLine: true },
  )
}

/**
 * The label of a gunny or a bag on A6 or larger, in black and white: sender, destination, number of parcels, and the
 * code to scan.
 */
export function layoutGunnyLabel(fonts: FontSet, gunny: GunnyText, t: Translate, { x, y, width, height }: Box): Mark[] {
  const draw = new Drawing(fonts, line)
  const frame = { x: x + edge, y: y + edge, width: width - 2 * edge, height: height - 2 * edge }
  let top = frame.y
  const section = (sectionHeight: number): Box => {
    const box = { x: frame.x, y: top, width: frame.width, height: sectionHeight }
    top += sectionHeight
    if (box.y > frame.y) draw.rule(frame.x, box.y, frame.width, 'across')
    return box
  }
  const head = section(12)
  draw.block(head)
  const [company, title] = columns(inset(head, padding, 1.5), 48) as [Box, Box]
  draw.text([{ text: gunny.companyName, size: 11, weight: 'bold', colour: paper }], company, {
    valign: 'middle',
    leading: 1.1,
  })
  draw.text([{ text: gunny.captions.title, size: 16, weight: 'bold', colour: paper }], title, {
    align: 'right',
    valign: 'middle',
    oneLine: true,
  })

  const number = section(19)
  draw.captioned(
    { caption: gunny.captions.number, value: groupTrackingNumber(gunny.number) },
    inset(number, padding, 1.5),
    34,
    {
      weight: 'bold',
      oneLine: true,
    },
  )

  const to = section(24)
  draw.captioned({ caption: gunny.captions.to, value: gunny.station }, inset(to, padding, 1.5), 20, { weight: 'bold' })

  const from = section(16)
  draw.text(
    [
      { text: gunny.captions.from, size: 6 },
      { text: gunny.sender, size: 11, weight: 'bold' },
      { text: gunny.senderPlace, size: 9 },
    ],
    inset(from, padding, 1.3),
    { leading: 1.15 },
  )

  const figures = section(15)
  const cells = columns(figures, 24, 30) as [Box, Box, Box]
  draw.captioned({ caption: t('gunnyDoc.parcels'), value: gunny.parcels }, inset(cells[0], padding, 1.3), 20, {
    weight: 'bold',
    oneLine: true,
  })
  draw.captioned({ caption: t('gunnyDoc.weight'), value: gunny.weight }, inset(cells[1], padding, 1.3), 15, {
    weight: 'bold',
    oneLine: true,
  })
  draw.captioned({ caption: t('gunnyDoc.seal'), value: gunny.seal || '—' }, inset(cells[2], padding, 1.3), 15, {
    weight: 'bold',
    oneLine: true,
  })
  for (const cell of cells.slice(1)) draw.rule(cell.x, cell.y, cell.height, 'down')

  const code = section(frame.y + frame.height - top)
  ssccBars(draw, gunny.sscc, { ...code, y: code.y + 5 }, Math.min(34, code.height - 20))
  draw.text(
    [{ text: gunny.packedOn, size: 7 }],
    { ...inset(code, padding, 0), y: code.y + code.height - 5, height: 4 },
    { align: 'right' },
  )
  draw.add({ kind: 'frame', ...frame, line, radius: 0, colour: ink })
  return draw.marks
}

const a4 = { width: 210, height: 297, margin: 15 }
const manifestColumns: Column[] = [
  { width: 10, align: 'right' },
  { width: 42, align: 'left', oneLine: true },
  { width: 34, align: 'left' },
  { width: 44, align: 'left' },
  { width: 32, align: 'left' },
  { width: 18, align: 'right', oneLine: true },
]

/** The manifest on A4, with lines for signatures on the last page. */
export function layoutManifest(fonts: FontSet, gunny: GunnyText, rows: readonly ManifestRow[], t: Translate): Mark[][] {
  const size = 9
  const cell = (text: string, weight: Paragraph['weight'] = 'regular'): Paragraph[] => [{ text, size, weight }]
  const head = layoutRow(
    fonts,
    manifestColumns,
    [
      '#',
      t('gunnyDoc.trackingNumber'),
      t('gunnyDoc.reference'),
      t('gunnyDoc.receiver'),
      t('gunnyDoc.place'),
      t('gunnyDoc.weight'),
    ].map((text) => cell(text, 'bold')),
    a4.margin,
    20,
  )
  const bodyRows = rows.map((row, index) =>
    layoutRow(
      fonts,
      manifestColumns,
      [
        cell(String(index + 1)),
        cell(groupTrackingNumber(row.number), 'bold'),
        cell(row.reference),
        cell(row.receiver),
        cell(row.place),
        cell(row.weight),
      ],
      a4.margin,
      40,
    ),
  )
  const signHeight = 26
  const top = (page: number) => (page === 0 ? 66 : 24) + head.height
  const pages = dealRows(bodyRows, (page) => ({ top: top(page), bottom: a4.height - a4.margin }), signHeight)
  const width = a4.width - 2 * a4.margin
  return pages.map((pageRows, page) => {
    const draw = new Drawing(fonts, 0.25)
    if (page === 0) manifestHead(draw, gunny, t, width)
    const headTop = top(page) - head.height
    draw.block({ x: a4.margin, y: headTop, width, height: head.height }, 'eeeeee')
    for (const mark of head.at(headTop)) draw.add(mark)
    for (const { row, y } of pageRows) {
      for (const mark of row.at(y)) draw.add(mark)
      draw.rule(a4.margin, y + row.height, width, 'across', 'cccccc')
    }
    const bottom = a4.height - a4.margin
    if (page === pages.length - 1)
      signatures(draw, [t('gunnyDoc.handedOver'), t('gunnyDoc.received')], {
        x: a4.margin,
        y: bottom - 18,
        width,
        height: 18,
      })
    draw.text(
      [
        {
          text: `${groupTrackingNumber(gunny.number)} · ${t('gunnyDoc.page', { page: page + 1, pages: pages.length })}`,
          size: 7,
        },
      ],
      { x: a4.margin, y: a4.height - 11, width, height: 4 },
      { align: 'right' },
    )
    return draw.marks
  })
}

function manifestHead(draw: Drawing, gunny: GunnyText, t: Translate, width: number): void {
  const { margin } = a4
  draw.text(
    [
      { text: gunny.companyName, size: 10 },
      { text: t('gunnyDoc.manifest'), size: 18, weight: 'bold' },
      { text: groupTrackingNumber(gunny.number), size: 14, weight: 'bold', before: 1 },
    ],
    { x: margin, y: margin, width: 84, height: 24 },
  )
  ssccBars(draw, gunny.sscc, { x: margin + 88, y: margin, width: width - 88, height: 24 }, 15)
  const facts: [string, string][] = [
    [t('gunnyDoc.from'), [gunny.sender, gunny.senderPlace].filter(Boolean).join(' · ')],
    [t('gunnyDoc.to'), gunny.station],
    [t('gunnyDoc.parcels'), gunny.parcels],
    [t('gunnyDoc.weight'), gunny.weight],
    [t('gunnyDoc.seal'), gunny.seal || '—'],
  ]
  const boxes = columns({ x: margin, y: 44, width, height: 16 }, 54, 48, 16, 24)
  facts.forEach(([caption, value], index) => {
    draw.captioned({ caption, value }, inset(boxes[index] as Box, 1, 0), 10, { weight: 'bold', oneLine: index > 1 })
  })
}

/** Lines for signatures, side by side. */
export function signatures(draw: Drawing, captions: readonly string[], box: Box): void {
  const width = (box.width - 10 * (captions.length - 1)) / captions.length
  captions.forEach((caption, index) => {
    const x = box.x + index * (width + 10)
    draw.rule(x, box.y + box.height - 5, width, 'across')
    draw.text([{ text: caption, size: 7.5 }], { x, y: box.y + box.height - 4, width, height: 4 }, { oneLine: true })
  })
}
