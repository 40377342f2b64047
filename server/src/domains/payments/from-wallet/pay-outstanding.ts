/** Pays outstanding amounts: unpaid pay-at-counter orders, and differences after re-weighing. */
import { decide } from '@waybill/contract/ground/access'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { PaymentMethod } from '@waybill/contract/ground/enums'
import type { Translate } from '@waybill/contract/ground/validation'
import type { billOutstanding, listOutstanding, payOutstanding } from '@waybill/contract/parcels/outstanding'
import type { Payment } from '@waybill/contract/payments/payments'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import { type Tx, tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/steps.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { requireSpending } from '../../orders/approvals/reads.ts'
import { chargeStep } from '../../orders/charges.ts'
import { readBilling } from '../../orders/monthly-billing/service.ts'
import {
  lockStoreOrders,
  orderNumbers,
  type StoreOrder,
  settleStoreOrder,
} from '../../orders/pay-at-counter/service.ts'
import { orderLines, sumLines } from '../../orders/rules.ts'
import type { ParcelRow } from '../../parcels/queries.ts'
import { listOrdersOfParcels } from '../../parcels/service.ts'
import { lockParcels } from '../../parcels/transition.ts'
import { dueLines, readOutstandingPage, releaseOutstanding } from '../../parcels/weighing/outstanding.ts'
import { type Entry, postStep, withBalance } from '../../wallet/ledger/service.ts'
import type { PinCheck } from '../../wallet/queries.ts'
import type { Posting } from '../../wallet/rules.ts'
import { withPin } from '../../wallet/service.ts'
import { presentPayment } from '../present.ts'
import { newPayment, type PaymentRow, paymentStep } from '../queries.ts'
import { orderPostings } from '../rules.ts'

type OutstandingPage = ResponseOf<typeof listOutstanding>

/** The account's parcels with an amount due. */
export async function readOutstanding(
  deps: Deps,
  caller: CustomerCaller,
  { offset, limit }: QueryOf<typeof listOutstanding>,
): Promise<Omit<OutstandingPage, 'billing'>> {
  const page = await readOutstandingPage(deps, caller, { offset, limit })
  const ids = [...new Set(page.items.flatMap(({ orderId }) => orderId ?? []))]
  const numbers = await orderNumbers(deps.db, caller.accountId, ids)
  const items = page.items.map((item) => ({ ...item, orderNumber: numbers.get(item.orderId ?? '') ?? null }))
  return { ...page, items, offset, limit, currency: deps.settings.get('currency') }
}

/** The account's parcels with an amount due, and whether the caller can have them billed monthly. */
export async function readOutstandingWithBilling(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof listOutstanding>,
): Promise<OutstandingPage> {
  const page = await readOutstanding(deps, caller, query)
  const mayBill = caller.userType === 'corporate' && decide('pay', caller) === 'pass'
  if (!mayBill || page.items.length === 0) return { ...page, billing: null }
  const { closed, availableMinor, memberLeftMinor } = await readBilling(deps, caller)
  return { ...page, billing: { closed, availableMinor, memberLeftMinor } }
}

/** Locked parcels that are paid together, their store orders, and the sum due. */
export type LockedOutstanding = { rows: ParcelRow[]; orders: StoreOrder[]; totalMinor: number }

/**
 * Locks outstanding parcels for their payment: first their orders, then the parcels, as every payment does. With
 * `caller`, parcels that a member may not see are refused; a counter passes none. Throws not_found, conflict for a
 * parcel with nothing due, order_not_whole (`details.parcelIds`: the missing parcels of its order).
 */
export async function lockOutstanding(
  trx: Tx,
  accountId: AccountId,
  parcelIds: readonly string[],
  caller?: CustomerCaller,
): Promise<LockedOutstanding> {
  const orders = await lockStoreOrders(trx, accountId, await listOrdersOfParcels(trx, parcelIds))
  const rows = await lockParcels(trx, accountId, parcelIds, caller)
  const other = rows.find(({ status, amount_due_minor }) => status !== 'outstanding' || amount_due_minor <= 0)
  if (other) throw new AppError('nothing_due', { details: { parcelId: other.id, status: other.status } })
  const chosenIds = new Set(parcelIds)
  const chosenOrders = orders.filter(({ dueIds }) => dueIds.some((id) => chosenIds.has(id)))
  const missing = chosenOrders.flatMap(({ dueIds }) => dueIds.filter((id) => !chosenIds.has(id)))
  if (missing.length > 0) throw new AppError('order_not_whole', { details: { parcelIds: missing } })
  return { rows, orders: chosenOrders, totalMinor: rows.reduce((sum, row) => sum + row.amount_due_minor, 0) }
}

/**
 * Locks the amounts due that a customer pays, at the total that they saw. Throws what `lockOutstanding` throws,
 * price_changed (`details.expectedTotalMinor`, `details.totalMinor`).
 */
export async function lockSeenOutstanding(
  trx: Tx,
  caller: CustomerCaller,
  { parcelIds, totalSeenMinor }: BodyOf<typeof billOutstanding>,
): Promise<LockedOutstanding> {
  const outstanding = await lockOutstanding(trx, caller.accountId, [...new Set(parcelIds)], caller)
  const { totalMinor } = outstanding
  if (totalMinor !== totalSeenMinor)
    throw new AppError('price_changed', { details: { expectedTotalMinor: totalSeenMinor, totalMinor } })
  return outstanding
}

/** The part of the sum due that is differences after a re-weighing. */
export function sumDifferences({ rows }: LockedOutstanding): number {
  return rows.reduce((sum, row) => (row.handed_over ? sum + row.amount_due_minor : sum), 0)
}

/** The source of the money: a wallet, a station's drawer, or a company's bill. */
export type SettledBy = {
  method: PaymentMethod
  from: Omit<Posting, 'amountMinor'>
  actorId: string
  stationId?: string | null
  /** As in `Entry`. */
  log: Entry['log']
  /** For a wallet: the verified PIN. */
  pin?: PinCheck
}

/** An order that is paid, with the lines of its invoice. */
type Paid = { id: string; number: string; lines: PriceLine[] }

/**
 * Differences after a re-weighing as paid orders, one for each user who created such parcels. Whoever pays, the order
 * belongs to that user, who may read it, and whose reports and cost centre have it.
 */
async function chargeDifferences(
  deps: Deps,
  trx: Tx,
  accountId: AccountId,
  heldRows: readonly ParcelRow[],
  by: { method: PaymentMethod; paymentId: string },
): Promise<(Paid & { rows: ParcelRow[] })[]> {
  const linesById = await dueLines(trx, accountId, heldRows)
  const charges: (Paid & { rows: ParcelRow[] })[] = []
  for (const [userId, rows] of Map.groupBy(heldRows, ({ created_by }) => created_by)) {
    const lines = orderLines(
      rows.map((row) => ({ service_code: row.service_code, price: { lines: linesById.get(row.id) ?? [] } })),
    )
    const { order, step } = await chargeStep(deps, trx, { accountId, userId }, { lines, ...by })
    await runWrites(trx, [step])
    charges.push({ id: order.id, number: order.number, lines, rows })
  }
  return charges
}

/**
 * Settles locked parcels in the transaction of the payment: store orders are paid with their invoices, differences get
 * separate orders and invoices, one entry `outstanding` books everything, and the parcels are released. For credits,
 * a drawer and a company's bill.
 */
export async function settleOutstanding(
  deps: Deps,
  trx: Tx,
  accountId: AccountId,
  { rows, orders, totalMinor }: LockedOutstanding,
  by: SettledBy,
): Promise<PaymentRow> {
  const paymentId = newId()
  const { method, actorId } = by
  const paid: Paid[] = []
  for (const { order, dueIds } of orders) {
    const parcels = rows.filter(({ id }) => dueIds.includes(id))
    const settlement = await settleStoreOrder(deps, trx, order, parcels, { method, paymentId })
    paid.push({ id: order.id, number: order.number, lines: settlement.lines })
  }
  const heldRows = rows.filter(({ handed_over }) => handed_over)
  const charges = await chargeDifferences(deps, trx, accountId, heldRows, { method, paymentId })
  paid.push(...charges)
  const lines = paid.flatMap((each) => each.lines)
  // The two sums are computed independently; a difference is a bug.
  if (sumLines(lines) !== totalMinor)
    throw new Error(`outstanding amounts of ${totalMinor} have lines of ${sumLines(lines)}`)
  const [only, ...others] = paid
  const orderId = others.length === 0 ? (only?.id ?? null) : null
  const at = deps.clock.now()
  const currency = deps.settings.get('currency')
  const payment = newPayment({
    id: paymentId,
    accountId,
    purpose: 'order',
    orderId,
    method,
    amountMinor: totalMinor,
    currency,
    createdBy: actorId,
    settledAt: at,
    at,
  })
  const entry = {
    kind: 'outstanding' as const,
    accountId,
    orderId,
    paymentId,
    reference: paid
      .map(({ number }) => number)
      .join(', ')
      .slice(0, 200),
    actorId,
    log: by.log,
    currency,
    postings: orderPostings(by.from, totalMinor, sumLines(lines, 'tax')),
  }
  await runWrites(trx, [await postStep(deps, trx, entry, by.pin ?? null), paymentStep(payment)])
  const stationId = by.stationId ?? null
  const storeRows = rows.filter(({ handed_over }) => !handed_over)
  await releaseOutstanding(deps, trx, accountId, storeRows, { actorId, stationId, chargeId: null })
  for (const { id, rows: paidRows } of charges)
    await releaseOutstanding(deps, trx, accountId, paidRows, { actorId, stationId, chargeId: id })
  return payment
}

/**
 * Pays amounts due with credits, all or none. Throws what `withPin` and `lockSeenOutstanding` throw, wallet_too_low.
 */
export async function payDue(
  deps: Deps,
  caller: CustomerCaller,
  { pin, ...choice }: BodyOf<typeof payOutstanding>,
  t: Translate,
  idempotency: Idempotency,
): Promise<Payment> {
  const { accountId, userId } = caller
  const needed = { accountId, amountMinor: choice.totalSeenMinor, currency: deps.settings.get('currency') }
  const pay = (proof: PinCheck) =>
    tx(deps.db, async (trx) => {
      const outstanding = await lockSeenOutstanding(trx, caller, choice)
      // Pay-at-counter orders were approved when they were placed; only differences are new spending.
      await requireSpending(deps, trx, caller, sumDifferences(outstanding))
      const from = { book: 'customer_wallet' as const, accountId }
      const log = 'orders.due_paid'
      const by: SettledBy = { method: 'express_credit', from, actorId: userId, pin: proof, log }
      const answer = presentPayment(await settleOutstanding(deps, trx, accountId, outstanding, by), t)
      await idempotency.keep(trx, answer)
      return answer
    })
  return withPin(deps, accountId, pin, (proof) => withBalance(deps, needed, () => pay(proof)))
}
