/** Queries on the low-balance alert. */
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { WalletPreferences } from '../../db/schema.ts'
import type { AccountId } from '../../http/caller.ts'

export type WalletPreferencesRow = Selectable<WalletPreferences>

/** The preferences of an account. */
export async function findWalletPreferences(
  db: DbOrTx,
  accountId: AccountId,
): Promise<WalletPreferencesRow | undefined> {
  return db.selectFrom('wallet_preferences').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

export type NewPreferences = {
  account_id: AccountId
  low_balance_minor: number | null
  updated_by: string
  updated_at: Date
}

/**
 * Stores the preferences if the version matches (0: none stored yet), else returns undefined. The alert is reset,
 * because the limit is new.
 */
export async function saveWalletPreferences(
  trx: DbOrTx,
  values: NewPreferences,
  version: number,
): Promise<WalletPreferencesRow | undefined> {
  if (version === 0) {
    return trx
      .insertInto('wallet_preferences')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
  }
  const { account_id, ...changes } = values
  return trx
    .updateTable('wallet_preferences')
    .set({ ...changes, low_balance_told_at: null, version: version + 1 })
    .where('account_id', '=', account_id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()
}

/**
 * The accounts whose wallet just fell below their limit, marked as notified. Those above it again are reset. Wallets
 * are given by ledger account id.
 */
export async function takeLowBalances(
  trx: DbOrTx,
  wallets: readonly { accountId: string; ledgerAccountId: string }[],
  at: Date,
): Promise<{ account_id: AccountId; balance_minor: number; low_balance_minor: number }[]> {
  const { rows } = await sql<{ account_id: AccountId; balance_minor: number; low_balance_minor: number }>`
    with wallets as (
      select w.account_id, w.ledger_id, l.balance_minor
      from unnest(
        ${wallets.map(({ accountId }) => accountId)}::uuid[],
        ${wallets.map(({ ledgerAccountId }) => ledgerAccountId)}::uuid[]
      ) as w(account_id, ledger_id)
      join ledger_accounts l on l.id = w.ledger_id
    ), above as (
      update wallet_preferences p
      set low_balance_told_at = null
      from wallets w
      where p.account_id = w.account_id
        and p.low_balance_told_at is not null
        and w.balance_minor >= p.low_balance_minor
    )
    update wallet_preferences p
    set low_balance_told_at = ${at}::timestamptz
    from wallets w
    where p.account_id = w.account_id and p.low_balance_told_at is null and w.balance_minor < p.low_balance_minor
    returning p.account_id, w.balance_minor, p.low_balance_minor`.execute(trx)
  return rows
}
