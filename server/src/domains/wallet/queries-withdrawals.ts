/** Queries on withdrawals. */
import type { WithdrawalSource } from '@waybill/contract/wallet/withdrawals'
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

/**
 * Whether the bank returned the withdrawal of entry `e`. The return has the same reference, which an account's ledger
 * account has once.
 */
export const isReturned = sql`exists (
    select 1
    from journal_entries r
    join journal_postings back on back.entry_id = r.id
    join journal_postings taken on taken.entry_id = e.id and taken.ledger_account_id = back.ledger_account_id
    where r.reference = e.reference and r.account_id = e.account_id and r.kind = 'withdrawal_returned'
      and taken.account_id is not null
  )`

export type WithdrawalRow = {
  account_id: AccountId
  reference: string
  currency: string
  source: WithdrawalSource
  amount_minor: number
  returned: boolean
}

/** A withdrawal by the id of its entry. */
export async function findWithdrawal(db: DbOrTx, id: string): Promise<WithdrawalRow | undefined> {
  const { rows } = await sql<WithdrawalRow>`
    select e.account_id, e.reference, p.currency, -p.amount_minor as amount_minor, ${isReturned} as returned,
      case l.kind when 'customer_wallet' then 'wallet' else 'advance' end as source
    from journal_entries e
    join journal_postings p on p.entry_id = e.id
    join ledger_accounts l on l.id = p.ledger_account_id
    where e.id = ${id}::uuid
      and e.kind = 'withdrawal'
      and l.kind in ('customer_wallet', 'corporate_receivable')`.execute(db)
  return rows[0]
}
