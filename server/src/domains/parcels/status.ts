// All transitions of a parcel as a table (docs/rules/parcels.md). What is allowed next, what a screen offers and what
// the public reads are derived from it. Pure.
import type { DeliveryMode, Leg, ParcelStatus, TrackingStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { draftStatuses, handoverStatuses, movingStatuses } from '@waybill/contract/ground/status/parcel-status'
import { type Holder, type ScanEvent, scanEvents } from '@waybill/contract/parcels/scanning'
import type { ParcelRow } from './queries.ts'

/** The facts that a transition depends on, besides the event. */
export type ParcelState = {
  status: ParcelStatus
  /** Null only in drafts. */
  deliveryMode: DeliveryMode | null
  /** Whether the courier has the parcel. This distinguishes the two meanings of `outstanding`. */
  handedOver: boolean
  leg: Leg
}

/** The state of a parcel's row. */
export function getParcelState(row: Pick<ParcelRow, 'status' | 'delivery_mode' | 'handed_over' | 'leg'>): ParcelState {
  return { status: row.status, deliveryMode: row.delivery_mode, handedOver: row.handed_over, leg: row.leg }
}

export type Transition = {
  /** Also the label `event.<event>` of timelines in the locale files. */
  event: string
  /** Null: the parcel does not exist yet. */
  from: readonly ParcelStatus[] | null
  to: ParcelStatus
  /** All conditions must be met. `start` and `end` are the letters of the delivery mode: D for door, P for point. */
  when?: { start?: 'D' | 'P'; end?: 'D' | 'P'; handedOver?: boolean; leg?: Leg }
  sets?: { handedOver?: true; leg?: 'return' }
  /** Who has the parcel afterwards; absent: unchanged. */
  holder?: Holder
}

/** Statuses before the handover, in which a parcel may be cancelled. `outstanding` has a separate row. */
const beforeHandOver = [...draftStatuses, 'pending_payment', ...handoverStatuses] as const

/** The rows of an event that pays or bills a parcel: it then waits for its pickup or its drop-off. */
function paymentTransitions<const E extends string>(event: E, from: ParcelStatus) {
  return [
    { event, from: [from], to: 'pending_pickup', when: { start: 'D' } },
    { event, from: [from], to: 'pending_dropoff', when: { start: 'P' } },
  ] as const
}

export const transitions = [
  { event: 'created', from: null, to: 'pending' },
  { event: 'added_to_cart', from: ['pending'], to: 'incart' },
  { event: 'taken_out', from: ['incart'], to: 'pending' },

  { event: 'checkout_gateway', from: ['incart'], to: 'pending_payment' },
  { event: 'checkout_store', from: ['incart'], to: 'outstanding', when: { start: 'P' } },
  ...paymentTransitions('checkout_credit', 'incart'),
  ...paymentTransitions('checkout_billing', 'incart'),
  ...paymentTransitions('payment_succeeded', 'pending_payment'),
  // A company's order that needs an approval. When it is declined, the checkout is abandoned like any other.
  { event: 'checkout_approval', from: ['incart'], to: 'pending_payment' },
  ...paymentTransitions('checkout_approved', 'pending_payment'),
  { event: 'payment_failed', from: ['pending_payment'], to: 'incart' },
  { event: 'payment_expired', from: ['pending_payment'], to: 'incart' },
  { event: 'checkout_abandoned', from: ['pending_payment'], to: 'incart' },
  { event: 'due_paid', from: ['outstanding'], to: 'pending_dropoff', when: { handedOver: false } },

  { event: 'picked_up', from: ['pending_pickup'], to: 'inbound', sets: { handedOver: true }, holder: 'rider' },
  { event: 'accepted', from: ['pending_dropoff'], to: 'inbound', sets: { handedOver: true }, holder: 'station' },
  { event: 'reweighed_heavier', from: ['inbound', 'sorting'], to: 'outstanding' },
  { event: 'difference_paid', from: ['outstanding'], to: 'inbound', when: { handedOver: true } },
  // The sender's weight dispute was accepted.
  { event: 'difference_waived', from: ['outstanding'], to: 'inbound', when: { handedOver: true } },

  { event: 'sorted', from: ['inbound'], to: 'sorting', holder: 'station' },
  { event: 'departed', from: ['sorting', 'inbound'], to: 'outbound', holder: 'carrier' },
  { event: 'arrived', from: ['outbound'], to: 'inbound', holder: 'station' },
  {
    event: 'out_for_delivery',
    from: ['inbound', 'sorting'],
    to: 'delivering',
    when: { end: 'D', leg: 'outbound' },
    holder: 'rider',
  },
  // A return goes to the sender's door, whatever the delivery mode.
  {
    event: 'out_for_delivery',
    from: ['inbound', 'sorting'],
    to: 'delivering',
    when: { leg: 'return' },
    holder: 'rider',
  },
  { event: 'delivered', from: ['delivering'], to: 'completed', holder: 'customer' },
  { event: 'attempt_failed', from: ['delivering'], to: 'fail-to-deliver' },
  { event: 'next_attempt', from: ['fail-to-deliver'], to: 'delivering', holder: 'rider' },
  // After a failed delivery, to another place: a corrected address of another station, or a station of self-collection
  // (the delivery mode ends in P then).
  { event: 'redirected', from: ['fail-to-deliver'], to: 'outbound', when: { leg: 'outbound' }, holder: 'carrier' },
  { event: 'diverted', from: ['fail-to-deliver'], to: 'outbound', when: { leg: 'outbound' }, holder: 'carrier' },
  {
    event: 'handed_over',
    from: ['inbound', 'sorting'],
    to: 'collected',
    when: { end: 'P', leg: 'outbound' },
    holder: 'customer',
  },
  // A return is handed out over the counter, whatever the delivery mode.
  {
    event: 'return_received',
    from: ['inbound', 'sorting'],
    to: 'completed',
    when: { leg: 'return' },
    holder: 'customer',
  },

  { event: 'recalled', from: ['inbound', 'sorting', 'outbound', 'fail-to-deliver'], to: 'recall' },
  { event: 'departed', from: ['recall'], to: 'recall', holder: 'carrier' },
  { event: 'arrived', from: ['recall'], to: 'recall', holder: 'station' },
  { event: 'return_received', from: ['recall'], to: 'completed', sets: { leg: 'return' }, holder: 'customer' },
  // A returned parcel cannot be returned again.
  { event: 'return_requested', from: ['completed', 'collected'], to: 'reverse_pickup', when: { leg: 'outbound' } },
  { event: 'return_picked_up', from: ['reverse_pickup'], to: 'inbound', sets: { leg: 'return' }, holder: 'rider' },

  // Declared by staff, or with the payment of a claim for a lost parcel. One that is found goes on from its station.
  { event: 'lost', from: movingStatuses, to: 'lost', holder: 'carrier' },
  { event: 'lost', from: ['outstanding'], to: 'lost', when: { handedOver: true }, holder: 'carrier' },
  { event: 'arrived', from: ['lost'], to: 'inbound', holder: 'station' },

  { event: 'cancelled', from: beforeHandOver, to: 'cancel' },
  { event: 'cancelled', from: ['outstanding'], to: 'cancel', when: { handedOver: false } },
  { event: 'refunded', from: ['cancel'], to: 'refunded' },
] as const satisfies readonly Transition[]

export type ParcelEvent = (typeof transitions)[number]['event']

function isMet({ when }: Transition, { deliveryMode, handedOver, leg }: ParcelState): boolean {
  if (!when) return true
  if (when.start !== undefined && deliveryMode?.[0] !== when.start) return false
  if (when.end !== undefined && deliveryMode?.[2] !== when.end) return false
  if (when.handedOver !== undefined && handedOver !== when.handedOver) return false
  return when.leg === undefined || leg === when.leg
}

/** The state after an event; null if the table has no such transition. The delivery mode stays the same. */
export function nextParcelState(
  state: ParcelState,
  event: ParcelEvent,
  table: readonly Transition[] = transitions,
): ParcelState | null {
  const row = table.find((line) => line.event === event && line.from?.includes(state.status) && isMet(line, state))
  if (!row) return null
  return {
    status: row.to,
    deliveryMode: state.deliveryMode,
    handedOver: row.sets?.handedOver ?? state.handedOver,
    leg: row.sets?.leg ?? state.leg,
  }
}

/** Who has a parcel after an event; null: unchanged, or the table has no such transition. */
export function holderAfter(
  state: ParcelState,
  event: ParcelEvent,
  table: readonly Transition[] = transitions,
): Holder | null {
  const row = table.find((line) => line.event === event && line.from?.includes(state.status) && isMet(line, state))
  return row?.holder ?? null
}

/** The events that the table allows next. */
export function allowedEvents(state: ParcelState, table: readonly Transition[] = transitions): ParcelEvent[] {
  const events = table.filter((line) => line.from?.includes(state.status) && isMet(line, state))
  return [...new Set(events.map((line) => line.event as ParcelEvent))]
}

/** The public tracking status (docs/rules/parcels.md). */
export function toTrackingStatus(status: ParcelStatus, handedOver: boolean): TrackingStatus {
  return status === 'outstanding' ? (handedOver ? 'in_transit' : 'pending') : trackingStatuses[status]
}

/** The tracking status of a timeline entry; its event distinguishes the two meanings of `outstanding`. */
export function trackingStatusAt(status: ParcelStatus, event: string): TrackingStatus {
  return toTrackingStatus(status, event === 'reweighed_heavier')
}

/** The timeline's name of an event: a delivered return is back with its sender. */
export function nameOnLeg(event: string, leg: Leg): string {
  return event === 'delivered' && leg === 'return' ? 'return_received' : event
}

const trackingStatuses: Record<Exclude<ParcelStatus, 'outstanding'>, TrackingStatus> = {
  pending: 'pending',
  incart: 'pending',
  pending_payment: 'pending',
  pending_pickup: 'pending_pickup',
  pending_dropoff: 'pending_dropoff',
  inbound: 'in_transit',
  sorting: 'in_transit',
  outbound: 'in_transit',
  'fail-to-deliver': 'in_transit',
  delivering: 'out_for_delivery',
  completed: 'delivered',
  collected: 'delivered',
  recall: 'recall',
  reverse_pickup: 'reverse_pickup',
  lost: 'lost',
  cancel: 'cancelled',
  refunded: 'cancelled',
}

/** Scans whose event in the table has another name: a rider picks up a return, or starts another attempt. */
const scanMeanings: { scan: ScanEvent; at: ParcelStatus; event: ParcelEvent }[] = [
  { scan: 'picked_up', at: 'reverse_pickup', event: 'return_picked_up' },
  { scan: 'out_for_delivery', at: 'fail-to-deliver', event: 'next_attempt' },
]

/** The table's event for a scan of a parcel in this status. */
export function toParcelEvent(scan: ScanEvent, status: ParcelStatus): ParcelEvent {
  return scanMeanings.find((line) => line.scan === scan && line.at === status)?.event ?? scan
}

/** The scan behind a timeline event; null for other events. */
export function toScanEvent(event: string): ScanEvent | null {
  const meaning = scanMeanings.find((line) => line.event === event)
  return meaning?.scan ?? scanEvents.find((scan) => scan === event) ?? null
}

/**
 * Scans that can be undone, with the previous values of what they changed besides the status. A scan that ends a
 * journey cannot, because proof and money depend on it (docs/decisions/0011-a-scan-can-be-taken-back.md).
 */
const undoable: Partial<Record<ParcelEvent, { handedOver?: false; leg?: 'outbound' }>> = {
  picked_up: { handedOver: false },
  accepted: { handedOver: false },
  sorted: {},
  departed: {},
  arrived: {},
  out_for_delivery: {},
  next_attempt: {},
  attempt_failed: {},
  return_picked_up: { leg: 'outbound' },
}
/** The timeline event for an undone scan. It is not a transition of the table. */
export const undoneEvent = 'scan_undone'

/** The previous values of what a scan changed besides the status; null: this scan cannot be undone. */
export function stateBefore(event: string): { handedOver?: false; leg?: 'outbound' } | null {
  return undoable[event as ParcelEvent] ?? null
}

/** The scans that the table allows next. */
export function allowedScans(state: ParcelState): ScanEvent[] {
  return scanEvents.filter((scan) => nextParcelState(state, toParcelEvent(scan, state.status)) !== null)
}
