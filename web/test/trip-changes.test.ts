import type { TripDetail, TripLoad } from '@waybill/contract/parcels/transport/trips'
import { expect, test } from 'vitest'
import { isContainerCode } from '../src/features/parcels/bags/container-codes.ts'
import { findChange, isLoad, isSameSeal, listToCome } from '../src/features/parcels/trips/use-trip-record.ts'

const load = (number: string, changes: Partial<TripLoad> = {}): TripLoad => ({
  id: number,
  kind: 'parcel',
  number,
  sscc: null,
  sealNumber: null,
  to: null,
  parcelCount: 1,
  weightGrams: 800,
  state: 'loaded',
  missing: [],
  ...changes,
})
const bag = (changes: Partial<TripLoad> = {}) =>
  load('BG000000018', { kind: 'bag', sscc: '095500000000000011', sealNumber: 'S-1001', ...changes })
const trip = (...loads: TripLoad[]) => ({ loads }) as TripDetail

test('finds the load that a scan changed', () => {
  const [one, other] = [load('WB00000000108'), load('WB00000000116')]
  const before = trip(one, other)
  expect(findChange(before, trip(one, { ...other, state: 'arrived' }), 'WB00000000116')?.number).toBe(other.number)
  expect(findChange(before, before, 'WB00000000116')).toBeNull()
  // A colleague unloaded the other one meanwhile.
  const both = trip({ ...one, state: 'arrived' }, { ...other, state: 'arrived' })
  expect(findChange(before, both, 'wb 0000 0000 116')?.number).toBe(other.number)
})

test('finds the opened bag of a parcel that was unloaded alone', () => {
  const before = trip(bag({ state: 'arrived', missing: ['WB00000000108', 'WB00000000116'] }))
  const after = trip(bag({ state: 'arrived', missing: ['WB00000000116'] }))
  expect(findChange(before, after, 'WB00000000108')?.kind).toBe('bag')
})

test('recognizes a bag by its number and by the barcode of its label', () => {
  for (const code of ['BG000000018', 'bg 0000 0001 8', '095500000000000011', '00095500000000000011'])
    expect([code, isLoad(code, bag()), isContainerCode(code)]).toEqual([code, true, true])
  expect(isLoad('00095500000000000028', bag())).toBe(false)
  expect(isContainerCode('WB00000000108')).toBe(false)
  expect(isContainerCode('S-1001')).toBe(false)
})

test('compares seals without their case and separators', () => {
  expect(isSameSeal('s 1001', 'S-1001')).toBe(true)
  expect(isSameSeal('', 'S-1001')).toBe(false)
  expect(isSameSeal('', '')).toBe(true)
})

test('lists what is still to come: loads, and opened bags whose parcels have not all arrived', () => {
  const opened = bag({ state: 'arrived', missing: ['WB00000000108'] })
  const there = load('WB00000000116', { state: 'arrived' })
  const late = load('WB00000000124')
  const extra = load('WB00000000132', { state: 'extra' })
  expect(listToCome(trip(opened, there, late, extra))).toEqual([opened, late])
})
