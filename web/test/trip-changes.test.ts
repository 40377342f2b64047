import type { Trip, TripDetail, TripLoad } from '@waybill/contract/parcels/transport/trips'
import { expect, test } from 'vitest'
import { isContainerCode, isSameSeal } from '../src/features/parcels/bags/container-codes.ts'
import { mergeScans } from '../src/features/parcels/trips/merge-scans.ts'
import { isLoad, listToCome } from '../src/features/parcels/trips/use-trip-record.ts'

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
  misroute: null,
  ...changes,
})
const bag = (changes: Partial<TripLoad> = {}) =>
  load('BG000000018', { kind: 'bag', sscc: '095500000000000011', sealNumber: 'S-1001', ...changes })
const trip = (...loads: TripLoad[]) => ({ loads }) as TripDetail

/** A trip as it was read, at version 7. */
const read = (...loads: TripLoad[]) => ({ ...trip(...loads), version: 7 })
/** The trip after a change, without its loads. */
const facts = (version: number) => ({ version, loadCount: version }) as Trip

test('puts what was scanned before the other loads, the last scan first', () => {
  const [old, one, two] = [load('WB00000000108'), load('WB00000000116'), load('WB00000000124')]
  const merged = mergeScans(read(old), [
    { trip: facts(8), load: one, changed: true },
    { trip: facts(9), load: two, changed: true },
    // A second scan changes nothing.
    { trip: facts(9), load: one, changed: false },
  ])
  expect(merged.trip.loads.map(({ number }) => number)).toEqual([two.number, one.number, old.number])
  expect([merged.trip.version, merged.trip.loadCount, merged.isComplete]).toEqual([9, 9, true])
})

test('changes a load in its place, and takes loads off', () => {
  const [one, other] = [load('WB00000000108'), load('WB00000000116')]
  const merged = mergeScans(read(one, other), [
    { trip: facts(8), load: { ...other, state: 'arrived' }, changed: true },
    { trip: facts(9), removedId: one.id },
  ])
  expect(merged.trip.loads).toEqual([{ ...other, state: 'arrived' }])
  expect(merged.isComplete).toBe(true)
})

test('notices that a colleague has changed the trip between two scans', () => {
  const [one, theirs] = [load('WB00000000108'), load('WB00000000116')]
  // Version 8 is the change of a colleague.
  const scans = [{ trip: facts(9), load: one, changed: true }]
  expect(mergeScans(read(), scans).isComplete).toBe(false)
  // An unchanged scan shows it, too.
  expect(mergeScans(read(one), [{ trip: facts(8), load: one, changed: false }]).isComplete).toBe(false)
  // Once it was read again, nothing is missing, and later scans stay.
  const later = { trip: facts(10), load: load('WB00000000124'), changed: true }
  const readAgain = { ...read(one, theirs), version: 9 }
  const merged = mergeScans(readAgain, [...scans, later])
  expect(merged.trip.loads.map(({ number }) => number)).toEqual([later.load.number, one.number, theirs.number])
  expect(merged.isComplete).toBe(true)
})

test('does not bring back what a colleague took off since', () => {
  const one = load('WB00000000108')
  const merged = mergeScans({ ...read(), version: 9 }, [{ trip: facts(8), load: one, changed: true }])
  expect([merged.trip.loads, merged.isComplete]).toEqual([[], true])
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
