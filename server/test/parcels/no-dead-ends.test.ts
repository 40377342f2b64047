import { labelValues, parcelStatusLabels } from '@waybill/contract/ground/enums'
import { describe, expect, it } from 'vitest'
import { type Transition, transitions } from '../../src/domains/parcels/status.ts'
import { findDeadEnds } from './dead-ends.ts'

const without = (unwanted: (row: Transition) => boolean) =>
  (transitions as readonly Transition[]).filter((row) => !unwanted(row))

describe('no parcel gets stuck', () => {
  it('in any state that roles, places, custody, modes, legs, attempts and payment can lead to', () => {
    for (const role of ['normal_staff', 'admin'] as const) {
      for (const takeOver of [false, true]) {
        const { reached, dead } = findDeadEnds({ role, takeOver })
        expect(dead).toEqual([])
        expect(new Set(reached.map(({ status }) => status))).toEqual(new Set(labelValues(parcelStatusLabels)))
        // A walk without successful steps would prove nothing.
        expect(reached.length).toBeGreaterThan(800)
        for (const holder of ['customer', 'station', 'rider', 'gunny', 'carrier']) {
          expect(reached.some((world) => world.holder === holder)).toBe(true)
        }
      }
    }
  })

  it('and would be found for every row of the table that a parcel depends on', () => {
    const needed = transitions.filter(
      (row) => row.from !== null && findDeadEnds({ table: without((each) => each === row) }).dead.length > 0,
    )
    expect(needed.map(({ event, from }) => `${event} from ${from?.[0]}`)).toEqual([
      'difference_waived from outstanding',
      'departed from sorting',
      'arrived from outbound',
      'out_for_delivery from inbound',
      'next_attempt from fail-to-deliver',
      'recalled from inbound',
      'departed from recall',
      'arrived from recall',
      'return_received from recall',
      'return_picked_up from reverse_pickup',
      'cancelled from pending',
    ])
  })

  it('as returns of self-collection parcels did, which could be neither handed back nor taken to the door', () => {
    const dead = findDeadEnds({
      table: without(({ event, when }) => when?.leg === 'return' && event !== 'return_requested'),
    }).dead
    expect(dead.some(({ leg, deliveryMode }) => leg === 'return' && deliveryMode === 'D2P')).toBe(true)
    expect(dead.every(({ leg, status }) => leg === 'return' || status === 'reverse_pickup')).toBe(true)
  })

  it('as returns with all attempts used did, which no job called back', () => {
    const { dead } = findDeadEnds({ jobs: false })
    expect(new Set(dead.map(({ status }) => status))).toEqual(new Set(['fail-to-deliver']))
    expect(dead.some(({ leg }) => leg === 'return')).toBe(true)
  })
})
