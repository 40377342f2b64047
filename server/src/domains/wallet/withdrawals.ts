/** Transfers of a customer's money to the customer's bank, which staff have made and record. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { formatMoney } from '@waybill/contract/ground/format'
import type { recordWithdrawal, returnWithdrawal, WithdrawalSource } from '@waybill/contract/wallet/withdrawals'
import { recordActivity } from '../../activity.ts'
import { type Tx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { type AccountId, asAccountId, type StaffCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { insertAccountNote } from '../accounts/directory/notes.ts'
import { lockAccount } from '../accounts/service.ts'
import { fact } from '../notifications/facts.ts'
import { notify } from '../notifications/notify.ts'
import { readReceivables } from './ledger/receivables.ts'
import { ledgerAccount, postEntry } from './ledger/service.ts'
import { findWithdrawal, hasWithdrawal, lockWalletBalance } from './queries-withdrawals.ts'
import type { Posting } from './rules.ts'

const books = { wallet: 'customer_wallet', advance: 'corporate_receivable' } as const
const notices = { wallet: 'withdrawal_wallet', advance: 'withdrawal_advance' } as const
const returnNotices = { wallet: 'withdrawal_returned_wallet', advance: 'withdrawal_returned_advance' } as const

/**
 * Books a transfer to the customer's bank, once, and mails the owner. Throws not_found, validation (more than there
 * is), conflict (already recorded).
 */
export async function bookWithdrawal(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { source, amountMinor, reference, note }: BodyOf<typeof recordWithdrawal>,
  { locale, idempotency }: { locale: Locale; idempotency: Idempotency },
): Promise<ResponseOf<typeof recordWithdrawal>> {
  // Safe: finance staff pay every account.
  const accountId = asAccountId(id)
  const currency = deps.settings.get('currency')
  const at = deps.clock.now()
  const posting: Posting = { book: books[source], accountId, amountMinor: -amountMinor }
  return tx(deps.db, async (trx) => {
    // Monthly billing locks the account too, so it cannot use up the advance meanwhile.
    if (!(await lockAccount(trx, accountId))) throw new AppError('not_found')
    const ledgerAccountId = ledgerAccount(posting, currency).id
    if (await hasWithdrawal(trx, accountId, ledgerAccountId, reference)) {
      throw new AppError('conflict', { fields: [{ field: 'reference', rule: 'taken' }] })
    }
    const balanceMinor = await lockBalance(trx, source, { accountId, ledgerAccountId, currency })
    if (amountMinor > balanceMinor) {
      const max = formatMoney(balanceMinor, currency, locale)
      throw validationError({ field: 'amountMinor', rule: 'max', vars: { max } })
    }
    await postEntry(deps, trx, {
      kind: 'withdrawal',
      accountId,
      reference,
      actorId: caller.userId,
      log: null,
      currency,
      postings: [posting, { book: 'bank', amountMinor }],
    })
    await recordActivity(trx, {
      action: 'wallet.withdrawn',
      level: 'NOTICE',
      accountId,
      userId: caller.userId,
      subject: reference,
      detail: { source, amountMinor, currency },
      at,
    })
    // Not in the log: an account's notes are deleted with it, and customers never see them.
    if (note) await insertAccountNote(deps, trx, caller, accountId, `${reference}: ${note}`)
    await notify(deps, trx, {
      kind: notices[source],
      to: { owner: accountId },
      facts: { amount: fact.money(amountMinor, currency), bankReference: reference },
    })
    const answer = {
      source,
      amountMinor,
      reference,
      currency,
      balanceMinor: balanceMinor - amountMinor,
      recordedAt: at.toISOString(),
    }
    await idempotency.keep(trx, answer)
    return answer
  })
}

/**
 * Reverses a withdrawal that the bank returned, once, and mails the owner the reason. Throws not_found, conflict
 * (returned already).
 */
export async function bookReturn(
  deps: Deps,
  caller: StaffCaller,
  entryId: string,
  { reason }: BodyOf<typeof returnWithdrawal>,
  idempotency: Idempotency,
): Promise<ResponseOf<typeof returnWithdrawal>> {
  const at = deps.clock.now()
  const withdrawal = await findWithdrawal(deps.db, entryId)
  if (!withdrawal) throw new AppError('not_found')
  const { account_id: accountId, source, amount_minor: amountMinor, reference, currency } = withdrawal
  return tx(deps.db, async (trx) => {
    // Of two returns at the same moment, the second sees the first.
    await lockAccount(trx, accountId)
    if ((await findWithdrawal(trx, entryId))?.returned) throw new AppError('conflict')
    const posting: Posting = { book: books[source], accountId, amountMinor }
    await postEntry(deps, trx, {
      kind: 'withdrawal_returned',
      accountId,
      reference,
      actorId: caller.userId,
      log: null,
      currency,
      postings: [posting, { book: 'bank', amountMinor: -amountMinor }],
    })
    await recordActivity(trx, {
      action: 'wallet.withdrawalReturned',
      level: 'NOTICE',
      accountId,
      userId: caller.userId,
      subject: reference,
      detail: { source, amountMinor, currency, reason },
      at,
    })
    await notify(deps, trx, {
      kind: returnNotices[source],
      to: { owner: accountId },
      facts: { amount: fact.money(amountMinor, currency), bankReference: reference, reason },
    })
    const ledgerAccountId = ledgerAccount(posting, currency).id
    const balanceMinor = await lockBalance(trx, source, { accountId, ledgerAccountId, currency })
    const answer = { source, amountMinor, reference, currency, balanceMinor, recordedAt: at.toISOString() }
    await idempotency.keep(trx, answer)
    return answer
  })
}

/** What can be withdrawn. It cannot decrease until the transaction ends. */
async function lockBalance(
  trx: Tx,
  source: WithdrawalSource,
  { accountId, ledgerAccountId, currency }: { accountId: AccountId; ledgerAccountId: string; currency: string },
): Promise<number> {
  if (source === 'wallet') return lockWalletBalance(trx, ledgerAccountId)
  const debts = await readReceivables(trx, [accountId], currency)
  return Math.max(0, -(debts.get(accountId) ?? 0))
}
