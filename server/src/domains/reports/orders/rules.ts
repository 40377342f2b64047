/** Rules of the report of orders: its period and the steps of its figures. */
import { addMonths, daysBetween, listDays, monthsBetween } from '@waybill/contract/ground/days'
import { maxReportDays } from '@waybill/contract/reports/orders'

export type ReportPeriod = { from: string; to: string }
export type ReportStep = 'day' | 'month'

/** A longer period has figures by month, because more bars would be unreadable. */
const maxDaysByDay = 62

/** The number of days in a period. */
export const countDays = ({ from, to }: ReportPeriod): number => daysBetween(from, to) + 1

/** The period of a request: by default the month of `to` and the eleven before it; `to` is today by default. */
export function parsePeriod(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  today: string,
): ReportPeriod {
  const last = to ?? today
  // There is no day before the year 1.
  const first = last < '0002' ? last : `${addMonths(last, -11)}-01`
  return { from: from ?? first, to: last }
}

/** Why a period cannot be reported: it ends before it begins, or is too long. Null: it can. */
export function whyNotReported(period: ReportPeriod): 'endBeforeStart' | 'periodTooLong' | null {
  const days = countDays(period)
  return days < 1 ? 'endBeforeStart' : days > maxReportDays ? 'periodTooLong' : null
}

/** Whether figures are by day or by month. */
export const chooseStep = (period: ReportPeriod): ReportStep => (countDays(period) <= maxDaysByDay ? 'day' : 'month')

/** The first day of each step of a period, in order. The first month may begin before the period. */
export function listSteps({ from, to }: ReportPeriod, step: ReportStep): string[] {
  if (step === 'day') return listDays(from, countDays({ from, to }))
  return Array.from({ length: monthsBetween(from, to) + 1 }, (_, n) => `${addMonths(from, n)}-01`)
}
