/** Staff see an account as its owner sees it: read-only, for a short time, and logged. */
import { viewAccount } from '@waybill/contract/accounts/directory'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { StaleRead, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import {
  asAccountId,
  authorize,
  type CustomerCaller,
  callerFromClaims,
  type StaffCaller,
  type Viewer,
} from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { viewTokenSeconds } from '../../../http/tokens.ts'
import { later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { customerClaims, type LockedIdentity, tokenClaims } from '../present.ts'
import { type AccountRow, findAccount, findOwner, lockSession } from '../queries.ts'
import { lockRights, maySignIn, revokeTokens } from '../rights.ts'
import { endViewRow, insertView } from './queries.ts'
import { isViewable } from './service.ts'

/**
 * Issues a read-only token with the owner's rights (`isCallInView`). It cannot be renewed, and ends with the session
 * of the member of staff. Throws not_found; account_not_viewable if the account or its owner is blocked, because they
 * see nothing either.
 */
export async function openView(deps: Deps, caller: StaffCaller, id: string): Promise<ResponseOf<typeof viewAccount>> {
  const viewId = newId()
  const view = await tx(deps.db, async (trx) => {
    const owner = await lockViewedOwner(trx, deps, id)
    const staff = await lockViewer(trx, deps, caller)
    const expiresAt = later(staff.readAt, viewTokenSeconds * 1000)
    await insertView(trx, {
      id: viewId,
      account_id: id,
      staff_id: staff.user.id,
      started_at: staff.readAt,
      expires_at: expiresAt,
    })
    await recordActivity(trx, {
      action: 'accounts.viewed',
      level: 'NOTICE',
      accountId: id,
      userId: staff.user.id,
      subject: viewId,
      at: staff.readAt,
    })
    return { owner, staff, expiresAt }
  })
  const { user, account } = view.owner
  const { id: staffId, name: staffName } = view.staff.user
  const claims = { ...customerClaims(user, account, viewId), v: { id: staffId, n: staffName, s: caller.sessionId } }
  const token = await deps.tokens.sign(claims, { readAt: view.staff.readAt })
  return { token, expiresAt: view.expiresAt.toISOString(), accountName: account.name, staffName }
}

async function lockViewedOwner(trx: Tx, deps: Deps, id: string): Promise<LockedIdentity & { account: AccountRow }> {
  const account = await findAccount(trx, id)
  if (!account) throw new AppError('not_found')
  const currentOwner = await findOwner(trx, asAccountId(id))
  if (!isViewable(account, currentOwner)) throw new AppError('account_not_viewable')
  const owner = await lockRights(trx, deps, currentOwner.id)
  // The account or its owner has changed since the first read.
  if (!owner?.account || !owner.user.is_owner || !maySignIn(owner)) throw new StaleRead()
  return { ...owner, account: owner.account }
}

/** The member of staff, whose rights or session may have ended since the call was authorised. */
async function lockViewer(trx: Tx, deps: Deps, { userId, sessionId }: StaffCaller): Promise<LockedIdentity> {
  const staff = await lockRights(trx, deps, userId)
  const session = await lockSession(trx, sessionId)
  if (!staff || !maySignIn(staff) || !session || session.ended_at !== null) throw new AppError('session_expired')
  authorize(viewAccount.access, callerFromClaims({ ...tokenClaims(staff, sessionId), iat: 0, exp: 0 }))
  return staff
}

/** Ends a view early; no error if it has ended already. */
export async function endView(
  deps: Deps,
  { accountId, sessionId }: CustomerCaller,
  { staffId }: Viewer,
): Promise<void> {
  await tx(deps.db, async (trx) => {
    const at = deps.clock.now()
    if (!(await endViewRow(trx, sessionId, at))) return
    await revokeTokens(trx, deps, sessionId)
    await recordActivity(trx, { action: 'accounts.viewEnded', accountId, userId: staffId, subject: sessionId, at })
  })
}
