import type { Insertable } from 'kysely'
import type { DB } from '../../db/schema.ts'
import { gatewayReference } from '../../domains/payments/rules.ts'
import { chanceOf, idFor } from '../story/random.ts'
import { localDay } from '../story/time.ts'
import { approvalIdOf } from './approvals.ts'
import { type TopUp, topUpBy } from './money.ts'
import { type PaymentStory, type Settled, taskStatusOf } from './orders.ts'

/** Numbers for people: of orders and pickups by id, and how far their sequences have got. */
export type Numbers = { orders: Map<string, string>; pickUps: Map<string, string> }

const serial = (prefix: string, n: number) => `${prefix}-${String(n).padStart(8, '0')}`

/** Numbers in the order in which they were given out. */
export function numberOrders(settled: readonly Settled[]): Numbers {
  const byTime = (at: (order: Settled) => Date | null) => (a: Settled, b: Settled) =>
    (at(a)?.getTime() ?? 0) - (at(b)?.getTime() ?? 0) || a.story.plan.name.localeCompare(b.story.plan.name)
  const orders = [...settled].sort(byTime(({ story }) => story.orderedAt))
  const pickUps = settled.filter(({ pickUpId }) => pickUpId !== null).sort(byTime(({ paidAt }) => paidAt))
  return {
    orders: new Map(orders.map(({ story }, index) => [story.id, serial('ORD', index + 1)])),
    pickUps: new Map(pickUps.map(({ pickUpId }, index) => [pickUpId as string, serial('PU', index + 1)])),
  }
}

/** A row of `orders`. */
export function orderRow(order: Settled, numbers: Numbers, currency: string): Insertable<DB['orders']> {
  const { story, payments, paidAt } = order
  const last = payments.at(-1)
  return {
    account_id: story.account.id,
    id: story.id,
    number: numbers.orders.get(story.id) ?? '',
    created_by: story.orderedBy.id,
    status: order.status,
    currency,
    total_minor: order.totalMinor,
    paid_minor: paidAt ? order.totalMinor : 0,
    refunded_minor: order.givenBackAt ? order.totalMinor : 0,
    payment_method: story.plan.paying === 'store' ? 'store' : (last?.method ?? null),
    payment_id: last?.id ?? null,
    lines: order.lines,
    buyer: buyerOf(order),
    parcel_count: story.parcels.length,
    pickup: story.pickUp ? pickUpChoice(order, numbers) : null,
    expires_at: order.status === 'pending_payment' ? order.expiresAt : null,
    // Billed is not paid yet.
    paid_at: story.plan.paying === 'billing' ? null : paidAt,
    approval_id: approvalIdOf(order),
    version: 1 + (paidAt ? 1 : 0) + (['completed', 'cancel', 'refunded', 'outstanding'].includes(order.status) ? 1 : 0),
    created_at: story.orderedAt,
    updated_at: order.updatedAt,
  }
}

/** What an order keeps of its pickup; the number comes with the payment. */
function pickUpChoice({ story, pickUpId }: Settled, numbers: Numbers) {
  return {
    address: story.parcels[0]?.sender,
    date: story.pickUp?.date,
    window: story.pickUp?.window,
    stationId: story.station.id,
    number: pickUpId === null ? null : numbers.pickUps.get(pickUpId),
  }
}

/** A row of `pickup_requests`; null where nobody comes, or nobody knows yet that they should. */
export function pickUpRow(order: Settled, numbers: Numbers, now: Date): Insertable<DB['pickup_requests']> | null {
  const { story, pickUpId, paidAt } = order
  if (!pickUpId || !story.pickUp || !paidAt) return null
  return {
    account_id: story.account.id,
    id: pickUpId,
    number: numbers.pickUps.get(pickUpId) ?? '',
    order_id: story.id,
    status: taskStatusOf(story, now),
    address: story.parcels[0]?.sender,
    pickup_date: story.pickUp.date,
    pickup_window: story.pickUp.window,
    parcel_count: story.parcels.length,
    station_id: story.station.id,
    created_at: paidAt,
    updated_at: story.parcels.some(({ state }) => state.handedOver) ? story.pickUp.at : paidAt,
  }
}

type PaymentOf = {
  payment: PaymentStory
  accountId: string
  orderId: string | null
  amountMinor: number
  createdBy: string
}

/** Rows of `payments`, of orders and top-ups. */
export function paymentRows(
  settled: readonly Settled[],
  topUps: readonly TopUp[],
  currency: string,
): Insertable<DB['payments']>[] {
  const ofOrders = settled.flatMap((order): PaymentOf[] =>
    order.payments.map((payment) => ({
      payment,
      accountId: order.story.account.id,
      orderId: order.story.id,
      amountMinor: order.totalMinor,
      createdBy: order.story.orderedBy.id,
    })),
  )
  const ofTopUps = topUps.map(
    ({ payment, account, amountMinor }): PaymentOf => ({
      payment,
      accountId: account.id,
      orderId: null,
      amountMinor,
      createdBy: topUpBy(account).id,
    }),
  )
  return [...ofOrders, ...ofTopUps].map((paying) => paymentRow(paying, currency))
}

function paymentRow({ payment, accountId, orderId, amountMinor, createdBy }: PaymentOf, currency: string) {
  const answered = payment.channel !== null && payment.status === 'succeeded'
  return {
    account_id: accountId,
    id: payment.id,
    purpose: orderId ? 'order' : 'topup',
    order_id: orderId,
    method: payment.method,
    status: payment.status,
    amount_minor: amountMinor,
    currency,
    reference: gatewayReference(payment.id),
    gateway_transaction: answered ? `T${chanceOf(payment.id).whole(100_000_000, 999_999_999)}` : null,
    gateway_payment_id: payment.channel,
    failure_code: payment.failureCode,
    created_by: createdBy,
    expires_at: payment.expiresAt,
    settled_at: payment.settledAt,
    created_at: payment.createdAt,
  }
}

/** Rows of `invoices`, numbered without gaps in each year as they were issued, and the counters after the last. */
export function invoiceRows(
  settled: readonly Settled[],
  seller: object,
  currency: string,
): { invoices: Insertable<DB['invoices']>[]; counters: Insertable<DB['document_counters']>[] } {
  const issued = settled
    .filter(({ paidAt }) => paidAt !== null)
    .sort((a, b) => (a.paidAt as Date).getTime() - (b.paidAt as Date).getTime())
  const last = new Map<number, number>()
  const invoices = issued.map((order) => {
    const paidAt = order.paidAt as Date
    const year = Number(localDay(paidAt).slice(0, 4))
    const n = (last.get(year) ?? 0) + 1
    last.set(year, n)
    return {
      account_id: order.story.account.id,
      id: idFor(`invoice ${order.story.plan.name}`, paidAt),
      year,
      number: `INV-${year}-${String(n).padStart(6, '0')}`,
      order_id: order.story.id,
      currency,
      seller,
      buyer: buyerOf(order),
      lines: order.lines,
      net_minor: order.totalMinor - order.taxMinor,
      tax_minor: order.taxMinor,
      total_minor: order.totalMinor,
      payment_method: order.payments.find(({ status }) => status === 'succeeded')?.method ?? 'store',
      paid_at: order.story.plan.paying === 'billing' ? null : paidAt,
      issued_at: paidAt,
    }
  })
  return { invoices, counters: [...last].map(([year, count]) => ({ series: 'INV', year, last: count })) }
}

/** The account as an invoice names it. */
export function buyerOf({ story }: Settled) {
  const { account } = story
  return {
    name: account.name,
    registrationNumber: account.registrationNumber,
    taxNumber: account.taxNumber,
    address: null,
    email: account.owner.email,
  }
}
