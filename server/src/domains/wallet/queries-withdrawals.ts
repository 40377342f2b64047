/** Queries on withdrawals. */
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'

/** The balance of a wallet, locked; 0 if it has no entries. */
export async function lockWalletBalance(trx: DbOrTx, ledgerAccountId: string): Promise<number> {
  const { rows } = await sql<{ balance_minor: number }>`
    select balance_minor
    from ledger_accounts
    where id = ${ledgerAccountId}::uuid
    for update`.execute(trx)
  return rows[0]?.balance_minor ?? 0
}

/** Whether a withdrawal from this ledger account has this reference. */
export async function hasWithdrawal(
  trx: DbOrTx,
  accountId: AccountId,
  ledgerAccountId: string,
  reference: string,
): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from journal_entries e
    join journal_postings p on p.entry_id = e.id and p.ledger_account_id = ${ledgerAccountId}::uuid
    where e.reference = ${reference}::text and e.account_id = ${accountId}::uuid and e.kind = 'withdrawal'
    limit 1`.execute(trx)
  return rows.length > 0
}
