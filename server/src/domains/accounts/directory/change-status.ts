/** The status of a whole account: active, suspended or blocked. */
import type { AccountDetail, setAccountStatus } from '@waybill/contract/accounts/directory'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { AccountStatus } from '@waybill/contract/ground/enums/enums'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { notify } from '../../notifications/notify.ts'
import type { AccountRow } from '../queries.ts'
import { revokeTokens } from '../rights.ts'
import { endSessionsOfAccount, insertStatusChange, lockAccountById, updateAccountStatus } from './queries.ts'
import { readAccount } from './service.ts'

/**
 * Sets the status at once, in every process, and mails the owner. Blocking ends all sessions; other statuses only
 * replace the users' tokens. The reason is visible to staff only. Throws not_found, account_closed (deleted by its
 * owner), version_conflict; the same status changes nothing.
 */
export async function changeAccountStatus(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { status, reason, version }: BodyOf<typeof setAccountStatus>,
): Promise<AccountDetail> {
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const account = await lockAccountById(trx, id)
    if (!account) throw new AppError('not_found')
    if (account.closed_at !== null) throw new AppError('account_closed')
    if (account.version !== version) throw new AppError('version_conflict')
    if (account.status === status) return
    await updateAccountStatus(trx, id, status, at)
    await insertStatusChange(trx, {
      id: newId(),
      account_id: id,
      from_status: account.status,
      to_status: status,
      reason,
      changed_by: caller.userId,
      changed_at: at,
    })
    const sessionIds = status === 'blacklisted' ? await endSessionsOfAccount(trx, id, at) : []
    await revokeTokens(trx, deps, id, ...sessionIds)
    await recordActivity(trx, {
      action: 'accounts.status',
      level: 'NOTICE',
      accountId: id,
      userId: caller.userId,
      subject: id,
      detail: { status: [account.status, status], reason },
      at,
    })
    await notifyOwner(trx, deps, account, status)
  })
  return readAccount(deps, id)
}

async function notifyOwner(trx: Tx, deps: Deps, account: AccountRow, status: AccountStatus): Promise<void> {
  const facts = { account: account.name, number: account.number }
  await notify(deps, trx, { kind: `account_${status}`, to: { owner: account.id }, facts })
}
