/** Companies' debts for monthly billing. */
import type { memberUsage } from '@waybill/contract/accounts/company'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Ageing, Billing, BillingClosedReason } from '@waybill/contract/orders/monthly-billing'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { type AccountId, asAccountId, type CustomerCaller } from '../../../http/caller.ts'
import { dayIn } from '../../../lib/clock.ts'
import { hasConsented } from '../../accounts/profile/consent.ts'
import type { AccountRow } from '../../accounts/queries.ts'
import { findAccountById, findUserById, lockAccount } from '../../accounts/service.ts'
import {
  chargesByPeriod,
  readReceivables,
  sumBillingByMember,
  sumMemberBilling,
} from '../../wallet/ledger/receivables.ts'
import { isLastDueUnpaid, listStatementRows, type StatementRow } from './queries-statements.ts'
import { billingRefusal, computeAgeing, debtBeyond, overdueIn, unpaidByStatement } from './rules.ts'

/** A company's debts: the sum, the unpaid part of each statement, and the ageing. */
export type Debts = { owedMinor: number; statements: (StatementRow & { unpaidMinor: number })[]; ageing: Ageing }

/**
 * The debts of companies: what their newest statements say, and the books since then. How much of each statement is
 * unpaid follows from the newest charges, so the time does not grow with the years.
 */
export async function computeDebts(
  deps: Deps,
  db: DbOrTx,
  accountIds: readonly AccountId[],
): Promise<Map<AccountId, Debts>> {
  const { settings, clock } = deps
  const currency = settings.get('currency')
  const today = dayIn(clock.now(), settings.get('timezone'))
  const statementsByAccount = Map.groupBy(await listStatementRows(db, accountIds), ({ account_id }) => account_id)
  const knownDebts = new Map(
    accountIds.flatMap((accountId) => {
      const newest = statementsByAccount.get(accountId)?.[0]
      if (newest?.currency !== currency) return []
      return [[accountId, { owed: newest.closing_minor, until: newest.ends_at }] as const]
    }),
  )
  const receivables = await readReceivables(db, accountIds, currency, knownDebts)
  const companies = accountIds.map((accountId) => ({
    accountId,
    own: statementsByAccount.get(accountId) ?? [],
    owedMinor: receivables.get(accountId) ?? 0,
  }))
  const unpaid = await readUnpaid(db, companies, currency)
  const debtsByAccount = new Map<AccountId, Debts>()
  for (const { accountId, own, owedMinor } of companies) {
    const unpaidMinors = unpaid.get(accountId) ?? []
    const statements = own.map((row, n) => ({ ...row, unpaidMinor: unpaidMinors[n] ?? 0 }))
    const aged = statements.map((row) => ({ dueOn: row.due_on, unpaidMinor: row.unpaidMinor }))
    debtsByAccount.set(accountId, { owedMinor, statements, ageing: computeAgeing(owedMinor, aged, today) })
  }
  return debtsByAccount
}

type Company = { accountId: AccountId; own: readonly StatementRow[]; owedMinor: number }

/** Most companies pay within this number of months. Only for the others are older charges read. */
const usualMonths = 3

/** The unpaid parts of the newest statements, newest first. Those of older ones are 0. */
async function readUnpaid(
  db: DbOrTx,
  companies: readonly Company[],
  currency: string,
  months = usualMonths,
): Promise<Map<AccountId, number[]>> {
  const periods = companies.map(({ accountId, own }) => {
    const ends = own
      .slice(0, months + 1)
      .map(({ ends_at }) => ends_at)
      .reverse()
    return { accountId, ends, since: own.length > months ? (ends[0] ?? null) : null }
  })
  const charges = await chargesByPeriod(db, periods, currency)
  const unpaid = new Map<AccountId, number[]>()
  const older: Company[] = []
  for (const company of companies) {
    const { accountId, own, owedMinor } = company
    const [unbilledMinor = 0, ...chargesMinor] = [...(charges.get(accountId) ?? [])].reverse()
    const newest = chargesMinor.slice(0, months)
    if (own.length > months && debtBeyond(owedMinor, unbilledMinor, newest) > 0) older.push(company)
    else unpaid.set(accountId, unpaidByStatement(owedMinor, unbilledMinor, newest))
  }
  if (older.length === 0) return unpaid
  return new Map([...unpaid, ...(await readUnpaid(db, older, currency, 4 * months))])
}

/**
 * The number of a company's statements that are past their due day and not fully paid. For most companies the receipts
 * cover what was due, which costs one row: the books are read only for a company that is probably late.
 */
export async function countOverdueStatements(deps: Deps, { userType, accountId }: CustomerCaller): Promise<number> {
  if (userType !== 'corporate') return 0
  const today = dayIn(deps.clock.now(), deps.settings.get('timezone'))
  if (!(await isLastDueUnpaid(deps.db, accountId, today))) return 0
  const debts = (await computeDebts(deps, deps.db, [accountId])).get(accountId)
  return debts?.statements.filter((row) => row.unpaidMinor > 0 && row.due_on < today).length ?? 0
}

/** Monthly billing for a member of a company; not available to individuals. */
export async function readBilling(
  deps: Deps,
  caller: CustomerCaller,
  db: DbOrTx = deps.db,
  totalMinor = 0,
): Promise<Billing> {
  const account = await findAccountById(db, caller.accountId)
  return buildState(deps, db, caller, account, totalMinor)
}

async function buildState(
  deps: Deps,
  db: DbOrTx,
  caller: CustomerCaller,
  account: AccountRow | undefined,
  totalMinor: number,
): Promise<Billing> {
  const { settings, clock } = deps
  const currency = settings.get('currency')
  const corporate = caller.userType === 'corporate'
  const limitMinor = account?.credit_limit_minor ?? 0
  const debts = corporate ? (await computeDebts(deps, db, [caller.accountId])).get(caller.accountId) : undefined
  const usedMinor = debts?.owedMinor ?? 0
  const overdueMinor = debts ? overdueIn(debts.ageing) : 0
  const memberLimit = caller.isOwner ? null : ((await findUserById(db, caller.userId))?.monthly_limit_minor ?? null)
  const timeZone = settings.get('timezone')
  const firstDay = `${dayIn(clock.now(), timeZone).slice(0, 7)}-01`
  const billedMinor =
    memberLimit === null ? 0 : await sumMemberBilling(db, caller, currency, { day: firstDay, timeZone })
  const memberLeftMinor = memberLimit === null ? null : Math.max(0, memberLimit - billedMinor)
  return {
    currency,
    limitMinor,
    usedMinor,
    availableMinor: Math.max(0, limitMinor - usedMinor),
    overdueMinor,
    termsDays: account?.credit_terms_days ?? 0,
    memberLeftMinor,
    closed: billingRefusal({
      corporate,
      limitMinor,
      consented: account !== undefined && hasConsented(deps, account),
      overdueMinor,
      usedMinor,
      memberLeftMinor,
      totalMinor,
    }),
  }
}

/**
 * Locks a company's conditions and checks whether an order of `totalMinor` may be billed. The lock keeps another order
 * from using the same credit.
 */
export async function lockBilling(
  deps: Deps,
  trx: DbOrTx,
  caller: CustomerCaller,
  totalMinor: number,
): Promise<{ closed: BillingClosedReason | null; billing: Billing }> {
  const account = await lockAccount(trx, asAccountId(caller.accountId))
  const billing = await buildState(deps, trx, caller, account, totalMinor)
  return { closed: billing.closed, billing }
}

/** Why monthly billing is not available to this caller; null if it is. No query for individuals. */
export async function billingClosedReason(
  deps: Deps,
  db: DbOrTx,
  caller: CustomerCaller,
  order: { status: string; total_minor: number },
): Promise<BillingClosedReason | null> {
  if (caller.userType !== 'corporate') return 'corporate_only'
  if (order.status !== 'pending_payment') return null
  return (await readBilling(deps, caller, db, order.total_minor)).closed
}

/** The amount billed for each member this month. */
export async function listMemberUsage(
  deps: Deps,
  { accountId }: CustomerCaller,
): Promise<ResponseOf<typeof memberUsage>> {
  const { settings, clock, db } = deps
  const [currency, timeZone] = [settings.get('currency'), settings.get('timezone')]
  const day = `${dayIn(clock.now(), timeZone).slice(0, 7)}-01`
  const billedByUser = await sumBillingByMember(db, accountId, currency, { day, timeZone })
  return { currency, items: [...billedByUser].map(([userId, billedMinor]) => ({ userId, billedMinor })) }
}
