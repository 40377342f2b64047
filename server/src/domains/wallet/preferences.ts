/** The low-balance alert. */

import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { setWalletPreferences, WalletPreferences } from '@waybill/contract/wallet/preferences'
import { recordActivity } from '../../activity.ts'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { type AccountId, asAccountId, type CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import type { OutboxHandler } from '../../outbox/handler.ts'
import { fact } from '../notifications/facts.ts'
import { notify } from '../notifications/notify.ts'
import { walletLedgerId } from './ledger/service.ts'
import {
  findWalletPreferences,
  saveWalletPreferences,
  takeLowBalances,
  type WalletPreferencesRow,
} from './queries-preferences.ts'

/** The low-balance alert of an account; off by default. */
export async function readWalletPreferences(deps: Deps, accountId: AccountId): Promise<WalletPreferences> {
  return present(deps, await findWalletPreferences(deps.db, accountId))
}

function present({ settings }: Deps, row: WalletPreferencesRow | undefined): WalletPreferences {
  return {
    version: row?.version ?? 0,
    currency: settings.get('currency'),
    lowBalanceMinor: row?.low_balance_minor ?? null,
  }
}

/**
 * Sets the low-balance alert.
 * @throws AppError version_conflict if it was changed meanwhile.
 */
export async function changeWalletPreferences(
  deps: Deps,
  caller: CustomerCaller,
  { version, lowBalanceMinor }: BodyOf<typeof setWalletPreferences>,
): Promise<WalletPreferences> {
  return tx(deps.db, async (trx) => {
    const at = deps.clock.now()
    const row = await saveWalletPreferences(
      trx,
      {
        account_id: caller.accountId,
        low_balance_minor: lowBalanceMinor,
        updated_by: caller.userId,
        updated_at: at,
      },
      version,
    )
    if (!row) throw new AppError('version_conflict')
    const { accountId, userId } = caller
    await recordActivity(trx, { action: 'wallet.preferences_changed', accountId, userId, at })
    return present(deps, row)
  })
}

/** Mails owners whose credits fell below their limit, once until they are above it again. */
export const warnLowBalances: OutboxHandler<'wallet.moved'> = async (deps, trx, movements) => {
  const currency = deps.settings.get('currency')
  const wallets = [...new Set(movements.map(({ accountId }) => asAccountId(accountId)))].map((accountId) => ({
    accountId,
    ledgerAccountId: walletLedgerId(accountId, currency),
  }))
  for (const low of await takeLowBalances(trx, wallets, deps.clock.now())) {
    await notify(deps, trx, {
      kind: 'wallet_low',
      to: { owner: low.account_id },
      facts: {
        balance: fact.money(low.balance_minor, currency),
        limit: fact.money(low.low_balance_minor, currency),
      },
    })
  }
}
