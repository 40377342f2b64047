import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { Locale } from '@waybill/contract/ground/enums'
import { formatMoney } from '@waybill/contract/ground/format'
import type { setWalletPreferences, WalletPreferences } from '@waybill/contract/wallet/preferences'
import { recordActivity } from '../../activity.ts'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { type AccountId, asAccountId, type CustomerCaller } from '../../http/caller.ts'
import { AppError, invalid } from '../../http/errors.ts'
import { addJob } from '../../jobs/jobs.ts'
import type { OutboxHandler } from '../../outbox/handler.ts'
import { ownerOf } from '../accounts/service.ts'
import { walletLedgerId } from './ledger/service.ts'
import { type PreferencesRow, preferencesOf, savePreferences, takeLowBalances } from './queries-preferences.ts'

/** Low-balance alert and automatic top-up; an account that never chose has neither. */
export async function walletPreferencesOf(deps: Deps, accountId: AccountId): Promise<WalletPreferences> {
  return present(deps, await preferencesOf(deps.db, accountId))
}

function present({ settings }: Deps, row: PreferencesRow | undefined): WalletPreferences {
  return {
    version: row?.version ?? 0,
    currency: settings.get('currency'),
    lowBalanceMinor: row?.low_balance_minor ?? null,
    autoTopUp: {
      enabled: row?.auto_top_up ?? false,
      thresholdMinor: row?.auto_threshold_minor ?? null,
      amountMinor: row?.auto_amount_minor ?? null,
    },
    autoTopUpOpen: settings.get('wallet.autoTopUpAllowed'),
  }
}

/**
 * Changes them. A rule of automatic top-ups may be written down at any time, but is only turned on where the gateway
 * may be charged without the customer (setting wallet.autoTopUpAllowed). Throws version_conflict, auto_top_up_closed,
 * amount_out_of_range, validation.
 */
export async function changeWalletPreferences(
  deps: Deps,
  caller: CustomerCaller,
  { version, lowBalanceMinor, autoTopUp }: BodyOf<typeof setWalletPreferences>,
  locale: Locale,
): Promise<WalletPreferences> {
  const { settings, clock } = deps
  const { enabled, thresholdMinor, amountMinor } = autoTopUp
  if (enabled && !settings.get('wallet.autoTopUpAllowed'))
    throw new AppError('auto_top_up_closed', { fields: [{ field: 'autoTopUp.enabled', rule: 'autoTopUpClosed' }] })
  if (enabled && thresholdMinor === null) throw invalid({ field: 'autoTopUp.thresholdMinor', rule: 'required' })
  if (enabled && amountMinor === null) throw invalid({ field: 'autoTopUp.amountMinor', rule: 'required' })
  const [min, max] = [settings.get('wallet.topUpMinMinor'), settings.get('wallet.topUpMaxMinor')]
  if (amountMinor !== null && (amountMinor < min || amountMinor > max))
    throw invalid({
      field: 'autoTopUp.amountMinor',
      rule: 'amountRange',
      vars: {
        min: formatMoney(min, settings.get('currency'), locale),
        max: formatMoney(max, settings.get('currency'), locale),
      },
    })
  return tx(deps.db, async (trx) => {
    const at = clock.now()
    const row = await savePreferences(
      trx,
      {
        account_id: caller.accountId,
        low_balance_minor: lowBalanceMinor,
        auto_top_up: enabled,
        auto_threshold_minor: thresholdMinor,
        auto_amount_minor: amountMinor,
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

/**
 * Wallets have moved: owners whose credits have come below the limit that they chose are mailed, once until it is above
 * again.
 */
export const warnLowBalances: OutboxHandler<'wallet.moved'> = async (deps, trx, moved) => {
  const currency = deps.settings.get('currency')
  const wallets = [...new Set(moved.map(({ accountId }) => asAccountId(accountId)))].map((accountId) => ({
    accountId,
    ledgerAccountId: walletLedgerId(accountId, currency),
  }))
  for (const low of await takeLowBalances(trx, wallets, deps.clock.now())) {
    const owner = await ownerOf(trx, low.account_id)
    if (!owner) continue
    const locale = owner.language as Locale
    await addJob(trx, 'mail:send', {
      to: owner.email,
      template: 'wallet_low',
      locale,
      vars: {
        name: owner.name,
        balance: formatMoney(low.balance_minor, currency, locale),
        limit: formatMoney(low.low_balance_minor, currency, locale),
        url: `${deps.config.http.publicUrl}/wallet/top-up`,
      },
    })
  }
}
