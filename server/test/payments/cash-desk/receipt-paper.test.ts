import type { CashReceipt } from '@waybill/contract/payments/cash-receipts'
import { describe, expect, test } from 'vitest'
import { layoutReceipt, rollWidthMm } from '../../../src/domains/payments/cash-desk/layout-receipt.ts'
import { loadFonts } from '../../../src/lib/print/fonts.ts'
import { inkBounds } from '../../../src/lib/print/marks.ts'
import { pdfStream } from '../../../src/lib/print/pdf.ts'
import { language, long } from '../../testing/documents.ts'
import { openPaper, scan } from '../../testing/paper.ts'

const fonts = await loadFonts()

function someReceipt(overrides: Partial<CashReceipt> = {}): CashReceipt {
  return {
    movementId: '019352f0-0000-7000-8000-000000000001',
    number: 'KUL-20261121-0007',
    print: 1,
    copy: false,
    seller: {
      name: 'Swiftline Express Sdn Bhd',
      registrationNumber: '202301012345',
      taxNumber: 'W10-2301-32000123',
      address: '8 Jalan Ampang\n50450 Kuala Lumpur',
    },
    station: { code: 'KUL', name: 'Kuala Lumpur Sentral' },
    cashier: 'Nurul Huda',
    at: '2026-11-21T03:20:00Z',
    customer: 'Harmoni Books 和谐书店',
    orderNumber: 'ORD-2611-004512',
    invoiceNumber: 'INV-2026-000123',
    lines: [
      { description: 'Base rate (E-parcel, Drop Off - Delivery)', quantity: 2, amountMinor: 1420 },
      { description: 'Fuel surcharge', quantity: 1, amountMinor: 113 },
    ],
    parcels: ['WB12345678903', 'WB98765432104'],
    netMinor: 1533,
    taxMinor: 92,
    totalMinor: 1625,
    roundedMinor: 0,
    cashMinor: 1625,
    givenMinor: 5000,
    changeMinor: 3375,
    currency: 'MYR',
    ...overrides,
  }
}
const draw = (receipt: CashReceipt, locale: 'en' | 'cn_zh' = 'en') => {
  const { t, settings } = language(locale)
  return layoutReceipt(fonts, receipt, { t, locale, ...settings })
}
const print = async (receipt: CashReceipt, locale: 'en' | 'cn_zh' = 'en') => {
  const { marks, heightMm } = draw(receipt, locale)
  const info = { title: receipt.number, language: 'en', createdAt: new Date(0) }
  const { pages } = await openPaper(pdfStream(info, [{ widthMm: rollWidthMm, heightMm, marks }]))
  return pages[0] as NonNullable<(typeof pages)[0]>
}

describe('a receipt', () => {
  test('is one piece of an 80 mm roll and shows everything that was sold, paid and returned', async () => {
    const page = await print(someReceipt())
    expect(page.widthPt).toBeCloseTo((80 / 25.4) * 72, 0)
    const text = page.text.replaceAll('\u00a0', ' ')
    for (const words of [
      'Swiftline Express Sdn Bhd',
      'W10-2301-32000123',
      'Receipt',
      'KUL-20261121-0007',
      '21/11/2026 11:20',
      'Kuala Lumpur Sentral',
      'Nurul Huda',
      '和谐书店',
      'ORD-2611-004512',
      'INV-2026-000123',
      'Fuel surcharge',
      'RM 14.20',
      'RM 0.92',
      'RM 16.25',
      'Cash received',
      'RM 50.00',
      'RM 33.75',
    ])
      expect(text).toContain(words)
    expect(text).not.toContain('COPY')
    expect(text).not.toContain('Rounding')
  })

  test('shows that it is a copy and the rounding of cash, and exists in Chinese', async () => {
    const receipt = someReceipt({ print: 3, copy: true, totalMinor: 1623, roundedMinor: 2 })
    const english = (await print(receipt)).text.replaceAll('\u00a0', ' ')
    for (const words of ['COPY · print 3', 'Rounding', 'RM 0.02', 'To pay in cash']) expect(english).toContain(words)
    const chinese = (await print(receipt, 'cn_zh')).text
    for (const words of ['收据', '副本 · 第 3 次打印', '取整', '实收现金', '找零', '2026'])
      expect(chinese).toContain(words)
  })

  test('has an order code that a scanner reads from the roll of a 203 dpi printer', async () => {
    const codes = await scan(await (await print(someReceipt({ copy: true, print: 2 }))).raster(203))
    expect(codes).toEqual([{ format: 'Code128', text: 'ORD-2611-004512' }])
  })

  test('keeps any content within the paper, and omits nothing', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => ({
      description: `${long(60, 'Insurance 保险')} ${n}`,
      quantity: 999,
      amountMinor: 99_999_999,
    }))
    const parcels = Array.from({ length: 40 }, (_, n) => `WB${String(n).padStart(11, '0')}`)
    const name = long(120, 'Nurul Huda 怡保')
    const receipt = someReceipt({
      lines,
      parcels,
      cashier: name,
      customer: name,
      copy: true,
      print: 12,
      seller: { ...someReceipt().seller, name, address: `${name}\n${name}` },
      station: { code: 'KUL', name },
      totalMinor: 123_456_789_012,
      givenMinor: 999_999_999_999,
    })
    const { marks, heightMm } = draw(receipt)
    for (const mark of marks) {
      const { x, y, width, height } = inkBounds(mark)
      expect(x).toBeGreaterThanOrEqual(3.9)
      expect(x + width).toBeLessThanOrEqual(rollWidthMm - 3.9)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y + height).toBeLessThanOrEqual(heightMm)
    }
    expect((await print(receipt)).text).toContain('and 28 more parcels')
  })
})
