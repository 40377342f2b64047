import { expect, test } from 'vitest'
import { readStockScan } from '../src/features/parcels/stock/use-stock-count.ts'

test('a scan of a count is our number, also from the label of a carrier', () => {
  const ownNumbers = { 1234567891: 'WB12345678903' }
  expect(readStockScan('wb 1234 5678 903', 'WB', { ownNumbers })).toBe('WB12345678903')
  expect(readStockScan('1234 5678 91', 'WB', { ownNumbers })).toBe('WB12345678903')
  expect(readStockScan('3100000000001', 'WB', { ownNumbers })).toBe('3100000000001')
  // A count that an earlier version of the app began.
  expect(readStockScan('1234567891', 'WB', {})).toBe('1234567891')
})
