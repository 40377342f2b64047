import type { OrderStatus, PaymentStatus, TaskStatus } from '@waybill/contract/ground/enums'
import { cardChannels, gatewayChannels } from '@waybill/contract/payments/payments'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import { orderLines, paymentMinutes, sumLines } from '../../domains/orders/rules.ts'
import { endStatuses } from '../../domains/parcels/status.ts'
import { days, later, minutes } from '../../lib/clock.ts'
import type { Priced } from '../rows/parcels.ts'
import { chanceOf, idFor } from '../story/random.ts'
import type { OrderStory, ParcelStory } from '../story/story.ts'
import { localDay } from '../story/time.ts'
import { approvalDays } from './approvals.ts'

/** A try to pay an order. */
export type PaymentStory = {
  id: string
  status: PaymentStatus
  method: 'express_credit' | 'ipay88' | 'credit_card' | 'store' | 'monthly_billing'
  /** The gateway's number of the bank, wallet or card. */
  channel: number | null
  createdAt: Date
  expiresAt: Date | null
  settledAt: Date | null
  /** A key under `gateway.` in the locale files. */
  failureCode: string | null
}

/** An order with what it costs and how its money went; amounts in minor units. */
export type Settled = {
  story: OrderStory
  status: OrderStatus
  lines: PriceLine[]
  totalMinor: number
  taxMinor: number
  paidAt: Date | null
  /** When it was cancelled after it was paid: from then on its money is owed, or back already. */
  givenBackAt: Date | null
  /** When the money came back. */
  refundedAt: Date | null
  expiresAt: Date
  payments: PaymentStory[]
  pickUpId: string | null
  updatedAt: Date
}

/** What parcels cost, and what the pickup of an order costs. */
export type Prices = { of(parcel: ParcelStory): Priced; pickUp(): PriceLine[] }

/** Works out an order from its parcels' prices and what has happened to them. */
export function settle(story: OrderStory, prices: Prices): Settled {
  const priced = story.parcels.map((parcel) => prices.of(parcel))
  const lines = orderLines(
    priced.map(({ price, serviceCode }) => ({ price, service_code: serviceCode })),
    story.plan.pickUp ? prices.pickUp() : [],
  )
  const happened = story.parcels.flatMap((parcel) => parcel.happened)
  const counterAt = happened.find(({ event }) => event === 'due_paid')?.at ?? null
  const paidAt = story.settledAt ?? counterAt
  const refundedAt = happened.find(({ event }) => event === 'refunded')?.at ?? null
  const waits = story.plan.paying === 'asks' ? days(approvalDays) : minutes(paymentMinutes)
  const expiresAt = later(story.checkouts.at(-1) ?? story.orderedAt, waits)
  const payments = paymentsOf(story, counterAt)
  const latest = Math.max(story.orderedAt.getTime(), ...happened.map(({ at }) => at.getTime()))
  return {
    story,
    status: statusOf(story, paidAt, refundedAt),
    lines,
    totalMinor: sumLines(lines),
    taxMinor: sumLines(lines, 'tax'),
    paidAt,
    givenBackAt: paidAt ? (happened.find(({ event }) => event === 'cancelled')?.at ?? null) : null,
    refundedAt,
    expiresAt,
    payments,
    pickUpId: story.pickUp && paidAt ? idFor(`pickup ${story.plan.name}`, paidAt) : null,
    updatedAt: new Date(latest),
  }
}

function statusOf({ plan, parcels }: OrderStory, paidAt: Date | null, refundedAt: Date | null): OrderStatus {
  if (plan.paying === 'waiting' || plan.paying === 'asks') return 'pending_payment'
  if (plan.paying === 'abandoned' || plan.paying === 'refused') return 'cancel'
  if (refundedAt) return 'refunded'
  if (parcels.every(({ state }) => state.status === 'cancel')) return 'cancel'
  if (!paidAt || parcels.some(({ state }) => state.status === 'outstanding')) return 'outstanding'
  const ended = parcels.every(({ state }) => (endStatuses as readonly string[]).includes(state.status))
  return ended ? 'completed' : 'pending'
}

/** Ways to pay that need no bank. */
const directMethods = { credit: 'express_credit', billing: 'monthly_billing', store: 'store' } as const

function paymentsOf({ plan, parcels, checkouts, settledAt }: OrderStory, counterAt: Date | null): PaymentStory[] {
  const told = (n: number, at: Date, given: Omit<PaymentStory, 'id' | 'createdAt'>): PaymentStory => ({
    id: idFor(`payment ${plan.name} ${n}`, at),
    createdAt: at,
    ...given,
  })
  // Nothing was charged.
  if (plan.paying === 'asks' || plan.paying === 'refused') return []
  if (plan.paying === 'credit' || plan.paying === 'billing' || plan.paying === 'store') {
    const at = plan.paying === 'store' ? counterAt : settledAt
    const method = directMethods[plan.paying]
    const paid = {
      status: 'succeeded',
      method,
      channel: null,
      expiresAt: null,
      settledAt: at,
      failureCode: null,
    } as const
    return at ? [told(0, at, paid)] : []
  }
  return checkouts.map((at, n) => {
    const expiresAt = later(at, minutes(paymentMinutes))
    const common = { ...gatewayChannel(`${plan.name} ${n}`), expiresAt, failureCode: null }
    if (n < checkouts.length - 1) {
      // Refused: the parcels went back to the cart before the next try.
      const refusedAt = parcels[0]?.happened.find(({ event }) => event === 'payment_failed')?.at ?? null
      return told(n, at, { ...common, status: 'failed', settledAt: refusedAt, failureCode: 'declined' })
    }
    if (plan.paying === 'abandoned')
      return told(n, at, { ...common, status: 'expired', settledAt: expiresAt, failureCode: 'expired' })
    return told(n, at, { ...common, status: settledAt ? 'succeeded' : 'pending', settledAt })
  })
}

/** How somebody pays an order at the gateway: a card, their bank or a wallet. */
function gatewayChannel(name: string): Pick<PaymentStory, 'method' | 'channel'> {
  if (chanceOf(`card ${name}`).happens(0.3)) return { method: 'credit_card', channel: cardChannels.MYR ?? null }
  return { method: 'ipay88', channel: bankChannel(name) }
}

/** The gateway's number of a bank or wallet. */
export function bankChannel(name: string): number {
  return chanceOf(`bank ${name}`).pick(gatewayChannels).id
}

/**
 * How far the rider's task is: as planned, else done when the parcels were fetched, in vain for a cancelled order, else
 * on its day or before.
 */
export function taskStatusOf({ plan, parcels, pickUp }: OrderStory, now: Date): TaskStatus {
  if (plan.task) return plan.task
  if (parcels.some(({ happened }) => happened.some(({ event }) => event === 'picked_up'))) return 'completed'
  if (parcels.every(({ state }) => state.status === 'refunded')) return 'failed'
  return pickUp && pickUp.date <= localDay(now) ? 'open' : 'new'
}
