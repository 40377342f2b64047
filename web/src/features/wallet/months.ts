/** The `count` months before the month of `day` (`YYYY-MM-DD`), latest first, as `YYYY-MM`. */
export function monthsBefore(day: string, count: number): string[] {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return Array.from({ length: count }, (_, n) => new Date(Date.UTC(year, month - 2 - n, 1)).toISOString().slice(0, 7))
}
