/**
 * Finds every state that a parcel can reach through everyone who may act on it. The state combines the transition
 * table with roles, places, custody, delivery modes, legs, attempts and payment. The rules are the server's own; the
 * actions of the sender, the bank and the jobs are modelled from docs/rules.
 */
import type { StaffRole } from '@waybill/contract/ground/enums/enums'
import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'
import { isEnded } from '@waybill/contract/ground/status/parcel-status'
import { type Holder, type ScanEvent, scanEvents } from '@waybill/contract/parcels/scanning'
import { whyNotCancelled, whyNotRecalled, whyNotReturned } from '../../src/domains/parcels/allowed-actions.ts'
import { effects } from '../../src/domains/parcels/carrier-handover/rules-events.ts'
import { isWithOtherCarrier } from '../../src/domains/parcels/carrier-handover/with-other-carrier.ts'
import { custodyVerdict, mayEndAt, mayTryAgain } from '../../src/domains/parcels/custody/rules.ts'
import { custodyAfter, type HandedTo, staffScanner } from '../../src/domains/parcels/custody/service.ts'
import {
  holderAfter,
  nextParcelState,
  type ParcelEvent,
  type ParcelState,
  type Transition,
  toParcelEvent,
  transitions,
} from '../../src/domains/parcels/status.ts'
import type { StaffCaller } from '../../src/http/caller.ts'

/** The sender's station, the receiver's station, and one that belongs to neither. */
const stations = ['origin', 'destination', 'transit'] as const
const maxAttempts = 2

export type World = ParcelState & {
  holder: Holder
  station: string | null
  rider: string | null
  next: string | null
  /** The station where the parcel waits for collection. */
  collectAt: string | null
  /** Failed deliveries on this leg. */
  failures: number
  choiceMade: boolean
  foreign: boolean
}

export type Rules = {
  table?: readonly Transition[]
  /** The role of all staff. Each member of staff has a different station. */
  role?: StaffRole
  /** Whether jobs recall parcels that wait too long. */
  jobs?: boolean
  /** Whether other carriers may stop reporting: an end must be reachable without their reports. */
  silentCarriers?: boolean
  /** Whether staff may also take over parcels that others hold. */
  takeOver?: boolean
}

/** `mustNot`: an end must be reachable without this step, because the sender or the carrier may never take it. */
type Way = { world: World; how: string; mustNot?: boolean }

/** A member of staff at a station, who acts as clerk and as rider. */
function clerkAt(station: string, role: StaffRole): StaffCaller {
  return {
    kind: 'staff',
    userId: `clerk of ${station}`,
    sessionId: station,
    staffType: 'staff',
    staffRole: role,
    userStatus: 'active',
    stationId: station,
  }
}

/** The state after an event of the table, or null if the table does not have the transition. */
function after(world: World, event: ParcelEvent, table: readonly Transition[], by: HandedTo): World | null {
  const next = nextParcelState(world, event, table)
  if (!next) return null
  const changes = custodyAfter(holderAfter(world, event, table), { station_id: world.station }, by)
  const sameLeg = next.leg === world.leg
  return {
    ...world,
    ...next,
    holder: changes.holder ?? world.holder,
    station: changes.station_id === undefined ? world.station : changes.station_id,
    rider: changes.rider_id === undefined ? world.rider : changes.rider_id,
    next: changes.next_station_id === undefined ? world.next : changes.next_station_id,
    // Attempts beyond the limit have the same effect as the last one.
    failures: Math.min(maxAttempts, (sameLeg ? world.failures : 0) + (event === 'attempt_failed' ? 1 : 0)),
    choiceMade: false,
  }
}

const getCustody = ({ holder, station, rider, next }: World) => ({
  holder,
  stationId: station,
  riderId: rider,
  nextStationId: next,
})

/** Whether another carrier has the parcel. */
const isAway = ({ foreign, holder, next }: World) =>
  isWithOtherCarrier({ carrier: foreign ? 'dhl' : 'own', holder, next_station_id: next })

/** The scans open to staff of a station: parcels that they hold and, with `takeOver`, those they may take over. */
function scansAt(
  world: World,
  station: string,
  { table = transitions, role = 'normal_staff', takeOver }: Rules,
): Way[] {
  const caller = clerkAt(station, role)
  const scanner = staffScanner(caller, station)
  const onward = stations.filter((each) => each !== station)
  return scanEvents.flatMap((scan: ScanEvent) => {
    const event = toParcelEvent(scan, world.status)
    const verdict = custodyVerdict(getCustody(world), scan, scanner)
    if (verdict !== 'holds' && !(takeOver && verdict === 'take_over')) return []
    const usedUp = !isAway(world) && !mayTryAgain(world.failures, maxAttempts, world.choiceMade)
    if (event === 'next_attempt' && usedUp) return []
    const way = {
      leg: world.leg,
      stationId: verdict === 'holds' ? world.station : station,
      holder: world.holder,
      selfCollectionStationId: world.collectAt,
      homes: ['origin'],
    }
    if (!mayEndAt(scan, way, station)) return []
    const targets = scan === 'departed' ? onward : [null]
    return targets.flatMap((nextStationId) => {
      const next = after(world, event, table, { actorId: caller.userId, stationId: station, nextStationId })
      return next ? [{ world: next, how: `${scan} at ${station}` }] : []
    })
  })
}

/** Counts a gunny in, counts it out and empties it. */
function gunnyCountsAt(world: World, station: string, { table = transitions }: Rules): Way[] {
  const inside = world.holder === 'gunny'
  if (inside && world.station === station) {
    const out: Way = { world: { ...world, holder: 'station' }, how: `emptied at ${station}` }
    if (world.status === 'recall') return [out]
    const onward = stations.filter((each) => each !== station)
    return [out, ...onward.flatMap((nextStationId) => countSack('departed', { nextStationId }))]
  }
  if (inside && world.station === null) return countSack('arrived', {})
  return world.status === 'pending_dropoff' ? countSack('accepted', {}) : []

  function countSack(event: ParcelEvent, by: Partial<HandedTo>): Way[] {
    const next = after(world, event, table, { actorId: null, stationId: station, ...by })
    return next ? [{ world: { ...next, holder: 'gunny' }, how: `gunny ${event} at ${station}` }] : []
  }
}

/** The sender's actions: pay, cancel, recall, return, and choose after a failed delivery. */
function bySender(world: World, { table = transitions }: Rules): Way[] {
  const now = new Date(0)
  const acted = {
    ...world,
    since: now,
    scope: world.foreign ? ('international' as const) : ('domestic' as const),
    withOtherCarrier: isAway(world),
  }
  const may: [ParcelEvent, boolean][] = [
    ['added_to_cart', world.deliveryMode !== null],
    ['taken_out', true],
    ['checkout_gateway', true],
    ['checkout_store', true],
    ['checkout_credit', true],
    ['checkout_billing', true],
    ['checkout_approval', true],
    ['due_paid', true],
    ['difference_paid', true],
    ['cancelled', whyNotCancelled(acted) === null],
    ['recalled', whyNotRecalled(acted) === null],
    ['return_requested', whyNotReturned(acted, { now, days: 14 }) === null],
  ]
  const plain = may.flatMap(([event, open]) => {
    const next = open ? after(world, event, table, { actorId: 'sender' }) : null
    return next ? [{ world: next, how: event }] : []
  })
  return [...plain, ...choices(world, table)]
}

/** The choices after a failed outbound delivery: another attempt, another address or collection at a station. */
function choices(world: World, table: readonly Transition[]): Way[] {
  if (world.status !== 'fail-to-deliver' || world.leg !== 'outbound' || world.choiceMade || isAway(world)) return []
  const divert = after(world, 'diverted', table, { actorId: 'sender', nextStationId: 'transit' })
  const mode = (world.deliveryMode?.[0] === 'D' ? 'D2P' : 'P2P') as DeliveryMode
  const diverted = divert ? [{ world: { ...divert, deliveryMode: mode, collectAt: 'transit' }, how: 'diverted' }] : []
  if (world.failures >= maxAttempts) return diverted
  const redirect = after(world, 'redirected', table, { actorId: 'sender', nextStationId: 'transit' })
  return [
    ...diverted,
    ...(redirect ? [{ world: redirect, how: 'redirected' }] : []),
    { world: { ...world, choiceMade: true }, how: 'retry chosen' },
  ]
}

/** Transitions caused by the bank, an approver, the scale, a supervisor or the passing of time. */
function byOthers(world: World, { table = transitions, jobs = true, silentCarriers = false }: Rules): Way[] {
  const usedUp = world.failures >= maxAttempts
  const unanswered = world.status === 'fail-to-deliver' && !world.choiceMade && !isAway(world)
  const abandoned = unanswered && (world.leg === 'outbound' || usedUp)
  const uncollected =
    world.status === 'inbound' &&
    world.leg === 'outbound' &&
    world.deliveryMode?.[2] === 'P' &&
    world.station === world.collectAt
  const events: [ParcelEvent, boolean][] = [
    ['payment_succeeded', true],
    ['payment_failed', true],
    ['payment_expired', true],
    ['checkout_approved', true],
    ['checkout_abandoned', true],
    ['reweighed_heavier', world.leg === 'outbound' && world.holder === 'station'],
    ['difference_waived', true],
    ['refunded', true],
    ['recalled', jobs && (abandoned || uncollected)],
  ]
  const lost = after(world, 'lost', table, { actorId: 'supervisor' })
  const carried = world.foreign ? [...new Set(Object.values(effects).flatMap((effect) => effect.events))] : []
  return [
    ...events.flatMap(([event, open]) => {
      const next = open ? after(world, event, table, { actorId: null }) : null
      return next ? [{ world: next, how: event }] : []
    }),
    // An end must be reachable without losing the parcel.
    ...(lost ? [{ world: lost, how: 'lost', mustNot: true }] : []),
    ...carried.flatMap((event) => {
      const next = after(world, event, table, { actorId: null, byCarrier: true })
      return next ? [{ world: next, how: `carrier: ${event}`, mustNot: silentCarriers }] : []
    }),
  ]
}

/** All transitions that are possible from a state. */
export function waysFrom(world: World, rules: Rules = {}): Way[] {
  const staff = stations.flatMap((at) => [...scansAt(world, at, rules), ...gunnyCountsAt(world, at, rules)])
  // We must be able to finish a parcel in our custody even if its sender never answers.
  const sender = bySender(world, rules).map((way) => ({ ...way, mustNot: world.handedOver }))
  return [...staff, ...sender, ...byOthers(world, rules)]
}

const drafts = (['D2D', 'D2P', 'P2D', 'P2P', null] as const).flatMap((deliveryMode) =>
  [false, true].map(
    (foreign): World => ({
      status: 'pending',
      deliveryMode,
      handedOver: false,
      leg: 'outbound',
      holder: 'customer',
      station: null,
      rider: null,
      next: null,
      collectAt: deliveryMode?.[2] === 'P' ? 'destination' : null,
      failures: 0,
      choiceMade: false,
      foreign,
    }),
  ),
)

const toKey = (world: World) => Object.values(world).join('|')

/** All reachable states, and those from which the parcel cannot reach an end. */
export function findDeadEnds(rules: Rules = {}): { reached: World[]; dead: World[] } {
  const worlds = new Map<string, World>()
  const before = new Map<string, string[]>()
  const open = [...drafts]
  for (let world = open.pop(); world; world = open.pop()) {
    const key = toKey(world)
    if (worlds.has(key)) continue
    worlds.set(key, world)
    for (const { world: next, mustNot } of waysFrom(world, rules)) {
      open.push(next)
      if (mustNot) continue
      const to = toKey(next)
      const sources = before.get(to)
      if (sources) sources.push(key)
      else before.set(to, [key])
    }
  }
  const ends = [...worlds].filter(([, { status }]) => isEnded(status))
  const alive = new Set(ends.map(([key]) => key))
  const back = [...alive]
  for (let key = back.pop(); key !== undefined; key = back.pop()) {
    for (const from of before.get(key) ?? []) {
      if (alive.has(from)) continue
      alive.add(from)
      back.push(from)
    }
  }
  return { reached: [...worlds.values()], dead: [...worlds].flatMap(([key, world]) => (alive.has(key) ? [] : [world])) }
}
