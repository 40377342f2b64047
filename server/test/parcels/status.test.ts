import { labelValues } from '@waybill/contract/ground/enums/labels'
import type { DeliveryMode, ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { parcelStatusLabels, trackingStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allowedEvents,
  allowedScans,
  nextParcelState,
  type ParcelEvent,
  type ParcelState,
  type Transition,
  toTrackingStatus,
  transitions,
} from '../../src/domains/parcels/status.ts'
import { modelNext } from './status-model.ts'
import { checkTable, reachableStates } from './transition-table.ts'

const events = [...new Set(transitions.map(({ event }) => event))].filter((event) => event !== 'created')
const modes = ['D2D', 'D2P', 'P2D', 'P2P'] as const satisfies readonly DeliveryMode[]

describe('the transition table', () => {
  it('has no unknown, unreachable, ambiguous or dead state', () => {
    expect(checkTable()).toEqual([])
  })

  it('fails the check for each kind of mistake', () => {
    const without = (event: string) => transitions.filter((row) => row.event !== event)
    expect(checkTable(without('recalled'))).toContain('no way leads to recall')
    expect(checkTable(without('attempt_failed'))).toContain('no way leads to fail-to-deliver')
    expect(checkTable(without('return_received')).join()).toContain('no way out of')
    const twice: Transition = { event: 'sorted', from: ['inbound'], to: 'outbound' }
    expect(checkTable([...transitions, twice]).join()).toContain('sorted is ambiguous')
    const never: Transition = { event: 'due_paid', from: ['incart'], to: 'pending', when: { handedOver: true } }
    expect(checkTable([...transitions, never])).toContain('due_paid from incart never applies')
  })

  it('has every status, each with a tracking status', () => {
    const reached = new Set(reachableStates().map(({ status }) => status))
    expect([...reached].sort()).toEqual(labelValues(parcelStatusLabels).sort())
    const statuses = new Set(reachableStates().map(({ status, handedOver }) => toTrackingStatus(status, handedOver)))
    expect([...statuses].sort()).toEqual(labelValues(trackingStatusLabels).sort())
  })

  it('agrees with the model from docs/rules for every status, event, mode, handover and leg', () => {
    for (const status of labelValues(parcelStatusLabels)) {
      for (const deliveryMode of modes) {
        for (const handedOver of [false, true]) {
          for (const leg of ['outbound', 'return'] as const) {
            for (const event of events) {
              const state: ParcelState = { status, deliveryMode, handedOver, leg }
              expect({ state, event, next: nextParcelState(state, event) }).toEqual({
                state,
                event,
                next: modelNext(state, event),
              })
            }
          }
        }
      }
    }
  })

  it('agrees with the model in random walks of 100,000 steps', () => {
    let steps = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...modes),
        fc.array(fc.nat(), { minLength: 500, maxLength: 500 }),
        (mode, choices) => {
          const start: ParcelState = { status: 'pending', deliveryMode: mode, handedOver: false, leg: 'outbound' }
          let state = start
          for (const choice of choices) {
            steps++
            // Every fifth event is arbitrary. The others are allowed ones, so that the walks get far.
            const allowed = allowedEvents(state)
            const event = (choice % 5 === 0 || allowed.length === 0 ? events : allowed)[
              choice % (choice % 5 === 0 || allowed.length === 0 ? events.length : allowed.length)
            ] as ParcelEvent
            const next = nextParcelState(state, event)
            expect(next).toEqual(modelNext(state, event))
            if (next === null) {
              if (allowed.length === 0) state = start
              continue
            }
            // A parcel that was not handed over or not paid for cannot be in transit.
            const onTheRoad: ParcelStatus[] = [
              'inbound',
              'sorting',
              'outbound',
              'delivering',
              'completed',
              'collected',
              'recall',
            ]
            if (onTheRoad.includes(next.status)) expect(next.handedOver).toBe(true)
            if (['incart', 'pending_payment', 'pending_pickup', 'pending_dropoff', 'cancel'].includes(next.status))
              expect(next.handedOver).toBe(false)
            state = next
          }
        },
      ),
      { numRuns: 200 },
    )
    expect(steps).toBe(100_000)
  })

  it('offers a scanner only the events that the status allows', () => {
    const at = (status: ParcelStatus, deliveryMode: DeliveryMode, handedOver = true) =>
      allowedScans({ status, deliveryMode, handedOver, leg: 'outbound' })
    expect(at('inbound', 'D2D')).toEqual(['sorted', 'departed', 'out_for_delivery'])
    expect(at('inbound', 'D2P')).toEqual(['sorted', 'departed', 'handed_over'])
    expect(at('fail-to-deliver', 'D2D')).toEqual(['out_for_delivery'])
    expect(at('reverse_pickup', 'D2D')).toEqual(['picked_up'])
    expect(at('recall', 'D2P')).toEqual(['departed', 'arrived', 'return_received'])
    const back = (status: ParcelStatus, deliveryMode: DeliveryMode) =>
      allowedScans({ status, deliveryMode, handedOver: true, leg: 'return' })
    for (const mode of modes) {
      expect(back('inbound', mode)).toEqual(['sorted', 'departed', 'out_for_delivery', 'return_received'])
      expect(back('sorting', mode)).toEqual(['departed', 'out_for_delivery', 'return_received'])
    }
    expect(at('pending', 'D2D', false)).toEqual([])
  })
})
