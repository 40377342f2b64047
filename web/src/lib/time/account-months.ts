import { addMonths, monthsBetween } from '@waybill/contract/ground/days'
import { useFormat } from '../format.ts'
import { useSession } from '../session.ts'

/** The number of past months that can be selected. */
const monthsBack = 24

/**
 * The month of `today` and those before it, back to the month of `first`, latest first, as `YYYY-MM`; at most two
 * years. Both are days, `YYYY-MM-DD`. Without `first` they are two years.
 */
export function listMonths(today: string, first: string | undefined): string[] {
  const past = first === undefined ? monthsBack : Math.min(monthsBack, Math.max(0, monthsBetween(first, today)))
  return Array.from({ length: past + 1 }, (_, n) => addMonths(today, -n))
}

/** The months in which the account has existed, latest first; the current one is the first. */
export function useAccountMonths(): string[] {
  const format = useFormat()
  // A session that was stored by an earlier release has no time of creation until the profile is read.
  const createdAt = useSession(({ auth }) => auth.user?.account?.createdAt)
  return listMonths(format.today(), createdAt && format.today(Date.parse(createdAt)))
}
