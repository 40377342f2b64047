/** Requests for approval of a member's order. */

import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { Approval, ApprovalStatus, askApproval, declineOrder } from '@waybill/contract/orders/approvals'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { forEachItem } from '../../../jobs/each-item.ts'
import { days, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { listApprovers } from '../../accounts/company/queries-members.ts'
import { findAccountById, findUserById } from '../../accounts/service.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import { lockVisit } from '../../parcels/pickup-side/visits.ts'
import { checkoutParcels, listParcelsOfOrder } from '../../parcels/service.ts'
import { transitionParcels } from '../../parcels/transition.ts'
import { priceOrder } from '../checkout.ts'
import { readBilling } from '../monthly-billing/service.ts'
import { lockAccountOrder, type OrderRow } from '../queries.ts'
import { sumLines } from '../rules.ts'
import {
  expireUnpaidOrder,
  type LockedOrder,
  lockForPayment,
  requireNoRunningPayment,
  requirePayable,
} from '../settlement.ts'
import {
  type ApprovalRow,
  findApproval,
  insertApproval,
  overdueApprovals,
  setApproval,
  updateWaitingOrder,
} from './queries.ts'
import { getApproval, isDecider, needsApproval, spendingRule } from './reads.ts'
import { type ApprovalEvent, nextApprovalStatus } from './status.ts'

/**
 * Makes an order wait for an approval: nothing is charged, its parcels leave the cart, and the approvers get a mail.
 * Throws not_found, order_closed, order_expired, price_changed, approval_pending, approval_not_needed,
 * payment_method_closed (the order could not be billed; `details.reason`), checkout_running (a gateway payment is
 * pending), pickup_missed, pickup_full.
 */
export async function requestApproval(
  deps: Deps,
  caller: CustomerCaller,
  { orderId, note }: BodyOf<typeof askApproval>,
  idempotency: Idempotency,
): Promise<Approval> {
  const { settings, clock } = deps
  return tx(deps.db, async (trx) => {
    const currentOrder = await lockAccountOrder(trx, caller.accountId, orderId, onlyCreatedBy(caller))
    if (!currentOrder) throw new AppError('not_found')
    const locked = await lockForPayment(deps, trx, caller, orderId, currentOrder.total_minor)
    const { order, parcels } = locked
    if (!needsApproval(await spendingRule(deps, trx, caller), order.total_minor))
      throw new AppError('approval_not_needed')
    // An approved order is billed in the name of who asked.
    const { closed } = await readBilling(deps, caller, trx, order.total_minor)
    if (closed !== null) throw new AppError('payment_method_closed', { details: { reason: closed } })
    requireNoRunningPayment(locked)
    const at = clock.now()
    const id = newId()
    await insertApproval(trx, order, {
      id,
      requestedBy: caller.userId,
      note,
      at,
      expiresAt: later(at, days(settings.get('approvals.days'))),
      timeZone: settings.get('timezone'),
    })
    await checkoutParcels(deps, trx, parcels, 'checkout_approval', { actorId: caller.userId })
    await noteDecision(trx, caller, 'approval.ask', order, at)
    const row = await findApproval(trx, caller.accountId, id)
    if (!row) throw new Error('the request that was just written is gone')
    await notifyApprovers(deps, trx, caller, row)
    const answer = await getApproval(trx, caller, id)
    await idempotency.keep(trx, answer)
    return answer
  })
}

async function noteDecision(trx: Tx, caller: CustomerCaller, action: string, order: OrderRow, at: Date): Promise<void> {
  const { accountId, userId } = caller
  const detail = { amountMinor: order.total_minor }
  await recordActivity(trx, { action, accountId, userId, subject: order.number, detail, at })
}

type Waiting = LockedOrder & { approval: ApprovalRow }

/**
 * Locks a pending request with its order and parcels; of two parallel decisions the second one finds it decided.
 * `waiting` is null if it is decided or gone; `status` is that of the request, null if there is none.
 */
export async function lockPendingApproval(
  trx: DbOrTx,
  accountId: AccountId,
  id: string,
): Promise<{ waiting: Waiting | null; status: ApprovalStatus | null }> {
  const unlockedApproval = await findApproval(trx, accountId, id)
  const order = unlockedApproval && (await lockAccountOrder(trx, accountId, unlockedApproval.order_id, null))
  // Read again, now under the lock.
  const approval = order && (await findApproval(trx, accountId, id))
  if (!order || approval?.status !== 'pending') return { waiting: null, status: approval?.status ?? null }
  const parcels = await listParcelsOfOrder(trx, order.id, { lock: true })
  return { waiting: { approval, order, parcels }, status: approval.status }
}

/** Locks a request for a decision. Throws not_found, approval_decided. */
async function lockWaiting(trx: Tx, { accountId }: CustomerCaller, id: string): Promise<Waiting> {
  const { waiting, status } = await lockPendingApproval(trx, accountId, id)
  if (waiting) return waiting
  throw status === null ? new AppError('not_found') : new AppError('approval_decided', { details: { status } })
}

/** Stores a decision. Throws approval_decided. */
export async function storeDecision(
  trx: DbOrTx,
  approval: ApprovalRow,
  event: ApprovalEvent,
  by: { decidedBy: string | null; reason: string | null; at: Date },
): Promise<void> {
  const status = nextApprovalStatus(approval.status, event)
  if (status === null) throw new AppError('approval_decided', { details: { status: approval.status } })
  await setApproval(trx, approval, { status, ...by })
}

/** Deciding requires both the right to pay and the right to manage users. Throws forbidden. */
function requireDecider(caller: CustomerCaller): void {
  if (!isDecider(caller)) throw new AppError('forbidden')
}

/**
 * Locks an order for its approval and records it. The caller then pays it in the same transaction, in the name of
 * `requestedBy`. If its total has changed, the approver must have seen that of today. Throws forbidden, not_found,
 * approval_decided, approval_own, order_expired, order_closed, price_changed, pickup_missed, pickup_full.
 */
export async function takeApproval(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  id: string,
  expectedTotalMinor: number,
): Promise<LockedOrder & { requestedBy: string }> {
  requireDecider(caller)
  const { approval, ...waiting } = await lockWaiting(trx, caller, id)
  if (!caller.isOwner && approval.requested_by === caller.userId) throw new AppError('approval_own')
  const order = await updateSeenTotal(deps, trx, waiting, expectedTotalMinor)
  const payable = await requirePayable(deps, trx, order, expectedTotalMinor)
  const at = deps.clock.now()
  await storeDecision(trx, approval, 'approve', { decidedBy: caller.userId, reason: null, at })
  await noteDecision(trx, caller, 'approval.approve', order, at)
  const approved = { ...approval, amount_minor: order.total_minor }
  await notifyRequester(deps, trx, approved, 'approval_approved', { decidedBy: caller.userId })
  return { ...payable, requestedBy: approval.requested_by }
}

/**
 * The order at its total of today if the approver saw that one: meanwhile the pickup fee changed, or the account booked
 * or cancelled the rider's visit for another order. Any other total is refused later.
 */
async function updateSeenTotal(
  deps: Deps,
  trx: Tx,
  { order, parcels }: LockedOrder,
  seenTotalMinor: number,
): Promise<OrderRow> {
  if (seenTotalMinor === order.total_minor) return order
  const visit = order.pickup ? await lockVisit(trx, order.account_id, order.pickup) : null
  const lines = priceOrder(deps, parcels, { joins: visit !== null })
  if (sumLines(lines) !== seenTotalMinor) return order
  return updateWaitingOrder(trx, order, { lines, totalMinor: seenTotalMinor, visitId: visit?.id ?? null })
}

/** Ends a waiting order: its parcels return to the cart. */
export async function giveUp(
  deps: Deps,
  trx: DbOrTx,
  { order, parcels }: Waiting,
  actorId: string | null,
): Promise<void> {
  const waiting = parcels.filter(({ status }) => status === 'pending_payment')
  await transitionParcels(deps, trx, waiting, 'checkout_abandoned', { actorId })
  await expireUnpaidOrder(deps, trx, { order, parcels: await listParcelsOfOrder(trx, order.id, { lock: true }) })
}

/** Declines a request. Throws forbidden, not_found, approval_decided. */
export async function declineApproval(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { reason }: BodyOf<typeof declineOrder>,
): Promise<Approval> {
  requireDecider(caller)
  await tx(deps.db, async (trx) => {
    const waiting = await lockWaiting(trx, caller, id)
    const at = deps.clock.now()
    await storeDecision(trx, waiting.approval, 'decline', { decidedBy: caller.userId, reason, at })
    await giveUp(deps, trx, waiting, caller.userId)
    await noteDecision(trx, caller, 'approval.decline', waiting.order, at)
    await notifyRequester(deps, trx, waiting.approval, 'approval_declined', { decidedBy: caller.userId, reason })
  })
  return getApproval(deps.db, caller, id)
}

const sweepSize = 200

/** A job that closes orders whose approval was not decided in time. */
export async function expireApprovals(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  await forEachItem(await overdueApprovals(deps.db, now, sweepSize), (overdue) =>
    tx(deps.db, (trx) => expireApproval(deps, trx, overdue, now)),
  )
}

async function expireApproval(
  deps: Deps,
  trx: Tx,
  { id, account_id: accountId }: Pick<ApprovalRow, 'id' | 'account_id'>,
  now: Date,
): Promise<void> {
  const { waiting } = await lockPendingApproval(trx, accountId, id)
  // It was decided meanwhile.
  if (!waiting) return
  await storeDecision(trx, waiting.approval, 'expire', { decidedBy: null, reason: null, at: now })
  await giveUp(deps, trx, waiting, null)
  await notifyRequester(deps, trx, waiting.approval, 'approval_expired', {})
}

async function notifyApprovers(deps: Deps, trx: Tx, caller: CustomerCaller, row: ApprovalRow): Promise<void> {
  const account = await findAccountById(trx, caller.accountId)
  const requester = await findUserById(trx, row.requested_by)
  const approvers = await listApprovers(trx, caller.accountId)
  await notify(deps, trx, {
    kind: 'approval_asked',
    to: { users: approvers.map(({ id }) => id).filter((id) => id !== row.requested_by) },
    facts: {
      requester: requester?.name ?? '',
      account: account?.name ?? '',
      number: row.order_number,
      count: row.parcel_count,
      amount: fact.money(row.amount_minor, row.currency),
      until: fact.moment(row.expires_at),
      note: row.note,
    },
  })
}

/** Notifies the requester of the decision, unless they left the company. */
async function notifyRequester(
  deps: Deps,
  trx: Tx,
  row: ApprovalRow,
  kind: 'approval_approved' | 'approval_declined' | 'approval_expired',
  { decidedBy = null, reason = '' }: { decidedBy?: string | null; reason?: string },
): Promise<void> {
  const decider = decidedBy === null ? undefined : await findUserById(trx, decidedBy)
  await notify(deps, trx, {
    kind,
    to: { users: [row.requested_by] },
    subjectId: row.order_id,
    facts: {
      decider: decider?.name ?? '',
      reason,
      number: row.order_number,
      amount: fact.money(row.amount_minor, row.currency),
    },
  })
}
