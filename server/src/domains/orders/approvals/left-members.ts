/**
 * Handles open approval requests after a member has left, or may no longer approve, so that none stays open forever.
 */
import { recordActivity } from '../../../activity.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { type AccountId, asAccountId } from '../../../http/caller.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { listApprovers } from '../../accounts/company/queries-members.ts'
import { findAccountById, findUserById } from '../../accounts/service.ts'
import { notify } from '../../notifications/notify.ts'
import { countPending, listPendingApprovals } from './queries.ts'
import { giveUp, lockPendingApproval, storeDecision } from './service.ts'

/**
 * Withdraws the requests of removed members, whose parcels are no longer needed. If only the owner can decide the open
 * requests, the owner is mailed. Requests of suspended and blocked members go on.
 */
export const followLeftMembers: OutboxHandler<'company.member_limited'> = async (deps, trx, events) => {
  const owners = new Set<string>()
  for (const { accountId: id, userId, wasApprover } of events) {
    // Safe: the event was written by a change within the same company.
    const accountId = asAccountId(id)
    const user = await findUserById(trx, userId)
    if (user?.removed_at) await withdrawRequests(deps, trx, accountId, userId)
    if (wasApprover) owners.add(accountId)
  }
  for (const id of owners) await mailOwnerAlone(deps, trx, asAccountId(id))
}

async function withdrawRequests(deps: Deps, trx: DbOrTx, accountId: AccountId, userId: string): Promise<void> {
  const at = deps.clock.now()
  for (const { id } of await listPendingApprovals(trx, accountId, userId)) {
    const { waiting } = await lockPendingApproval(trx, accountId, id)
    // It was decided meanwhile.
    if (!waiting) continue
    await storeDecision(trx, waiting.approval, 'withdraw', { decidedBy: null, reason: null, at })
    await giveUp(deps, trx, waiting, null)
    await recordActivity(trx, { action: 'approval.withdraw', accountId, subject: waiting.order.number, at })
  }
}

/** Mails the owner if no other member can decide the open requests. */
async function mailOwnerAlone(deps: Deps, trx: DbOrTx, accountId: AccountId): Promise<void> {
  const open = await countPending(trx, accountId)
  const approvers = await listApprovers(trx, accountId)
  const owner = approvers.find(({ is_owner }) => is_owner)
  if (open === 0 || !owner || approvers.length > 1) return
  const account = await findAccountById(trx, accountId)
  await notify(deps, trx, {
    kind: 'approvals_yours',
    to: { users: [owner.id] },
    facts: { account: account?.name ?? '', open },
  })
}
