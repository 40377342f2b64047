import { expect, test } from 'vitest'
import { findNewestScans } from '../src/features/parcels/scanning/newest-scans.ts'

test('finds the newest scan of each parcel, which alone can be undone', () => {
  const scans = [
    { id: '4', trackingNumber: 'WB2' },
    { id: '3', trackingNumber: 'WB1' },
    { id: '2', trackingNumber: 'WB1' },
    { id: '1', trackingNumber: 'WB2' },
  ]
  expect([...findNewestScans(scans)]).toEqual(['4', '3'])
  expect([...findNewestScans([])]).toEqual([])
})
