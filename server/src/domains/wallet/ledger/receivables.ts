/** Companies' debts from monthly billing. */
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import { derivedId } from '../../../lib/ids.ts'
import { bookName } from '../rules.ts'
import {
  billedByAll,
  listSpentByUser,
  receivableMovements,
  sumBilledByMember,
  sumOwedByAccount,
  sumReceivableMonth,
} from './queries-receivables.ts'
import { walletLedgerId } from './service.ts'

/** A company's debt is its ledger account corporate_receivable. */
const receivableId = (accountId: AccountId, currency: string) =>
  derivedId(bookName({ book: 'corporate_receivable', accountId, amountMinor: 0 }, currency))

/** The debts of these companies, in minor units; negative if they paid too much. */
export async function readReceivables(
  db: DbOrTx,
  accountIds: readonly AccountId[],
  currency: string,
): Promise<Map<AccountId, number>> {
  const ids = accountIds.map((accountId) => receivableId(accountId, currency))
  const debts = await sumOwedByAccount(db, ids)
  return new Map(accountIds.map((accountId, n) => [accountId, debts.get(ids[n] ?? '') ?? 0]))
}

/**
 * A member's spending of the company's money since the beginning of a day, through credits and monthly billing, by
 * order.
 */
export function spentByMember(
  db: DbOrTx,
  { accountId, userId }: { accountId: AccountId; userId: string },
  currency: string,
  since: { day: string; timeZone: string },
): Promise<{ order_id: string | null; spent: number }[]> {
  const accounts = [walletLedgerId(accountId, currency), receivableId(accountId, currency)]
  return listSpentByUser(db, accounts, accountId, userId, since)
}

/** The amount billed for a member since the beginning of a day in a time zone. */
export function billedByMember(
  db: DbOrTx,
  member: { accountId: AccountId; userId: string },
  currency: string,
  since: { day: string; timeZone: string },
): Promise<number> {
  return sumBilledByMember(db, receivableId(member.accountId, currency), member.accountId, member.userId, since)
}

/** The same for every member with billed orders, by user id. */
export function billedByMembers(
  db: DbOrTx,
  accountId: AccountId,
  currency: string,
  since: { day: string; timeZone: string },
): Promise<Map<string, number>> {
  return billedByAll(db, receivableId(accountId, currency), accountId, since)
}

/** A company's month (`YYYY-MM`) in sums, and a page of its movements after a number (0: from the first). */
export function receivableMonth(db: DbOrTx, accountId: AccountId, currency: string, month: string, timeZone: string) {
  const id = receivableId(accountId, currency)
  return {
    sums: () => sumReceivableMonth(db, id, month, timeZone),
    after: (seq: number, limit: number) => receivableMovements(db, id, month, timeZone, seq, limit),
  }
}
