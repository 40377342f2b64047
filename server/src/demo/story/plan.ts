/** The orders and parcels of the demo, as a plan without times. */
import type { TaskStatus } from '@waybill/contract/ground/enums/enums'
import type { DeliveryMode, Leg, ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import type { Fate } from './journeys.ts'
import type { DemoAccountKey } from './logins.ts'
import { type Chance, createChance } from './random.ts'

/**
 * How an order is paid. `declined`: succeeds at the second attempt; `abandoned`: never paid; `waiting`: the bank's
 * page is open; `billing`: on the company's monthly bill; `asks`: waits for the owner's approval; `refused`: the owner
 * declined; `granted`: the owner approved; `lapsed`: the owner never answered;
 * `withdrawn`: the member abandoned the order.
 */
export type Paying =
  | 'credit'
  | 'gateway'
  | 'declined'
  | 'store'
  | 'waiting'
  | 'abandoned'
  | 'billing'
  | 'asks'
  | 'refused'
  | 'granted'
  | 'lapsed'
  | 'withdrawn'

/** The target state of an order. Without `target` its parcels have got as far as the time allows. */
export type OrderPlan = {
  name: string
  account: DemoAccountKey
  /** Picked up by a rider (D2*), or brought to a counter (P2*). */
  pickUp: boolean
  payment: Paying
  parcels: { mode: DeliveryMode; fate: Fate }[]
  /** Days ago, for orders of the past. */
  daysAgo: number | null
  /** The current status of its first parcel, and the minimum number of hours since its last scan. */
  target: { status: ParcelStatus; leg: Leg; quietHours: number } | null
  /** The progress of the rider's task; by default it follows from the parcels. */
  task: TaskStatus | null
}

/** A parcel without an order. */
export type LoosePlan = {
  name: string
  account: DemoAccountKey
  mode: DeliveryMode
  kind: 'draft' | 'bare' | 'cart' | 'dropped'
}

/** The number of parcels in the demo. */
export const parcelCount = 280

/** The number of past days that the demo shows. */
export const historyDays = 90

const shares = [
  ['kinabalu', 11],
  ['weiming', 4],
  ['aisyah', 4],
  ['priya', 2],
] as const satisfies readonly (readonly [DemoAccountKey, number])[]

type PlanRow = readonly [
  status: ParcelStatus,
  account: DemoAccountKey,
  how?: Partial<Pick<OrderPlan, 'pickUp' | 'payment' | 'task'>> & {
    fate?: Fate
    leg?: Leg
    quietHours?: number
    mode?: DeliveryMode
    size?: number
  },
]

/** One order each, so that every status can be seen today, in an account where one would look for it. */
const targetsToday: readonly PlanRow[] = [
  ['pending_payment', 'weiming', { payment: 'waiting', size: 2 }],
  ['pending_payment', 'kinabalu', { payment: 'waiting', size: 3 }],
  ['outstanding', 'priya', { payment: 'store' }],
  ['outstanding', 'aisyah', { payment: 'store', size: 2 }],
  ['outstanding', 'kinabalu', { fate: 'heavier' }],
  ['outstanding', 'kinabalu', { fate: 'heavier', pickUp: false }],
  ['outstanding', 'weiming', { fate: 'heavier' }],
  ['pending_pickup', 'aisyah', { pickUp: true, task: 'open' }],
  ['pending_pickup', 'weiming', { pickUp: true, task: 'new', size: 2 }],
  ['pending_pickup', 'kinabalu', { pickUp: true, task: 'in_progress', size: 3 }],
  ['pending_pickup', 'kinabalu', { pickUp: true, task: 'failed', quietHours: 40 }],
  ['pending_pickup', 'priya', { pickUp: true, task: 'failed', quietHours: 40 }],
  ['pending_pickup', 'kinabalu', { pickUp: true, task: 'new', size: 2 }],
  ['pending_dropoff', 'aisyah', { pickUp: false }],
  ['pending_dropoff', 'weiming', { pickUp: false, size: 2 }],
  ['pending_dropoff', 'priya', { pickUp: false }],
  ['pending_dropoff', 'kinabalu', { pickUp: false, size: 2 }],
  ['sorting', 'kinabalu'],
  ['sorting', 'kinabalu'],
  ['sorting', 'aisyah'],
  ['sorting', 'weiming'],
  ['inbound', 'kinabalu'],
  ['inbound', 'weiming'],
  ['inbound', 'aisyah', { mode: 'P2P', pickUp: false }],
  ['inbound', 'kinabalu', { fate: 'sent_back', leg: 'return' }],
  ['inbound', 'kinabalu', { quietHours: 41 }],
  ['outbound', 'kinabalu'],
  ['outbound', 'kinabalu', { quietHours: 52 }],
  ['outbound', 'weiming', { quietHours: 44 }],
  ['outbound', 'aisyah', { quietHours: 38 }],
  ['outbound', 'priya'],
  ['delivering', 'kinabalu', { size: 2 }],
  ['delivering', 'kinabalu'],
  ['delivering', 'aisyah'],
  ['delivering', 'weiming', { size: 2 }],
  ['delivering', 'priya'],
  ['fail-to-deliver', 'kinabalu', { fate: 'delivered_at_second_attempt' }],
  ['fail-to-deliver', 'kinabalu', { fate: 'attempts_used_up' }],
  ['fail-to-deliver', 'aisyah', { fate: 'delivered_at_second_attempt' }],
  ['fail-to-deliver', 'weiming', { fate: 'delivered_at_second_attempt' }],
  ['fail-to-deliver', 'priya', { fate: 'delivered_at_second_attempt' }],
  ['collected', 'weiming', { mode: 'P2P', pickUp: false }],
  ['recall', 'kinabalu', { fate: 'recalled' }],
  ['recall', 'kinabalu', { fate: 'attempts_used_up' }],
  ['recall', 'aisyah', { fate: 'recalled' }],
  ['reverse_pickup', 'kinabalu', { fate: 'sent_back' }],
  ['reverse_pickup', 'weiming', { fate: 'sent_back' }],
  ['pending_payment', 'kinabalu', { payment: 'asks', pickUp: false, size: 6 }],
  // Gunnies of these are in transit.
  ['pending_dropoff', 'kinabalu', { pickUp: false, size: 2 }],
  ['pending_dropoff', 'kinabalu', { pickUp: false, size: 3 }],
  ['pending_dropoff', 'kinabalu', { pickUp: false, size: 1 }],
  ['fail-to-deliver', 'weiming', { fate: 'delivered_at_second_attempt' }],
  // With the two above, a failed pickup for each reason.
  ['pending_pickup', 'kinabalu', { pickUp: true, task: 'failed', quietHours: 40 }],
  ['pending_pickup', 'weiming', { pickUp: true, task: 'failed', quietHours: 40 }],
  ['pending_pickup', 'kinabalu', { pickUp: true, task: 'failed', quietHours: 40 }],
  ['pending_pickup', 'kinabalu', { pickUp: true, task: 'failed', quietHours: 40 }],
]

/** Past orders that failed or were returned: day, account, outcome. */
const mishaps: readonly [daysAgo: number, account: DemoAccountKey, payment: Paying, fate: Fate, size: number][] = [
  [4, 'aisyah', 'credit', 'cancelled', 1],
  [17, 'weiming', 'credit', 'cancelled', 2],
  [33, 'kinabalu', 'credit', 'cancelled', 3],
  [58, 'kinabalu', 'credit', 'cancelled', 1],
  [71, 'priya', 'credit', 'cancelled', 1],
  [9, 'priya', 'store', 'cancelled', 1],
  [40, 'aisyah', 'store', 'cancelled', 2],
  [64, 'kinabalu', 'store', 'cancelled', 2],
  [22, 'kinabalu', 'credit', 'heavier', 1],
  [47, 'weiming', 'credit', 'heavier', 1],
  [66, 'kinabalu', 'credit', 'heavier', 2],
  [19, 'kinabalu', 'credit', 'recalled', 1],
  [52, 'weiming', 'gateway', 'recalled', 1],
  [28, 'kinabalu', 'credit', 'attempts_used_up', 1],
  [61, 'aisyah', 'gateway', 'attempts_used_up', 1],
  [36, 'kinabalu', 'credit', 'sent_back', 1],
  [75, 'weiming', 'credit', 'sent_back', 1],
  [2, 'kinabalu', 'gateway', 'cancelled', 2],
  [3, 'weiming', 'gateway', 'cancelled', 1],
  [13, 'priya', 'gateway', 'cancelled', 1],
  [15, 'kinabalu', 'billing', 'cancelled', 1],
]

const looseParcels: readonly [kind: LoosePlan['kind'], account: DemoAccountKey, mode: DeliveryMode, count: number][] = [
  ['draft', 'aisyah', 'D2D', 2],
  ['bare', 'aisyah', 'D2D', 1],
  ['draft', 'weiming', 'D2D', 2],
  ['bare', 'weiming', 'P2D', 1],
  ['draft', 'priya', 'P2D', 1],
  ['draft', 'kinabalu', 'D2D', 5],
  ['bare', 'kinabalu', 'D2D', 2],
  ['cart', 'aisyah', 'D2D', 2],
  ['cart', 'aisyah', 'P2D', 1],
  ['cart', 'weiming', 'D2D', 2],
  ['cart', 'weiming', 'P2P', 1],
  ['cart', 'priya', 'D2D', 1],
  ['cart', 'priya', 'P2D', 2],
  ['cart', 'kinabalu', 'D2D', 4],
  ['cart', 'kinabalu', 'P2D', 2],
  ['dropped', 'kinabalu', 'D2D', 2],
  ['dropped', 'weiming', 'D2D', 1],
]

/** Every order and loose parcel of the demo: `parcelCount` parcels, the same ones every day. */
export function planDemo(): { orders: OrderPlan[]; loose: LoosePlan[] } {
  const loose = looseParcels.flatMap(([kind, account, mode, count]) =>
    Array.from({ length: count }, (_, n) => ({ name: `${account} ${kind} ${mode} ${n}`, account, mode, kind })),
  )
  const orders = [
    ...targetsToday.map((target, index) => orderOfToday(target, `today ${index}`)),
    ...mishaps.map(([daysAgo, account, payment, fate, size], index) => {
      const name = `mishap ${index}`
      const pickUp = payment !== 'store' && createChance(name).happens(0.6)
      const parcels = planParcels(createChance(name), pickUp, size, fate === 'sent_back' ? 'D' : null)
      // One of the order's parcels has the mishap; a cancellation affects all of them.
      const fated = parcels.map((parcel, n) => ({
        ...parcel,
        fate: n === 0 || fate === 'cancelled' ? fate : parcel.fate,
      }))
      return { name, account, pickUp, payment, parcels: fated, daysAgo, target: null, task: null }
    }),
    abandonedOrder('abandoned 0', 'weiming', 1),
    abandonedOrder('abandoned 1', 'kinabalu', 6),
    ofMember('refused 0', 'refused', 8),
    ofMember('granted 0', 'granted', 7),
    ofMember('lapsed 0', 'lapsed', 8),
    ofMember('withdrawn 0', 'withdrawn', 6),
  ]
  let missing = parcelCount - loose.length - orders.reduce((sum, { parcels }) => sum + parcels.length, 0)
  for (let index = 0; missing > 0; index += 1) {
    const order = orderOfThePast(`past ${index}`, missing)
    orders.push(order)
    missing -= order.parcels.length
  }
  return { orders, loose }
}

function orderOfToday([status, account, how = {}]: PlanRow, name: string): OrderPlan {
  const chance = createChance(name)
  const pickUp = how.pickUp ?? (how.payment !== 'store' && chance.happens(0.6))
  const fate = how.fate ?? 'delivered'
  const [leader, ...others] = planParcels(chance, pickUp, how.size ?? 1, 'D')
  const parcels = [{ mode: how.mode ?? leader?.mode ?? 'D2D', fate }, ...others]
  const target = { status, leg: how.leg ?? 'outbound', quietHours: how.quietHours ?? 0 } as const
  const payment = how.payment ?? planPayment(chance, account)
  return { name, account, pickUp, payment, parcels, daysAgo: null, target, task: how.task ?? null }
}

function orderOfThePast(name: string, atMost: number): OrderPlan {
  const chance = createChance(name)
  const account = chance.weighted(shares)
  const size = Math.min(
    atMost,
    account === 'kinabalu'
      ? chance.weighted([
          [1, 3],
          [2, 4],
          [3, 4],
          [5, 2],
          [8, 1],
        ] as const)
      : chance.weighted([
          [1, 6],
          [2, 3],
          [3, 1],
        ] as const),
  )
  const pickUp = chance.happens(account === 'kinabalu' ? 0.75 : 0.45)
  const parcels = planParcels(chance, pickUp, size, null)
  // More orders recently: the business grows. The last days have the orders of today's statuses.
  const even = chance.next()
  const daysAgo = 3 + Math.floor((historyDays - 5) * (0.35 * even + 0.65 * (1 - Math.sqrt(1 - even))))
  const usual = planPayment(chance, account)
  const billed = account === 'kinabalu' && usual === 'credit' && createChance(`billed ${name}`).happens(0.6)
  return { name, account, pickUp, payment: billed ? 'billing' : usual, parcels, daysAgo, target: null, task: null }
}

/** An order whose payment expired at the bank, so its parcels are in the cart again. */
function abandonedOrder(name: string, account: DemoAccountKey, daysAgo: number): OrderPlan {
  const parcels = planParcels(createChance(name), true, 1, 'D')
  return { name, account, pickUp: true, payment: 'abandoned', parcels, daysAgo, target: null, task: null }
}

type MemberOrder = 'refused' | 'granted' | 'lapsed' | 'withdrawn'

/** A large order of the company's member that needs approval. Without it the parcels are in the cart again. */
function ofMember(name: string, payment: MemberOrder, daysAgo: number): OrderPlan {
  const parcels = planParcels(createChance(name), false, 6, 'D')
  return { name, account: 'kinabalu', pickUp: false, payment, parcels, daysAgo, target: null, task: null }
}

function planParcels(chance: Chance, pickUp: boolean, size: number, end: 'D' | null): OrderPlan['parcels'] {
  return Array.from({ length: size }, () => {
    const toDoor = end === 'D' || chance.happens(0.87)
    const mode = `${pickUp ? 'D' : 'P'}2${toDoor ? 'D' : 'P'}` as DeliveryMode
    const fate = toDoor && chance.happens(0.05) ? 'delivered_at_second_attempt' : 'delivered'
    return { mode, fate }
  })
}

function planPayment(chance: Chance, account: DemoAccountKey): Paying {
  const gateway = account === 'priya' ? 6 : account === 'kinabalu' ? 2 : 4
  return chance.weighted([
    ['credit', 7],
    ['gateway', gateway],
    ['declined', 0.4],
  ] as const)
}
