import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { renderConsignmentNotes } from '../../src/domains/parcels/labels/draw-notes.ts'
import type { ConsignmentNote } from '../../src/domains/parcels/labels/layout-text.ts'
import { ink, type Mark, type TextMark } from '../../src/lib/print/marks.ts'
import { pdfStream } from '../../src/lib/print/pdf.ts'
import { language, someAddress, someNote } from '../testing/documents.ts'
import { darkest, openPaper } from '../testing/paper.ts'

const info = { title: 'Test', language: 'en', createdAt: new Date('2026-11-21T00:00:00Z') }
const page = (marks: Mark[]) => ({ widthMm: 100, heightMm: 100, marks })
const line = (text: string, baseline: number): TextMark => ({
  kind: 'text',
  text,
  x: 5,
  baseline,
  width: 80,
  size: 10,
  weight: 'regular',
  colour: ink,
})
/** An image of one coloured pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const notes = (count: number, overrides: (index: number) => Partial<ConsignmentNote> = () => ({})) =>
  Array.from({ length: count }, (_, index) =>
    someNote({ trackingNumber: `WB${10_000_000_000 + index}`, ...overrides(index) }),
  )
const options = { format: 'a6' as const, ...language('en') }

describe('a PDF', () => {
  test('can be read back when it has more characters than fit into one font subset', async () => {
    const rows = Array.from({ length: 24 }, (_, row) =>
      String.fromCodePoint(...Array.from({ length: 50 }, (_, index) => 0x4e00 + row * 50 + index)),
    )
    const pages = [0, 1].map((half) =>
      page(rows.slice(half * 12, half * 12 + 12).map((text, index) => line(text, 8 + index * 7))),
    )
    const { pages: printed } = await openPaper(pdfStream(info, pages))
    expect(printed.map(({ text }) => text.replaceAll(/\s/g, '')).join('')).toBe(rows.join(''))
  })

  test('embeds an image once, however many pages show it, and omits an unreadable one', async () => {
    const size = async (companyLogo: Uint8Array | undefined) =>
      (
        await buffer(
          renderConsignmentNotes(
            notes(20, () => ({ companyLogo })),
            options,
          ),
        )
      ).length
    const [one, none] = [await size(png), await size(undefined)]
    expect(one - none).toBeLessThan(20 * 120)
    const broken = await openPaper(
      renderConsignmentNotes(
        notes(1, () => ({ companyLogo: Buffer.from('no image') })),
        options,
      ),
    )
    expect(broken.pages[0]?.text).toContain('Swiftline Express')
    const paper = await openPaper(
      pdfStream(info, [page([{ kind: 'image', data: png, x: 10, y: 10, width: 20, height: 20 }])]),
    )
    const raster = await (paper.pages[0] as (typeof paper.pages)[0]).raster(72)
    expect(darkest(raster, { x: 11, y: 11, width: 18, height: 18 })).toBeLessThan(200)
    expect(darkest(raster, { x: 40, y: 40, width: 20, height: 20 })).toBe(255)
  })

  test('fails instead of creating an empty file when there is no content', async () => {
    await expect(buffer(renderConsignmentNotes([], options))).rejects.toThrow('No page')
  })
})

describe('PDF streaming', () => {
  test('fails with the error of its source', async () => {
    async function* source() {
      yield someNote()
      throw new Error('the database went away')
    }
    await expect(buffer(renderConsignmentNotes(source(), options))).rejects.toThrow('the database went away')
  })

  test('draws only as far as it is read, and closes its source when the reader stops', async () => {
    let drawings = 0
    let released = false
    function* source() {
      try {
        for (const note of notes(5000)) {
          drawings++
          yield note
        }
      } finally {
        released = true
      }
    }
    const stream = renderConsignmentNotes(source(), options)
    await once(stream, 'readable')
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    expect(drawings).toBeLessThan(200)
    stream.destroy()
    await once(stream, 'close')
    expect(released).toBe(true)
  })

  test('does not block the event loop while it draws a thousand labels', async () => {
    const han = (index: number) =>
      String.fromCodePoint(
        0x4e00 + ((index * 7) % 5000),
        0x4e00 + ((index * 13) % 5000),
        0x4e00 + ((index * 29) % 5000),
      )
    await buffer(renderConsignmentNotes(notes(50), options))
    let turns = 0
    let running = true
    const others = (async () => {
      while (running) {
        await setImmediate()
        turns++
      }
    })()
    await buffer(
      renderConsignmentNotes(
        notes(1000, (index) => ({ receiver: someAddress({ name: han(index) }) })),
        options,
      ),
    )
    running = false
    await others
    // Drawing a page takes about a millisecond, and the event loop runs after every few pages. The benchmark measures
    // how long these blocks take.
    expect(turns).toBeGreaterThan(50)
  })
})
