/** Rules of the report of orders: its period and the steps of its figures. */
import { maxReportDays } from '@waybill/contract/reports/orders'

export type Period = { from: string; to: string }
export type Step = 'day' | 'month'

/** A longer period has figures by month, because more bars would be unreadable. */
const maxDaysByDay = 62

const dayMs = 86_400_000
const parse = (day: string) => Date.parse(`${day}T00:00:00Z`)
const print = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The number of days in a period. */
export const countDays = ({ from, to }: Period): number => (parse(to) - parse(from)) / dayMs + 1

/** The period of a request: by default the month of `to` and the eleven before it; `to` is today by default. */
export function parsePeriod(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  today: string,
): Period {
  const last = to ?? today
  const [year = 0, month = 1] = last.split('-').map(Number)
  // Date.UTC would treat years below 100 as years of the last century.
  const first = year < 100 ? last : print(Date.UTC(year, month - 12, 1))
  return { from: from ?? first, to: last }
}

/** Why a period cannot be reported: it ends before it begins, or is too long. Null: it can. */
export function whyNotReported(period: Period): 'endBeforeStart' | 'periodTooLong' | null {
  const days = countDays(period)
  return days < 1 ? 'endBeforeStart' : days > maxReportDays ? 'periodTooLong' : null
}

/** Whether figures are by day or by month. */
export const chooseStep = (period: Period): Step => (countDays(period) <= maxDaysByDay ? 'day' : 'month')

/** The first day of each step of a period, in order. The first month may begin before the period. */
export function listSteps({ from, to }: Period, step: Step): string[] {
  const starts: string[] = []
  if (step === 'day') {
    for (let at = parse(from); at <= parse(to); at += dayMs) starts.push(print(at))
    return starts
  }
  const [year = 0, month = 1] = from.split('-').map(Number)
  for (let n = 0; ; n += 1) {
    const start = print(Date.UTC(year, month - 1 + n, 1))
    if (start > to) return starts
    starts.push(start)
  }
}
