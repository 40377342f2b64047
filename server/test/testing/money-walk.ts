import assert from 'node:assert/strict'
import { createParcel } from '@waybill/contract/parcels/parcels'
import { scan } from '@waybill/contract/parcels/scanning'
import { tx } from '../../src/db/pool.ts'
import type { Deps } from '../../src/deps.ts'
import { createCheckouts } from '../../src/domains/orders/new-orders.ts'
import { cancelAndRefund } from '../../src/domains/orders/refunds/cancel.ts'
import { markRefundFailed, markRefundPaid } from '../../src/domains/orders/refunds/service.ts'
import { addDraftsToCart, createDrafter, removeFromCart } from '../../src/domains/parcels/cart/drafts.ts'
import { createScanner } from '../../src/domains/parcels/scanning/service.ts'
import type { ParcelEvent } from '../../src/domains/parcels/status.ts'
import { listParcelActions, recallForFee, returnForFee } from '../../src/domains/payments/from-wallet/pay-fee.ts'
import { createCreditPayments } from '../../src/domains/payments/from-wallet/pay-order.ts'
import { settlePaid, settleUnpaid } from '../../src/domains/payments/gateway/settle.ts'
import { payByGateway } from '../../src/domains/payments/gateway/start.ts'
import { findPayment } from '../../src/domains/payments/queries.ts'
import { postEntry } from '../../src/domains/wallet/ledger/service.ts'
import { withoutKey } from '../../src/http/idempotency.ts'
import { workingDay } from './factories/working-day.ts'
import type { ModelOrder, ModelParcel } from './money-walk-model.ts'
import { atItsEnd, can, end, leave, move, pay, payable, repeats } from './money-walk-model.ts'
import { doorFor, receiver, sender } from './money-walk-people.ts'
import { pin, WalkState } from './money-walk-state.ts'
import { withoutPickup } from './without-pickup.ts'

/** The steps of a walk, and how often they were allowed. */
export type Walked = { steps: number; done: Record<string, number>; refused: number }

/** The kinds of steps with their relative frequencies. */
const weights = {
  ...{ cart: 2, out: 1, order: 2, credits: 3, gateway: 1, bankPaid: 2, bankFailed: 1 },
  ...{ cancel: 2, refund: 1, fee: 1, scan: 5 },
}
const steps = Object.entries(weights).flatMap(([kind, weight]) => Array<string>(weight).fill(kind))

/**
 * R6: one customer and the staff take random steps with a few parcels. They check out, pay twice, pay late, cancel,
 * refund to the wallet or the card, hand over, recall, return, and attempt forbidden actions. A model, written from
 * docs/rules, predicts whether a step is allowed and what it does to parcels, wallet and orders. Any difference ends
 * the walk with the number of the step. All books are checked at intervals. Needs a seeded network.
 */
export async function walkWithMoney(
  deps: Deps,
  { steps, seed, proveEvery = 500 }: { steps: number; seed: number; proveEvery?: number },
): Promise<Walked> {
  return new Walk(deps, seed).run(steps, proveEvery)
}

class Walk extends WalkState {
  async run(steps: number, proveEvery: number): Promise<Walked> {
    await this.begin()
    for (let step = 1; step <= steps; step += 1) {
      try {
        await this.step()
        if (step % proveEvery === 0 || step === steps) await this.prove()
      } catch (error) {
        throw new Error(`step ${step} of the walk with seed ${this.seed}: ${(error as Error).message}`, {
          cause: error,
        })
      }
    }
    return { steps, done: this.done, refused: this.refused }
  }

  private async step(): Promise<void> {
    this.parcels = this.parcels.filter((each) => !atItsEnd(each) || this.pick(3) > 0)
    if (this.parcels.length < 6) await this.draft()
    if (this.wallet < 5_000) await this.topUp()
    const parcel = this.one(this.parcels)
    const kind = this.one(steps)
    if (kind === 'cart') await this.toCart(parcel)
    else if (kind === 'out') await this.takeOut(parcel)
    else if (kind === 'order') await this.order(parcel)
    else if (kind === 'credits') await this.payCredits(parcel)
    else if (kind === 'gateway') await this.payGateway(parcel)
    else if (kind === 'bankPaid' || kind === 'bankFailed') await this.bank(kind === 'bankPaid')
    else if (kind === 'cancel') await this.cancel(parcel)
    else if (kind === 'refund') await this.settleRefund()
    else if (kind === 'fee') await this.forFee(parcel, this.one(['recall', 'return'] as const))
    else await this.scan(parcel)
    await this.compare()
  }

  private async draft(): Promise<void> {
    const mode = this.one(['D2D', 'P2D'] as const)
    const body = createParcel.body.parse({
      serviceType: 'e_parcel',
      deliveryMode: mode,
      sender,
      receiver,
      contentType: 'clothing',
      weightGrams: 500 + this.pick(9_000),
      dimensions: { lengthMm: 300, widthMm: 200, heightMm: 100 },
    })
    const draft = await createDrafter(this.deps)(this.caller, body, withoutKey)
    this.parcels.push({
      id: draft.id,
      number: '',
      version: draft.version,
      state: { status: 'pending', deliveryMode: mode, handedOver: false, leg: 'outbound' },
      price: 0,
      order: null,
      owed: false,
      lastScan: null,
      failed: { outbound: 0, return: 0 },
    })
  }

  private async topUp(): Promise<void> {
    const amountMinor = 20_000 + this.pick(50_000)
    await tx(this.deps.db, (trx) =>
      postEntry(this.deps, trx, {
        kind: 'topup',
        accountId: this.accountId,
        reference: 'WALK',
        actorId: null,
        log: null,
        currency: 'MYR',
        postings: [
          { book: 'gateway_clearing', amountMinor: -amountMinor },
          { book: 'customer_wallet', accountId: this.accountId, amountMinor },
        ],
      }),
    )
    this.wallet += amountMinor
  }

  private async toCart(parcel: ModelParcel): Promise<void> {
    const work = async () => {
      const [now] = await addDraftsToCart(this.deps, this.caller, [parcel.id])
      parcel.price = now ? withoutPickup(now) : 0
    }
    if (await this.attempt('cart', can(parcel, 'added_to_cart'), work)) move(parcel, 'added_to_cart')
  }

  private async takeOut(parcel: ModelParcel): Promise<void> {
    const work = () => removeFromCart(this.deps, this.caller, [parcel.id])
    if (!(await this.attempt('take out', can(parcel, 'taken_out'), work))) return
    move(parcel, 'taken_out')
    leave(parcel)
  }

  private async order(parcel: ModelParcel): Promise<void> {
    const mode = parcel.state.deliveryMode
    const inCart = this.parcels.filter(({ state }) => state.status === 'incart' && state.deliveryMode === mode)
    const parcels = [...new Set([parcel, ...inCart.slice(0, this.pick(3))])]
    const allowed = parcels.every((each) => each.state.status === 'incart')
    const fetched = mode?.[0] === 'D'
    const own = fetched ? 212 : 0 // the pickup and its tax
    const total = parcels.reduce((sum, { price }) => sum + price, own)
    const date = workingDay(this.deps, 2)
    const request = {
      parcelIds: parcels.map(({ id }) => id),
      expectedTotalMinor: total,
      // A different address for each order: a second order at the same address would join the visit without a fee
      // (test/pickups/visits/shared.test.ts).
      pickup: fetched ? { address: doorFor(this.orders.length), date, window: '09:00-12:00' as const } : null,
    }
    let id = ''
    const work = async () => {
      const checkOut = createCheckouts(this.deps)
      id = (await checkOut(this.caller, request as Parameters<typeof checkOut>[1], withoutKey)).id
    }
    if (!(await this.attempt('order', allowed, work))) return
    for (const each of parcels) if (each.order) end(each.order)
    const order: ModelOrder = { id, total, parcels, own, state: 'unpaid', method: null, paid: 0, refunded: 0 }
    for (const each of parcels) each.order = order
    order.parcels = [...parcels]
    this.orders.push(order)
  }

  private async payCredits({ order }: ModelParcel): Promise<void> {
    if (!order) return
    const allowed = payable(order) && this.wallet >= order.total
    const body = { pin, expectedTotalMinor: order.total }
    const work = () => createCreditPayments(this.deps)(this.caller, order.id, body, (key) => key, withoutKey)
    if (!(await this.attempt('pay with credits', allowed, work))) return
    this.wallet -= order.total
    pay(order, 'credits')
  }

  private async payGateway({ order }: ModelParcel): Promise<void> {
    if (!order) return
    const asking = { caller: this.caller, t: (key: string) => key, locale: 'en' as const, idempotency: withoutKey }
    let id = ''
    const work = async () => {
      id = (await payByGateway(this.deps, asking, order.id, 'ipay88', { expectedTotalMinor: order.total })).paymentId
    }
    if (!(await this.attempt('go to the bank', payable(order), work))) return
    for (const parcel of order.parcels) if (parcel.state.status === 'incart') move(parcel, 'checkout_gateway')
    this.payments.push({ id, order, amount: order.total, state: 'pending' })
  }

  private async bank(paid: boolean): Promise<void> {
    const payment = this.payments.length > 0 ? this.one(this.payments) : null
    if (!payment) return
    const row = await findPayment(this.deps.db, payment.id)
    if (!row) throw new Error('the payment is gone')
    const { order } = payment
    if (paid) {
      await this.attempt('bank says paid', true, () => settlePaid(this.deps, row, `T${payment.id}`))
      if (payment.state !== 'paid') {
        if (payable(order)) pay(order, 'gateway')
        else this.wallet += payment.amount
      }
      payment.state = 'paid'
    } else {
      await this.attempt('bank says failed', true, () => settleUnpaid(this.deps, row, 'failed', 'other'))
      if (payment.state === 'pending') {
        payment.state = 'unpaid'
        const other = this.payments.some((each) => each.order === order && each.state === 'pending')
        if (!other && order.state === 'unpaid') {
          for (const each of order.parcels) if (each.state.status === 'pending_payment') move(each, 'payment_failed')
        }
      }
    }
    if (payment.state === 'paid' && this.pick(2) === 0) this.payments = this.payments.filter((each) => each !== payment)
  }

  private async cancel(parcel: ModelParcel): Promise<void> {
    const also = this.pick(3) === 0 ? [this.one(this.parcels)] : []
    const parcels = [...new Set([parcel, ...also])]
    const allowed = parcels.every((each) => can(each, 'cancelled'))
    const refundTo = this.one(['wallet', 'card'] as const)
    const request = { ids: parcels.map(({ id }) => id), reason: null, refundTo }
    let refundTasks: Awaited<ReturnType<typeof cancelAndRefund>>['refunds'] = []
    const work = async () => {
      refundTasks = (await cancelAndRefund(this.deps, this.caller, request, withoutKey)).refunds
    }
    if (!(await this.attempt('cancel', allowed, work))) return
    const orders = new Set(parcels.flatMap(({ order }) => order ?? []))
    const refunds = new Map(refundTasks.map((each) => [each.orderId, each]))
    for (const order of orders) {
      const mine = parcels.filter((each) => each.order === order)
      if (order.state === 'unpaid') {
        for (const each of mine) move(each, 'cancelled')
        for (const each of order.parcels) if (each.state.status === 'pending_payment') move(each, 'checkout_abandoned')
        end(order)
        continue
      }
      const rest = order.parcels.filter((each) => !mine.includes(each))
      const nothing = rest.every(({ state }) => state.status === 'cancel' || state.status === 'refunded')
      const amount = mine.reduce((sum, { price }) => sum + price, nothing ? order.own : 0)
      const refund = refunds.get(order.id)
      assert.equal(refund?.amountMinor, amount, 'the share that is given back')
      order.refunded += amount
      for (const each of mine) move(each, 'cancelled')
      if (order.method === 'gateway' && refundTo === 'card') {
        this.tasks.push({ id: refund?.id ?? '', amount, parcels: mine })
        for (const each of mine) each.owed = true
      } else {
        this.wallet += amount
        for (const each of mine) move(each, 'refunded')
      }
    }
    for (const each of parcels)
      if (!each.order || !orders.has(each.order))
        if (each.state.status !== 'cancel' && each.state.status !== 'refunded') move(each, 'cancelled')
  }

  private async settleRefund(): Promise<void> {
    const task = this.tasks.length > 0 ? this.one(this.tasks) : null
    if (!task) return
    const again = task.parcels.every(({ state }) => state.status === 'refunded')
    const fails = this.pick(2) === 0
    const work = () =>
      fails
        ? markRefundFailed(this.deps, this.staff, task.id, { version: 1, note: 'refused' })
        : markRefundPaid(this.deps, this.staff, task.id, { version: 1, bankReference: 'REF' })
    if (!(await this.attempt(fails ? 'bank refuses a refund' : 'refund to the card', !again, work))) {
      this.tasks = this.tasks.filter((each) => each !== task)
      return
    }
    for (const parcel of task.parcels) {
      move(parcel, 'refunded')
      parcel.owed = false
    }
    if (fails) this.wallet += task.amount
  }

  private async forFee(parcel: ModelParcel, action: 'recall' | 'return'): Promise<void> {
    const event = action === 'recall' ? 'recalled' : 'return_requested'
    const fee = action === 'recall' ? 530 : 848
    const allowed = parcel.state.leg === 'outbound' && can(parcel, event) && this.wallet >= fee
    const work = async () => {
      const { version } = await listParcelActions(this.deps, this.caller, parcel.id)
      const act = action === 'recall' ? recallForFee : returnForFee
      await act(this.deps, this.caller, parcel.id, { version, expectedFeeMinor: fee, pin, reason: null }, withoutKey)
    }
    if (!(await this.attempt(action, allowed, work))) return
    move(parcel, event)
    this.wallet -= fee
  }

  private async scan(parcel: ModelParcel): Promise<void> {
    if (parcel.number === '') {
      const [row] = await this.rows([parcel.id])
      if (!row?.tracking_number) return
      parcel.number = row.tracking_number
    }
    const event = this.one([
      'picked_up',
      'accepted',
      'sorted',
      'departed',
      'arrived',
      'out_for_delivery',
      'out_for_delivery',
      'delivered',
      'delivered',
      'attempt_failed',
      'return_received',
    ] as const)
    const { status } = parcel.state
    const parcelEvent: ParcelEvent =
      event === 'picked_up' && status === 'reverse_pickup'
        ? 'return_picked_up'
        : event === 'out_for_delivery' && status === 'fail-to-deliver'
          ? 'next_attempt'
          : event
    const attempts = parcel.failed[parcel.state.leg] < this.deps.settings.get('delivery.maxAttempts')
    const moves = can(parcel, parcelEvent)
    const allowed = moves ? parcelEvent !== 'next_attempt' || attempts : repeats(parcel, event)
    const body = scan.body.parse({
      trackingNumber: parcel.number,
      event,
      takeOver: { reason: 'it is here' },
      stationId: this.stations[0],
      ...(event === 'departed' ? { nextStationId: this.stations[1] } : {}),
      ...(event === 'delivered' || event === 'return_received'
        ? { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' }
        : {}),
      ...(event === 'attempt_failed' ? { failureReason: 'not_home' } : {}),
    })
    const work = () => createScanner(this.deps)(this.staff, body, withoutKey)
    if (!(await this.attempt(event, allowed, work)) || !moves) return
    if (parcelEvent === 'attempt_failed') parcel.failed[parcel.state.leg] += 1
    move(parcel, parcelEvent)
    parcel.lastScan = event
  }
}
