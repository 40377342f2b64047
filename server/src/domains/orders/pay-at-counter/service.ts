/** Orders that are paid at a counter. */
import type { Readable } from 'node:stream'
import type { PaymentMethod } from '@waybill/contract/ground/enums/enums'
import type { Order } from '@waybill/contract/orders/orders'
import { customerActivity, recordActivity } from '../../../activity.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import type { ParcelRow } from '../../parcels/queries.ts'
import { checkoutParcels, listParcelsOfOrder } from '../../parcels/service.ts'
import { requireSpending } from '../approvals/reads.ts'
import { priceOrder } from '../checkout.ts'
import { documentFacts } from '../invoices/seller.ts'
import { type Language, presentOrder } from '../present.ts'
import { findOrder, type OrderRow } from '../queries.ts'
import { listNewOrder } from '../queries-list.ts'
import { ordersPaidWrite } from '../queries-paid.ts'
import { lockOrders } from '../refunds/queries.ts'
import { isRowDueInStore, sumLines } from '../rules.ts'
import { lockForPayment, requireMethodOpen, requireNoRunningPayment } from '../settlement.ts'
import { mapOrderNumbers, setPaidInStore, setTotals } from './queries.ts'
import { renderSlip } from './slip.ts'

/**
 * Books an order for payment at a counter: its parcels get their numbers and are outstanding until it is paid there or
 * with credits. Only for parcels that the customer brings. Throws the errors of `lockForPayment`,
 * payment_method_closed (`details.reason`), checkout_running (a gateway payment is pending).
 */
export async function bookInStore(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  expectedTotalMinor: number,
  idempotency: Idempotency,
): Promise<Order> {
  return tx(deps.db, async (trx) => {
    const answer = await bookOrderInStore(deps, trx, caller, orderId, expectedTotalMinor)
    await idempotency.keep(trx, answer)
    return answer
  })
}

/** `bookInStore` in the caller's transaction. */
export async function bookOrderInStore(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  orderId: string,
  expectedTotalMinor: number,
): Promise<Order> {
  const locked = await lockForPayment(deps, trx, caller, orderId, expectedTotalMinor)
  const { order, parcels } = locked
  // It could be paid with the company's credits later, so the limits apply now.
  await requireSpending(deps, trx, caller, order.total_minor)
  requireMethodOpen(locked, 'store')
  requireNoRunningPayment(locked)
  await checkoutParcels(deps, trx, parcels, 'checkout_store', { actorId: caller.userId, method: 'store' })
  const at = deps.clock.now()
  const updatedOrder = await setPaidInStore(trx, order, at)
  await recordActivity(trx, customerActivity(caller, 'orders.booked', [order.number], at))
  return presentOrder(listNewOrder(updatedOrder))
}

/** An order to be paid at a counter, with its unpaid parcels. Orders are locked by id, before any parcel. */
export type StoreOrder = { order: OrderRow; dueIds: string[] }

/** Locks orders that are to be paid at a counter, by id. */
export async function lockStoreOrders(
  trx: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
): Promise<StoreOrder[]> {
  const orders = (await lockOrders(trx, accountId, [...ids].sort())).filter(isRowDueInStore)
  const storeOrders: StoreOrder[] = []
  for (const order of orders) {
    const due = await listDueParcels(trx, order.id)
    storeOrders.push({ order, dueIds: due.map(({ id }) => id) })
  }
  return storeOrders
}

/** Sets the total of a locked, unpaid order to that of its remaining parcels. */
export async function updateTotal(
  deps: Deps,
  trx: Tx,
  order: OrderRow,
  parcels: readonly ParcelRow[],
): Promise<Pick<OrderRow, 'lines' | 'total_minor'>> {
  const lines = priceOrder(deps, parcels, { joins: false })
  const totalMinor = sumLines(lines)
  if (totalMinor !== order.total_minor || parcels.length !== order.parcel_count) {
    await setTotals(trx, order, { lines, totalMinor, parcelCount: parcels.length })
  }
  return { lines, total_minor: totalMinor }
}

/**
 * Settles a locked order: its total is that of its remaining parcels, and its invoice is written. Returns the order
 * with its lines.
 */
export async function settleStoreOrder(
  deps: Deps,
  trx: Tx,
  order: OrderRow,
  parcels: readonly ParcelRow[],
  by: { method: PaymentMethod; paymentId: string },
): Promise<OrderRow> {
  const totals = await updateTotal(deps, trx, order, parcels)
  await runWrites(trx, [
    ordersPaidWrite([
      {
        order,
        settlement: {
          paymentId: by.paymentId,
          method: by.method,
          pickupNumber: null,
          invoice: await documentFacts(deps, trx, order, totals.lines),
        },
      },
    ]),
  ])
  return { ...order, ...totals }
}

/** Order numbers by id. */
export async function orderNumbers(
  db: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
): Promise<Map<string, string>> {
  return ids.length === 0 ? new Map() : mapOrderNumbers(db, accountId, ids)
}

/**
 * The unpaid parcels of an order to be paid at a counter, also free ones: the order is paid, and its parcels released,
 * as a whole.
 */
export async function listDueParcels(db: DbOrTx, orderId: string): Promise<ParcelRow[]> {
  const parcels = await listParcelsOfOrder(db, orderId, { lock: false })
  return parcels.filter(({ status, handed_over }) => status === 'outstanding' && !handed_over)
}

/** The slip as PDF. Throws not_found, also for an order that is not to be paid at a counter. */
export async function renderSlipPdf(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  { locale, t }: Language,
): Promise<{ number: string; pdf: Readable }> {
  const order = await findOrder(deps.db, caller.accountId, orderId, onlyCreatedBy(caller))
  if (!order || !isRowDueInStore(order)) throw new AppError('not_found')
  const parcels = await listDueParcels(deps.db, orderId)
  const { settings } = deps
  const pdf = renderSlip(
    {
      number: order.number,
      companyName: settings.get('company.name'),
      amountMinor: parcels.reduce((sum, row) => sum + row.amount_due_minor, 0),
      currency: order.currency,
      bookedAt: order.updated_at.toISOString(),
      parcels: parcels.map((row) => ({
        trackingNumber: row.tracking_number ?? '',
        receiver: [row.receiver?.contactName, row.receiver?.city].filter(Boolean).join(' · '),
        amountMinor: row.amount_due_minor,
      })),
    },
    {
      locale,
      t,
      settings: {
        timeZone: settings.get('timezone'),
        dateFormat: settings.get('format.date'),
        dateTimeFormat: settings.get('format.dateTime'),
        weightUnit: settings.get('units.weight'),
      },
      primaryColour: settings.get('ui.primaryColour'),
      now: deps.clock.now(),
    },
  )
  return { number: order.number, pdf }
}
