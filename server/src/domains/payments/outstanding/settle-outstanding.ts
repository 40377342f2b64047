/** Settles amounts due, from a wallet, at a counter or on a company's bill: store orders and weight differences. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { PaymentMethod } from '@waybill/contract/ground/enums/enums'
import type { billOutstanding } from '@waybill/contract/parcels/outstanding'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type { Tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { planCharge } from '../../orders/charges.ts'
import { lockStoreOrders, type StoreOrder, settleStoreOrder } from '../../orders/pay-at-counter/service.ts'
import { sumLines, weightDifferenceLines } from '../../orders/rules.ts'
import type { ParcelRow } from '../../parcels/queries.ts'
import { listOrdersOfParcels } from '../../parcels/service.ts'
import { lockParcels } from '../../parcels/transition.ts'
import { dueLines, releaseOutstanding } from '../../parcels/weighing/outstanding.ts'
import { type LedgerEntry, postWrites } from '../../wallet/ledger/service.ts'
import type { PinCheck } from '../../wallet/queries.ts'
import type { Posting } from '../../wallet/rules.ts'
import { type PaymentRow, paymentsWrite } from '../queries.ts'
import { orderPostings } from '../rules.ts'
import { buildSettledPayment } from '../settled-order.ts'

/** Locked parcels that are paid together, their store orders, and the sum due. */
export type LockedOutstanding = { rows: ParcelRow[]; orders: StoreOrder[]; totalMinor: number }

/**
 * Locks outstanding parcels for their payment: first their orders, then the parcels, as every payment does. With
 * `caller`, parcels that a member may not see are refused; a counter passes none. Throws not_found, nothing_due,
 * order_not_whole (`details.parcelIds`: the missing parcels of its order).
 */
export async function lockOutstanding(
  trx: Tx,
  accountId: AccountId,
  parcelIds: readonly string[],
  caller?: CustomerCaller,
): Promise<LockedOutstanding> {
  const orders = await lockStoreOrders(trx, accountId, await listOrdersOfParcels(trx, parcelIds))
  const rows = await lockParcels(trx, accountId, parcelIds, caller)
  const other = rows.find(({ status }) => status !== 'outstanding')
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
  log: LedgerEntry['log']
  /** For a wallet: the verified PIN. */
  pin?: PinCheck | null
}

/** An order that is paid, with the lines of its invoice. */
type PaidOrder = { id: string; number: string; lines: PriceLine[] }

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
): Promise<(PaidOrder & { rows: ParcelRow[] })[]> {
  const linesById = await dueLines(trx, accountId, heldRows)
  const charges: (PaidOrder & { rows: ParcelRow[] })[] = []
  for (const [userId, rows] of Map.groupBy(heldRows, ({ created_by }) => created_by)) {
    const lines = weightDifferenceLines(rows.map((parcel) => ({ parcel, lines: linesById.get(parcel.id) ?? [] })))
    const { order, write } = await planCharge(deps, trx, { accountId, userId }, { lines, ...by })
    await runWrites(trx, [write])
    charges.push({ id: order.id, number: order.number, lines, rows })
  }
  return charges
}

/**
 * Settles locked parcels in the transaction of the payment: store orders are paid with their invoices, differences get
 * separate orders and invoices, and the parcels are released. Each order has an entry `outstanding` of its own, because
 * its refunds are matched by order. For credits, a drawer and a company's bill.
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
  const paid: PaidOrder[] = []
  for (const { order, dueIds } of orders) {
    const parcels = rows.filter(({ id }) => dueIds.includes(id))
    const settlement = await settleStoreOrder(deps, trx, order, parcels, { method, paymentId })
    paid.push({ id: order.id, number: order.number, lines: settlement.lines })
  }
  const heldRows = rows.filter(({ handed_over }) => handed_over)
  const charges = await chargeDifferences(deps, trx, accountId, heldRows, { method, paymentId })
  paid.push(...charges)
  const linesMinor = sumLines(paid.flatMap((each) => each.lines))
  // The two sums are computed independently; a difference is a bug.
  if (linesMinor !== totalMinor) throw new Error(`outstanding amounts of ${totalMinor} have lines of ${linesMinor}`)
  const currency = deps.settings.get('currency')
  for (const { id: orderId, number: reference, lines } of paid) {
    const postings = orderPostings(by.from, sumLines(lines), sumLines(lines, 'tax'))
    const { log } = by
    const entry: LedgerEntry = {
      kind: 'outstanding',
      accountId,
      orderId,
      paymentId,
      reference,
      actorId,
      log,
      currency,
      postings,
    }
    await runWrites(trx, await postWrites(deps, trx, entry, by.pin ?? null))
  }
  const [only, ...others] = paid
  const paidOrder = {
    id: others.length === 0 ? (only?.id ?? null) : null,
    account_id: accountId,
    total_minor: totalMinor,
    currency,
  }
  const payment = buildSettledPayment(deps, paidOrder, { id: paymentId, method, actorId })
  const orderIds = paid.map(({ id }) => id)
  await runWrites(trx, [paymentsWrite([payment], orderIds)])
  const stationId = by.stationId ?? null
  const storeRows = rows.filter(({ handed_over }) => !handed_over)
  await releaseOutstanding(deps, trx, accountId, storeRows, { actorId, stationId, chargeId: null })
  for (const { id, rows: paidRows } of charges)
    await releaseOutstanding(deps, trx, accountId, paidRows, { actorId, stationId, chargeId: id })
  return payment
}
