import { addMonths } from '@waybill/contract/ground/days'

/** The `count` months before the month of `day` (`YYYY-MM-DD`), latest first, as `YYYY-MM`. */
export function monthsBefore(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => addMonths(day, -1 - n))
}
