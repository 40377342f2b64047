/** Companies' debts from monthly billing. */
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import { derivedId } from '../../../lib/ids.ts'
import { bookName } from '../rules.ts'
import {
  type KnownDebt,
  listSpentByOrder,
  type Period,
  type PeriodEnds,
  receivableMovements,
  sumChargesByPeriod,
  sumOwedByAccount,
  sumReceivablePeriod,
  sumSpentByUser,
} from './queries-receivables.ts'
import { walletLedgerId } from './service.ts'

/** A company's debt is its ledger account corporate_receivable. */
const receivableId = (accountId: AccountId, currency: string) =>
  derivedId(bookName({ book: 'corporate_receivable', accountId, amountMinor: 0 }, currency))

/**
 * The debts of these companies, in minor units; negative if they paid too much. `closings`: their amounts just before
 * a moment, so that only the postings since then are read.
 */
export async function readReceivables(
  db: DbOrTx,
  accountIds: readonly AccountId[],
  currency: string,
  closings: ReadonlyMap<AccountId, Omit<KnownDebt, 'id'>> = new Map(),
): Promise<Map<AccountId, number>> {
  const knownDebts = accountIds.map((accountId) => ({
    id: receivableId(accountId, currency),
    ...(closings.get(accountId) ?? { owed: 0, until: null }),
  }))
  const debts = await sumOwedByAccount(db, knownDebts)
  return new Map(accountIds.map((accountId, n) => [accountId, debts.get(knownDebts[n]?.id ?? '') ?? 0]))
}

/**
 * A member's spending of the company's money since the beginning of a day, through credits and monthly billing, by
 * order.
 */
export function listMemberSpending(
  db: DbOrTx,
  { accountId, userId }: { accountId: AccountId; userId: string },
  currency: string,
  since: { day: string; timeZone: string },
): Promise<{ order_id: string | null; spent: number }[]> {
  const ledgerAccountIds = [walletLedgerId(accountId, currency), receivableId(accountId, currency)]
  return listSpentByOrder(db, { ledgerAccountIds, accountId, userId, since })
}

/** The amount billed for a member since the beginning of a day in a time zone. */
export async function sumMemberBilling(
  db: DbOrTx,
  { accountId, userId }: { accountId: AccountId; userId: string },
  currency: string,
  since: { day: string; timeZone: string },
): Promise<number> {
  const ledgerAccountIds = [receivableId(accountId, currency)]
  const billed = await sumSpentByUser(db, { ledgerAccountIds, accountId, userId, since })
  return billed.get(userId) ?? 0
}

/** The same for every member with billed orders, by user id. */
export function sumBillingByMember(
  db: DbOrTx,
  accountId: AccountId,
  currency: string,
  since: { day: string; timeZone: string },
): Promise<Map<string, number>> {
  const ledgerAccountIds = [receivableId(accountId, currency)]
  return sumSpentByUser(db, { ledgerAccountIds, accountId, userId: null, since })
}

/** A period of a company in sums, and a page of its movements after a number (0: from the first). */
export function receivablePeriod(db: DbOrTx, accountId: AccountId, currency: string, period: Period) {
  const id = receivableId(accountId, currency)
  return {
    sums: () => sumReceivablePeriod(db, id, period),
    after: (seq: number, limit: number) => receivableMovements(db, id, period, seq, limit),
  }
}

/** Companies' charges less their refunds: before each of `ends` (the oldest first), and since the last. */
export async function chargesByPeriod(
  db: DbOrTx,
  companies: readonly (PeriodEnds & { accountId: AccountId })[],
  currency: string,
): Promise<Map<AccountId, number[]>> {
  const receivables = companies.map(({ accountId, ends, since }) => ({
    id: receivableId(accountId, currency),
    ends,
    since,
  }))
  const charges = await sumChargesByPeriod(db, receivables)
  return new Map(companies.map(({ accountId }, n) => [accountId, charges.get(receivables[n]?.id ?? '') ?? []]))
}
