import { labelValues } from '@waybill/contract/ground/enums/labels'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { describe, expect, it } from 'vitest'
import { type Transition, transitions } from '../../src/domains/parcels/status.ts'
import { findDeadEnds } from './dead-ends.ts'

const withoutRows = (unwanted: (row: Transition) => boolean) =>
  (transitions as readonly Transition[]).filter((row) => !unwanted(row))

describe('the search for dead ends', () => {
  it('finds none for any combination of role, place, custody, mode, leg, attempts and payment', () => {
    for (const role of ['normal_staff', 'admin'] as const) {
      for (const takeOver of [false, true]) {
        const { reached, dead } = findDeadEnds({ role, takeOver })
        expect(dead).toEqual([])
        expect(new Set(reached.map(({ status }) => status))).toEqual(new Set(labelValues(parcelStatusLabels)))
        // A search that takes no steps would prove nothing.
        expect(reached.length).toBeGreaterThan(800)
        for (const holder of ['customer', 'station', 'rider', 'gunny', 'carrier']) {
          expect(reached.some((world) => world.holder === holder)).toBe(true)
        }
      }
    }
  })

  it('finds none if another carrier stops reporting, because staff may take over its parcels', () => {
    const { reached, dead } = findDeadEnds({ role: 'admin', takeOver: true, silentCarriers: true })
    expect(dead).toEqual([])
    const failed = reached.filter(({ status, holder }) => status === 'fail-to-deliver' && holder === 'carrier')
    expect(failed.length).toBeGreaterThan(0)
  })

  it('finds one if any transition that parcels depend on is removed', () => {
    const neededRows = transitions.filter(
      (row) => row.from !== null && findDeadEnds({ table: withoutRows((each) => each === row) }).dead.length > 0,
    )
    expect(neededRows.map(({ event, from }) => `${event} from ${from?.[0]}`)).toEqual([
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

  it('finds returned self-collection parcels that can be neither handed back nor delivered to the door', () => {
    const dead = findDeadEnds({
      table: withoutRows(({ event, when }) => when?.leg === 'return' && event !== 'return_requested'),
    }).dead
    expect(dead.some(({ leg, deliveryMode }) => leg === 'return' && deliveryMode === 'D2P')).toBe(true)
    expect(dead.every(({ leg, status }) => leg === 'return' || status === 'reverse_pickup')).toBe(true)
  })

  it('finds returns with no attempts left if no job recalls them', () => {
    const { dead } = findDeadEnds({ jobs: false })
    expect(new Set(dead.map(({ status }) => status))).toEqual(new Set(['fail-to-deliver']))
    expect(dead.some(({ leg }) => leg === 'return')).toBe(true)
  })
})
