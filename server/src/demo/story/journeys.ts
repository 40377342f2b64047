/** The journeys of the demo's parcels, as steps between stations. */

import type { DeliveryMode, Leg, ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { failureReasons } from '@waybill/contract/parcels/failed-delivery'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import { lastHours } from '../../domains/parcels/failed-delivery/options.ts'
import { nextParcelState, type ParcelEvent, type ParcelState } from '../../domains/parcels/status.ts'
import { distanceM } from '../../domains/stations/rules.ts'
import { hours, later, minutes } from '../../lib/clock.ts'
import { isOverseas, type Stop } from './map.ts'
import type { Chance } from './random.ts'
import { after, inHours, localHour, localMidnight } from './time.ts'

/** The outcome of a paid parcel. */
export type Fate =
  | 'delivered'
  | 'delivered_at_second_attempt'
  | 'recalled'
  | 'attempts_used_up'
  | 'sent_back'
  | 'heavier'
  | 'cancelled'

/** An event at a place, some time after the previous one. */
export type Step = {
  event: ParcelEvent
  stop: Stop | null
  next(before: Date, chance: Chance): Date
  detail?: Record<string, unknown>
}

export type Happening = {
  event: ParcelEvent
  at: Date
  from: ParcelStatus
  state: ParcelState
  stop: Stop | null
  detail: Record<string, unknown>
}

type Journey = { mode: DeliveryMode; way: readonly Stop[]; fate: Fate; pickUp: Date | null; chance: Chance }

const workingHours = { counter: [9, 18.5], rider: [8.5, 19] } as const

/** The steps of a parcel from the moment it waits for us to its outcome. `pickUp` is when the rider comes (D2*). */
export function listTripSteps({ mode, way, fate, pickUp, chance }: Journey): Step[] {
  const origin = first(way)
  const destination = last(way)
  const handIn: Step = pickUp
    ? { event: 'picked_up', stop: origin, next: () => pickUp }
    : {
        event: 'accepted',
        stop: origin,
        next: (before, c) => inHours(after(before, 60, 1320, c), ...workingHours.counter, c),
      }
  const reweighed: Step[] =
    fate === 'heavier'
      ? [
          { event: 'reweighed_heavier', stop: origin, next: (b, c) => after(b, 12, 70, c) },
          { event: 'difference_paid', stop: null, next: (b, c) => after(b, 40, 900, c) },
        ]
      : []
  const start = [handIn, ...reweighed]
  if (fate === 'recalled') {
    const there = ride(way, chance)
    // A random point before it goes out for delivery.
    const until = chance.whole(1, Math.max(1, there.length))
    const before = there.slice(0, until)
    return [...start, ...before, ...bringBack(way, before.at(-1))]
  }
  const there = [...start, ...ride(way, chance)]
  if (endsAtStation(mode))
    return [...there, handOut(destination), ...(fate === 'sent_back' ? sendBack(way, chance) : [])]
  const door = [...there, ...sortAt(destination, chance, 0.2), goOut(destination)]
  switch (fate) {
    case 'delivered_at_second_attempt':
      return [...door, failAt(destination, chance), goOutAgain(destination), deliverAt(destination)]
    case 'attempts_used_up':
      return [
        ...door,
        failAt(destination, chance),
        goOutAgain(destination),
        failAt(destination, chance),
        goOutAgain(destination),
        failAt(destination, chance),
        ...bringBack(way, door.at(-1), true),
      ]
    case 'sent_back':
      return [...door, deliverAt(destination), ...sendBack(way, chance)]
    default:
      return [...door, deliverAt(destination)]
  }
}

/**
 * The steps from station to station: sorted, loaded in the evening or on the next truck, in transit by road or air,
 * unloaded.
 */
function ride(way: readonly Stop[], chance: Chance): Step[] {
  return way.slice(1).flatMap((to, index) => {
    const from = way[index] as Stop
    return [...sortAt(from, chance, from.hub ? 1 : 0.15), departFrom(from, to), arriveAt(to, from)]
  })
}

const sortAt = (stop: Stop, chance: Chance, share: number): Step[] =>
  chance.happens(share) ? [{ event: 'sorted', stop, next: (before, c) => after(before, 25, 190, c) }] : []

const departFrom = (stop: Stop, to: Stop): Step => ({
  event: 'departed',
  stop,
  detail: { nextStationId: to.id },
  // Service centres load one truck a day, in the evening; warehouses load continuously.
  next: (before, c) =>
    stop.hub ? after(before, 40, 260, c) : inHours(later(before, minutes(c.whole(15, 60))), 18, 22, c),
})

const arriveAt = (stop: Stop, from: Stop): Step => ({
  event: 'arrived',
  stop,
  next: (before, c) => {
    const driving = ((distanceM(from, stop) / 1000) * 1.3 * 60) / 62
    const travel = isOverseas(from, stop) ? 60 * c.whole(15, 27) : 35 + driving * (0.9 + c.next() * 0.4)
    return later(before, minutes(Math.round(travel)))
  },
})

const goOut = (stop: Stop): Step => ({
  event: 'out_for_delivery',
  stop,
  next: (before, c) => nextMorning(before, c),
})
const goOutAgain = (stop: Stop): Step => ({ ...goOut(stop), event: 'next_attempt' })

const deliverAt = (stop: Stop): Step => ({
  event: 'delivered',
  stop,
  next: (before, c) => after(before, 35, 480, c),
})

function failAt(stop: Stop, chance: Chance): Step {
  const reason = chance.weighted([
    [failureReasons[0], 6],
    [failureReasons[1], 2],
    [failureReasons[2], 1],
    [failureReasons[3], 3],
  ])
  return { ...deliverAt(stop), event: 'attempt_failed', detail: { failureReason: reason } }
}

const handOut = (stop: Stop): Step => ({
  event: 'handed_over',
  stop,
  next: (before, c) => inHours(after(before, 150, 1800, c), ...workingHours.counter, c),
})

/**
 * Recalled from wherever it is: from station to station back to where it was handed in. `unanswered`: by the portal,
 * because nobody chose anything else after the last attempt.
 */
function bringBack(way: readonly Stop[], last: Step | undefined, unanswered = false): Step[] {
  const origin = first(way)
  const at = Math.max(
    0,
    way.findIndex(({ id }) => id === last?.stop?.id),
  )
  const onTheRoad = last?.event === 'departed'
  const next = way[at + 1]
  // A parcel on the road is unloaded at the next station before it turns back.
  const turned = onTheRoad && next ? [arriveAt(next, way[at] as Stop)] : []
  const home = way.slice(0, (onTheRoad ? at + 1 : at) + 1).reverse()
  const legs = home.slice(1).flatMap((to, index) => {
    const from = home[index] as Stop
    return [departFrom(from, to), arriveAt(to, from)]
  })
  return [
    {
      event: 'recalled',
      stop: null,
      next: (before, c) =>
        unanswered
          ? later(before, hours(lastHours) + minutes(c.whole(5, 60)))
          : inHours(after(before, 30, 600, c), ...workingHours.counter, c),
      detail: { unanswered },
    },
    ...turned,
    ...legs,
    {
      event: 'return_received',
      stop: origin,
      next: (before, c) => inHours(after(before, 300, 1500, c), ...workingHours.counter, c),
    },
  ]
}

/**
 * A return by the receiver: a rider picks it up, and it takes the same route home. Only for parcels that went to a
 * door.
 */
function sendBack(way: readonly Stop[], chance: Chance): Step[] {
  const home = [...way].reverse()
  const origin = last(home)
  return [
    {
      event: 'return_requested',
      stop: null,
      next: (before, c) => inHours(after(before, 1440, 5000, c), ...workingHours.counter, c),
    },
    {
      event: 'return_picked_up',
      stop: first(home),
      next: (before, c) => inHours(after(before, 1100, 2400, c), ...workingHours.rider, c),
    },
    ...ride(home, chance),
    goOut(origin),
    deliverAt(origin),
  ]
}

/** Riders leave in the morning with what arrived before nine. */
function nextMorning(before: Date, chance: Chance): Date {
  const morning = later(localMidnight(before), localHour(before) < 8.8 ? 0 : hours(24))
  const leaves = later(morning, minutes(chance.whole(8 * 60 + 25, 9 * 60 + 40)))
  return leaves > before ? leaves : after(before, 5, 25, chance)
}

/**
 * Walks the steps along the transition table, until the next would be after `until` or `steps` are done. Throws if the
 * table does not allow a step, as the service would.
 */
export function happen(
  steps: readonly Step[],
  from: { state: ParcelState; at: Date },
  options: { until: Date; chance: Chance; steps?: number },
): Happening[] {
  const happened: Happening[] = []
  let { state, at } = from
  for (const step of steps.slice(0, options.steps ?? steps.length)) {
    at = step.next(at, options.chance)
    if (at > options.until) break
    const next = nextParcelState(state, step.event)
    if (!next) throw new Error(`${step.event} is not allowed at ${state.status}`)
    happened.push({
      event: step.event,
      at,
      from: state.status,
      state: next,
      stop: step.stop,
      detail: step.detail ?? {},
    })
    state = next
  }
  return happened
}

/**
 * The number of steps to a status (a random one if there are several ways); null if these steps never lead there. 0:
 * before the first.
 */
export function stepsUntil(
  steps: readonly Step[],
  from: ParcelState,
  status: ParcelStatus,
  leg: Leg,
  chance: Chance,
): number | null {
  const counts: number[] = from.status === status ? [0] : []
  let state = from
  for (const [index, step] of steps.entries()) {
    const next = nextParcelState(state, step.event)
    if (!next) break
    state = next
    if (state.status === status && state.leg === leg) counts.push(index + 1)
  }
  return counts.length > 0 ? chance.pick(counts) : null
}

function first<T>(of: readonly T[]): T {
  return of[0] as T
}

function last<T>(of: readonly T[]): T {
  return of.at(-1) as T
}
