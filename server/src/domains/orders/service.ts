/** Orders and their invoices. */
import type { Readable } from 'node:stream'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { parseSort } from '@waybill/contract/ground/paging'
import { isEnded } from '@waybill/contract/ground/status/parcel-status'
import type { Invoice, listOrders, OrderDetail, StaffOrder } from '@waybill/contract/orders/orders'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId, CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { forEachItem } from '../../jobs/each-item.ts'
import type { OutboxHandler } from '../../outbox/handler.ts'
import { findAccountById, findUserNames } from '../accounts/service.ts'
import { onlyCreatedBy } from '../parcels/access.ts'
import { listVisitsOfOrder } from '../parcels/pickup-side/visits.ts'
import { listOrdersOfParcels, listParcelsOfOrder } from '../parcels/service.ts'
import { findVisibleOrder, presentOrderApproval } from './approvals/reads.ts'
import { expireApprovals } from './approvals/service.ts'
import { type Printable, printInvoice } from './invoices/print-invoice.ts'
import { billingClosedReason } from './monthly-billing/service.ts'
import { type Language, presentInvoice, presentOrder, presentOrderDetail, presentOrderForStaff } from './present.ts'
import {
  findInvoice,
  findNumberedOrder,
  findOrder,
  findOrderById,
  hasOrderInWork,
  type ListedOrder,
  listOrderNumbers,
} from './queries.ts'
import { countOrdersByStatus, listOrderRows } from './queries-list.ts'
import { lockOrdersThatFollow, setOrderStatus } from './refunds/queries.ts'
import { orderFilter, statusByParcels } from './rules.ts'
import { expireOrders } from './settlement.ts'

/** An order with its parcels and payment methods. Throws not_found, also for another customer's. */
export async function readOrder(deps: Deps, caller: CustomerCaller, id: string): Promise<OrderDetail> {
  const row = await findVisibleOrder(deps.db, caller, id)
  if (!row) throw new AppError('not_found')
  const parcels = await listParcelsOfOrder(deps.db, id, { lock: false })
  const visits = parcels.some((parcel) => parcel.pickup_request_id) ? await listVisitsOfOrder(deps.db, id) : []
  const billing = await billingClosedReason(deps, deps.db, caller, row)
  return presentOrderDetail(deps, row, { parcels, visits }, caller, {
    billing,
    approval: await presentOrderApproval(deps, deps.db, caller, row),
  })
}

/** An order of any account for staff. Throws not_found. */
export async function readOrderForStaff(deps: Deps, id: string): Promise<StaffOrder> {
  const row = await findOrderById(deps.db, id)
  if (!row) throw new AppError('not_found')
  const [account, names, visits] = await Promise.all([
    findAccountById(deps.db, row.account_id),
    findUserNames(deps.db, [row.created_by]),
    listVisitsOfOrder(deps.db, id),
  ])
  return presentOrderForStaff(row, account?.name ?? '', names.get(row.created_by) ?? null, visits)
}

/** An order of any account; null if there is none. The calling domain checks access. */
export async function findOrderOfAnyAccount(
  db: DbOrTx,
  id: string,
): Promise<{ account_id: string; created_by: string; number: string } | null> {
  return findOrderById(db, id)
}

/** An order of any account by its number, for staff: a counter and the search serve all accounts. */
export async function findOrderByNumber(
  db: DbOrTx,
  number: string,
): Promise<{ id: string; number: string; accountId: AccountId } | undefined> {
  return findNumberedOrder(db, number)
}

/** The ids of an account's orders with these numbers. */
export async function findOrdersByNumber(
  db: DbOrTx,
  accountId: AccountId,
  numbers: readonly string[],
): Promise<{ id: string; number: string }[]> {
  return listOrderNumbers(db, accountId, numbers)
}

/** Orders of the account, newest first. A member without parcels.view_all sees only their own. */
export async function readOrders(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof listOrders>,
): Promise<ResponseOf<typeof listOrders>> {
  const { sort, offset, limit } = query
  const filter = orderFilter(query, onlyCreatedBy(caller), deps.settings.get('timezone'))
  const page = { sort: parseSort(sort), offset, limit }
  const [{ rows, total }, counts] = await Promise.all([
    listOrderRows(deps.db, caller.accountId, { ...filter, ...page }),
    countOrdersByStatus(deps.db, caller.accountId, filter),
  ])
  return { items: rows.map(presentOrder), total, offset, limit, counts }
}

/** The invoice of a paid order in the caller's language. Throws not_found, also before payment. */
export async function readInvoice(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  language: Language,
): Promise<Invoice> {
  const order = await findVisibleOrder(deps.db, caller, orderId)
  return requireInvoice(await findPresentedInvoice(deps.db, order, language))
}

/** The invoice of an order in a language; null before payment. */
async function findPresentedInvoice(
  db: DbOrTx,
  order: ListedOrder | undefined,
  language: Language,
): Promise<Invoice | null> {
  const row = order && (await findInvoice(db, order.account_id, order.id))
  return row ? presentInvoice(row, order.number, language) : null
}

function requireInvoice(invoice: Invoice | null): Invoice {
  if (!invoice) throw new AppError('not_found')
  return invoice
}

/** The invoice as PDF. Throws not_found. */
export async function renderInvoicePdf(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  language: Language,
): Promise<{ number: string; pdf: Readable }> {
  return invoicePdf(deps, await readInvoice(deps, caller, orderId, language), language)
}

/** An invoice for a counter, which serves every account: `accountId` is the account of the order. */
export async function renderInvoiceOfOrder(
  deps: Deps,
  accountId: AccountId,
  orderId: string,
  language: Language,
): Promise<{ number: string; pdf: Readable }> {
  const order = await findOrder(deps.db, accountId, orderId, null)
  return invoicePdf(deps, requireInvoice(await findPresentedInvoice(deps.db, order, language)), language)
}

/** A sold order for the receipt: its invoice and tracking numbers. Throws not_found. */
export async function readSoldOrder(
  db: DbOrTx,
  accountId: AccountId,
  orderId: string,
  language: Language,
): Promise<{ invoice: Invoice; parcels: string[] }> {
  const order = await findOrder(db, accountId, orderId, null)
  const invoice = requireInvoice(await findPresentedInvoice(db, order, language))
  const parcels = await listParcelsOfOrder(db, orderId, { lock: false })
  return {
    invoice,
    parcels: parcels.flatMap(({ tracking_number }) => tracking_number ?? []),
  }
}

async function invoicePdf(
  deps: Deps,
  invoice: Invoice,
  language: Language,
): Promise<{ number: string; pdf: Readable }> {
  return { number: invoice.number, pdf: await printInvoice(deps, toPrintable(invoice, language), language) }
}

function toPrintable(invoice: Invoice, language: Language): Printable {
  const { paidAt, paymentMethod } = invoice
  const methodLabel = enumLabel(paymentMethodLabels, paymentMethod, language.locale)
  const payment = paidAt === null ? null : { methodLabel, reference: null, paidAt }
  return { ...invoice, kind: 'invoice', status: paidAt ? 'paid' : 'unpaid', payment }
}

/** The invoice of an order for a dossier; null before payment, and if `createdBy` did not create the order. */
export async function findPrintableInvoice(
  deps: Deps,
  { accountId, createdBy }: { accountId: AccountId; createdBy: string | null },
  orderId: string,
  language: Language,
): Promise<Printable | null> {
  const order = await findOrder(deps.db, accountId, orderId, createdBy)
  const invoice = await findPresentedInvoice(deps.db, order, language)
  return invoice && toPrintable(invoice, language)
}

/** The regular job that closes expired unpaid orders, and approvals that were not decided in time. */
export async function expireUnpaid(deps: Deps): Promise<void> {
  await forEachItem([expireApprovals, expireOrders], (expire) => expire(deps))
}

/** Parcel transitions that can change the status of the order. */
const followed: readonly string[] = [
  'reweighed_heavier',
  'difference_paid',
  'difference_waived',
  'due_paid',
  'return_requested',
]

/** Updates the status of orders after transitions of their parcels. */
export const completeOrders: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const relevantMoves = moves.filter(
    ({ fromStatus, status, event }) => isEnded(status) || followed.includes(event) || fromStatus === 'lost',
  )
  if (relevantMoves.length === 0) return
  const orderIds = await listOrdersOfParcels(
    trx,
    relevantMoves.map(({ parcelId }) => parcelId),
  )
  for (const order of await lockOrdersThatFollow(trx, orderIds)) {
    const parcels = await listParcelsOfOrder(trx, order.id, { lock: false })
    const status = parcels.length === 0 ? order.status : statusByParcels(parcels)
    if (status !== order.status) await setOrderStatus(trx, order, status, deps.clock.now())
  }
}

/** Whether an order of the account is paid, or accepted for the monthly bill. */
export async function hasAcceptedOrder(db: DbOrTx, accountId: AccountId): Promise<boolean> {
  return hasOrderInWork(db, accountId)
}
