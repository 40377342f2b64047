import type { Approval, listApprovals } from '@waybill/contract/approvals'
import type { QueryOf, ResponseOf } from '@waybill/contract/endpoint'
import type { OrderDetail } from '@waybill/contract/orders'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { accountById, namesOfUsers } from '../accounts/service.ts'
import type { OrderRow } from './queries.ts'
import { type ApprovalRow, approvalPage, findApproval } from './queries-approvals.ts'

/** The amount above which this caller needs an approval; null: none, or the caller is nobody's member. Costs others nothing. */
export async function boundOf(db: DbOrTx, caller: CustomerCaller): Promise<number | null> {
  if (caller.userType !== 'corporate' || caller.isOwner) return null
  return (await accountById(db, caller.accountId))?.approval_above_minor ?? null
}

/** Throws approval_needed (`details.aboveMinor`, `details.neededMinor`) where the company's money may be spent on this only with an approval. */
export async function refuseUnapproved(db: DbOrTx, caller: CustomerCaller, totalMinor: number): Promise<void> {
  const aboveMinor = await boundOf(db, caller)
  if (aboveMinor === null || totalMinor <= aboveMinor) return
  throw new AppError('approval_needed', { details: { aboveMinor, neededMinor: totalMinor } })
}

/** Who decides: the owner, and users with both rights. */
export const decides = (caller: CustomerCaller) =>
  caller.userType === 'corporate' &&
  (caller.isOwner || (caller.permissions.includes('users') && caller.permissions.includes('pay')))

/** What checkout says of an approval: whether one is needed, and what became of the one that was asked for. Null for orders that have nothing to do with it. */
export async function approvalOf(
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
      days: daysLeft,
      request: (await presentAll(db, caller, [row]))[0] ?? null,
    }
  }
  if (order.status !== 'pending_payment') return null
  const aboveMinor = await boundOf(db, caller)
  if (aboveMinor === null || order.total_minor <= aboveMinor) return null
  return { needed: true, aboveMinor, days: daysLeft, request: null }
}

async function presentAll(db: DbOrTx, caller: CustomerCaller, rows: readonly ApprovalRow[]): Promise<Approval[]> {
  const ids = rows.flatMap(({ requested_by, decided_by }) => (decided_by ? [requested_by, decided_by] : [requested_by]))
  const names = await namesOfUsers(db, [...new Set(ids)])
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
    decidable: row.status === 'pending' && decides(caller) && (caller.isOwner || row.requested_by !== caller.userId),
  }))
}

/** A request as the caller sees it. Throws not_found. */
export async function approvalById(db: DbOrTx, caller: CustomerCaller, id: string): Promise<Approval> {
  const row = await findApproval(db, caller.accountId, id)
  const [found] = row ? await presentAll(db, caller, [row]) : []
  if (!found) throw new AppError('not_found')
  return found
}

/** Requests of the company; who does not decide sees the own ones. */
export async function approvalsOf(
  deps: Deps,
  caller: CustomerCaller,
  { tab, offset, limit }: QueryOf<typeof listApprovals>,
): Promise<ResponseOf<typeof listApprovals>> {
  const requestedBy = decides(caller) ? null : caller.userId
  const { rows, counts } = await approvalPage(deps.db, caller.accountId, {
    pending: tab === 'pending',
    requestedBy,
    offset,
    limit,
  })
  return { items: await presentAll(deps.db, caller, rows), total: counts[tab], offset, limit, counts }
}
