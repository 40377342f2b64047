import { bagStatusLabels } from '@waybill/contract/parcels/transport/bags'
import { tripStatusLabels } from '@waybill/contract/parcels/transport/trips'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bagTransitions, nextBagStatus } from '../../../src/domains/parcels/bags/status.ts'
import { loadState, nextTripStatus, readSeal, tripTransitions } from '../../../src/domains/parcels/trips/status.ts'

const bagStatuses = Object.keys(bagStatusLabels) as (keyof typeof bagStatusLabels)[]
const tripStatuses = Object.keys(tripStatusLabels) as (keyof typeof tripStatusLabels)[]

/** The statuses that can be reached from one by these transitions. */
function findReachable<S extends string>(start: S, next: (status: S) => S[]): Set<S> {
  const reached = new Set([start])
  for (const status of reached) for (const each of next(status)) reached.add(each)
  return reached
}

describe('statuses of bags and trips', () => {
  it('can be left by an event, except the last ones', () => {
    const afterBag = (status: (typeof bagStatuses)[number]) =>
      bagTransitions.flatMap(({ event }) => nextBagStatus(status, event) ?? [])
    const afterTrip = (status: (typeof tripStatuses)[number]) =>
      tripTransitions.flatMap(({ event }) => nextTripStatus(status, event) ?? [])
    expect([...findReachable('open', afterBag)].sort()).toEqual([...bagStatuses].sort())
    expect([...findReachable('loading', afterTrip)].sort()).toEqual([...tripStatuses].sort())
    for (const status of bagStatuses) expect(findReachable(status, afterBag)).toContain('emptied')
    expect(tripStatuses.filter((status) => afterTrip(status).length === 0)).toEqual(['closed', 'cancelled'])
  })
})

describe('what became of a load', () => {
  const facts = fc.record({
    tripStatus: fc.constantFrom(...tripStatuses),
    onManifest: fc.boolean(),
    unloaded: fc.boolean(),
    wasMissing: fc.boolean(),
    onTheWay: fc.boolean(),
    elsewhere: fc.boolean(),
    missingParcels: fc.nat(2),
  })

  it('is extra without the manifest, and missing only if the trip was closed without it', () => {
    fc.assert(
      fc.property(facts, (load) => {
        const state = loadState(load)
        expect(state === 'extra').toBe(!load.onManifest)
        if (state === 'missing' || state === 'found') expect(load.wasMissing).toBe(true)
        if (!load.unloaded && load.elsewhere)
          expect(state === 'arrived').toBe(load.onManifest && load.tripStatus === 'closed' && !load.wasMissing)
        if (state === 'found') expect(load.onTheWay || load.missingParcels > 0).toBe(false)
      }),
    )
  })
})

describe('the seal on arrival', () => {
  it('is intact only if it is the one of the departure', () => {
    expect([readSeal('A', 'A'), readSeal('A', 'B'), readSeal('A', null)]).toEqual(['intact', 'broken', 'broken'])
    expect([readSeal(null, null), readSeal(null, 'A')]).toEqual(['none', 'broken'])
  })
})
