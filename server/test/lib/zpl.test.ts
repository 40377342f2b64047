import { text as readText } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { layoutGunnyLabel } from '../../src/domains/parcels/gunny/layout.ts'
import { renderConsignmentNotes } from '../../src/domains/parcels/labels/draw-notes.ts'
import { encodeCode128 } from '../../src/lib/print/barcode.ts'
import { makeSscc } from '../../src/lib/print/container-codes.ts'
import { loadFonts } from '../../src/lib/print/fonts.ts'
import { code128Data, zplLabel } from '../../src/lib/print/zpl.ts'
import { language, someAddress, someNote } from '../testing/documents.ts'
import { darkest, scan } from '../testing/paper.ts'
import { printZpl } from '../testing/zpl-printer.ts'

const notes = [
  someNote(),
  someNote({
    trackingNumber: 'WB20000000027',
    receiver: someAddress({ name: '王小明', line1: '莱佛士坊 1 号' }),
    cod: { amountMinor: 12_345, currency: 'MYR' },
    carrierNumber: '9356579890',
    gunnyNumber: 'GY000000013',
    customs: 'International: customs declaration attached',
  }),
  someNote({ trackingNumber: '3120052228790' }),
]

describe('labels for a ZPL printer', () => {
  test('can be scanned as the printer prints them, one parcel per label', async () => {
    const zpl = await readText(renderConsignmentNotes(notes, { format: 'zpl', ...language('cn_zh') }))
    const labels = printZpl(zpl)
    expect(labels).toHaveLength(notes.length)
    for (const [n, label] of labels.entries()) {
      expect([label.width, label.height]).toEqual([840, 1184])
      expect(await scan(label)).toEqual([
        { format: 'Code128', text: notes[n]?.trackingNumber },
        { format: 'QRCode', text: notes[n]?.trackingUrl },
      ])
    }
  })

  test('keep the quiet zones blank: ten modules on either side of the bars', async () => {
    const zpl = await readText(
      renderConsignmentNotes([notes[0] as (typeof notes)[0]], { format: 'zpl', ...language('en') }),
    )
    const [, x = '', y = '', module = '', height = ''] = /\^FO(\d+),(\d+)\^BY(\d+),3,(\d+)\^BCN/.exec(zpl) ?? []
    const width = encodeCode128(notes[0]?.trackingNumber ?? '').modules * Number(module)
    const [label] = printZpl(zpl)
    const mm = (dots: number) => dots / 8
    const quiet = 10 * Number(module)
    const side = { y: mm(Number(y)), width: mm(quiet) - 0.2, height: mm(Number(height)) }
    expect(Number(module)).toBeGreaterThanOrEqual(3)
    expect(darkest(label as NonNullable<typeof label>, { ...side, x: mm(Number(x) - quiet) })).toBe(255)
    expect(darkest(label as NonNullable<typeof label>, { ...side, x: mm(Number(x) + width) + 0.1 })).toBe(255)
  })

  test('encode the SSCC of a gunny as GS1-128', async () => {
    const fonts = await loadFonts()
    const { t } = language('en')
    const text = {
      captions: { title: 'GUNNY', number: 'Number', to: 'Hand over at', from: 'From' },
      number: 'GY000000013',
      sscc: makeSscc('0614141', 1),
      companyName: 'Waybill Express',
      sender: '和谐书店 Harmoni Books',
      senderPlace: '28 Jalan Telawi 3, 59100 Kuala Lumpur',
      station: 'KUL-T11  Bangsar',
      seal: 'S-4711',
      parcels: '12',
      weight: '18.50 kg',
      packedOn: '21/11/2026 11:20',
    }
    const marks = layoutGunnyLabel(fonts, text, t, { x: 0, y: 0, width: 105, height: 148 })
    const [label] = printZpl(await zplLabel(fonts, { widthMm: 105, heightMm: 148, marks }))
    const codes = await scan(label as NonNullable<typeof label>)
    expect(codes.map(({ text: read }) => read.replace(/\D/g, ''))).toEqual([`00${text.sscc}`])
  })

  test.each(['WB12345678903', '9356579890', '312005222879012', 'ABCD12345678901', 'A~^>1'])(
    'have bars of %s no wider than the layout says, whatever the printer would choose',
    (value) => {
      const data = code128Data(value, false)
      expect(data.startsWith('>')).toBe(true)
      if (/^[A-Z]*\d+$/.test(value)) {
        const inC = data.split(/>[5;]/)[1] ?? ''
        expect(inC.length % 2).toBe(0)
      }
    },
  )
})
