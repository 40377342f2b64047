/** Orders: checked out, paid in every way, cancelled, and later charges that senders pay. */
import { cardChannels } from '@waybill/contract/payments/payments'
import { declineApproval, expireApprovals, requestApproval } from '../../domains/orders/approvals/service.ts'
import { summarizeCheckout } from '../../domains/orders/checkout.ts'
import { createCheckouts } from '../../domains/orders/new-orders.ts'
import { bookInStore } from '../../domains/orders/pay-at-counter/service.ts'
import { cancelWholeOrder } from '../../domains/orders/refunds/cancel.ts'
import { markRefundFailed, markRefundPaid } from '../../domains/orders/refunds/service.ts'
import { abandonPending } from '../../domains/orders/unfinished/unfinished-checkouts.ts'
import { approveAndBill } from '../../domains/payments/approve-and-bill.ts'
import { createCreditPayments } from '../../domains/payments/from-wallet/pay-order.ts'
import { settleUnpaid } from '../../domains/payments/gateway/settle.ts'
import { payByGateway } from '../../domains/payments/gateway/start.ts'
import { payByBilling } from '../../domains/payments/pay-by-month.ts'
import { findPayment } from '../../domains/payments/queries.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { later } from '../../lib/clock.ts'
import { demoPin } from '../story/logins.ts'
import { createChance } from '../story/random.ts'
import type { OrderStory } from '../story/story.ts'
import { parcelActs, playedParcel } from './parcels.ts'
import { type Act, createCaller, type Stage, staffCaller } from './stage.ts'
import { ensureCredits, gatewayContext, pickBank, settleAtBank } from './wallets.ts'

/** Parcel events that come from an event of the whole order. */
const orderEvents: ReadonlySet<string> = new Set([
  'checkout_credit',
  'checkout_billing',
  'checkout_store',
  'checkout_gateway',
  'checkout_approval',
  'checkout_approved',
  'payment_succeeded',
  'payment_failed',
  'payment_expired',
  'checkout_abandoned',
  'cancelled',
  'refunded',
])

/** The card refund of this order failed; its money went to the wallet. */
const cardClosed = 'mishap 19'

const words = {
  asks: 'Samples for the trade fair in Kuching, all to be there by Friday.',
  refused: 'Catalogues for the new dealers.',
  declined: 'Please send these with the monthly container instead.',
} as const

/** An order from its first parcel to its payment, or until it was abandoned. */
export function orderActs(stage: Stage, story: OrderStory): Act[] {
  const order = new PlayedOrder(stage, story)
  const moments = (story.parcels[0]?.happened ?? []).filter(({ event }) => orderEvents.has(event))
  return [
    ...parcelActs(stage, story.parcels),
    { at: story.orderedAt, run: () => order.checkOut() },
    ...moments.map(({ event, at }) => ({ at, run: () => order.play(event) })),
  ]
}

class PlayedOrder {
  readonly #stage: Stage
  readonly #story: OrderStory
  #id = ''
  #totalMinor = 0
  #paymentId = ''
  #approvalId = ''
  #tries = 0

  constructor(stage: Stage, story: OrderStory) {
    this.#stage = stage
    this.#story = story
  }

  get #owner() {
    return createCaller(this.#story.account, this.#story.account.owner)
  }

  get #caller() {
    return createCaller(this.#story.account, this.#story.orderedBy)
  }

  async checkOut(): Promise<void> {
    const { deps } = this.#stage
    const { pickUp, parcels } = this.#story
    const address = parcels[0]?.sender
    const pickup = pickUp && address ? { address, date: pickUp.date, window: pickUp.window } : null
    const parcelIds = parcels.map((parcel) => playedParcel(this.#stage, parcel).id)
    const { totalMinor } = await summarizeCheckout(deps, this.#caller, { parcelIds, pickup })
    const request = { parcelIds, pickup, expectedTotalMinor: totalMinor }
    const order = await createCheckouts(deps)(this.#caller, request, withoutKey)
    this.#id = order.id
    this.#totalMinor = totalMinor
  }

  async play(event: string): Promise<void> {
    const { deps } = this.#stage
    const total = { expectedTotalMinor: this.#totalMinor }
    switch (event) {
      case 'checkout_credit':
        await ensureCredits(this.#stage, this.#story.account, this.#totalMinor)
        await createCreditPayments(deps)(
          this.#caller,
          this.#id,
          { ...total, pin: demoPin },
          deps.translations('en'),
          withoutKey,
        )
        return this.#readNumbers()
      case 'checkout_billing':
        await payByBilling(deps, this.#caller, this.#id, total, deps.translations('en'), withoutKey)
        return this.#readNumbers()
      case 'checkout_store':
        await bookInStore(deps, this.#caller, this.#id, this.#totalMinor, withoutKey)
        return this.#readNumbers()
      case 'checkout_gateway':
        return this.#goToBank()
      case 'payment_succeeded':
        await settleAtBank(this.#stage, this.#paymentId)
        return this.#readNumbers()
      case 'payment_failed':
        return this.#endUnpaid('failed', 'declined')
      case 'payment_expired':
        return this.#endUnpaid('expired', 'expired')
      case 'checkout_approval':
        return this.#askOwner()
      case 'checkout_approved':
        await approveAndBill(deps, this.#owner, this.#approvalId, total, withoutKey)
        return this.#readNumbers()
      case 'checkout_abandoned':
        return this.#endWithoutApproval()
      case 'cancelled':
        return this.#cancel()
      case 'refunded':
        return this.#payBack()
    }
  }

  /** Parcels get the numbers by which they are scanned with the payment. */
  async #readNumbers(): Promise<void> {
    const rows = await this.#stage.trx
      .selectFrom('parcels')
      .select(['id', 'tracking_number'])
      .where('order_id', '=', this.#id)
      .execute()
    for (const parcel of this.#story.parcels.map((each) => playedParcel(this.#stage, each)))
      parcel.number = rows.find(({ id }) => id === parcel.id)?.tracking_number ?? ''
  }

  async #goToBank(): Promise<void> {
    const name = `${this.#story.plan.name} ${this.#tries}`
    this.#tries += 1
    const byCard = createChance(`card ${name}`).happens(0.3)
    const form = await payByGateway(
      this.#stage.deps,
      gatewayContext(this.#stage, this.#caller),
      this.#id,
      byCard ? 'credit_card' : 'ipay88',
      { expectedTotalMinor: this.#totalMinor, gatewayPaymentId: byCard ? cardChannels.MYR : pickBank(name) },
    )
    this.#paymentId = form.paymentId
  }

  async #endUnpaid(status: 'failed' | 'expired', failureCode: string): Promise<void> {
    // The payment began some milliseconds after its time in the story, so it expires that much later.
    this.#stage.clock.advanceTo(later(this.#stage.clock.now(), 1_000))
    const payment = await findPayment(this.#stage.trx, this.#paymentId)
    if (payment) await settleUnpaid(this.#stage.deps, payment, status, failureCode)
  }

  async #askOwner(): Promise<void> {
    const note = this.#story.plan.payment === 'asks' ? words.asks : words.refused
    const { id } = await requestApproval(this.#stage.deps, this.#caller, { orderId: this.#id, note }, withoutKey)
    this.#approvalId = id
  }

  async #endWithoutApproval(): Promise<void> {
    const { deps } = this.#stage
    if (this.#story.plan.payment === 'lapsed') return expireApprovals(deps)
    if (this.#story.plan.payment === 'withdrawn') {
      await abandonPending(deps, this.#caller, [this.#id])
      return
    }
    await declineApproval(deps, this.#owner, this.#approvalId, { reason: words.declined })
  }

  async #cancel(): Promise<void> {
    const refundTo = this.#story.plan.payment === 'gateway' ? ('card' as const) : ('wallet' as const)
    await cancelWholeOrder(this.#stage.deps, this.#owner, this.#id, { reason: null, refundTo }, withoutKey)
  }

  /** Staff have refunded a card; refunds to a wallet are immediate. */
  async #payBack(): Promise<void> {
    const { deps, trx } = this.#stage
    const refunds = await trx
      .selectFrom('refunds')
      .select(['id', 'version'])
      .where('order_id', '=', this.#id)
      .where('status', '=', 'requested')
      .execute()
    const clerk = staffCaller('accounts@waybill.example', null)
    for (const { id, version } of refunds) {
      if (this.#story.plan.name === cardClosed) {
        await markRefundFailed(deps, clerk, id, { version, note: 'The bank says that this card is closed.' })
        continue
      }
      const bankReference = `R${createChance(id).whole(10_000_000, 99_999_999)}`
      await markRefundPaid(deps, clerk, id, { version, bankReference })
    }
  }
}
