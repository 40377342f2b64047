/** Mails about the second factor. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { addJob } from '../../../jobs/jobs.ts'
import type { UserRow } from '../queries.ts'

/** Notifies a member of staff that their second factor was set up, or removed by an administrator. */
export async function mailFactorChange(
  trx: DbOrTx,
  deps: Deps,
  user: UserRow,
  template: 'second_factor_set' | 'second_factor_reset',
): Promise<void> {
  await addJob(trx, 'mail:send', {
    to: user.email,
    template,
    locale: user.language as Locale,
    vars: { name: user.name, url: `${deps.config.http.publicUrl}/forgot-password` },
  })
}
