import { expect, test } from 'vitest'
import { getScanJudge, readStockScan } from '../src/features/parcels/stock/use-stock-count.ts'

test('a scan of a count is our number, also from the label of a carrier', () => {
  const ownNumbers = { 1234567891: 'WB12345678903' }
  expect(readStockScan('wb 1234 5678 903', 'WB', { ownNumbers })).toBe('WB12345678903')
  expect(readStockScan('1234 5678 91', 'WB', { ownNumbers })).toBe('WB12345678903')
  expect(readStockScan('3100000000001', 'WB', { ownNumbers })).toBe('3100000000001')
  // A count that an earlier version of the app began.
  expect(readStockScan('1234567891', 'WB', {})).toBe('1234567891')
})

test('a parcel that a rider has brought back after a failed attempt is no stranger', () => {
  const judge = getScanJudge({ expected: ['WB1'], broughtBack: ['WB2'] })
  expect(['WB1', 'WB2', 'WB3'].map(judge)).toEqual(['there', 'back', 'more'])
  // A count that an earlier version of the app began.
  expect(getScanJudge({ expected: [] })('WB2')).toBe('more')
})
