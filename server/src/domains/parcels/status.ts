import {
  type DeliveryMode,
  type Leg,
  labelValues,
  type ParcelStatus,
  parcelStatusLabels,
  type TrackingStatus,
} from '@waybill/contract/ground/enums'
import { type Holder, type ScanEvent, scanEvents } from '@waybill/contract/parcels/scanning'
import type { ParcelRow } from './queries.ts'

/**
 * The life of a parcel as data: every transition that there is (docs/rules/parcels.md, "Statuses and the only
 * transitions"). What is allowed next, what a screen offers and what the public reads are all worked out from this
 * table.
 */

/** What a transition depends on beside the event. */
export type ParcelState = {
  status: ParcelStatus
  /** Null only in drafts: whatever is in the cart has one. */
  deliveryMode: DeliveryMode | null
  /** We have it: tells the two meanings of `outstanding` apart. */
  handedOver: boolean
  leg: Leg
}

/** The state of a parcel's row. */
export function stateOf(row: Pick<ParcelRow, 'status' | 'delivery_mode' | 'handed_over' | 'leg'>): ParcelState {
  return { status: row.status, deliveryMode: row.delivery_mode, handedOver: row.handed_over, leg: row.leg }
}

export type Transition = {
  /** Names the line in timelines too: label `event.<event>` in the locale files. */
  event: string
  /** Null: there is no parcel yet. */
  from: readonly ParcelStatus[] | null
  to: ParcelStatus
  /** Every condition must hold. `start` and `end` are the letters of the delivery mode: D at the door, P at a point. */
  when?: { start?: 'D' | 'P'; end?: 'D' | 'P'; handedOver?: boolean; leg?: Leg }
  sets?: { handedOver?: true; leg?: 'return' }
  /** Who has the parcel after it; absent: whoever had it before. */
  holder?: Holder
}

/**
 * The statuses in which a parcel that was never handed over may still be cancelled; `outstanding` has a condition and a
 * row of its own.
 */
const beforeHandOver = ['pending', 'incart', 'pending_payment', 'pending_pickup', 'pending_dropoff'] as const

/** Events that put a parcel on its way once it is paid or billed: the mode's first letter says who comes to whom. */
function paid<const E extends string>(event: E, from: ParcelStatus) {
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
  ...paid('checkout_credit', 'incart'),
  ...paid('checkout_billing', 'incart'),
  ...paid('payment_succeeded', 'pending_payment'),
  // A company's order that somebody has to approve first; declined, it is given up like any other checkout.
  { event: 'checkout_approval', from: ['incart'], to: 'pending_payment' },
  ...paid('checkout_approved', 'pending_payment'),
  { event: 'payment_failed', from: ['pending_payment'], to: 'incart' },
  { event: 'payment_expired', from: ['pending_payment'], to: 'incart' },
  { event: 'checkout_abandoned', from: ['pending_payment'], to: 'incart' },
  { event: 'due_paid', from: ['outstanding'], to: 'pending_dropoff', when: { handedOver: false } },

  { event: 'picked_up', from: ['pending_pickup'], to: 'inbound', sets: { handedOver: true }, holder: 'rider' },
  { event: 'accepted', from: ['pending_dropoff'], to: 'inbound', sets: { handedOver: true }, holder: 'station' },
  { event: 'reweighed_heavier', from: ['inbound'], to: 'outstanding' },
  { event: 'difference_paid', from: ['outstanding'], to: 'inbound', when: { handedOver: true } },
  // Contested and found right: nothing is left to pay.
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
  // What comes back goes to the sender's door, whatever the mode of the way out was.
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
  // After a failed delivery, to another place: a corrected address that another station serves, or a station where it
  // is collected (its mode ends in P then).
  { event: 'redirected', from: ['fail-to-deliver'], to: 'outbound', when: { leg: 'outbound' }, holder: 'carrier' },
  { event: 'diverted', from: ['fail-to-deliver'], to: 'outbound', when: { leg: 'outbound' }, holder: 'carrier' },
  { event: 'handed_over', from: ['inbound'], to: 'collected', when: { end: 'P', leg: 'outbound' }, holder: 'customer' },
  // Handed back over the counter, whatever the mode of the way out was.
  { event: 'return_received', from: ['inbound'], to: 'completed', when: { leg: 'return' }, holder: 'customer' },

  { event: 'recalled', from: ['inbound', 'sorting', 'outbound', 'fail-to-deliver'], to: 'recall' },
  { event: 'departed', from: ['recall'], to: 'recall', holder: 'carrier' },
  { event: 'arrived', from: ['recall'], to: 'recall', holder: 'station' },
  { event: 'return_received', from: ['recall'], to: 'completed', sets: { leg: 'return' }, holder: 'customer' },
  // What has come back to its sender is not sent back again.
  { event: 'return_requested', from: ['completed', 'collected'], to: 'reverse_pickup', when: { leg: 'outbound' } },
  { event: 'return_picked_up', from: ['reverse_pickup'], to: 'inbound', sets: { leg: 'return' }, holder: 'rider' },

  { event: 'cancelled', from: beforeHandOver, to: 'cancel' },
  { event: 'cancelled', from: ['outstanding'], to: 'cancel', when: { handedOver: false } },
  { event: 'refunded', from: ['cancel'], to: 'refunded' },
] as const satisfies readonly Transition[]

export type ParcelEvent = (typeof transitions)[number]['event']

/** Where a journey may end. */
export const endStatuses = ['completed', 'collected', 'cancel', 'refunded'] as const satisfies readonly ParcelStatus[]

/** Statuses in which a parcel is with us and should be scanned again before long. */
export const movingStatuses = [
  'inbound',
  'sorting',
  'outbound',
  'delivering',
  'fail-to-deliver',
  'recall',
] as const satisfies readonly ParcelStatus[]

function holds({ when }: Transition, { deliveryMode, handedOver, leg }: ParcelState): boolean {
  if (!when) return true
  if (when.start !== undefined && deliveryMode?.[0] !== when.start) return false
  if (when.end !== undefined && deliveryMode?.[2] !== when.end) return false
  if (when.handedOver !== undefined && handedOver !== when.handedOver) return false
  return when.leg === undefined || leg === when.leg
}

/** The state after an event; null when the table has no such transition. Pure: the delivery mode stays as it is. */
export function nextParcelState(
  state: ParcelState,
  event: ParcelEvent,
  table: readonly Transition[] = transitions,
): ParcelState | null {
  const row = table.find((line) => line.event === event && line.from?.includes(state.status) && holds(line, state))
  if (!row) return null
  return {
    status: row.to,
    deliveryMode: state.deliveryMode,
    handedOver: row.sets?.handedOver ?? state.handedOver,
    leg: row.sets?.leg ?? state.leg,
  }
}

/** Who has a parcel after an event; null: whoever had it before, or the table has no such transition. */
export function holderAfter(
  state: ParcelState,
  event: ParcelEvent,
  table: readonly Transition[] = transitions,
): Holder | null {
  const row = table.find((line) => line.event === event && line.from?.includes(state.status) && holds(line, state))
  return row?.holder ?? null
}

/** The events that the table allows next. */
export function allowedEvents(state: ParcelState, table: readonly Transition[] = transitions): ParcelEvent[] {
  const events = table.filter((line) => line.from?.includes(state.status) && holds(line, state))
  return [...new Set(events.map((line) => line.event as ParcelEvent))]
}

/** What the public reads: f(status, handed over), docs/rules/parcels.md. */
export function toTrackingStatus(status: ParcelStatus, handedOver: boolean): TrackingStatus {
  return status === 'outstanding' ? (handedOver ? 'in_transit' : 'pending') : trackingStatuses[status]
}

/**
 * The tracking status after an event of a timeline: which of the two meanings of `outstanding` it had, its event says.
 */
export function trackingStatusAt(status: ParcelStatus, event: string): TrackingStatus {
  return toTrackingStatus(status, event === 'reweighed_heavier')
}

/** An event as a timeline names it: what is delivered on the way back is back with its sender. */
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
  cancel: 'cancelled',
  refunded: 'cancelled',
}

/**
 * Scanners say what they do; in two places the table has another name for it: a rider fetches a return, or goes out
 * once more.
 */
const scanMeanings: { scan: ScanEvent; at: ParcelStatus; event: ParcelEvent }[] = [
  { scan: 'picked_up', at: 'reverse_pickup', event: 'return_picked_up' },
  { scan: 'out_for_delivery', at: 'fail-to-deliver', event: 'next_attempt' },
]

/** The table's event behind a scan of a parcel in this status. */
export function eventOfScan(scan: ScanEvent, status: ParcelStatus): ParcelEvent {
  return scanMeanings.find((line) => line.scan === scan && line.at === status)?.event ?? scan
}

/** The scan that wrote an event of a timeline; null for events that nobody scans. */
export function scanOfEvent(event: string): ScanEvent | null {
  const meaning = scanMeanings.find((line) => line.event === event)
  return meaning?.scan ?? scanEvents.find((scan) => scan === event) ?? null
}

/**
 * Scans that whoever made them can take back, with what of the state was otherwise before. What ends a journey (a
 * proof, money) is none of them. Not a transition: the way back along the last one, told in the timeline as
 * `undoneEvent` (docs/decisions/0011-a-scan-can-be-taken-back.md).
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
export const undoneEvent = 'scan_undone'

/** What a scan changed beside the status, as it was before; null: this one is not taken back. */
export function stateBefore(event: string): { handedOver?: false; leg?: 'outbound' } | null {
  return undoable[event as ParcelEvent] ?? null
}

/** The scans that the table allows next. */
export function allowedScans(state: ParcelState): ScanEvent[] {
  return scanEvents.filter((scan) => nextParcelState(state, eventOfScan(scan, state.status)) !== null)
}

const modes: (DeliveryMode | null)[] = [null, 'D2D', 'D2P', 'P2D', 'P2P']

/**
 * Every state that can be reached from a new draft. A draft gets its mode on the way to the cart and keeps it from
 * there on.
 */
export function reachableStates(table: readonly Transition[] = transitions): ParcelState[] {
  const key = (state: ParcelState) => Object.values(state).join('|')
  const found = new Map<string, ParcelState>()
  const open: ParcelState[] = modes.map((deliveryMode) => ({
    status: 'pending',
    deliveryMode,
    handedOver: false,
    leg: 'outbound',
  }))
  for (let state = open.pop(); state; state = open.pop()) {
    if (found.has(key(state))) continue
    found.set(key(state), state)
    for (const event of allowedEvents(state, table)) {
      // The cart takes complete parcels only, and those have a mode.
      if (event === 'added_to_cart' && state.deliveryMode === null) continue
      const next = nextParcelState(state, event, table)
      if (next) open.push(next)
    }
  }
  return [...found.values()]
}

/**
 * Mistakes in the table, in words: a status that nothing reaches, two rows for the same state and event, a state
 * without a way to an end, a row that never applies. Empty when it is sound; a test holds it there.
 */
export function checkTable(table: readonly Transition[] = transitions): string[] {
  const problems: string[] = []
  const states = reachableStates(table)
  for (const status of labelValues(parcelStatusLabels)) {
    if (!states.some((state) => state.status === status)) problems.push(`no way leads to ${status}`)
  }
  const applied = new Set<Transition>(table.filter((row) => row.from === null))
  for (const state of states) {
    const matching = table.filter((row) => row.from?.includes(state.status) && holds(row, state))
    for (const row of matching) applied.add(row)
    const events = matching.map((row) => row.event)
    const twice = events.find((event, index) => events.indexOf(event) !== index)
    if (twice) problems.push(`${twice} is ambiguous at ${JSON.stringify(state)}`)
    if (!endsSomewhere(state, table)) problems.push(`no way out of ${JSON.stringify(state)}`)
  }
  for (const row of table)
    if (!applied.has(row)) problems.push(`${row.event} from ${row.from?.join(', ')} never applies`)
  return problems
}

function endsSomewhere(start: ParcelState, table: readonly Transition[]): boolean {
  const seen = new Set<string>()
  const open = [start]
  for (let state = open.pop(); state; state = open.pop()) {
    if ((endStatuses as readonly ParcelStatus[]).includes(state.status)) return true
    const key = JSON.stringify(state)
    if (seen.has(key)) continue
    seen.add(key)
    for (const event of allowedEvents(state, table)) {
      const next = nextParcelState(state, event, table)
      if (next) open.push(next)
    }
  }
  return false
}
