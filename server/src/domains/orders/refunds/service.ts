/** Refunds of orders. */
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import type { NotificationKind } from '@waybill/contract/notifications/kinds'
import type { failRefund, listRefunds, RefundTask, settleRefund } from '@waybill/contract/orders/refunds'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { type Fact, fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import type { ParcelRow } from '../../parcels/queries.ts'
import { listParcelsOfOrder } from '../../parcels/service.ts'
import { lockParcels, transitionParcels } from '../../parcels/transition.ts'
import { postEntry, postWrites } from '../../wallet/ledger/service.ts'
import type { Posting } from '../../wallet/rules.ts'
import { documentFacts } from '../invoices/seller.ts'
import type { OrderRow } from '../queries.ts'
import { type Share, statusByParcels } from '../rules.ts'
import {
  findRefund,
  findRefundTask,
  listParcelIdsOfRefund,
  listRefundTasks,
  lockOrderById,
  lockRefund,
  type RefundRow,
  type RefundTaskRow,
  refundWrite,
  type SettledRefund,
  setOrderStatus,
  setRefundSettled,
} from './queries.ts'

/** The ledger account that receives a refund. A card refund is a liability until staff have paid it. */
function refundTarget(order: OrderRow, destination: RefundRow['destination']): Omit<Posting, 'amountMinor'> {
  if (destination === 'card') return { book: 'refunds' }
  return { book: destination === 'wallet' ? 'customer_wallet' : 'corporate_receivable', accountId: order.account_id }
}

type RefundRequest = {
  share: Pick<Share, 'parcels' | 'lines' | 'totalMinor'>
  destination: RefundRow['destination']
  actorId: string | null
  /** The name in the wallet's history; the order's number by default. */
  reference?: string
}

/**
 * Refunds a part of a locked order: entry, refund and credit note in one statement. Revenue and tax are reversed to the
 * minor unit. The database refuses more than was paid, and a second refund of a parcel.
 */
export async function refundShare(
  deps: Deps,
  trx: Tx,
  order: OrderRow,
  { share, destination, actorId, reference = order.number }: RefundRequest,
): Promise<RefundRow> {
  const id = newId()
  const { totalMinor, lines, parcels } = share
  const document = await documentFacts(deps, trx, order, lines)
  const { taxMinor } = document
  const entry = {
    kind: 'refund' as const,
    accountId: order.account_id,
    orderId: order.id,
    paymentId: order.payment_id,
    reference,
    actorId,
    log: 'orders.refunded',
    currency: order.currency,
    postings: [
      { book: 'revenue' as const, amountMinor: -(totalMinor - taxMinor) },
      { book: 'tax' as const, amountMinor: -taxMinor },
      { ...refundTarget(order, destination), amountMinor: totalMinor },
    ],
  }
  const refund = {
    id,
    destination,
    amountMinor: totalMinor,
    paymentId: order.payment_id,
    parcels: parcels.map((parcel) => ({ parcel_id: parcel.id, amount_minor: parcel.amountMinor })),
    actorId,
    note: { ...document, lines },
    at: document.at,
  }
  await runWrites(trx, [refundWrite(order, refund), ...(await postWrites(deps, trx, entry))])
  return (await findRefund(trx, id)) as RefundRow
}

/** Where the money of a cancelled order went; null: nothing was paid for it. */
const cancelDestinations = ['card', 'receivable', 'wallet', null] as const

/**
 * Mails the user who cancelled what was cancelled and where the money goes: one notification for each destination, with
 * its own orders, parcels and amount.
 */
export async function notifyCancelled(
  deps: Deps,
  trx: Tx,
  cancellation: {
    userId: string
    rows: readonly ParcelRow[]
    orders: readonly OrderRow[]
    refunds: readonly RefundRow[]
  },
): Promise<void> {
  const { userId, rows, orders, refunds } = cancellation
  const findOrderRefund = (order: OrderRow) => refunds.find(({ order_id }) => order_id === order.id)
  for (const destination of cancelDestinations) {
    const refunded = orders.filter((order) => (findOrderRefund(order)?.destination ?? null) === destination)
    const [first] = refunded
    if (!first) continue
    const own = rows.filter(({ order_id }) => refunded.some(({ id }) => id === order_id))
    // An order that only paid for the pickup has none of these parcels: those that it would have picked up are listed.
    const parcels = own.length > 0 ? own : rows
    const itsOrders = orders.filter(
      (each) => refunded.includes(each) || parcels.some((row) => row.order_id === each.id),
    )
    await notifyCustomer(deps, trx, userId, first, destination ? `cancelled_${destination}` : 'cancelled', {
      amountMinor: refunded.reduce((sum, order) => sum + (findOrderRefund(order)?.amount_minor ?? 0), 0),
      order: fact.list(itsOrders.map(({ number }) => number)),
      numbers: fact.list(parcels.map((row) => row.tracking_number ?? row.receiver?.contactName ?? '–')),
    })
  }
}

type CancellationFacts = { amountMinor: number; order: Fact; numbers: Fact; bankReference?: string; note?: string }

async function notifyCustomer(
  deps: Deps,
  trx: Tx,
  userId: string,
  order: OrderRow,
  kind: NotificationKind,
  { amountMinor, ...facts }: CancellationFacts,
): Promise<void> {
  await notify(deps, trx, {
    kind,
    to: { users: [userId] },
    subjectId: order.id,
    facts: { ...facts, amount: fact.money(amountMinor, order.currency) },
  })
}

/** Refunds to cards: by default those that staff must pay come first, the oldest on top. */
export async function refundTasks(
  deps: Deps,
  { status, search, sort, offset, limit }: QueryOf<typeof listRefunds>,
): Promise<ResponseOf<typeof listRefunds>> {
  const { rows, total } = await listRefundTasks(deps.db, {
    status: status ?? null,
    search: search?.trim().toUpperCase() || null,
    sort: parseSort(sort),
    offset,
    limit,
  })
  return { items: rows.map(presentTask), total, offset, limit }
}

/** Marks a refund as paid to the card. Throws not_found, version_conflict, conflict (settled already). */
export async function markRefundPaid(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, bankReference }: BodyOf<typeof settleRefund>,
): Promise<RefundTask> {
  return settle(deps, caller, id, version, { status: 'done', bankReference, note: null })
}

/**
 * Records that the bank refused a refund: its money goes to the wallet. Throws not_found, version_conflict, conflict
 * (settled already).
 */
export async function markRefundFailed(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, note }: BodyOf<typeof failRefund>,
): Promise<RefundTask> {
  return settle(deps, caller, id, version, { status: 'failed', bankReference: null, note })
}

type Outcome = Pick<SettledRefund, 'status' | 'bankReference' | 'note'>

/**
 * Settles a card refund with its ledger entry and parcels in one transaction. Locks: order, refund, parcels, wallet.
 */
async function settle(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  version: number,
  outcome: Outcome,
): Promise<RefundTask> {
  const refundToSettle = await findRefund(deps.db, id)
  if (refundToSettle?.destination !== 'card') throw new AppError('not_found')
  await tx(deps.db, async (trx) => {
    const order = (await lockOrderById(trx, refundToSettle.order_id)) as OrderRow
    const refund = (await lockRefund(trx, id)) as RefundRow
    if (refund.version !== version) throw new AppError('version_conflict', { details: { version: refund.version } })
    if (refund.status !== 'requested') throw new AppError('conflict')
    const at = deps.clock.now()
    const parcels = await lockParcels(trx, order.account_id, await listParcelIdsOfRefund(trx, refund))
    await transitionParcels(deps, trx, parcels, 'refunded', { actorId: caller.userId })
    await postEntry(deps, trx, {
      kind: 'refund',
      accountId: order.account_id,
      orderId: order.id,
      paymentId: refund.payment_id,
      reference: order.number,
      actorId: caller.userId,
      log: null,
      currency: refund.currency,
      postings: [
        { book: 'refunds', amountMinor: -refund.amount_minor },
        outcome.status === 'done'
          ? { book: 'gateway_clearing', amountMinor: refund.amount_minor }
          : { book: 'customer_wallet', accountId: order.account_id, amountMinor: refund.amount_minor },
      ],
    })
    await setRefundSettled(trx, refund, { ...outcome, by: caller.userId, at })
    const status = statusByParcels(await listParcelsOfOrder(trx, order.id, { lock: false }))
    if (status !== order.status) await setOrderStatus(trx, order, status, at)
    await recordActivity(trx, {
      action: outcome.status === 'done' ? 'refund.paid' : 'refund.failed',
      level: 'NOTICE',
      accountId: order.account_id,
      userId: caller.userId,
      subject: id,
      detail: { amountMinor: refund.amount_minor, bankReference: outcome.bankReference },
      at,
    })
    await notifyCustomer(deps, trx, refund.created_by ?? order.created_by, order, `refund_${outcome.status}`, {
      amountMinor: refund.amount_minor,
      order: order.number,
      numbers: fact.list(parcels.map(({ tracking_number }) => tracking_number ?? '–')),
      bankReference: outcome.bankReference ?? '',
      note: outcome.note ?? '',
    })
  })
  return presentTask((await findRefundTask(deps.db, id)) as RefundTaskRow)
}

function presentTask(row: RefundTaskRow): RefundTask {
  return {
    id: row.id,
    version: row.version,
    orderId: row.order_id,
    orderNumber: row.order_number,
    accountName: row.account_name,
    creditNoteNumber: row.credit_note_number,
    status: row.status,
    currency: row.currency,
    amountMinor: row.amount_minor,
    paymentMethod: row.payment_method,
    paymentReference: row.payment_reference,
    gatewayTransaction: row.gateway_transaction,
    bankReference: row.bank_reference,
    note: row.note,
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  }
}
