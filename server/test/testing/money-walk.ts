import assert from 'node:assert/strict'
import { createParcel } from '@waybill/contract/parcels'
import { scan } from '@waybill/contract/scans'
import { sql } from 'kysely'
import { tx } from '../../src/db/pool.ts'
import type { Deps } from '../../src/deps.ts'
import { cancel, checkOut, refundFailed, refundPaid } from '../../src/domains/orders/service.ts'
import { addDraftsToCart, createDraft, takeOut } from '../../src/domains/parcels/drafts.ts'
import { scanParcel } from '../../src/domains/parcels/scans.ts'
import type { ParcelEvent, ParcelState } from '../../src/domains/parcels/status.ts'
import { findPayment } from '../../src/domains/payments/queries.ts'
import { actionsFor, moveForFee, payByCredits, payByGateway } from '../../src/domains/payments/service.ts'
import { settlePaid, settleUnpaid } from '../../src/domains/payments/settle.ts'
import { insertPin } from '../../src/domains/wallet/queries.ts'
import { post, walletBalance } from '../../src/domains/wallet/service.ts'
import { asAccountId, type CustomerCaller, type StaffCaller } from '../../src/http/caller.ts'
import { AppError } from '../../src/http/errors.ts'
import type { Idempotency } from '../../src/http/idempotency.ts'
import { hmacSha256 } from '../../src/lib/crypto.ts'
import { newId } from '../../src/lib/ids.ts'
import { modelNext } from '../parcels/status-model.ts'

/** What is done in a walk, and how often it was allowed. */
export type Walked = { steps: number; done: Record<string, number>; refused: number }

type ModelParcel = {
  id: string
  number: string
  version: number
  state: ParcelState
  price: number
  order: ModelOrder | null
  owed: boolean
}
type ModelOrder = {
  id: string
  total: number
  parcels: ModelParcel[]
  /** What the order charges on top of its parcels: the pickup. */
  own: number
  state: 'unpaid' | 'paid' | 'ended'
  method: 'credits' | 'gateway' | null
  paid: number
  refunded: number
}
type ModelPayment = { id: string; order: ModelOrder; amount: number; state: 'pending' | 'unpaid' | 'paid' }
type Task = { id: string; amount: number; parcels: ModelParcel[] }

const pin = '274916'
const noKey: Idempotency = {
  stored: null,
  ofForm: async () => null,
  keep: async () => {},
  keepStep: () => null,
  guard: (work) => work(),
}
const party = (contactName: string, postcode: string, city: string, state: string) => ({
  contactName,
  company: null,
  phone: '+60123456789',
  email: null,
  line1: '12 Jalan Telawi',
  line2: null,
  postcode,
  city,
  state,
  country: 'my',
  residential: true,
  remarks: null,
})
const sender = party('Tan Mei Ling', '59100', 'Kuala Lumpur', 'Kuala Lumpur')
const receiver = party('Ahmad', '10300', 'George Town', 'Pulau Pinang')

/** Numbers from a seed, so that a walk can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/**
 * R6: one customer and the staff do whatever comes to mind with a handful of parcels: check out, pay twice, pay late, cancel, have it refunded to the wallet or the card, hand over,
 * recall, return, and much that is forbidden. A model, written from the product decisions, says of each step whether it is allowed and what becomes of parcels, wallet and orders; any
 * difference ends the walk with the step's number. Now and then all the books are proven. Needs a seeded network.
 */
export async function walkWithMoney(
  deps: Deps,
  { steps, seed, proveEvery = 500 }: { steps: number; seed: number; proveEvery?: number },
): Promise<Walked> {
  return new Walk(deps, seed).run(steps, proveEvery)
}

class Walk {
  readonly #deps: Deps
  readonly #pick: (below: number) => number
  readonly #seed: number
  readonly #accountId = asAccountId(newId()) // the walk's own customer
  readonly #caller: CustomerCaller
  readonly #staff: StaffCaller = {
    kind: 'staff',
    userId: newId(),
    sessionId: newId(),
    staffType: 'superadmin',
    staffRole: null,
    userStatus: 'active',
    stationId: null,
  }
  #stations: string[] = []
  #parcels: ModelParcel[] = []
  #payments: ModelPayment[] = []
  #tasks: Task[] = []
  #orders: ModelOrder[] = []
  #wallet = 0
  #done: Record<string, number> = {}
  #refused = 0

  constructor(deps: Deps, seed: number) {
    this.#deps = deps
    this.#seed = seed
    this.#pick = random(seed)
    this.#caller = {
      kind: 'customer',
      userType: 'customer',
      accountStatus: 'active',
      userStatus: 'active',
      isOwner: true,
      permissions: [],
      accountId: this.#accountId,
      userId: newId(),
      sessionId: newId(),
    }
  }

  async run(steps: number, proveEvery: number): Promise<Walked> {
    await this.#begin()
    for (let step = 1; step <= steps; step += 1) {
      try {
        await this.#step()
        if (step % proveEvery === 0 || step === steps) await this.#prove()
      } catch (error) {
        throw new Error(`step ${step} of the walk with seed ${this.#seed}: ${(error as Error).message}`, {
          cause: error,
        })
      }
    }
    return { steps, done: this.#done, refused: this.#refused }
  }

  async #begin(): Promise<void> {
    const { db, keys, clock } = this.#deps
    const { userId } = this.#caller
    await db
      .insertInto('accounts')
      .values({ id: this.#accountId, user_type: 'customer', name: 'Walker', status: 'active' })
      .execute()
    const user = { status: 'active', name: 'Walker', language: 'en' } as const
    await db
      .insertInto('users')
      .values([
        {
          ...user,
          id: userId,
          kind: 'customer',
          account_id: this.#accountId,
          email: `${userId}@example.test`,
          is_owner: true,
        },
        {
          ...user,
          id: this.#staff.userId,
          kind: 'staff',
          email: `${this.#staff.userId}@example.test`,
          staff_type: 'superadmin',
        },
      ])
      .execute()
    const salt = Buffer.alloc(16, 7)
    const mac = hmacSha256(keys.derive('wallet pins'), Buffer.concat([salt, Buffer.from(`${this.#accountId}:${pin}`)]))
    const made = { account_id: this.#accountId, salt, pin_mac: mac, updated_by: userId, updated_at: clock.now() }
    await insertPin(db, made)
    const stations = await db.selectFrom('stations').select('id').orderBy('code').limit(4).execute()
    this.#stations = stations.map(({ id }) => id)
    // The model knows nothing of a rider's full day, which many walks on one database would come to.
    const everywhere = await db.selectFrom('stations').select('id').execute()
    await db
      .insertInto('station_pickup_capacity')
      .values(everywhere.map(({ id }) => ({ station_id: id, per_window: 1_000_000 })))
      .onConflict((conflict) => conflict.column('station_id').doUpdateSet({ per_window: 1_000_000 }))
      .execute()
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#pick(list.length)] as T
  }

  /** Runs what the customer or staff tries, and holds it against what the model allows. True when it was done. */
  async #attempt(name: string, allowed: boolean, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      assert.equal(allowed, false, `${name} was refused with ${error.code}, which the model allows`)
      this.#refused += 1
      return false
    }
    assert.equal(allowed, true, `${name} was done, which the model forbids`)
    this.#done[name] = (this.#done[name] ?? 0) + 1
    return true
  }

  async #step(): Promise<void> {
    const ended = ({ state, owed }: ModelParcel) =>
      state.status === 'refunded' ||
      (state.status === 'cancel' && !owed) ||
      (state.leg === 'return' && state.status === 'completed')
    this.#parcels = this.#parcels.filter((each) => !ended(each) || this.#pick(3) > 0)
    if (this.#parcels.length < 6) await this.#draft()
    if (this.#wallet < 5_000) await this.#topUp()
    const parcel = this.#one(this.#parcels)
    const kinds = [
      'cart',
      'cart',
      'out',
      'order',
      'order',
      'credits',
      'credits',
      'credits',
      'gateway',
      'bankPaid',
      'bankPaid',
      'bankFailed',
      'cancel',
      'cancel',
      'refund',
      'fee',
      'scan',
      'scan',
      'scan',
      'scan',
      'scan',
    ]
    const kind = this.#one(kinds)
    if (kind === 'cart') await this.#toCart(parcel)
    else if (kind === 'out') await this.#takeOut(parcel)
    else if (kind === 'order') await this.#order(parcel)
    else if (kind === 'credits') await this.#payCredits(parcel)
    else if (kind === 'gateway') await this.#payGateway(parcel)
    else if (kind === 'bankPaid' || kind === 'bankFailed') await this.#bank(kind === 'bankPaid')
    else if (kind === 'cancel') await this.#cancel(parcel)
    else if (kind === 'refund') await this.#settleRefund()
    else if (kind === 'fee') await this.#forFee(parcel, this.#one(['recall', 'return'] as const))
    else await this.#scan(parcel)
    await this.#compare()
  }

  async #draft(): Promise<void> {
    const mode = this.#one(['D2D', 'P2D'] as const)
    const body = createParcel.body.parse({
      serviceType: 'e_parcel',
      deliveryMode: mode,
      sender,
      receiver,
      contentType: 'clothing',
      weightGrams: 500 + this.#pick(9_000),
      dimensions: { lengthMm: 300, widthMm: 200, heightMm: 100 },
    })
    const made = await createDraft(this.#deps, this.#caller, body, noKey)
    this.#parcels.push({
      id: made.id,
      number: '',
      version: made.version,
      state: { status: 'pending', deliveryMode: mode, handedOver: false, leg: 'outbound' },
      price: 0,
      order: null,
      owed: false,
    })
  }

  async #topUp(): Promise<void> {
    const amountMinor = 20_000 + this.#pick(50_000)
    await tx(this.#deps.db, (trx) =>
      post(this.#deps, trx, {
        kind: 'topup',
        accountId: this.#accountId,
        reference: 'WALK',
        actorId: null,
        currency: 'MYR',
        postings: [
          { book: 'gateway_clearing', amountMinor: -amountMinor },
          { book: 'customer_wallet', accountId: this.#accountId, amountMinor },
        ],
      }),
    )
    this.#wallet += amountMinor
  }

  #can(parcel: ModelParcel, event: ParcelEvent): boolean {
    return modelNext(parcel.state, event) !== null
  }

  #move(parcel: ModelParcel, event: ParcelEvent): void {
    parcel.state = modelNext(parcel.state, event) as ParcelState
  }

  async #toCart(parcel: ModelParcel): Promise<void> {
    const work = async () => {
      const [now] = await addDraftsToCart(this.#deps, this.#caller, [parcel.id])
      parcel.price = now?.priceMinor ?? 0
    }
    if (await this.#attempt('cart', this.#can(parcel, 'added_to_cart'), work)) this.#move(parcel, 'added_to_cart')
  }

  async #takeOut(parcel: ModelParcel): Promise<void> {
    const work = () => takeOut(this.#deps, this.#caller, [parcel.id])
    if (!(await this.#attempt('take out', this.#can(parcel, 'taken_out'), work))) return
    this.#move(parcel, 'taken_out')
    this.#leave(parcel)
  }

  /** A parcel leaves the order that waited for it: that one's total holds no longer. */
  #leave(parcel: ModelParcel): void {
    if (parcel.order) parcel.order.parcels = parcel.order.parcels.filter((each) => each !== parcel)
    parcel.order = null
  }

  /** An order that was not paid ends; what is in the cart is free. */
  #end(order: ModelOrder): void {
    order.state = 'ended'
    for (const parcel of [...order.parcels]) if (parcel.state.status === 'incart') this.#leave(parcel)
  }

  async #order(parcel: ModelParcel): Promise<void> {
    const mode = parcel.state.deliveryMode
    const inCart = this.#parcels.filter(({ state }) => state.status === 'incart' && state.deliveryMode === mode)
    const parcels = [...new Set([parcel, ...inCart.slice(0, this.#pick(3))])]
    const allowed = parcels.every((each) => each.state.status === 'incart')
    const fetched = mode?.[0] === 'D'
    const own = fetched ? 212 : 0 // the pickup and its tax
    const total = parcels.reduce((sum, { price }) => sum + price, own)
    const date = new Date(this.#deps.clock.now().getTime() + 2 * 86_400_000).toISOString().slice(0, 10)
    const wanted = {
      parcelIds: parcels.map(({ id }) => id),
      expectedTotalMinor: total,
      pickup: fetched ? { address: sender, date, window: '09:00-12:00' as const } : null,
    }
    let id = ''
    const work = async () => {
      id = (await checkOut(this.#deps, this.#caller, wanted as Parameters<typeof checkOut>[2], noKey)).id
    }
    if (!(await this.#attempt('order', allowed, work))) return
    for (const each of parcels) if (each.order) this.#end(each.order)
    const order: ModelOrder = { id, total, parcels, own, state: 'unpaid', method: null, paid: 0, refunded: 0 }
    for (const each of parcels) each.order = order
    order.parcels = [...parcels]
    this.#orders.push(order)
  }

  #payable(order: ModelOrder): boolean {
    const whole = order.parcels.reduce((sum, { price }) => sum + price, order.own) === order.total
    const waiting = order.parcels.every(({ state }) => state.status === 'incart' || state.status === 'pending_payment')
    return order.state === 'unpaid' && whole && waiting
  }

  #paid(order: ModelOrder, method: 'credits' | 'gateway'): void {
    for (const parcel of order.parcels) {
      const waits = parcel.state.status === 'pending_payment'
      if (!waits && method === 'gateway') this.#move(parcel, 'checkout_gateway')
      this.#move(parcel, waits || method === 'gateway' ? 'payment_succeeded' : 'checkout_credit')
    }
    Object.assign(order, { state: 'paid', method, paid: order.total })
  }

  async #payCredits({ order }: ModelParcel): Promise<void> {
    if (!order) return
    const allowed = this.#payable(order) && this.#wallet >= order.total
    const body = { pin, expectedTotalMinor: order.total }
    const work = () => payByCredits(this.#deps, this.#caller, order.id, body, (key) => key, noKey)
    if (!(await this.#attempt('pay with credits', allowed, work))) return
    this.#wallet -= order.total
    this.#paid(order, 'credits')
  }

  async #payGateway({ order }: ModelParcel): Promise<void> {
    if (!order) return
    const asking = { caller: this.#caller, t: (key: string) => key, locale: 'en' as const, idempotency: noKey }
    let id = ''
    const work = async () => {
      id = (await payByGateway(this.#deps, asking, order.id, 'ipay88', { expectedTotalMinor: order.total })).paymentId
    }
    if (!(await this.#attempt('go to the bank', this.#payable(order), work))) return
    for (const parcel of order.parcels) if (parcel.state.status === 'incart') this.#move(parcel, 'checkout_gateway')
    this.#payments.push({ id, order, amount: order.total, state: 'pending' })
  }

  async #bank(paid: boolean): Promise<void> {
    const payment = this.#payments.length > 0 ? this.#one(this.#payments) : null
    if (!payment) return
    const row = await findPayment(this.#deps.db, payment.id)
    if (!row) throw new Error('the payment is gone')
    const { order } = payment
    if (paid) {
      await this.#attempt('bank says paid', true, () => settlePaid(this.#deps, row, `T${payment.id}`))
      if (payment.state !== 'paid') {
        if (this.#payable(order)) this.#paid(order, 'gateway')
        else this.#wallet += payment.amount
      }
      payment.state = 'paid'
    } else {
      await this.#attempt('bank says failed', true, () => settleUnpaid(this.#deps, row, 'failed', 'other'))
      if (payment.state === 'pending') {
        payment.state = 'unpaid'
        const other = this.#payments.some((each) => each.order === order && each.state === 'pending')
        if (!other && order.state === 'unpaid') {
          for (const each of order.parcels)
            if (each.state.status === 'pending_payment') this.#move(each, 'payment_failed')
        }
      }
    }
    if (payment.state === 'paid' && this.#pick(2) === 0)
      this.#payments = this.#payments.filter((each) => each !== payment)
  }

  async #cancel(parcel: ModelParcel): Promise<void> {
    const also = this.#pick(3) === 0 ? [this.#one(this.#parcels)] : []
    const parcels = [...new Set([parcel, ...also])]
    const allowed = parcels.every((each) => this.#can(each, 'cancelled'))
    const refundTo = this.#one(['wallet', 'card'] as const)
    const wanted = { ids: parcels.map(({ id }) => id), reason: null, refundTo }
    let made: Awaited<ReturnType<typeof cancel>>['refunds'] = []
    const work = async () => {
      made = (await cancel(this.#deps, this.#caller, wanted, noKey)).refunds
    }
    if (!(await this.#attempt('cancel', allowed, work))) return
    const orders = new Set(parcels.flatMap(({ order }) => order ?? []))
    const refunds = new Map(made.map((each) => [each.orderId, each]))
    for (const order of orders) {
      const mine = parcels.filter((each) => each.order === order)
      if (order.state === 'unpaid') {
        for (const each of mine) this.#move(each, 'cancelled')
        for (const each of order.parcels)
          if (each.state.status === 'pending_payment') this.#move(each, 'checkout_abandoned')
        this.#end(order)
        continue
      }
      const left = order.parcels.filter((each) => !mine.includes(each))
      const nothing = left.every(({ state }) => state.status === 'cancel' || state.status === 'refunded')
      const amount = mine.reduce((sum, { price }) => sum + price, nothing ? order.own : 0)
      const refund = refunds.get(order.id)
      assert.equal(refund?.amountMinor, amount, 'the share that is given back')
      order.refunded += amount
      for (const each of mine) this.#move(each, 'cancelled')
      if (order.method === 'gateway' && refundTo === 'card') {
        this.#tasks.push({ id: refund?.id ?? '', amount, parcels: mine })
        for (const each of mine) each.owed = true
      } else {
        this.#wallet += amount
        for (const each of mine) this.#move(each, 'refunded')
      }
    }
    for (const each of parcels)
      if (!each.order || !orders.has(each.order))
        if (each.state.status !== 'cancel' && each.state.status !== 'refunded') this.#move(each, 'cancelled')
  }

  async #settleRefund(): Promise<void> {
    const task = this.#tasks.length > 0 ? this.#one(this.#tasks) : null
    if (!task) return
    const again = task.parcels.every(({ state }) => state.status === 'refunded')
    const fails = this.#pick(2) === 0
    const work = () =>
      fails
        ? refundFailed(this.#deps, this.#staff, task.id, { version: 1, note: 'refused' })
        : refundPaid(this.#deps, this.#staff, task.id, { version: 1, bankReference: 'REF' })
    if (!(await this.#attempt(fails ? 'bank refuses a refund' : 'refund to the card', !again, work))) {
      this.#tasks = this.#tasks.filter((each) => each !== task)
      return
    }
    for (const parcel of task.parcels) {
      this.#move(parcel, 'refunded')
      parcel.owed = false
    }
    if (fails) this.#wallet += task.amount
  }

  async #forFee(parcel: ModelParcel, action: 'recall' | 'return'): Promise<void> {
    const event = action === 'recall' ? 'recalled' : 'return_requested'
    const fee = action === 'recall' ? 530 : 848
    const allowed = parcel.state.leg === 'outbound' && this.#can(parcel, event) && this.#wallet >= fee
    const work = async () => {
      const { version } = await actionsFor(this.#deps, this.#caller, parcel.id)
      await moveForFee(
        this.#deps,
        this.#caller,
        action,
        parcel.id,
        { version, expectedFeeMinor: fee, pin, reason: null },
        noKey,
      )
    }
    if (!(await this.#attempt(action, allowed, work))) return
    this.#move(parcel, event)
    this.#wallet -= fee
  }

  async #scan(parcel: ModelParcel): Promise<void> {
    if (parcel.number === '') {
      const [row] = await this.#rows([parcel.id])
      if (!row?.tracking_number) return
      parcel.number = row.tracking_number
    }
    const event = this.#one([
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
    const meant: ParcelEvent =
      event === 'picked_up' && status === 'reverse_pickup'
        ? 'return_picked_up'
        : event === 'out_for_delivery' && status === 'fail-to-deliver'
          ? 'next_attempt'
          : event
    const body = scan.body.parse({
      trackingNumber: parcel.number,
      event,
      stationId: this.#stations[0],
      ...(event === 'departed' ? { nextStationId: this.#stations[1] } : {}),
      ...(event === 'delivered' ? { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' } : {}),
      ...(event === 'attempt_failed' ? { failureReason: 'not_home' } : {}),
    })
    const work = () => scanParcel(this.#deps, this.#staff, body, noKey)
    if (await this.#attempt(event, this.#can(parcel, meant), work)) this.#move(parcel, meant)
  }

  async #rows(ids: readonly string[]) {
    return this.#deps.db
      .selectFrom('parcels')
      .select(['id', 'status', 'handed_over', 'leg', 'order_id', 'tracking_number'])
      .where('account_id', '=', this.#accountId)
      .where('id', 'in', ids)
      .execute()
  }

  /** Parcels in sight and the wallet are what the model says. */
  async #compare(): Promise<void> {
    const rows = new Map((await this.#rows(this.#parcels.map(({ id }) => id))).map((row) => [row.id, row]))
    for (const { id, state } of this.#parcels) {
      const row = rows.get(id)
      assert.deepEqual(
        { status: row?.status, handedOver: row?.handed_over, leg: row?.leg },
        { status: state.status, handedOver: state.handedOver, leg: state.leg },
        'the state of a parcel',
      )
    }
    assert.equal(await walletBalance(this.#deps.db, this.#accountId, 'MYR'), this.#wallet, 'the balance of the wallet')
  }

  /** Pairs of money and state that may never be, over everything the walk has left; then what no longer moves is forgotten. */
  async #prove(): Promise<void> {
    const { rows } = await sql<Record<string, number>>`
      select
        (select count(*) from (select 1 from journal_postings group by entry_id, currency having sum(amount_minor) <> 0) e) as unbalanced,
        (select count(*) from ledger_accounts a where a.guarded and a.balance_minor <>
          (select coalesce(sum(p.amount_minor), 0) from journal_postings p where p.ledger_account_id = a.id)) as differing,
        (select count(*) from parcels p join orders o on o.id = p.order_id where o.paid_minor = 0
          and p.status not in ('pending', 'incart', 'pending_payment', 'cancel')) as "on its way, unpaid",
        (select count(*) from parcels p where p.order_id is null and p.status not in ('pending', 'incart', 'cancel')) as "on its way without an order",
        (select count(*) from parcels p where p.status = 'refunded' and not exists (select 1 from refunded_parcels r where r.parcel_id = p.id))
          as "refunded without money",
        (select count(*) from refunded_parcels r join parcels p on p.id = r.parcel_id where p.status not in ('cancel', 'refunded')) as "given back, on its way",
        (select count(*) from refunded_parcels r join refunds f on f.id = r.refund_id join parcels p on p.id = r.parcel_id
          where (f.status = 'requested') <> (p.status = 'cancel')) as "owed or not",
        (select count(*) from orders o where o.refunded_minor <> (select coalesce(sum(amount_minor), 0) from refunds r where r.order_id = o.id)
          or o.refunded_minor > o.paid_minor) as "more than was paid",
        (select count(*) from refunds r where not exists (select 1 from credit_notes n where n.refund_id = r.id and n.total_minor = r.amount_minor))
          as "without a credit note",
        (select count(*) from orders o where o.paid_minor > 0 and o.parcel_count > 0 and o.status in ('pending_payment', 'cancel')
          and not exists (select 1 from refunds r where r.order_id = o.id)) as "paid, but not on its way",
        (select coalesce(sum(p.amount_minor), 0) from journal_postings p join ledger_accounts a on a.id = p.ledger_account_id where a.kind = 'refunds')
          - (select coalesce(sum(amount_minor), 0) from refunds where status = 'requested') as "owed to cards"`.execute(
      this.#deps.db,
    )
    const wrong = Object.entries(rows[0] ?? {}).filter(([, count]) => Number(count) !== 0)
    assert.deepEqual(wrong, [], 'pairs of money and state that the table forbids')
    for (const order of this.#orders) {
      const found = await this.#deps.db
        .selectFrom('orders')
        .select(['paid_minor', 'refunded_minor'])
        .where('id', '=', order.id)
        .executeTakeFirst()
      assert.deepEqual(
        found,
        { paid_minor: order.paid, refunded_minor: order.refunded },
        'what an order was paid and gave back',
      )
    }
    const seen = new Set(this.#parcels.flatMap(({ order }) => order ?? []))
    this.#orders = this.#orders.filter((order) => seen.has(order))
  }
}
