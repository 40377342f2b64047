// The layout of a consignment note, on A6, 4 x 6 inch or A4, in PDF or ZPL. It is black and white, and nothing is
// thinner than a dot of a 203 dpi thermal printer. From top to bottom: carrier, route (for sorters), number (for
// scanners), receiver (for the rider), sender, contents and signature. Pure.
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { code128QuietModules, encodeCode128, encodeQr, qrQuietModules } from '../../../lib/print/barcode.ts'
import { type CaptionedText, columns, Drawing, inset } from '../../../lib/print/drawing.ts'
import type { FontSet } from '../../../lib/print/fonts.ts'
import { type Box, ink, type Mark, paper } from '../../../lib/print/marks.ts'
import type { NoteText } from './layout-text.ts'

/** The blank margin in millimetres, which thermal printers cannot reach. */
const edge = 3
const line = 0.35
const padding = 2.2
/** One dot of a 203 dpi printer (8 dots per millimetre): only bars of whole dots are sharp. */
const dot = 0.125
/** Widths of a bar from best to smallest; the specification requires at least 0.33 mm. */
const modules = [4 * dot, 3 * dot, 0.33]
const minQrSize = 22

const heights = { head: 11, route: 23.5, barcode: 25.5, collect: 7.5, sender: 13, foot: 34.5 }
const qrWidth = 32

/** The marks of a label of `width` x `height` mm (A6 or larger), at `x`, `y` on the sheet. */
export function layoutNote(fonts: FontSet, note: NoteText, { x, y, width, height }: Box): Mark[] {
  const frame = { x: x + edge, y: y + edge, width: width - 2 * edge, height: height - 2 * edge }
  const draw = new Drawing(fonts, line)

  let top = frame.y
  const section = (sectionHeight: number): Box => {
    const box = { x: frame.x, y: top, width: frame.width, height: sectionHeight }
    top += sectionHeight
    if (box.y > frame.y) draw.rule(frame.x, box.y, frame.width, 'across')
    return box
  }
  const strips = [note.collectAt, note.customs].filter((strip) => strip !== null)
  const stripes = strips.length * heights.collect
  const fixed = heights.head + heights.route + heights.barcode + stripes + heights.sender + heights.foot

  head(draw, note, section(heights.head))
  route(draw, note, section(heights.route))
  barcode(draw, note, section(heights.barcode))
  receiver(draw, note, section(frame.height - fixed))
  for (const each of strips) strip(draw, each, section(heights.collect))
  sender(draw, note, section(heights.sender))
  foot(draw, note, section(heights.foot))
  draw.add({ kind: 'frame', ...frame, line, radius: 0, colour: ink })
  return draw.marks
}

function head(draw: Drawing, note: NoteText, box: Box): void {
  const right = 36
  const area = inset(box, padding, 1.4)
  const logoWidth = note.companyLogo ? 24 : 0
  const gap = logoWidth > 0 ? 2.5 : 0
  if (note.companyLogo) draw.add({ kind: 'image', data: note.companyLogo, ...area, width: logoWidth })
  draw.text(
    [{ text: note.companyName, size: logoWidth > 0 ? 11 : 14, weight: 'bold' }],
    {
      ...area,
      x: area.x + logoWidth + gap,
      width: area.width - logoWidth - gap - right,
    },
    { valign: 'middle', leading: 1.1 },
  )
  draw.text(
    [
      { text: note.title, size: 8, weight: 'bold' },
      { text: note.createdAt, size: 6.5 },
      { text: note.gunny, size: 6.5, weight: 'bold' },
    ],
    {
      ...area,
      x: area.x + area.width - right + 2,
      width: right - 2,
    },
    { align: 'right', valign: 'middle' },
  )
}

function route(draw: Drawing, note: NoteText, box: Box): void {
  const [left, right] = columns(box, box.width - 36) as [Box, Box]
  const area = inset(left, padding, 1.2)
  draw.text([{ text: note.routeCaption, size: 6 }], { ...area, height: 2.7 }, { oneLine: true })
  draw.text(
    [{ text: note.routeCode, size: 40, weight: 'bold' }],
    { ...area, y: area.y + 2.4, height: 13.4 },
    { oneLine: true, valign: 'middle', leading: 0.95 },
  )
  draw.text(
    [{ text: note.routePlace, size: 11, weight: 'bold' }],
    { ...area, y: area.y + 15.9, height: 5.2 },
    { valign: 'middle', leading: 1.1 },
  )

  draw.rule(right.x, right.y, right.height, 'down')
  draw.text(
    [
      { text: note.serviceLabel, size: 12.5, weight: 'bold' },
      { text: note.carrierLabel, size: 7.5 },
      { text: note.carrierNumber, size: 8.5, weight: 'bold' },
    ],
    inset({ ...right, height: 11 }, padding, 0.8),
    { valign: 'middle', leading: 1.12 },
  )
  const block = { ...right, y: right.y + 11, height: right.height - 11 }
  draw.block(block)
  const [code, label] = columns(inset(block, padding, 1), 15) as [Box, Box]
  draw.text([{ text: note.modeCode, size: 18, weight: 'bold', colour: paper }], code, {
    valign: 'middle',
    oneLine: true,
  })
  draw.text(
    [{ text: note.modeLabel, size: 7.5, weight: 'bold', colour: paper }],
    { ...label, x: label.x + 1, width: label.width - 1 },
    { valign: 'middle' },
  )
}

function barcode(draw: Drawing, note: NoteText, box: Box): void {
  const symbol = encodeCode128(note.trackingNumber)
  const count = symbol.modules
  const withQuiet = count + 2 * code128QuietModules
  const room = box.width - line
  // No carrier's numbers are too long for 0.33 mm; one would still be printed as large as the paper allows.
  const module = modules.find((each) => each * withQuiet <= room) ?? room / withQuiet
  const width = count * module
  // Placing the first bar on a whole dot keeps every bar on whole dots.
  const x = Math.round((box.x + (box.width - width) / 2) / dot) * dot
  draw.add({ kind: 'code128', value: note.trackingNumber, symbol, x, y: box.y + 2, module, width, height: 16.5 })
  draw.text(
    [{ text: groupTrackingNumber(note.trackingNumber), size: 15, weight: 'bold' }],
    {
      ...inset(box, padding, 0),
      y: box.y + 18.9,
      height: 6.1,
    },
    { align: 'center', valign: 'middle', oneLine: true },
  )
}

const chipWidth = 9.5

/** Draws the marks TO and FROM (收 and 寄 in Chinese). */
function chip(draw: Drawing, text: string, box: Box, filled: boolean): void {
  const area = { x: box.x, y: box.y, width: chipWidth, height: box.height }
  if (filled) draw.block(area)
  else draw.rule(box.x + chipWidth, box.y, box.height, 'down')
  draw.text([{ text, size: filled ? 13 : 9, weight: 'bold', colour: filled ? paper : ink }], inset(area, 1.3), {
    align: 'center',
    valign: 'middle',
    oneLine: true,
  })
}

function receiver(draw: Drawing, note: NoteText, box: Box): void {
  chip(draw, note.toChip, box, true)
  const codWidth = note.cod ? 31 : 0
  const area = { ...box, x: box.x + chipWidth, width: box.width - chipWidth - codWidth }
  const { name, company, phone, street, place } = note.receiver
  draw.text(
    [
      { text: name, size: 15, weight: 'bold' },
      { text: phone, size: 12.5, weight: 'bold' },
      { text: company, size: 11 },
      ...street.map((text, index) => ({ text, size: 11.5, before: index === 0 ? 0.8 : 0 })),
      { text: place, size: 11.5, weight: 'bold' },
    ],
    inset(area, padding, 1.4),
    { valign: 'middle', leading: 1.17 },
  )
  if (note.cod) cod(draw, note.cod, { ...box, x: area.x + area.width, width: codWidth })
}

function cod(draw: Drawing, { caption, amount, hint }: NonNullable<NoteText['cod']>, box: Box): void {
  draw.rule(box.x, box.y, box.height, 'down')
  const area = inset(box, 2)
  const titleHeight = 8
  draw.block({ ...area, height: titleHeight })
  draw.add({ kind: 'frame', ...area, line: 0.5, radius: 0, colour: ink })
  draw.text([{ text: caption, size: 14, weight: 'bold', colour: paper }], inset({ ...area, height: titleHeight }, 1), {
    align: 'center',
    valign: 'middle',
    oneLine: true,
  })
  const rest = inset({ ...area, y: area.y + titleHeight, height: area.height - titleHeight }, 1.2)
  const hintHeight = 4.5
  draw.text(
    [{ text: amount, size: 18, weight: 'bold' }],
    { ...rest, height: rest.height - hintHeight },
    { align: 'center', valign: 'middle', oneLine: true },
  )
  draw.text(
    [{ text: hint, size: 7 }],
    { ...rest, y: rest.y + rest.height - hintHeight, height: hintHeight },
    { align: 'center', valign: 'middle' },
  )
}

/** Draws a strip in white on black, for self-collection or customs. */
function strip(draw: Drawing, { caption, value }: CaptionedText, box: Box): void {
  draw.block(box)
  const area = inset(box, padding, 0.8)
  const [left, right] = columns(area, 26) as [Box, Box]
  draw.text([{ text: caption, size: 8, colour: paper }], left, { valign: 'middle' })
  draw.text([{ text: value, size: 11, weight: 'bold', colour: paper }], right, { valign: 'middle', leading: 1.1 })
}

function sender(draw: Drawing, note: NoteText, box: Box): void {
  chip(draw, note.fromChip, box, false)
  const { name, company, phone, street, place } = note.sender
  const heading = [name, company, phone].filter(Boolean).join(' · ')
  draw.text(
    [
      { text: heading, size: 8, weight: 'bold' },
      { text: [...street, place].join(', '), size: 7.5 },
    ],
    inset({ ...box, x: box.x + chipWidth, width: box.width - chipWidth }, padding, 1),
    { valign: 'middle' },
  )
}

function foot(draw: Drawing, note: NoteText, box: Box): void {
  const [left, right] = columns(box, qrWidth) as [Box, Box]
  qr(draw, note, left)
  draw.rule(right.x, right.y, right.height, 'down')

  const rowHeight = 8.4
  // Long remarks leave less room for the signature.
  const remarksHeight = note.remarks.value ? (note.remarks.value.length > 50 ? 9 : 7) : 0
  const signatureHeight = remarksHeight === 0 ? 14 : remarksHeight === 7 ? 9.5 : 8
  const first = { ...right, height: rowHeight }
  const cells = columns(first, 20, 13) as [Box, Box, Box]
  const pad = (cell: Box) => inset(cell, 1.5, 0.9)
  draw.captioned(note.weight, pad(cells[0]), 11, { weight: 'bold', oneLine: true })
  draw.captioned(note.pieces, pad(cells[1]), 11, { weight: 'bold', oneLine: true })
  draw.captioned(note.reference, pad(cells[2]), 9)
  for (const cell of cells.slice(1)) draw.rule(cell.x, cell.y, rowHeight, 'down')

  const second = {
    ...right,
    y: right.y + rowHeight,
    height: right.height - rowHeight - remarksHeight - signatureHeight,
  }
  const insuredWidth = note.insured.value ? 21 : 0
  const [content, insured] = columns(second, second.width - insuredWidth) as [Box, Box]
  draw.rule(second.x, second.y, second.width, 'across')
  draw.captioned(note.content, pad(content), 8.5)
  if (insuredWidth > 0) {
    draw.rule(insured.x, insured.y, insured.height, 'down')
    draw.captioned(note.insured, pad(insured), 9, { weight: 'bold', oneLine: true })
  }
  const third = { ...right, y: second.y + second.height, height: remarksHeight }
  if (remarksHeight > 0) {
    draw.rule(third.x, third.y, third.width, 'across')
    draw.captioned(note.remarks, pad(third), 8, { weight: 'bold' })
  }
  const last = { ...right, y: third.y + third.height, height: signatureHeight }
  draw.rule(last.x, last.y, last.width, 'across')
  draw.text([{ text: note.signature, size: 6 }], inset(last, 1.5, 0.9), { oneLine: true })
}

function qr(draw: Drawing, note: NoteText, box: Box): void {
  const hintHeight = 2.9
  const symbol = encodeQr(note.trackingUrl)
  const count = symbol.modules
  const withQuiet = count + 2 * qrQuietModules
  const room = Math.min(box.width, box.height - hintHeight) - line
  const module = Math.min(Math.ceil(minQrSize / count / dot) * dot, room / withQuiet)
  const size = module * count
  const centred = (start: number, available: number) => Math.round((start + (available - size) / 2) / dot) * dot
  draw.add({
    kind: 'qr',
    value: note.trackingUrl,
    symbol,
    x: centred(box.x, box.width),
    y: centred(box.y, box.height - hintHeight),
    size,
  })
  draw.text(
    [{ text: note.scanHint, size: 6 }],
    inset({ ...box, y: box.y + box.height - hintHeight, height: hintHeight - 0.3 }, 1, 0),
    {
      align: 'center',
      valign: 'middle',
      oneLine: true,
    },
  )
}
