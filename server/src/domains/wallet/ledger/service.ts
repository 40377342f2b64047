/** The double-entry ledger. */
import type { Movement } from '@waybill/contract/wallet/wallet'
import { type Activity, type ActivityRow, activityWrite, toActivityRow } from '../../../activity.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import { runWrites, type Write } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { derivedId, newId } from '../../../lib/ids.ts'
import {
  type EntryRows,
  ensureLedgerAccounts,
  entriesWrite,
  type LedgerAccount,
  type PinCheck,
  readBalances,
} from '../queries.ts'
import { bookName, checkEntry, type Posting } from '../rules.ts'

/** An entry: its kind, account and reason, and its postings in minor units of one currency. */
export type LedgerEntry = {
  kind: Movement['kind']
  accountId: AccountId | null
  orderId?: string | null
  paymentId?: string | null
  /** A number for readers: of an order or a payment. */
  reference?: string | null
  /** Null: no user, but a job. */
  actorId: string | null
  /** The action in the activity log, written in the same statement; null: the caller writes a more detailed entry. */
  log: string | null
  currency: string
  postings: readonly Posting[]
}

/** Ledger accounts that are known to be committed, so that most entries need not query them. */
const knownAccounts = new WeakMap<Deps, Set<string>>()
const maxKnown = 200_000

/** The id of a wallet's ledger account. */
export const walletLedgerId = (accountId: AccountId, currency: string) =>
  derivedId(bookName({ book: 'customer_wallet', accountId, amountMinor: 0 }, currency))

/**
 * Books an entry with its postings in one statement. An overdraft violates the constraint
 * `ledger_accounts_no_overdraft` and ends the transaction: see `withBalance`.
 */
export async function postEntry(deps: Deps, trx: DbOrTx, entry: LedgerEntry): Promise<void> {
  await runWrites(trx, await postWrites(deps, trx, entry))
}

/** What an entry writes; `rows` null: it moves no money. */
export type PlannedEntry = { rows: EntryRows | null; activity: ActivityRow | null }

/**
 * Plans an entry. Its postings are sorted by ledger account, or two entries could deadlock; zero ones are dropped. The
 * books have no entry of a free order; it has only its line in the activity log. With `pin`, the entry is booked only
 * if that PIN is still valid; else `entryWrites` throws pin_locked.
 */
export async function planEntry(
  deps: Deps,
  trx: DbOrTx,
  entry: LedgerEntry,
  pin: PinCheck | null = null,
): Promise<PlannedEntry> {
  const activity = entryActivity(deps, entry)
  const activityRow = activity && toActivityRow(activity)
  if (entry.postings.every(({ amountMinor }) => amountMinor === 0)) return { rows: null, activity: activityRow }
  checkEntry(entry.postings)
  const lines = entry.postings
    .filter(({ amountMinor }) => amountMinor !== 0)
    .map((posting) => ({ posting, account: ledgerAccount(posting, entry.currency) }))
    .sort((a, b) => (a.account.id < b.account.id ? -1 : 1))
  await ensureAccounts(
    deps,
    trx,
    lines.map(({ account }) => account),
  )
  const rows = {
    entry: {
      id: newId(),
      kind: entry.kind,
      account_id: entry.accountId,
      order_id: entry.orderId ?? null,
      payment_id: entry.paymentId ?? null,
      reference: entry.reference ?? null,
      created_by: entry.actorId,
      at: deps.clock.now(),
    },
    postings: lines.map(({ posting, account }, line) => ({
      line,
      ledger_account_id: account.id,
      account_id: account.account_id,
      amount_minor: posting.amountMinor,
    })),
    currency: entry.currency,
    wallets: [...new Set(lines.flatMap(({ account }) => (account.guarded ? (account.account_id ?? []) : [])))],
    pin,
  }
  return { rows, activity: activityRow }
}

/** The writes of planned entries, for one statement. */
export function entryWrites(entries: readonly PlannedEntry[]): Write[] {
  const rows = entries.flatMap((entry) => entry.rows ?? [])
  const activities = entries.flatMap(({ activity }) => activity ?? [])
  return [
    ...(rows.length > 0 ? [entriesWrite(rows)] : []),
    // A statement may have only one such write: without one here, the caller may add its own.
    ...(activities.length > 0 ? [activityWrite(...activities)] : []),
  ]
}

/** The writes of one entry. Throws pin_locked if `pin` is no longer valid. */
export async function postWrites(
  deps: Deps,
  trx: DbOrTx,
  entry: LedgerEntry,
  pin: PinCheck | null = null,
): Promise<Write[]> {
  return entryWrites([await planEntry(deps, trx, entry, pin)])
}

function entryActivity({ clock }: Deps, entry: LedgerEntry): Activity | null {
  const { log: action, accountId, actorId: userId, reference, currency, postings } = entry
  if (action === null) return null
  const amountMinor = postings.reduce((sum, posting) => sum + Math.max(0, posting.amountMinor), 0)
  return { action, accountId, userId, subject: reference ?? null, detail: { amountMinor, currency }, at: clock.now() }
}

/** The ledger account of a posting. */
export function ledgerAccount(posting: Posting, currency: string): LedgerAccount {
  return {
    id: derivedId(bookName(posting, currency)),
    kind: posting.book,
    account_id: posting.accountId ?? null,
    station_id: posting.stationId ?? null,
    currency,
    guarded: posting.book === 'customer_wallet',
  }
}

async function ensureAccounts(deps: Deps, trx: DbOrTx, accounts: readonly LedgerAccount[]): Promise<void> {
  let knownIds = knownAccounts.get(deps)
  if (!knownIds || knownIds.size > maxKnown) {
    knownIds = new Set()
    knownAccounts.set(deps, knownIds)
  }
  const newAccounts = new Map<string, LedgerAccount>()
  for (const account of accounts) if (!knownIds.has(account.id)) newAccounts.set(account.id, account)
  if (newAccounts.size === 0) return
  for (const id of await ensureLedgerAccounts(trx, [...newAccounts.values()], deps.clock.now())) knownIds.add(id)
}

/**
 * Runs work that takes credits. An overdraft becomes wallet_too_low (`details.balanceMinor`, `details.neededMinor`),
 * read after the rollback.
 */
export async function withBalance<T>(
  deps: Deps,
  needed: { accountId: AccountId; amountMinor: number; currency: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint !== 'ledger_accounts_no_overdraft') throw error
    const balanceMinor = await getWalletBalance(deps.db, needed.accountId, needed.currency)
    throw new AppError('wallet_too_low', { details: { balanceMinor, neededMinor: needed.amountMinor } })
  }
}

/** The credits of an account in minor units; 0 before the first top-up. */
export async function getWalletBalance(db: DbOrTx, accountId: AccountId, currency: string): Promise<number> {
  return (await getWalletBalances(db, [accountId], currency)).get(accountId) ?? 0
}

/** `getWalletBalance` for many accounts in one query. */
export async function getWalletBalances(
  db: DbOrTx,
  accountIds: readonly AccountId[],
  currency: string,
): Promise<Map<AccountId, number>> {
  const ids = accountIds.map((accountId) => walletLedgerId(accountId, currency))
  const balances = await readBalances(db, ids)
  return new Map(accountIds.map((accountId, n) => [accountId, balances.get(ids[n] ?? '') ?? 0]))
}
