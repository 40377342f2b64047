/** Staff see an account as its owner sees it: read-only, for a short time, and logged. */
import type { viewAccount } from '@waybill/contract/accounts/directory'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type CustomerCaller, type StaffCaller, type Viewer } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { viewTokenSeconds } from '../../../http/tokens.ts'
import { later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { customerClaims } from '../present.ts'
import { findOwner, findUser } from '../queries.ts'
import { revokeTokens } from '../rights.ts'
import { endViewRow, insertView } from './queries.ts'
import { isViewable, requireAccount } from './service.ts'

/**
 * Issues a read-only token with the owner's rights (`isCallInView`). It cannot be renewed, and ends with the session
 * of the member of staff. Throws not_found; account_not_viewable if the account or its owner is blocked, because they
 * see nothing either.
 */
export async function openView(deps: Deps, caller: StaffCaller, id: string): Promise<ResponseOf<typeof viewAccount>> {
  const account = await requireAccount(deps, id)
  const owner = await findOwner(deps.db, asAccountId(id))
  if (!isViewable(account, owner)) throw new AppError('account_not_viewable')
  const staff = await findUser(deps.db, caller.userId)
  if (!staff) throw new AppError('session_expired')
  const viewId = newId()
  const startedAt = deps.clock.now()
  const expiresAt = later(startedAt, viewTokenSeconds * 1000)
  await tx(deps.db, async (trx) => {
    await insertView(trx, {
      id: viewId,
      account_id: id,
      staff_id: staff.id,
      started_at: startedAt,
      expires_at: expiresAt,
    })
    await recordActivity(trx, {
      action: 'accounts.viewed',
      level: 'NOTICE',
      accountId: id,
      userId: staff.id,
      subject: viewId,
      at: startedAt,
    })
  })
  const claims = customerClaims(owner, account, viewId)
  const token = await deps.tokens.sign({ ...claims, v: { id: staff.id, n: staff.name, s: caller.sessionId } })
  return { token, expiresAt: expiresAt.toISOString(), accountName: account.name, staffName: staff.name }
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
