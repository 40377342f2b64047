/** SQL for calendar days (`YYYY-MM-DD`) in a time zone. The column stays alone, so that an index can serve it. */
import { type RawBuilder, sql } from 'kysely'

/** The instant at which a day begins. Null for no day. */
export const dayBegin = (day: string | null, timeZone: string): RawBuilder<Date> =>
  sql`${day}::date::timestamp at time zone ${timeZone}::text`

/** The instant at which a day ends and the next one begins. Null for no day. */
export const dayEnd = (day: string | null, timeZone: string): RawBuilder<Date> =>
  sql`(${day}::date + 1)::timestamp at time zone ${timeZone}::text`

/** Days from one to another, both included; without an end where one is missing. */
export type Days = { from?: string | null | undefined; to?: string | null | undefined; timeZone: string }

/** The conditions for a column to lie within these days. */
export function withinDays(column: RawBuilder<unknown>, { from, to, timeZone }: Days): RawBuilder<boolean>[] {
  return [
    ...(from ? [sql<boolean>`${column} >= ${dayBegin(from, timeZone)}`] : []),
    ...(to ? [sql<boolean>`${column} < ${dayEnd(to, timeZone)}`] : []),
  ]
}
