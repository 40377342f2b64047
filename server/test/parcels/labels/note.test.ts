import { describe, expect, test } from 'vitest'
import { renderConsignmentNotes } from '../../../src/domains/parcels/labels/draw-notes.ts'
import { layoutNote } from '../../../src/domains/parcels/labels/layout.ts'
import { type ConsignmentNote, noteText } from '../../../src/domains/parcels/labels/layout-text.ts'
import { loadFonts } from '../../../src/lib/print/fonts.ts'
import { type Box, inkBounds, type Mark, mmPerPoint, type TextMark } from '../../../src/lib/print/marks.ts'
import { language, long, someAddress, someNote } from '../../testing/documents.ts'
import { darkest, openPaper, scan } from '../../testing/paper.ts'

const fonts = await loadFonts()
const a6 = { x: 0, y: 0, width: 105, height: 148 }
const draw = (note: ConsignmentNote, box: Box = a6) => layoutNote(fonts, noteText(note, language('en')), box)
const print = (notes: Iterable<ConsignmentNote>, format: 'a6' | '4x6' | 'a4' = 'a6', locale: 'en' | 'cn_zh' = 'en') =>
  openPaper(renderConsignmentNotes(notes, { format, ...language(locale) }))

const cod = { amountMinor: 1_250_050, currency: 'MYR' }
const station = { code: 'PEN-SC2', name: '乔治市服务中心 George Town Service Centre' }
const notes: [name: string, note: ConsignmentNote][] = [
  ['plain', someNote()],
  ['cash on delivery, insured, remarks', someNote({ cod, insuredValueMinor: 50_000, remarks: '易碎品，请轻放' })],
  [
    'self collection',
    someNote({ selfCollectionStation: station, deliveryMode: { code: 'D2P', label: 'Pick Up - Self Collection' } }),
  ],
  ['every text far too long', extremeNote()],
]

function extremeNote(): ConsignmentNote {
  const address = {
    name: 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafe 陈亚九',
    company: long(120, '电子商务股份有限公司'),
    line1: long(200, 'Lot 12345 Jalan Perusahaan Utama'),
    line2: long(200, '吉隆坡市中心大街'),
    city: long(60, 'Kampung'),
    state: long(60, 'Negeri Sembilan'),
    country: 'Saint Helena, Ascension and Tristan da Cunha',
  }
  return someNote({
    trackingNumber: 'ABCD12345678903',
    serviceLabel: long(60, 'Semi express overnight'),
    deliveryMode: { code: 'P2P', label: long(60, 'Walk In - Self Collection') },
    carrierLabel: long(60, 'Carrier'),
    routeCode: 'KUL-WEST-HUB-03/ZONE-117B',
    companyName: long(120, 'Syarikat Perkhidmatan Kurier'),
    sender: someAddress(address),
    receiver: someAddress(address),
    cod: { amountMinor: 99_999_999_999, currency: 'MYR' },
    insuredValueMinor: 99_999_999_999,
    contentDescription: long(300, 'Assorted electronic components'),
    remarks: long(300, 'Handle with great care'),
    reference: long(80, 'PO-2026'),
    weightGrams: 10_000_000,
    pieces: 9999,
    selfCollectionStation: { code: 'PEN-SC2', name: long(120, 'George Town Service Centre') },
  })
}

describe('a printed consignment note', () => {
  test.each([
    ['a6', 105, 148],
    ['4x6', 101.6, 152.4],
    ['a4', 210, 297],
  ] as const)('%s is true to size', async (format, widthMm, heightMm) => {
    const { pages } = await print([someNote()], format)
    expect(pages).toHaveLength(1)
    expect(Math.abs((pages[0]?.widthPt ?? 0) - widthMm / mmPerPoint)).toBeLessThan(0.5)
    expect(Math.abs((pages[0]?.heightPt ?? 0) - heightMm / mmPerPoint)).toBeLessThan(0.5)
  })

  test.each(notes)('has two codes that a scanner reads from a 203 dpi print: %s', async (_name, note) => {
    for (const format of ['a6', '4x6'] as const) {
      const { pages } = await print([note], format)
      expect(await scan(await (pages[0] as (typeof pages)[0]).raster(203))).toEqual([
        { format: 'Code128', text: note.trackingNumber },
        { format: 'QRCode', text: note.trackingUrl },
      ])
    }
  })

  test('puts four labels on an A4 sheet, and a fifth on the next', async () => {
    const numbers = ['WB10000000019', 'WB20000000027', 'WB30000000035', 'WB40000000043', 'WB50000000051']
    const { pages } = await print(
      numbers.map((trackingNumber) => someNote({ trackingNumber })),
      'a4',
    )
    expect(pages).toHaveLength(2)
    const codes = await Promise.all(pages.map(async (page) => scan(await page.raster(203))))
    const texts = codes.map((page) =>
      page
        .filter(({ format }) => format === 'Code128')
        .map(({ text }) => text)
        .sort(),
    )
    expect(texts).toEqual([numbers.slice(0, 4), numbers.slice(4)])
  })

  test('fills a partly used A4 sheet from the requested position', async () => {
    const options = { format: 'a4' as const, startAt: 4, ...language('en') }
    const { pages } = await openPaper(renderConsignmentNotes([someNote()], options))
    const raster = await (pages[0] as (typeof pages)[0]).raster(100)
    expect(darkest(raster, { x: 0, y: 0, width: 210, height: 148 })).toBe(255)
    expect(darkest(raster, { x: 0, y: 148, width: 105, height: 149 })).toBe(255)
    expect(darkest(raster, { x: 105, y: 148.5, width: 105, height: 148 })).toBe(0)
  })

  test('contains names in Latin and Chinese letters as readable text', async () => {
    const note = someNote({ receiver: someAddress({ name: 'José Müller 欧阳娜娜', line1: '龘靐齉路 1 号' }), cod })
    const { pages } = await print([note], 'a6', 'cn_zh')
    for (const words of [
      'José Müller 欧阳娜娜',
      '龘靐齉路 1 号',
      '代收货款',
      'WB 1234 5678 903',
      '10050 George Town',
      '计费重量',
    ]) {
      expect(pages[0]?.text).toContain(words)
    }
  })

  test.each(notes)('leaves the margin blank that a thermal printer cannot reach: %s', async (_name, note) => {
    const { pages } = await print([note])
    const raster = await (pages[0] as (typeof pages)[0]).raster(203)
    const reach = 2.5
    expect(darkest(raster, { ...a6, height: reach })).toBe(255)
    expect(darkest(raster, { ...a6, width: reach })).toBe(255)
    expect(darkest(raster, { ...a6, y: a6.height - reach })).toBe(255)
    expect(darkest(raster, { ...a6, x: a6.width - reach })).toBe(255)
  })

  test('is in the requested language', async () => {
    const english = await print([someNote({ cod })])
    const chinese = await print([someNote({ cod })], 'a6', 'cn_zh')
    expect(english.pages[0]?.text).toMatch(/Consignment note[\s\S]*COD[\s\S]*RM\s12,500\.50/)
    expect(chinese.pages[0]?.text).toMatch(/托运单[\s\S]*代收货款[\s\S]*RM\s12,500\.50/)
  })
})

describe('the layout of a consignment note', () => {
  test.each(notes)(
    'has a barcode with modules of 0.33 mm, a height of 15 mm and a quiet zone of ten modules: %s',
    (_name, note) => {
      const marks = draw(note)
      const bars = marks.find((mark) => mark.kind === 'code128')
      expect(bars).toBeDefined()
      if (!bars) return
      expect(bars.module).toBeGreaterThanOrEqual(0.33)
      expect(bars.height).toBeGreaterThanOrEqual(15)
      const quiet = 10 * bars.module
      expectBlank(marks, bars, { x: bars.x - quiet, y: bars.y, width: bars.width + 2 * quiet, height: bars.height })
    },
  )

  test.each(notes)('has a QR code of at least 22 mm with a quiet zone of four modules: %s', (_name, note) => {
    const marks = draw(note)
    const qr = marks.find((mark) => mark.kind === 'qr')
    expect(qr).toBeDefined()
    if (!qr) return
    expect(qr.size).toBeGreaterThanOrEqual(22)
    const quiet = (4 * qr.size) / qr.symbol.modules
    expectBlank(marks, qr, {
      x: qr.x - quiet,
      y: qr.y - quiet,
      width: qr.size + 2 * quiet,
      height: qr.size + 2 * quiet,
    })
  })

  test.each(notes)('keeps every mark within the frame, and texts apart: %s', (_name, note) => {
    for (const box of [
      a6,
      { x: 105, y: 148.5, width: 105, height: 148 },
      { x: 0, y: 0, width: 101.6, height: 152.4 },
    ]) {
      const marks = draw(note, box)
      const frame = { x: box.x + 2.8, y: box.y + 2.8, width: box.width - 5.6, height: box.height - 5.6 }
      for (const mark of marks) expect(mark, describeMark(mark)).toSatisfy(() => inside(inkBounds(mark), frame))
      const texts = marks.filter((mark) => mark.kind === 'text')
      for (const [index, text] of texts.entries()) {
        for (const other of texts.slice(index + 1)) {
          expect(overlap(getBox(text), getBox(other)), `${text.text} | ${other.text}`).toBe(false)
        }
      }
    }
  })

  test('prints all text in full, in a smaller size if necessary', () => {
    const note = extremeNote()
    const printed = draw(note)
      .filter((mark) => mark.kind === 'text')
      .map(({ text }) => text)
      .join('')
    const letters = (text: string) => text.replace(/\s/g, '')
    for (const text of [
      note.receiver.name,
      note.receiver.line1,
      note.receiver.line2 ?? '',
      note.remarks ?? '',
      note.contentDescription,
    ]) {
      expect(letters(printed)).toContain(letters(text))
    }
  })

  test('prints a receiver of usual length in large type', () => {
    const name = draw(someNote()).find((mark) => mark.kind === 'text' && mark.text === 'Tan Ah Kow 陈亚九')
    expect(name).toMatchObject({ size: 15, weight: 'bold' })
  })

  test('highlights the amount to collect only if there is one', () => {
    const words = (note: ConsignmentNote) =>
      draw(note)
        .filter((mark) => mark.kind === 'text')
        .map(({ text }) => text)
    expect(words(someNote())).not.toContain('COD')
    expect(words(someNote({ cod }))).toEqual(expect.arrayContaining(['COD', 'RM\u00a012,500.50']))
  })
})

function expectBlank(marks: Mark[], symbol: Mark, area: Box): void {
  const inTheWay = marks.filter((mark) => mark !== symbol && mark.kind !== 'frame' && overlap(inkBounds(mark), area))
  expect(inTheWay.map(describeMark)).toEqual([])
}

/** A frame is an outline, so only its edge can overlap other marks. */
function inside(box: Box, frame: Box): boolean {
  return (
    box.x >= frame.x &&
    box.y >= frame.y &&
    box.x + box.width <= frame.x + frame.width &&
    box.y + box.height <= frame.y + frame.height
  )
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** The box from capital height to descenders, which is tighter than the line box. */
function getBox({ x, baseline, width, size }: TextMark): Box {
  const em = size * mmPerPoint
  return { x, width, y: baseline - 0.74 * em, height: 0.92 * em }
}

function describeMark(mark: Mark): string {
  return mark.kind === 'text' ? `${mark.text} (${mark.size} pt)` : `${mark.kind} ${JSON.stringify(inkBounds(mark))}`
}
