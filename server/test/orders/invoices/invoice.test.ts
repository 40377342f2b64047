import { describe, expect, test } from 'vitest'
import type { InvoiceDocument } from '../../../src/domains/orders/invoices/document.ts'
import { layoutInvoice } from '../../../src/domains/orders/invoices/layout.ts'
import { renderInvoice } from '../../../src/domains/orders/invoices/print-invoice.ts'
import { loadFonts } from '../../../src/lib/print/fonts.ts'
import { inkBounds, mmPerPoint, type TextMark } from '../../../src/lib/print/marks.ts'
import { language, long, someInvoice, someLine } from '../../testing/documents.ts'
import { openPaper } from '../../testing/paper.ts'

const fonts = await loadFonts()
const options = (locale: 'en' | 'cn_zh' = 'en') => ({ ...language(locale), primaryColour: '#e82023' })
const print = (invoice: InvoiceDocument, locale: 'en' | 'cn_zh' = 'en') =>
  openPaper(renderInvoice(invoice, options(locale)))
const draw = (invoice: InvoiceDocument) => layoutInvoice(fonts, invoice, options())
const getTexts = (page: ReturnType<typeof draw>[0] | undefined) => (page ?? []).filter((mark) => mark.kind === 'text')

describe('an invoice', () => {
  test('is A4 and shows seller, buyer, lines, amounts and payment', async () => {
    const { pages } = await print(someInvoice())
    expect(pages).toHaveLength(1)
    expect(Math.abs((pages[0]?.widthPt ?? 0) - 210 / mmPerPoint)).toBeLessThan(0.5)
    expect(Math.abs((pages[0]?.heightPt ?? 0) - 297 / mmPerPoint)).toBeLessThan(0.5)
    const text = pages[0]?.text.replaceAll('\u00a0', ' ')
    for (const words of [
      'Swiftline Express Sdn Bhd',
      '202301012345',
      'W10-2301-32000123',
      'Harmoni Books 和谐书店',
      'C20395547010',
      'INV-2026-000123',
      'ORD-2611-004512',
      '21/11/2026',
      'Parcel line 2',
      'RM 1,250.00',
      'Service tax 6%',
      'RM 150.00',
      'RM 2,650.00',
      'PAID',
      'Credit',
      'T123456789012',
      'Page 1 of 1',
    ]) {
      expect(text).toContain(words)
    }
  })

  test('has each number of a party on its own line, so that neither breaks', async () => {
    const buyer = {
      name: 'Kinabalu Trading Sdn Bhd',
      registrationNumber: '201901023456 (1332785-K)',
      taxNumber: 'C 25847163090',
      address: [],
    }
    const { pages } = await print(someInvoice({ buyer }), 'cn_zh')
    const lines = (pages[0]?.text ?? '').split('\n').map((line) => line.trim())
    expect(lines).toContain('注册号 201901023456 (1332785-K)')
    expect(lines).toContain('税号 C 25847163090')
  })

  test('is in Chinese for a Chinese reader', async () => {
    const { pages } = await print(someInvoice(), 'cn_zh')
    for (const words of ['发票', '已付款', '付款方式', '第 1 页，共 1 页']) expect(pages[0]?.text).toContain(words)
  })

  test('repeats the heading, numbers its pages and has each line once if there are many lines', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => someLine(index + 1))
    const { pages } = await print(someInvoice({ lines }))
    expect(pages.length).toBeGreaterThan(2)
    for (const [index, page] of pages.entries()) {
      expect(page.text).toContain(`Page ${index + 1} of ${pages.length}`)
      if (/Parcel line/.test(page.text)) expect(page.text).toContain('Unit price')
    }
    const printed = pages.flatMap(({ text }) => text.match(/Parcel line \d+/g) ?? [])
    expect(printed).toEqual(lines.map(({ description }) => description))
    expect(pages.filter(({ text }) => text.includes('Subtotal'))).toHaveLength(1)
  })

  test('keeps totals and payment together below the last line, whatever the number of lines', () => {
    for (let count = 1; count <= 40; count++) {
      const pages = draw(someInvoice({ lines: Array.from({ length: count }, (_, index) => someLine(index + 1)) }))
      const last = getTexts(pages.at(-1))
      const baseline = (words: string) => (last.find(({ text }) => text === words) as TextMark).baseline
      expect(baseline('Total')).toBeLessThan(297 - 17)
      expect(baseline('Reference')).toBeLessThan(297 - 17)
      const lines = last.filter(({ text }) => text.startsWith('Parcel line')).map((mark) => mark.baseline)
      if (lines.length > 0) expect(Math.max(...lines)).toBeLessThan(baseline('Subtotal'))
    }
  })

  test('stays inside its margins and above its footer if every text is far too long', () => {
    const party = {
      name: long(150, 'Syarikat Perkhidmatan'),
      address: [long(150, 'Lot 12345'), long(150, '中央大街')],
      email: long(320, 'x'),
      phone: '+60312345678',
    }
    const pages = draw(
      someInvoice({
        seller: party,
        buyer: party,
        lines: [
          {
            ...someLine(1),
            description: long(2000, 'Wolfeschlegelsteinhausenbergerdorff 长描述'),
            quantity: 100_000,
            unitMinor: 99_999_999_999_999,
            amountMinor: 99_999_999_999_999,
          },
          someLine(2),
        ],
        taxes: Array.from({ length: 6 }, () => ({ label: long(60, 'Service tax'), amountMinor: 9_999_999_999_999 })),
        totalMinor: 99_999_999_999_999,
        payment: { methodLabel: long(80, 'Method'), reference: long(120, 'REF'), paidAt: '2026-11-21T03:22:00Z' },
        remarks: long(600, 'Please quote the number.'),
      }),
    )
    for (const mark of pages.flat()) {
      const box = inkBounds(mark)
      if (mark.kind === 'rect' && mark.y === 0) continue
      expect(box.x, JSON.stringify(mark)).toBeGreaterThan(17)
      expect(box.x + box.width, JSON.stringify(mark)).toBeLessThan(193)
      expect(box.y + box.height, JSON.stringify(mark)).toBeLessThan(290)
    }
  })

  test.each([
    [{ status: 'unpaid', payment: null, dueAt: '2026-12-20T16:00:00Z' }, ['UNPAID', '21/12/2026'], ['Method']],
    [
      { kind: 'creditNote', status: 'refunded', number: 'CN-1', correctsNumber: 'INV-7' },
      ['Credit note', 'REFUNDED', 'Corrects invoice', 'INV-7'],
      ['PAID'],
    ],
  ] as const)('%o', (seller, texts, absent) => {
    const words = draw(someInvoice(seller)).flatMap((page) => getTexts(page).map(({ text }) => text))
    expect(words).toEqual(expect.arrayContaining([...texts]))
    for (const word of absent) expect(words).not.toContain(word)
  })
})
