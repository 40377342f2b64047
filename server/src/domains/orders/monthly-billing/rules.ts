import type { Ageing, BillingClosedReason } from '@waybill/contract/orders/monthly-billing'

/** Of a statement, what deciding who owes what since when needs. */
export type Charged = { chargesMinor: number; dueOn: string }

/**
 * What of each statement is not paid: money that comes pays the oldest charges first, so what is still owed is the
 * newest. `statements` newest first, `unbilledMinor` are charges since the newest of them. What is owed beyond all
 * charges (there is none in sound books) counts as the oldest's.
 */
export function unpaidByStatement(owedMinor: number, unbilledMinor: number, statements: readonly Charged[]): number[] {
  let rest = Math.max(0, owedMinor - Math.max(0, unbilledMinor))
  return statements.map(({ chargesMinor }, n) => {
    const unpaid = n === statements.length - 1 ? rest : Math.min(rest, Math.max(0, chargesMinor))
    rest -= unpaid
    return unpaid
  })
}

const dayMs = 86_400_000
/** Days from one `YYYY-MM-DD` to another. */
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** What is owed, by how many days it is overdue on `today`. */
export function computeAgeing(
  owedMinor: number,
  statements: readonly (Charged & { unpaidMinor: number })[],
  today: string,
): Ageing {
  const sums: Ageing = { notDueMinor: 0, days1to30Minor: 0, days31to60Minor: 0, days61to90Minor: 0, over90Minor: 0 }
  let billed = 0
  for (const { dueOn, unpaidMinor } of statements) {
    billed += unpaidMinor
    const late = daysBetween(dueOn, today)
    if (late <= 0) sums.notDueMinor += unpaidMinor
    else if (late <= 30) sums.days1to30Minor += unpaidMinor
    else if (late <= 60) sums.days31to60Minor += unpaidMinor
    else if (late <= 90) sums.days61to90Minor += unpaidMinor
    else sums.over90Minor += unpaidMinor
  }
  sums.notDueMinor += owedMinor - billed
  return sums
}

export const overdueIn = (ageing: Ageing) =>
  ageing.days1to30Minor + ageing.days31to60Minor + ageing.days61to90Minor + ageing.over90Minor

/**
 * Why an order of `totalMinor` can't be billed; null when it can. The first reason counts: the one that only somebody
 * else can lift comes last.
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
  if (facts.limitMinor <= 0) return 'no_credit'
  if (!facts.consented) return 'consent_missing'
  if (facts.overdueMinor > 0) return 'overdue'
  if (facts.usedMinor + facts.totalMinor > facts.limitMinor) return 'over_limit'
  return facts.memberLeftMinor !== null && facts.totalMinor > facts.memberLeftMinor ? 'member_limit' : null
}
