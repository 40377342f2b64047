/** Rules of monthly billing. */
import { daysBetween } from '@waybill/contract/ground/days'
import type { Ageing, BillingClosedReason } from '@waybill/contract/orders/monthly-billing'

/**
 * The unpaid part of each statement. Payments settle the oldest charges first, so the newest charges are the unpaid
 * ones. `chargesMinor`: those of each statement, newest first; `unbilledMinor`: charges since the newest. Each charge
 * is less what was refunded of it, whenever that was. A debt beyond all charges (impossible in valid books) is counted
 * to the oldest.
 */
export function unpaidByStatement(owedMinor: number, unbilledMinor: number, chargesMinor: readonly number[]): number[] {
  let rest = Math.max(0, owedMinor - Math.max(0, unbilledMinor))
  return chargesMinor.map((chargeMinor, n) => {
    const unpaidMinor = n === chargesMinor.length - 1 ? rest : Math.min(rest, Math.max(0, chargeMinor))
    rest -= unpaidMinor
    return unpaidMinor
  })
}

/** The part of a debt that is older than these charges; the same values as of `unpaidByStatement`. */
export const debtBeyond = (owedMinor: number, unbilledMinor: number, chargesMinor: readonly number[]): number =>
  [unbilledMinor, ...chargesMinor].reduce((rest, minor) => rest - Math.max(0, minor), Math.max(0, owedMinor))

/** The ageing of no debt. */
export const noAgeing: Readonly<Ageing> = {
  notDueMinor: 0,
  days1to30Minor: 0,
  days31to60Minor: 0,
  days61to90Minor: 0,
  over90Minor: 0,
}

/** The debt by the number of days overdue on `today`. */
export function computeAgeing(
  owedMinor: number,
  statements: readonly { dueOn: string; unpaidMinor: number }[],
  today: string,
): Ageing {
  const sums: Ageing = { ...noAgeing }
  let billedMinor = 0
  for (const { dueOn, unpaidMinor } of statements) {
    billedMinor += unpaidMinor
    const late = daysBetween(dueOn, today)
    if (late <= 0) sums.notDueMinor += unpaidMinor
    else if (late <= 30) sums.days1to30Minor += unpaidMinor
    else if (late <= 60) sums.days31to60Minor += unpaidMinor
    else if (late <= 90) sums.days61to90Minor += unpaidMinor
    else sums.over90Minor += unpaidMinor
  }
  sums.notDueMinor += owedMinor - billedMinor
  return sums
}

/** The overdue part of a debt. */
export const overdueIn = (ageing: Ageing) =>
  ageing.days1to30Minor + ageing.days31to60Minor + ageing.days61to90Minor + ageing.over90Minor

/**
 * Why an order of `totalMinor` cannot be billed; null if it can. The first reason counts; one that only others can
 * resolve comes last.
 */
export function billingRefusal(facts: {
  corporate: boolean
  limitMinor: number
  consented: boolean
  overdueMinor: number
  usedMinor: number
  memberLeftMinor: number | null
  totalMinor: number
}): BillingClosedReason | null {
  if (!facts.corporate) return 'corporate_only'
  // Without a limit, a company can still use what it has paid in advance: a negative debt.
  if (facts.limitMinor <= 0 && facts.usedMinor >= 0) return 'no_credit'
  if (!facts.consented) return 'consent_missing'
  if (facts.overdueMinor > 0) return 'overdue'
  if (facts.usedMinor + facts.totalMinor > facts.limitMinor) return 'over_limit'
  return facts.memberLeftMinor !== null && facts.totalMinor > facts.memberLeftMinor ? 'member_limit' : null
}
