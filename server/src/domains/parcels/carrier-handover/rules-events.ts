// What carriers' milestones do to our parcels. Pure.
import type { Milestone } from '../../carriers/checkpoints.ts'
import { nextParcelState, type ParcelEvent, type ParcelState } from '../status.ts'

/**
 * The first of the events that the transition table allows; if none is allowed, a note in the timeline. `via`: events
 * that may be inferred for this milestone only.
 */
type Effect = { events: readonly ParcelEvent[]; via?: readonly ParcelEvent[]; note: CarrierNote }

/** Notes in the timeline: labels `event.<name>` in the locale files. */
export const carrierNotes = [
  'carrier_note',
  'carrier_on_hold',
  'carrier_customs',
  'carrier_customs_cleared',
  'carrier_customs_delay',
  'carrier_awaiting_collection',
] as const
export type CarrierNote = (typeof carrierNotes)[number]

const noteOnly = (note: CarrierNote): Effect => ({ events: [], note })

/** The effect of each milestone. */
export const effects: Readonly<Record<Milestone, Effect>> = {
  collected: { events: ['picked_up', 'accepted'], note: 'carrier_note' },
  processed: { events: ['sorted'], note: 'carrier_note' },
  departed: { events: ['departed'], note: 'carrier_note' },
  // If the carrier never collected it, the parcel was brought to its first station.
  arrived: { events: ['arrived', 'picked_up', 'accepted'], note: 'carrier_note' },
  out_for_delivery: { events: ['out_for_delivery', 'next_attempt'], note: 'carrier_note' },
  // On a return the parcel is delivered to its sender.
  delivered: { events: ['delivered', 'handed_over', 'return_received'], note: 'carrier_note' },
  attempt_failed: { events: ['attempt_failed'], note: 'carrier_note' },
  // A parcel that comes back while it is out for delivery was not delivered.
  returning: { events: ['recalled'], via: ['attempt_failed'], note: 'carrier_note' },
  on_hold: noteOnly('carrier_on_hold'),
  customs: noteOnly('carrier_customs'),
  customs_cleared: noteOnly('carrier_customs_cleared'),
  customs_delay: noteOnly('carrier_customs_delay'),
  awaiting_collection: noteOnly('carrier_awaiting_collection'),
  note: noteOnly('carrier_note'),
}

/**
 * Events that may be inferred if a carrier's checkpoint is missing, because the table allows no jumps. They only move
 * the parcel forward, and never claim anything important such as a delivery.
 */
const inferable: readonly ParcelEvent[] = ['picked_up', 'accepted', 'arrived', 'out_for_delivery', 'next_attempt']
const maxInferred = 4

/**
 * The shortest sequence of events from a state that ends with one of `targets`; null if there is none. `via`: further
 * events that may be inferred.
 */
export function eventsTowards(
  start: ParcelState,
  targets: readonly ParcelEvent[],
  via: readonly ParcelEvent[] = [],
): ParcelEvent[] | null {
  const steps = [...inferable, ...via]
  let open: { state: ParcelState; path: ParcelEvent[] }[] = [{ state: start, path: [] }]
  for (let depth = 0; depth <= maxInferred && open.length > 0; depth += 1) {
    for (const { state, path } of open) {
      const event = targets.find((target) => nextParcelState(state, target) !== null)
      if (event) return [...path, event]
    }
    open = open.flatMap(({ state, path }) =>
      steps.flatMap((event) => {
        const next = path.includes(event) ? null : nextParcelState(state, event)
        return next ? [{ state: next, path: [...path, event] }] : []
      }),
    )
  }
  return null
}
