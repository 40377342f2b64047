/** The daily limit of an API key that pays. */
import type { DbOrTx, Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { dayIn, days, later } from '../../../lib/clock.ts'
import { addSpending, deleteOldSpending, findSpent } from './queries.ts'

/**
 * Takes an amount from the daily limit of the caller's API key, in the transaction of the payment, so a failed payment
 * takes nothing. Does nothing for people, who enter their PIN. Refunds do not restore the limit.
 * @throws AppError key_limit (`details.limitMinor`, `spentMinor`, `neededMinor`).
 */
export async function takeKeyLimit(deps: Deps, trx: Tx, caller: CustomerCaller, amountMinor: number): Promise<void> {
  const { apiKey } = caller
  if (!apiKey || amountMinor <= 0) return
  const now = deps.clock.now()
  const day = dayIn(now, deps.settings.get('timezone'))
  if (await addSpending(trx, { keyId: apiKey.id, day, amountMinor, now })) return
  const spentMinor = await findSpent(trx, apiKey.id, day)
  const details = { limitMinor: apiKey.dailyLimitMinor ?? 0, spentMinor, neededMinor: amountMinor }
  throw new AppError('key_limit', { details })
}

/** What an API key has spent today. */
export async function readKeySpending(deps: Deps, db: DbOrTx, keyId: string): Promise<number> {
  return findSpent(db, keyId, dayIn(deps.clock.now(), deps.settings.get('timezone')))
}

/** The number of days for which sums are kept, for questions about a misused key. */
const keptDays = 90

/** Deletes old sums; part of the housekeeping. */
export async function sweepKeySpending(deps: Deps): Promise<void> {
  const oldest = later(deps.clock.now(), -days(keptDays))
  await deleteOldSpending(deps.db, dayIn(oldest, deps.settings.get('timezone')))
}
