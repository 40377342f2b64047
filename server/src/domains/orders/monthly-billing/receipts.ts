/** Companies' debts, and the bank transfers that pay them. */
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type {
  Ageing,
  BilledAccount,
  cancelReceipt,
  listBilledAccounts,
  listReceipts,
  Receipt,
  recordReceipt,
} from '@waybill/contract/orders/monthly-billing'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { dayIn } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { companyIds, companyPage } from '../../accounts/company/queries-corporate.ts'
import type { AccountRow } from '../../accounts/queries.ts'
import { findAccountById, lockAccount } from '../../accounts/service.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { readReceivables } from '../../wallet/ledger/receivables.ts'
import { postEntry } from '../../wallet/ledger/service.ts'
import { findReceipt, insertReceipt, type ReceiptRow, receiptPage, setReceiptCancelled } from './queries-statements.ts'
import { noAgeing, overdueIn } from './rules.ts'
import { computeDebts, type Debts } from './service.ts'

type BilledPage = ResponseOf<typeof listBilledAccounts>

/** A page of companies by name with their debts; `totals` are over all companies. */
export async function billedAccounts(deps: Deps, query: QueryOf<typeof listBilledAccounts>): Promise<BilledPage> {
  return { ...(await listBilledPage(deps, query)), totals: await totalAgeing(deps) }
}

/** `billedAccounts` without the totals, which read the books of all companies. */
export async function listBilledPage(
  deps: Deps,
  { search, offset, limit }: QueryOf<typeof listBilledAccounts>,
): Promise<Omit<BilledPage, 'totals'>> {
  const { rows, total } = await companyPage(deps.db, { search: search?.trim() || null, offset, limit })
  const ids = rows.map(({ id }) => asAccountId(id))
  const debts = await computeDebts(deps, deps.db, ids)
  const items = rows.map((row) => present(deps, row, debts.get(asAccountId(row.id))))
  return { items, total, offset, limit }
}

/** The number of companies whose debts are held in memory at a time. */
const companiesAtOnce = 200

/** The total debt of all companies, by days overdue. */
export async function totalAgeing(deps: Deps): Promise<Ageing> {
  const totals: Ageing = { ...noAgeing }
  const ids = await companyIds(deps.db)
  for (let n = 0; n < ids.length; n += companiesAtOnce) {
    const debts = await computeDebts(deps, deps.db, ids.slice(n, n + companiesAtOnce))
    for (const { ageing } of debts.values())
      for (const bucket of Object.keys(totals) as (keyof Ageing)[]) totals[bucket] += ageing[bucket]
  }
  return totals
}

function present({ settings }: Deps, row: AccountRow, debts: Debts | undefined): BilledAccount {
  const ageing = debts?.ageing ?? noAgeing
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    currency: settings.get('currency'),
    limitMinor: row.credit_limit_minor,
    termsDays: row.credit_terms_days,
    consentVersion: row.consent_version,
    consentAt: row.consent_at?.toISOString() ?? null,
    usedMinor: debts?.owedMinor ?? 0,
    overdueMinor: overdueIn(ageing),
    ageing,
  }
}

async function companyOrNotFound(deps: Deps, id: string): Promise<AccountRow> {
  const account = await findAccountById(deps.db, asAccountId(id))
  if (account?.user_type !== 'corporate') throw new AppError('not_found')
  return account
}

/** Bank transfers received from a company, newest first. Throws not_found. */
export async function readReceipts(
  deps: Deps,
  id: string,
  { offset, limit }: QueryOf<typeof listReceipts>,
): Promise<ResponseOf<typeof listReceipts>> {
  await companyOrNotFound(deps, id)
  const { rows, total } = await receiptPage(deps.db, asAccountId(id), offset, limit)
  return { items: rows.map(presentReceipt), total, offset, limit }
}

function presentReceipt(row: ReceiptRow): Receipt {
  return {
    id: row.id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    reference: row.reference,
    receivedOn: row.received_on,
    recordedAt: row.created_at.toISOString(),
    cancelledAt: row.cancelled_at?.toISOString() ?? null,
    cancelReason: row.cancel_reason,
  }
}

/**
 * Books a bank transfer of a company, once, or again after it was cancelled by mistake. Throws not_found, validation (a
 * future day), conflict (already recorded).
 */
export async function bookReceipt(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { amountMinor, reference, receivedOn }: BodyOf<typeof recordReceipt>,
  idempotency: Idempotency,
): Promise<ResponseOf<typeof recordReceipt>> {
  await companyOrNotFound(deps, id)
  const { settings, clock } = deps
  if (receivedOn > dayIn(clock.now(), settings.get('timezone')))
    throw validationError({ field: 'receivedOn', rule: 'dayToCome' })
  const accountId = asAccountId(id)
  const row = {
    account_id: accountId,
    id: newId(),
    amount_minor: amountMinor,
    currency: settings.get('currency'),
    reference,
    received_on: receivedOn,
    recorded_by: caller.userId,
    created_at: clock.now(),
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
  }
  return tx(deps.db, async (trx) => {
    if (!(await insertReceipt(trx, row)))
      throw new AppError('conflict', { fields: [{ field: 'reference', rule: 'taken' }] })
    const receipt = presentReceipt(row)
    await postEntry(deps, trx, {
      kind: 'receipt',
      accountId,
      reference,
      actorId: caller.userId,
      log: null,
      currency: row.currency,
      postings: [
        { book: 'bank', amountMinor: -amountMinor },
        { book: 'corporate_receivable', accountId, amountMinor },
      ],
    })
    const detail = { amountMinor, reference, receivedOn }
    await recordActivity(trx, {
      action: 'billing.receipt',
      accountId,
      userId: caller.userId,
      subject: row.id,
      detail,
      at: row.created_at,
    })
    await idempotency.keep(trx, receipt)
    return receipt
  })
}

/**
 * Cancels a receipt that was recorded by mistake, once, and mails the owner the reason. The company owes its amount
 * again. Throws not_found, conflict (cancelled already).
 */
export async function cancelBookedReceipt(
  deps: Deps,
  caller: StaffCaller,
  { id, receiptId }: { id: string; receiptId: string },
  { reason }: BodyOf<typeof cancelReceipt>,
  idempotency: Idempotency,
): Promise<ResponseOf<typeof cancelReceipt>> {
  await companyOrNotFound(deps, id)
  const accountId = asAccountId(id)
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    // A withdrawal of the advance locks the account too, so it cannot pay out this money meanwhile.
    await lockAccount(trx, accountId)
    const row = await findReceipt(trx, accountId, receiptId)
    if (!row) throw new AppError('not_found')
    if (row.cancelled_at) throw new AppError('conflict')
    const { amount_minor: amountMinor, currency, reference } = row
    const cancelledRow = { ...row, cancelled_at: at, cancelled_by: caller.userId, cancel_reason: reason }
    await setReceiptCancelled(trx, accountId, receiptId, cancelledRow)
    await postEntry(deps, trx, {
      kind: 'receipt_cancelled',
      accountId,
      reference,
      actorId: caller.userId,
      log: null,
      currency,
      postings: [
        { book: 'corporate_receivable', accountId, amountMinor: -amountMinor },
        { book: 'bank', amountMinor },
      ],
    })
    await recordActivity(trx, {
      action: 'billing.receiptCancelled',
      level: 'NOTICE',
      accountId,
      userId: caller.userId,
      subject: receiptId,
      detail: { amountMinor, reference, receivedOn: row.received_on, reason },
      at,
    })
    const owedMinor = (await readReceivables(trx, [accountId], currency)).get(accountId) ?? 0
    await notify(deps, trx, {
      kind: 'receipt_cancelled',
      to: { owner: accountId },
      facts: {
        amount: fact.money(amountMinor, currency),
        bankReference: reference,
        reason,
        owed: fact.money(Math.max(0, owedMinor), currency),
      },
    })
    const receipt = presentReceipt(cancelledRow)
    await idempotency.keep(trx, receipt)
    return receipt
  })
}
