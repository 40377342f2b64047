import type { StockCount } from '@waybill/contract/parcels/stock'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { StockCountEnd } from '../src/features/parcels/stock/stock-count.tsx'

const element = vi.hoisted(() => {
  return (tag: string) =>
    ({ children }: { children?: string }) =>
      createElement(tag, {}, children)
})

vi.mock('@mantine/core', () => ({ Button: () => null }))
vi.mock('../src/lib/i18n.ts', () => ({ useT: () => (key: string) => key }))
vi.mock('../src/lib/once.ts', () => ({ useCallOnce: () => vi.fn() }))
vi.mock('../src/lib/format.ts', () => ({ useFormat: () => ({ number: String, dateTime: String }) }))
vi.mock('../src/components/buttons/link.tsx', () => ({ ButtonLink: element('a') }))
vi.mock('../src/components/buttons/staff-parcel-link.tsx', () => ({
  StaffParcelLink: ({ number }: { number: string }) => number,
}))
vi.mock('../src/components/display/record-pills.tsx', () => ({ ParcelPill: () => null }))
vi.mock('../src/components/feedback/use-send.ts', () => ({ useSend: () => ({}) }))
vi.mock('../src/components/fields/scan-field.tsx', () => ({ ScanField: () => null }))
vi.mock('../src/components/layout/boxes.tsx', () => ({
  ...{ Buttons: element('div'), Grid: element('div'), LineList: element('ul'), Panel: element('section') },
}))
vi.mock('../src/components/layout/text.tsx', () => ({
  ...{ Mono: element('i'), Note: element('p'), Notice: element('div'), Quiet: element('i'), getTone: () => 'good' },
}))
vi.mock('../src/components/scans/number-list.tsx', () => ({ NumberList: () => null }))
vi.mock('../src/features/parcels/scanning/custody-text.ts', () => ({ useCustodyText: () => () => '' }))

const custody = { holder: 'customer', station: null, rider: null, gunny: null, nextStation: null } as const
const show = (...statuses: StockCount['extra'][number]['status'][]) => {
  const extra = statuses.map((status) => ({ trackingNumber: status, status, leg: 'outbound' as const, custody }))
  const result = { at: '', expected: 0, found: 0, missing: [], extra, broughtBack: [], unknown: [] }
  return renderToString(createElement(StockCountEnd, { result, onClose: vi.fn() }))
}

test('a count sends only parcels to the scan screen that a scan can take', () => {
  const html = show('inbound', 'lost', 'completed', 'cancel')
  const [scannable = '', ended = ''] = html.split('stockCount.extraEnded<')
  for (const word of ['inbound', 'lost', 'stockCount.extraHint']) expect(scannable).toContain(word)
  for (const word of ['completed', 'cancel', 'stockCount.extraEndedHint']) expect(ended).toContain(word)
  expect(html).toContain('stockCount.toScan')
  const delivered = show('completed')
  for (const word of ['stockCount.extraHint', 'stockCount.toScan']) expect(delivered).not.toContain(word)
})
