/** The statement of a wallet, and its low-balance alert. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { versionOrNone } from '../ground/fields.ts'
import { currency, positiveMinorAmount } from '../ground/money.ts'

const base = '/api/customer/wallets'

/** A calendar month, `YYYY-MM`. */
export const month = z.string().check(z.regex(/^20\d{2}-(0[1-9]|1[0-2])$/))

export const walletStatement = endpoint({
  id: 'wallet.statement',
  method: 'GET',
  path: `${base}/statement`,
  access: 'wallet.view',
  summary: 'The statement of a past month: opening balance, all movements, closing balance',
  query: z.object({ month, format: z._default(z.enum(['pdf', 'xlsx', 'csv']), 'pdf' as const) }),
  media: 'application/pdf',
})

/** The balance below which the owner is mailed; null: no alert. */
const preferences = z.object({ lowBalanceMinor: z.nullable(positiveMinorAmount) })
export const walletPreferences = z.extend(preferences, {
  /** 0 before anything was saved. */
  version: z.number(),
  currency,
})
export type WalletPreferences = z.output<typeof walletPreferences>

export const getWalletPreferences = endpoint({
  id: 'wallet.preferences',
  method: 'GET',
  path: `${base}/preferences`,
  access: 'wallet.view',
  summary: 'Low-balance alert of the wallet',
  response: walletPreferences,
})

export const setWalletPreferences = endpoint({
  id: 'wallet.setPreferences',
  method: 'PUT',
  path: `${base}/preferences`,
  access: 'wallet',
  summary: 'Changes the low-balance alert; a stale version answers 409',
  body: z.extend(preferences, { version: versionOrNone }),
  response: walletPreferences,
})
