import type { Milestone } from '../../carriers/checkpoints.ts'
import { nextParcelState, type ParcelEvent, type ParcelState } from '../status.ts'

/**
 * What a carrier's milestones do to our parcels, as data: the events of the transition table that they stand for, the
 * first that fits; else the line that they leave in the timeline.
 */
type Effect = { events: readonly ParcelEvent[]; note: CarrierNote }

/** Lines of a timeline that change no status: labels `event.<name>` in the locale files. */
export const carrierNotes = [
  'carrier_note',
  'carrier_on_hold',
  'carrier_customs',
  'carrier_customs_cleared',
  'carrier_customs_delay',
  'carrier_awaiting_collection',
] as const
export type CarrierNote = (typeof carrierNotes)[number]

const nothing = (note: CarrierNote): Effect => ({ events: [], note })

export const effects: Readonly<Record<Milestone, Effect>> = {
  collected: { events: ['picked_up', 'accepted'], note: 'carrier_note' },
  processed: { events: ['sorted'], note: 'carrier_note' },
  departed: { events: ['departed'], note: 'carrier_note' },
  // At their first station without having been collected: it was brought there.
  arrived: { events: ['arrived', 'picked_up', 'accepted'], note: 'carrier_note' },
  out_for_delivery: { events: ['out_for_delivery', 'next_attempt'], note: 'carrier_note' },
  // Delivered to its sender when it was on its way back.
  delivered: { events: ['delivered', 'handed_over', 'return_received'], note: 'carrier_note' },
  attempt_failed: { events: ['attempt_failed'], note: 'carrier_note' },
  returning: { events: ['recalled'], note: 'carrier_note' },
  on_hold: nothing('carrier_on_hold'),
  customs: nothing('carrier_customs'),
  customs_cleared: nothing('carrier_customs_cleared'),
  customs_delay: nothing('carrier_customs_delay'),
  awaiting_collection: nothing('carrier_awaiting_collection'),
  note: nothing('carrier_note'),
}

/**
 * What must have happened before, though the carrier did not tell: checkpoints get lost, parcels don't jump. Only steps
 * forward, and none that says more than that the parcel went on.
 */
const untold: readonly ParcelEvent[] = ['picked_up', 'accepted', 'arrived', 'out_for_delivery', 'next_attempt']
const mostUntold = 4

/** The events that lead from a state through one of `wanted`, by the shortest way; null when none does. */
export function eventsTowards(start: ParcelState, wanted: readonly ParcelEvent[]): ParcelEvent[] | null {
  let open: { state: ParcelState; way: ParcelEvent[] }[] = [{ state: start, way: [] }]
  for (let depth = 0; depth <= mostUntold && open.length > 0; depth += 1) {
    for (const { state, way } of open) {
      const event = wanted.find((each) => nextParcelState(state, each) !== null)
      if (event) return [...way, event]
    }
    open = open.flatMap(({ state, way }) =>
      untold.flatMap((event) => {
        const next = way.includes(event) ? null : nextParcelState(state, event)
        return next ? [{ state: next, way: [...way, event] }] : []
      }),
    )
  }
  return null
}
