/** Mails about the second factor. */
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { notify } from '../../notifications/notify.ts'
import type { UserRow } from '../queries.ts'

/** Notifies a member of staff that their second factor was set up, or removed by an administrator. */
export async function mailFactorChange(
  trx: DbOrTx,
  deps: Deps,
  user: UserRow,
  kind: 'second_factor_set' | 'second_factor_reset',
): Promise<void> {
  await notify(deps, trx, { kind, to: { users: [user.id] } })
}
