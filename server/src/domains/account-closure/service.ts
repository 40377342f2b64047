/** Deletes an account at its user's own request: personal data is erased, the books are kept (decision 63). */
import type { ClosureReason, deleteOwnAccount, getClosure } from '@waybill/contract/account-closure/account-closure'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../activity.ts'
import { type DbOrTx, type Tx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { addJob, cancelMails } from '../../jobs/jobs.ts'
import { days, later } from '../../lib/clock.ts'
import { settleDeparture } from '../accounts/company/service.ts'
import type { Device } from '../accounts/devices/request-device.ts'
import { withProof } from '../accounts/profile/proof.ts'
import { endUserSessions, revokeTokens } from '../accounts/rights.ts'
import { findUserById, lockAccount } from '../accounts/service.ts'
import { releaseAttachments } from '../attachments/service.ts'
import { removeDrafts } from '../parcels/cart/drafts.ts'
import { lastLookHours } from '../payments/rules.ts'
import {
  anonymizeAccount,
  anonymizeUsers,
  countOwnApprovals,
  deleteNotes,
  deleteResponses,
  deleteSignIns,
  deleteWalletAccess,
  findObstacles,
  listMailAddresses,
  listUnshipped,
  listUserIds,
  revokeKeys,
  stopIntegrations,
} from './queries.ts'

type Closure = ResponseOf<typeof getClosure>
type Reason = Closure['reasons'][number]

/** Everything that prevents the deletion. For a user who does not own the account these are only open approvals. */
async function listReasons(deps: Deps, caller: CustomerCaller, db: DbOrTx = deps.db): Promise<Reason[]> {
  const { accountId, userId } = caller
  if (!caller.isOwner) {
    const count = await countOwnApprovals(db, accountId, userId)
    return count > 0 ? [{ reason: 'approvals', count, amountMinor: null, until: null }] : []
  }
  const now = deps.clock.now()
  const obstacles = await findObstacles(db, { accountId, userId, lookHours: lastLookHours, now })
  const until = obstacles.payments_until?.toISOString() ?? null
  const buildReason = (reason: ClosureReason, count: number, amountMinor: number | null = null): Reason[] =>
    count > 0 ? [{ reason, count, amountMinor, until: reason === 'payments' ? until : null }] : []
  const buildDebtReason = (reason: ClosureReason, amountMinor: number): Reason[] =>
    amountMinor !== 0 ? [{ reason, count: 1, amountMinor, until: null }] : []
  return [
    ...buildReason('parcels', obstacles.parcels),
    ...buildReason('outstanding', obstacles.outstanding, obstacles.outstanding_minor),
    ...buildReason('orders', obstacles.orders),
    ...buildReason('approvals', obstacles.approvals),
    ...buildReason('pickups', obstacles.pickups),
    ...buildReason('payments', obstacles.payments),
    ...buildReason('claims', obstacles.claims),
    ...buildReason('disputes', obstacles.disputes),
    ...buildDebtReason('wallet', obstacles.wallet_minor),
    ...buildDebtReason('statement', obstacles.statement_minor),
    ...buildDebtReason('cod', obstacles.cod_minor),
    ...buildReason('refunds', obstacles.refunds, obstacles.refunds_minor),
    ...buildReason('members', obstacles.members),
  ]
}

/** What prevents deleting the caller's account. */
export async function readClosure(deps: Deps, caller: CustomerCaller): Promise<Closure> {
  return {
    scope: caller.isOwner ? 'account' : 'user',
    reasons: await listReasons(deps, caller),
    currency: deps.settings.get('currency'),
  }
}

/**
 * Deletes the caller's account; for a member of a company only the user. Everybody is signed out.
 * @throws AppError not_found for another id; account_not_settled with every reason; the errors of the proof
 */
export async function closeOwnAccount(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  proof: BodyOf<typeof deleteOwnAccount>,
  device: Device,
): Promise<void> {
  if (id !== caller.userId) throw new AppError('not_found')
  // Checked before the proof, so that a refusal does not use up the code.
  await refuseUnsettled(deps, caller)
  // Many drafts are removed in several transactions, so the proof is used up before.
  await withProof(deps, caller, { step: 'delete_account', proof, device }, async () => undefined)
  if (caller.isOwner) await removeUnshipped(deps, caller)
  await tx(deps.db, async (trx) => {
    // Claims, disputes, returns and top-ups lock the account too, so the second check sees any that came in between.
    await lockAccount(trx, caller.accountId)
    await refuseUnsettled(deps, caller, trx)
    await erase(trx, deps, caller)
    const { accountId, userId } = caller
    await recordActivity(trx, {
      action: caller.isOwner ? 'account.deleted' : 'corporate.memberLeft',
      level: 'NOTICE',
      accountId,
      userId,
      subject: userId,
      ip: device.ip,
      at: deps.clock.now(),
    })
  })
}

async function refuseUnsettled(deps: Deps, caller: CustomerCaller, db: DbOrTx = deps.db): Promise<void> {
  const reasons = await listReasons(deps, caller, db)
  if (reasons.length > 0) throw new AppError('account_not_settled', { details: { reasons } })
}

/** Requests and jobs that began before the deletion have ended after this time. */
const lateWritesMs = days(1)

/** Ends all access and erases names in this transaction. A job erases the rest, which may take long. */
async function erase(trx: Tx, deps: Deps, caller: CustomerCaller): Promise<void> {
  const { accountId, userId } = caller
  const at = deps.clock.now()
  const userIds = caller.isOwner ? await listUserIds(trx, accountId) : [userId]
  const ended: string[] = []
  for (const id of userIds) {
    const user = await findUserById(trx, id)
    if (user?.photo_id) await releaseAttachments(deps, trx, [user.photo_id])
    ended.push(...(await endUserSessions(trx, deps, id)))
  }
  const self = await findUserById(trx, userId)
  await cancelMails(trx, await listMailAddresses(trx, userIds))
  await deleteSignIns(trx, userIds)
  await anonymizeUsers(trx, userIds, at)
  if (caller.isOwner) {
    await deleteWalletAccess(trx, accountId)
    await deleteNotes(trx, accountId)
    await deleteResponses(trx, accountId)
    await revokeKeys(trx, accountId, at)
    await stopIntegrations(trx, accountId, at)
    await anonymizeAccount(trx, accountId, at)
  } else if (self) {
    await settleDeparture(trx, deps, self)
  }
  const erasure = { accountId: caller.isOwner ? accountId : null, userIds }
  await addJob(trx, 'account-closure:erase', erasure)
  // Runs again for data that was being written during the deletion.
  await addJob(trx, 'account-closure:erase', erasure, { runAt: later(at, lateWritesMs) })
  await revokeTokens(trx, deps, ...userIds, ...(caller.isOwner ? [accountId] : []), ...ended)
}

/** Drafts per transaction: few enough that no lock is held long. */
const draftsAtOnce = 200

async function removeUnshipped(deps: Deps, caller: CustomerCaller): Promise<void> {
  const ids = await tx(deps.db, (trx) => listUnshipped(trx, caller.accountId))
  for (let start = 0; start < ids.length; start += draftsAtOnce) {
    await removeDrafts(deps, caller, ids.slice(start, start + draftsAtOnce))
  }
}
