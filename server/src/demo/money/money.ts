import { gatewayReference, orderPostings } from '../../domains/payments/rules.ts'
import type { Posting } from '../../domains/wallet/rules.ts'
import { asAccountId } from '../../http/caller.ts'
import { later } from '../../lib/clock.ts'
import type { DemoAccountKey } from '../story/logins.ts'
import { type Account, demoAccounts, type Member } from '../story/people.ts'
import { type Chance, chanceOf, idFor } from '../story/random.ts'
import type { Booking } from './ledger.ts'
import type { Numbers } from './order-rows.ts'
import { bankChannel, type PaymentStory, type Settled } from './orders.ts'
import type { PriceList } from './prices.ts'

/** A top-up with the payment that brought it; the amount in minor units. */
export type TopUp = { name: string; account: Account; amountMinor: number; payment: PaymentStory }

/** What the difference of a re-weighed parcel came to, and when it was paid. */
export type Difference = { parcelName: string; order: Settled; amountMinor: number; taxMinor: number; paidAt: Date }

export type Money = { bookings: Booking[]; topUps: TopUp[] }

/** What people usually put in, in minor units. */
const usualTopUps: Record<DemoAccountKey, readonly number[]> = {
  aisyah: [5000, 10_000, 10_000, 20_000],
  weiming: [10_000, 20_000, 20_000],
  priya: [5000, 10_000],
  kinabalu: [50_000, 100_000, 100_000, 200_000],
}

/** What was due for parcels that turned out heavier, and has been paid since. */
export function differencesOf(settled: readonly Settled[], prices: PriceList): Difference[] {
  return settled.flatMap((order) =>
    order.story.parcels.flatMap((parcel) => {
      const reweighed = prices.reweighed(parcel)
      const paid = parcel.happened.find(({ event }) => event === 'difference_paid')
      // A little heavier may still be within the step that was paid for.
      if (!reweighed || !paid || reweighed.dueMinor <= 0) return []
      return [
        {
          parcelName: parcel.name,
          order,
          amountMinor: reweighed.dueMinor,
          taxMinor: reweighed.taxMinor,
          paidAt: paid.at,
        },
      ]
    }),
  )
}

/**
 * Every entry of the books: orders, differences, refunds, and the top-ups without which a wallet would have run dry.
 * Numbers of orders are what people read in them.
 */
export function bookMoney(
  settled: readonly Settled[],
  differences: readonly Difference[],
  numbers: Numbers,
  currency: string,
): Money {
  const numberOf = ({ story }: Settled) => numbers.orders.get(story.id) ?? ''
  const bookings = [
    ...settled.flatMap((order) => orderBookings(order, numberOf(order), currency)),
    ...differences.map((difference) => differenceBooking(difference, numberOf(difference.order), currency)),
  ]
  const topUps = demoAccounts.flatMap((account) => topUpsFor(account, bookings))
  return { bookings: [...bookings, ...topUps.map((topUp) => topUpBooking(topUp, currency))], topUps }
}

const wallet = (account: Account, amountMinor: number): Posting => ({
  book: 'customer_wallet',
  accountId: asAccountId(account.id),
  amountMinor,
})

function orderBookings(order: Settled, number: string, currency: string): Booking[] {
  const { story, totalMinor, taxMinor, paidAt, givenBackAt, refundedAt } = order
  const toCard = story.plan.paying === 'gateway'
  const payment = order.payments.find(({ status }) => status === 'succeeded')
  if (!paidAt || !payment) return []
  const common = {
    accountId: asAccountId(story.account.id),
    orderId: story.id,
    paymentId: payment.id,
    reference: number,
    currency,
  }
  const paid: Booking = {
    ...common,
    name: `order ${story.plan.name}`,
    at: paidAt,
    kind: 'order',
    actorId: story.orderedBy.id,
    postings: orderPostings(paidFrom(order, payment), totalMinor, taxMinor),
  }
  if (!givenBackAt) return [paid]
  const owed: Booking = {
    ...common,
    name: `refund ${story.plan.name}`,
    at: givenBackAt,
    kind: 'refund',
    actorId: story.orderedBy.id,
    postings: [
      { book: 'revenue', amountMinor: taxMinor - totalMinor },
      { book: 'tax', amountMinor: -taxMinor },
      toCard ? { book: 'refunds', amountMinor: totalMinor } : wallet(story.account, totalMinor),
    ],
  }
  if (!toCard || !refundedAt) return [paid, owed]
  const paidBack: Booking = {
    ...owed,
    name: `paid back ${story.plan.name}`,
    at: refundedAt,
    postings: [
      { book: 'refunds', amountMinor: -totalMinor },
      { book: 'gateway_clearing', amountMinor: totalMinor },
    ],
  }
  return [paid, owed, paidBack]
}

/** The book that the money of an order came out of. */
function paidFrom(order: Settled, { method }: PaymentStory): Omit<Posting, 'amountMinor'> {
  const { account } = order.story
  if (method === 'express_credit') return { book: 'customer_wallet', accountId: asAccountId(account.id) }
  if (method === 'monthly_billing') return { book: 'corporate_receivable', accountId: asAccountId(account.id) }
  return method === 'store' ? { book: 'station_cash', stationId: counterOf(order) } : { book: 'gateway_clearing' }
}

/** The counter that took the money: where the parcels were handed in. */
function counterOf({ story }: Settled): string {
  const stop = story.parcels.flatMap(({ happened }) => happened).find(({ event }) => event === 'accepted')?.stop
  return stop?.id ?? story.station.id
}

function differenceBooking(
  { parcelName, order, amountMinor, taxMinor, paidAt }: Difference,
  number: string,
  currency: string,
): Booking {
  const { account, id, orderedBy } = order.story
  return {
    name: `difference ${parcelName}`,
    at: paidAt,
    kind: 'outstanding',
    accountId: asAccountId(account.id),
    orderId: id,
    reference: number,
    actorId: orderedBy.id,
    currency,
    postings: orderPostings({ book: 'customer_wallet', accountId: asAccountId(account.id) }, amountMinor, taxMinor),
  }
}

/** Whenever the next movement would overdraw the wallet, its owner has topped it up some minutes before. */
function topUpsFor(account: Account, bookings: readonly Booking[]): TopUp[] {
  const chance = chanceOf(`top-ups ${account.key}`)
  const movements = bookings
    .flatMap(({ at, postings }) => {
      const own = postings.find(({ book, accountId }) => book === 'customer_wallet' && accountId === account.id)
      return own ? [{ at, amountMinor: own.amountMinor }] : []
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime())
  const topUps: TopUp[] = []
  let balance = 0
  for (const { at, amountMinor } of movements) {
    while (balance + amountMinor < 0) {
      const topUp = topUpBefore(account, at, topUps.length, chance)
      topUps.push(topUp)
      balance += topUp.amountMinor
    }
    balance += amountMinor
  }
  return topUps
}

function topUpBefore(account: Account, at: Date, n: number, chance: Chance): TopUp {
  const settledAt = later(at, -chance.whole(4 * 60, 40 * 60) * 1000)
  const createdAt = later(settledAt, -chance.whole(50, 180) * 1000)
  const name = `topup ${account.key} ${n}`
  return {
    name,
    account,
    amountMinor: chance.pick(usualTopUps[account.key]),
    payment: {
      id: idFor(`payment ${name}`, createdAt),
      method: 'ipay88',
      channel: bankChannel(name),
      status: 'succeeded',
      failureCode: null,
      createdAt,
      expiresAt: later(createdAt, 30 * 60_000),
      settledAt,
    },
  }
}

/** Who of an account puts money in. */
export function topUpBy({ members, owner }: Account): Member {
  return members.find(({ permissions }) => permissions.includes('wallet')) ?? owner
}

function topUpBooking({ name, account, amountMinor, payment }: TopUp, currency: string): Booking {
  return {
    name,
    at: payment.settledAt ?? payment.createdAt,
    kind: 'topup',
    accountId: asAccountId(account.id),
    paymentId: payment.id,
    reference: gatewayReference(payment.id),
    actorId: topUpBy(account).id,
    currency,
    postings: [{ book: 'gateway_clearing', amountMinor: -amountMinor }, wallet(account, amountMinor)],
  }
}
