/** Turns the plan of the demo into orders and parcels with times. */
import type { Party } from '@waybill/contract/addresses/addresses'
import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'
import type { Customs } from '@waybill/contract/parcels/customs'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import type { ParcelEvent, ParcelState } from '../../domains/parcels/status.ts'
import { days, hours, later, minutes } from '../../lib/clock.ts'
import { leavesCountry, packAbroad } from './abroad.ts'
import type { Book } from './books.ts'
import { type Goods, packGoods } from './goods.ts'
import { type Happening, happen, listTripSteps, type Step, stepsUntil } from './journeys.ts'
import type { DemoAccountKey } from './logins.ts'
import type { NetworkMap, Stop } from './map.ts'
import { type Account, demoAccounts, type Member } from './people.ts'
import { choosePickUp, type PickUp, visitKey } from './pickups.ts'
import type { LoosePlan, OrderPlan } from './plan.ts'
import { type Chance, createChance } from './random.ts'
import { inHours, localHour, localMidnight } from './time.ts'

/** A parcel and everything that will happen to it. */
export type ParcelStory = {
  name: string
  account: Account
  createdBy: Member
  createdAt: Date
  mode: DeliveryMode
  sender: Party
  /** Null in a new draft. */
  receiver: Party | null
  goods: Goods | null
  /** Only for international parcels. */
  customs: Customs | null
  reference: string | null
  destination: Stop | null
  happened: Happening[]
  state: ParcelState
}

/** An order with its parcels, and when it is checked out and paid. */
export type OrderStory = {
  plan: OrderPlan
  account: Account
  orderedBy: Member
  orderedAt: Date
  /** When the way of paying was chosen; more than one after a refusal. */
  checkouts: Date[]
  settledAt: Date | null
  pickUp: PickUp | null
  /** The station that serves the sender: its riders pick up, and its counter is nearest. */
  station: Stop
  parcels: ParcelStory[]
}

export type World = {
  now: Date
  map: NetworkMap
  books: Map<DemoAccountKey, Book>
  /** From this moment on orders of the company's members need approvals. */
  approvalsFrom: Date
  /** Visits whose task the plan fixes; no other order may join them. */
  visits: Set<string>
}

/** Minutes until a payment at the gateway expires. */
const paymentMinutes = 30

const draft = (mode: DeliveryMode): ParcelState => ({
  status: 'pending',
  deliveryMode: mode,
  handedOver: false,
  leg: 'outbound',
})

/** Chooses the time of an order: on its day, or as late as possible so that the planned status is reached today. */
export function createOrderStory(world: World, plan: OrderPlan): OrderStory {
  if (plan.target === null) return attempt(world, plan, pastMoment(world.now, plan)).story
  // The last hour of the day at which this one could have been made.
  const closes = createChance(`hour ${plan.name}`).whole(13, 22) + 0.7
  const latest = later(
    world.now,
    -minutes(plan.payment === 'waiting' ? 5 : createChance(`latest ${plan.name}`).whole(12, 100)),
  )
  for (let back = 0; back < 30 * 24 * 60; back += 37) {
    const at = later(latest, -minutes(back))
    // No orders are made at night, except those that wait for the bank right now.
    if (plan.payment !== 'waiting' && (localHour(at) < 8 || localHour(at) > closes)) continue
    const { story, reached } = attempt(world, plan, at)
    if (!reached) continue
    if (plan.task && story.pickUp) world.visits.add(visitKey(plan.account, story.pickUp))
    return story
  }
  throw new Error(`no time leads ${plan.name} to ${plan.target.status}`)
}

/** Members of the company pay until an approval rule exists; after that its owner pays. */
function pickPayer(account: Account, { payment }: OrderPlan, orderedAt: Date, { approvalsFrom }: World): Member {
  const asks = ['asks', 'refused', 'granted', 'lapsed', 'withdrawn'].includes(payment)
  if (orderedAt >= approvalsFrom && !asks) return account.owner
  return account.members.find(({ permissions }) => permissions.includes('pay')) ?? account.owner
}

/** Visits that wait for a rider are all in the Klang Valley, where visitors sign in as operations staff. */
function pickSender(world: World, { account, task }: OrderPlan): Party {
  const { sender } = getBook(world, account)
  if (!task || account === 'aisyah') return sender
  const chance = createChance(`street ${account}`)
  const street = chance.pick(['A', 'B', 'C', 'E', 'F', 'G', 'H', 'J'])
  const line1 = `${chance.whole(1, 60)}, Jalan Tengku Ampuan Zabedah ${street} 9/${street}`
  return { ...sender, ...klangValley, line1, residential: false, remarks: null }
}

const klangValley = { line2: 'Seksyen 9', postcode: '40100', city: 'Shah Alam', state: 'Selangor' } as const

function pastMoment(now: Date, { name, daysAgo }: OrderPlan): Date {
  const hour = createChance(`hour ${name}`)
  const minute = hour.whole(8 * 60 + 30, 22 * 60)
  const at = later(localMidnight(now), minutes(minute) - days(daysAgo ?? 1))
  return later(at, hour.whole(0, 59) * 1000)
}

/**
 * The order as if it were made at `orderedAt`; `reached`: whether its first parcel now has the status that the plan
 * wants.
 */
function attempt(world: World, plan: OrderPlan, orderedAt: Date): { story: OrderStory; reached: boolean } {
  const account = getAccount(plan.account)
  const chance = createChance(`order ${plan.name}`)
  const orderedBy = pickPayer(account, plan, orderedAt, world)
  const { checkouts, settledAt, steps: payment } = payingSteps(plan, orderedAt, chance)
  const sender = pickSender(world, plan)
  const station = world.map.findStation(sender.postcode)
  const door = { account: plan.account, postcode: sender.postcode }
  const pickUp = plan.pickUp ? choosePickUp(world.map, door, orderedAt, chance, world.visits) : null
  const givenUp = cancelSteps(plan, settledAt ?? orderedAt, chance)
  const isGoing = !['abandoned', 'waiting', 'asks', 'refused', 'lapsed', 'withdrawn'].includes(plan.payment)
  let reached = true
  const parcels = plan.parcels.map(({ mode, fate }, index) => {
    const parcel = packParcel(world, plan.account, sender, mode, `${plan.name} ${index}`, {
      box: fate === 'heavier',
      target: index === 0 && !endsAtStation(mode) ? (plan.target?.status ?? null) : null,
    })
    const way = world.map.between(station, parcel.destination as Stop)
    const packing = minutes(3 + 4 * (plan.parcels.length - index)) + parcel.chance.whole(0, 100) * 1000
    const createdAt = later(orderedAt, -packing)
    const before = [...cartSteps(later(createdAt, 60_000 + parcel.chance.whole(0, 90) * 1000)), ...payment]
    const fetched = pickUp && later(pickUp.at, index * 9000)
    const journey =
      fate === 'cancelled' ? givenUp : listTripSteps({ mode, way, fate, pickUp: fetched, chance: parcel.chance })
    const all = [...before, ...(isGoing ? journey : [])]
    const from = { state: draft(mode), at: createdAt }
    const target = index === 0 ? plan.target : null
    const count = target ? stepsUntil(all, from.state, target.status, target.leg, parcel.chance) : all.length
    if (count === null) throw new Error(`${plan.name} never comes to ${target?.status}`)
    const until = target ? later(world.now, -hours(target.quietHours)) : world.now
    // Parcels that are planned as not yet picked up stay so, whatever time the rider was due; unpaid parcels are not
    // handed in.
    const waits = plan.task !== null || (plan.payment === 'store' && plan.target?.status === 'outstanding')
    const length = waits ? before.length : count
    const happened = happen(all, from, { until, chance: parcel.chance, steps: length })
    if (target) reached = happened.length === length
    return buildStory(account, parcel, createdAt, happened)
  })
  if (plan.task === 'failed' && pickUp && pickUp.ends >= world.now) reached = false
  const pastSettlement = settledAt && settledAt <= world.now ? settledAt : null
  return {
    story: { plan, account, orderedBy, orderedAt, checkouts, settledAt: pastSettlement, pickUp, station, parcels },
    reached,
  }
}

/** Pays at the counter some hours later, unless the plan shows the order unpaid. */
function atCounter({ target, parcels }: OrderPlan, checkout: Date, chance: Chance): Step[] {
  const never = target?.status === 'outstanding' || parcels.some(({ fate }) => fate === 'cancelled')
  return never ? [] : [at('due_paid', inHours(later(checkout, minutes(chance.whole(70, 400))), 9, 18, chance))]
}

/** A cancellation some time later: credits are refunded at once; a card refund takes staff some days. */
function cancelSteps({ payment }: OrderPlan, since: Date, chance: Chance): Step[] {
  const cancelled = later(since, chance.whole(8 * 60, 100 * 60) * 1000)
  const steps = [at('cancelled', cancelled)]
  if (payment === 'store') return steps
  return [...steps, at('refunded', later(cancelled, payment === 'gateway' ? 80 * 3_600_000 : 1000))]
}

const at = (event: ParcelEvent, when: Date): Step => ({ event, stop: null, next: () => when })

const cartSteps = (when: Date): Step[] => [at('added_to_cart', when)]

function payingSteps(
  plan: OrderPlan,
  orderedAt: Date,
  chance: Chance,
): Pick<OrderStory, 'checkouts' | 'settledAt'> & { steps: Step[] } {
  const checkout = later(orderedAt, chance.whole(20, 75) * 1000)
  const answered = later(checkout, chance.whole(55, 210) * 1000)
  switch (plan.payment) {
    case 'credit':
      return { checkouts: [checkout], settledAt: checkout, steps: [at('checkout_credit', checkout)] }
    case 'billing':
      return { checkouts: [checkout], settledAt: checkout, steps: [at('checkout_billing', checkout)] }
    case 'asks':
      return { checkouts: [checkout], settledAt: null, steps: [at('checkout_approval', checkout)] }
    case 'granted': {
      const approved = later(checkout, chance.whole(20, 90) * 60_000)
      const steps = [at('checkout_approval', checkout), at('checkout_approved', approved)]
      return { checkouts: [checkout], settledAt: approved, steps }
    }
    case 'lapsed': {
      // The owner has seven days.
      const steps = [at('checkout_approval', checkout), at('checkout_abandoned', later(checkout, 7.1 * 86_400_000))]
      return { checkouts: [checkout], settledAt: null, steps }
    }
    case 'withdrawn': {
      const steps = [at('checkout_approval', checkout), at('checkout_abandoned', answered)]
      return { checkouts: [checkout], settledAt: null, steps }
    }
    case 'refused': {
      const declined = later(checkout, chance.whole(3 * 60, 30 * 60) * 60_000)
      const steps = [at('checkout_approval', checkout), at('checkout_abandoned', declined)]
      return { checkouts: [checkout], settledAt: null, steps }
    }
    case 'store':
      return {
        checkouts: [checkout],
        settledAt: null,
        steps: [at('checkout_store', checkout), ...atCounter(plan, checkout, chance)],
      }
    case 'waiting':
      return { checkouts: [checkout], settledAt: null, steps: [at('checkout_gateway', checkout)] }
    case 'abandoned': {
      const expired = later(checkout, minutes(paymentMinutes))
      return {
        checkouts: [checkout],
        settledAt: null,
        steps: [at('checkout_gateway', checkout), at('payment_expired', expired)],
      }
    }
    case 'gateway':
      return {
        checkouts: [checkout],
        settledAt: answered,
        steps: [at('checkout_gateway', checkout), at('payment_succeeded', answered)],
      }
    case 'declined': {
      const again = later(answered, chance.whole(20, 60) * 1000)
      const settledAt = later(again, chance.whole(55, 160) * 1000)
      const tries = [at('checkout_gateway', checkout), at('payment_failed', answered), at('checkout_gateway', again)]
      return { checkouts: [checkout, again], settledAt, steps: [...tries, at('payment_succeeded', settledAt)] }
    }
  }
}

type ParcelContent = Omit<ParcelStory, 'id' | 'account' | 'createdBy' | 'createdAt' | 'happened' | 'state'> & {
  chance: Chance
}

/** A parcel's sender, receiver and contents; the same for the same name, whenever it is sent. */
function packParcel(
  world: World,
  key: DemoAccountKey,
  sender: Party,
  mode: DeliveryMode,
  name: string,
  { box, target }: { box: boolean; target: string | null },
): ParcelContent {
  const chance = createChance(`parcel ${name}`)
  const book = getBook(world, key)
  const receiver = chance.pick(target === 'delivering' ? inTheKlangValley(world, book.receivers) : book.receivers)
  const serving = world.map.findStation(receiver.postcode)
  const toCounter = endsAtStation(mode)
  const destination = toCounter ? counterNear(world.map, serving, chance) : serving
  const contents = packGoods(key, box, chance)
  // Small counters hand out e-parcels only.
  const goods: Goods =
    toCounter && contents.serviceType === 'semi_express' ? { ...contents, serviceType: 'e_parcel' } : contents
  const reference =
    key === 'kinabalu'
      ? `SO-${chance.whole(24_100, 29_999)}`
      : chance.happens(0.15)
        ? `#${chance.whole(1000, 9999)}`
        : null
  if (leavesCountry(key, name, target)) {
    // It leaves through the airport, whose station forwards it.
    const abroad = packAbroad(key, name, createChance(`abroad ${name}`))
    return { name, mode, sender, ...abroad, reference, destination: world.map.findStation('64000'), chance }
  }
  return { name, mode, sender, receiver, goods, customs: null, reference, destination, chance }
}

/**
 * Parcels that are out for delivery now belong to the rider that visitors sign in as, if the sender has a receiver
 * there.
 */
function inTheKlangValley({ map }: World, receivers: readonly Party[]): readonly Party[] {
  const here = map.findStation(klangValley.postcode)
  const near = receivers.filter(({ postcode }) => map.findStation(postcode).id === here.id)
  return near.length > 0 ? near : receivers
}

/** A collection counter near that station: the station's own, or a partner's in the same town with longer hours. */
function counterNear(map: NetworkMap, serving: Stop, chance: Chance): Stop {
  const inTown = map.stops.filter(({ handsOut, city }) => handsOut && city === serving.city)
  if (serving.handsOut && (inTown.length < 2 || chance.happens(0.6))) return serving
  return inTown.length > 0 ? chance.pick(inTown) : serving
}

function buildStory(account: Account, contents: ParcelContent, createdAt: Date, happened: Happening[]): ParcelStory {
  const { chance: _, ...parcel } = contents
  const clerk = account.members.find(({ permissions }) => permissions.includes('parcels.create'))
  // Most of a company's parcels belong to the clerk, some to the owner.
  const createdBy = clerk && createChance(`clerk ${contents.name}`).happens(0.8) ? clerk : account.owner
  const state = happened.at(-1)?.state ?? draft(contents.mode)
  return { ...parcel, account, createdBy, createdAt, happened, state }
}

/** A draft, a parcel in the cart, or one that its sender has deleted again. */
export function createLooseStory(world: World, { name, account: key, mode, kind }: LoosePlan): ParcelStory {
  const parcel = packParcel(world, key, getBook(world, key).sender, mode, name, {
    box: false,
    target: null,
  })
  const { chance } = parcel
  const days = kind === 'dropped' ? chance.whole(8, 60) : chance.whole(0, 5)
  const day = later(
    localMidnight(world.now),
    hours(chance.whole(9, 21)) + minutes(chance.whole(0, 59)) - hours(24 * (days + 1)),
  )
  const steps = kind === 'cart' || kind === 'dropped' ? cartSteps(later(day, chance.whole(50, 400) * 1000)) : []
  const dropped = kind === 'dropped' ? [at('cancelled', later(day, hours(chance.whole(3, 30))))] : []
  const happened = happen([...steps, ...dropped], { state: draft(mode), at: day }, { until: world.now, chance })
  const story = buildStory(getAccount(key), parcel, day, happened)
  // A draft whose contents are still missing.
  if (kind === 'bare') return { ...story, goods: null, customs: null }
  // An international draft keeps its receiver, because the country makes it international.
  const isUnfinished = kind === 'draft' && story.customs === null
  return isUnfinished ? { ...story, receiver: chance.happens(0.6) ? null : story.receiver } : story
}

function getAccount(key: DemoAccountKey): Account {
  return demoAccounts.find((account) => account.key === key) as Account
}

function getBook({ books }: World, key: DemoAccountKey): Book {
  const book = books.get(key)
  if (!book) throw new Error(`${key} has no address book`)
  return book
}
