/** Reads approval limits and approvals. */
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Approval, listApprovals } from '@waybill/contract/orders/approvals'
import type { OrderDetail } from '@waybill/contract/orders/orders'
import type { DbOrTx, Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { authorize, type CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { dayIn } from '../../../lib/clock.ts'
import { findAccountById, findUserNames, lockAccount } from '../../accounts/service.ts'
import { readKeySpending } from '../../integrations/api-keys/spend.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import { listMemberSpending } from '../../wallet/ledger/receivables.ts'
import { findOrder, type ListedOrder, type OrderRow } from '../queries.ts'
import {
  type ApprovalRow,
  approvalPage,
  countPending,
  findApproval,
  findApprovedOrders,
  sumBookedByUser,
} from './queries.ts'

/**
 * The amount above which this caller needs an approval; null if there is none, or if the caller is not a member of a
 * company. No query for others.
 */
export async function approvalLimit(db: DbOrTx, caller: CustomerCaller): Promise<number | null> {
  if (caller.userType !== 'corporate' || caller.isOwner) return null
  return (await findAccountById(db, caller.accountId))?.approval_above_minor ?? null
}

/** A member's daily limit without an approval, `aboveMinor`, and the used part, `spentMinor`. */
export type SpendingRule = { aboveMinor: number; spentMinor: number }

/**
 * The rule for this caller; null: none. It counts the whole day of the member or the API key; otherwise splitting an
 * order would bypass it. Approved orders do not count.
 */
export async function spendingRule(deps: Deps, db: DbOrTx, caller: CustomerCaller): Promise<SpendingRule | null> {
  const aboveMinor = await approvalLimit(db, caller)
  if (aboveMinor === null) return null
  // Keys belong to the owner, whose own purchases need no approval and must not use up the limit of the programs.
  if (caller.apiKey) return { aboveMinor, spentMinor: await readKeySpending(deps, db, caller.apiKey.id) }
  const { settings, clock } = deps
  const { accountId, userId } = caller
  const timeZone = settings.get('timezone')
  const since = { day: dayIn(clock.now(), timeZone), timeZone }
  const paid = await listMemberSpending(db, caller, settings.get('currency'), since)
  const approved = await findApprovedOrders(
    db,
    accountId,
    paid.flatMap(({ order_id }) => order_id ?? []),
  )
  const spent = paid.filter(({ order_id }) => order_id === null || !approved.has(order_id))
  const bookedMinor = await sumBookedByUser(db, accountId, userId, since)
  return { aboveMinor, spentMinor: spent.reduce((sum, each) => sum + each.spent, bookedMinor) }
}

/** Whether spending this much more needs an approval. */
export const needsApproval = (rule: SpendingRule | null, totalMinor: number): rule is SpendingRule =>
  rule !== null && totalMinor > 0 && rule.spentMinor + totalMinor > rule.aboveMinor

/**
 * The only place that decides whether a caller may spend the account's money: orders, fees, differences, by any
 * method. It locks the company's row until the transaction ends, so that two payments do not both use the same limit.
 * Throws forbidden (no right to pay), approval_needed (`details.aboveMinor`, `spentMinor`, `neededMinor`).
 */
export async function requireSpending(deps: Deps, trx: Tx, caller: CustomerCaller, totalMinor: number): Promise<void> {
  if (totalMinor <= 0) return
  // Suspended accounts may pay what they owe. The rows of the other calls keep them from buying.
  authorize('pay.owed', caller)
  if ((await approvalLimit(trx, caller)) === null) return
  await lockAccount(trx, caller.accountId)
  const rule = await spendingRule(deps, trx, caller)
  if (needsApproval(rule, totalMinor))
    throw new AppError('approval_needed', { details: { ...rule, neededMinor: totalMinor } })
}

/** Whether the caller may approve: the owner, and users with both rights. */
export const isDecider = (caller: CustomerCaller) =>
  caller.userType === 'corporate' &&
  (caller.isOwner || (caller.permissions.includes('users') && caller.permissions.includes('pay')))

/** How many orders wait for the caller's approval; 0 for those who may not approve. Only the owner decides own ones. */
export async function countApprovalsToDecide(db: DbOrTx, caller: CustomerCaller): Promise<number> {
  return isDecider(caller) ? countPending(db, caller.accountId, caller.isOwner ? null : caller.userId) : 0
}

/**
 * An order that the caller may see: of members without parcels.view_all only their own, and those who approve also see
 * the orders that needed an approval.
 */
export async function findVisibleOrder(
  db: DbOrTx,
  caller: CustomerCaller,
  id: string,
): Promise<ListedOrder | undefined> {
  const createdBy = onlyCreatedBy(caller)
  const order = await findOrder(db, caller.accountId, id, isDecider(caller) ? null : createdBy)
  const isVisible = createdBy === null || order?.created_by === createdBy || order?.approval_id !== null
  return isVisible ? order : undefined
}

/**
 * The approval state for the checkout: whether one is needed, and the latest request. Null if approvals do not apply
 * to the order.
 */
export async function presentOrderApproval(
  deps: Deps,
  db: DbOrTx,
  caller: CustomerCaller,
  order: Pick<OrderRow, 'status' | 'total_minor' | 'approval_id'>,
): Promise<OrderDetail['approval']> {
  const daysLeft = deps.settings.get('approvals.days')
  if (order.approval_id !== null) {
    const row = await findApproval(db, caller.accountId, order.approval_id)
    if (!row) return null
    return {
      needed: false,
      aboveMinor: null,
      spentMinor: 0,
      days: daysLeft,
      request: (await presentAll(db, caller, [row]))[0] ?? null,
    }
  }
  if (order.status !== 'pending_payment') return null
  const rule = await spendingRule(deps, db, caller)
  if (!needsApproval(rule, order.total_minor)) return null
  return { needed: true, ...rule, days: daysLeft, request: null }
}

async function presentAll(db: DbOrTx, caller: CustomerCaller, rows: readonly ApprovalRow[]): Promise<Approval[]> {
  const ids = rows.flatMap(({ requested_by, decided_by }) => (decided_by ? [requested_by, decided_by] : [requested_by]))
  const names = await findUserNames(db, [...new Set(ids)])
  return rows.map((row) => ({
    id: row.id,
    orderId: row.order_id,
    orderNumber: row.order_number,
    status: row.status,
    amountMinor: row.amount_minor,
    currency: row.currency,
    parcelCount: row.parcel_count,
    requestedBy: { id: row.requested_by, name: names.get(row.requested_by) ?? '' },
    requestedAt: row.created_at.toISOString(),
    note: row.note,
    expiresAt: row.expires_at.toISOString(),
    decidedBy: row.decided_by && (names.get(row.decided_by) ?? null),
    decidedAt: row.decided_at?.toISOString() ?? null,
    reason: row.reason,
    decidable: row.status === 'pending' && isDecider(caller) && (caller.isOwner || row.requested_by !== caller.userId),
  }))
}

/** A request for the caller. Throws not_found. */
export async function getApproval(db: DbOrTx, caller: CustomerCaller, id: string): Promise<Approval> {
  const row = await findApproval(db, caller.accountId, id)
  const [approval] = row ? await presentAll(db, caller, [row]) : []
  if (!approval) throw new AppError('not_found')
  return approval
}

/** Requests of the company; a caller who may not approve sees only their own. */
export async function readApprovals(
  deps: Deps,
  caller: CustomerCaller,
  { tab, offset, limit }: QueryOf<typeof listApprovals>,
): Promise<ResponseOf<typeof listApprovals>> {
  const requestedBy = isDecider(caller) ? null : caller.userId
  const { rows, counts } = await approvalPage(deps.db, caller.accountId, {
    pending: tab === 'pending',
    requestedBy,
    offset,
    limit,
  })
  return { items: await presentAll(deps.db, caller, rows), total: counts[tab], offset, limit, counts }
}
