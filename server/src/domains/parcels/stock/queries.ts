// Queries on the parcels that a station has.
import { type StockTab, stockTabs } from '@waybill/contract/parcels/stock'
import { type RawBuilder, sql } from 'kysely'
import { containing } from '../../../db/conditions/like.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import { addresseeOfP, isGoingBackOfP } from '../custody/queries.ts'
import type { ParcelRow } from '../queries.ts'

export type StockFilter = {
  stationId: string
  /** A part of a number, name or city; null: all. */
  search: string | null
  /** Parcels without an event since then are late. */
  silentSince: Date
  /** `YYYY-MM-DD`: parcels that were to be collected before this day are late. */
  today: string
  /** What the last count has not found; null: there was none. */
  missing: { numbers: readonly string[]; countedAt: Date } | null
}

const isLate = ({ silentSince, today }: StockFilter) => sql<boolean>`
  p.status <> 'lost'
    and coalesce(p.collect_until < ${today}::date, p.last_event_at < ${silentSince}::timestamptz, false)`

const isMissing = ({ missing }: StockFilter) =>
  missing === null
    ? sql<boolean>`false`
    : sql<boolean>`
  (p.tracking_number = any(${missing.numbers}::text[])
    and coalesce(p.last_event_at <= ${missing.countedAt}::timestamptz, true))`

function fitsTab(tab: StockTab, filter: StockFilter): RawBuilder<boolean> {
  switch (tab) {
    case 'all':
    case 'lost':
      return sql`true`
    case 'onward':
      return sql`(p.status in ('inbound', 'sorting') and p.collect_until is null and not ${isGoingBackOfP})`
    case 'collect':
      return sql`(p.collect_until is not null and p.status = 'inbound' and not ${isGoingBackOfP})`
    case 'back':
      return sql`(p.status <> 'outstanding' and ${isGoingBackOfP})`
    case 'held':
      return sql`(p.status = 'outstanding')`
    case 'late':
      return isLate(filter)
    case 'missing':
      return isMissing(filter)
  }
}

/**
 * The parcels of a station, or those lost there. A station has as many parcels as fit into it, so its whole stock may
 * be read.
 */
const stock = ({ stationId, search }: StockFilter, isLost: boolean) => {
  const pattern = search && containing(search)
  return sql`
    from parcels p
    where ${isLost ? sql`p.status = 'lost'` : sql`p.holder = 'station'`}
      and p.station_id = ${stationId}::uuid
      and p.tracking_number is not null
      and (
        ${pattern}::text is null
        or p.tracking_number ilike replace(${pattern}::text, ' ', '')
        or concat_ws(' ', ${addresseeOfP} ->> 'contactName', ${addresseeOfP} ->> 'city') ilike ${pattern}::text
      )`
}

export type StockRow = ParcelRow & { late: boolean }

/** A page of a tab, by the last event; and the number of parcels in each tab. */
export async function listStockRows(
  db: DbOrTx,
  filter: StockFilter,
  tab: StockTab,
  { offset, limit, descending }: { offset: number; limit: number; descending: boolean },
): Promise<{ rows: StockRow[]; counts: Record<StockTab, number> }> {
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const tabs = stockTabs.map((each) =>
    each === 'lost'
      ? sql`(select count(*)::int ${stock(filter, true)}) as ${sql.id(each)}`
      : sql`count(*) filter (where ${fitsTab(each, filter)})::int as ${sql.id(each)}`,
  )
  const [page, counts] = await Promise.all([
    sql<StockRow>`
      select p.*, ${isLate(filter)} as late
      ${stock(filter, tab === 'lost')}
        and ${fitsTab(tab, filter)}
      order by p.last_event_at ${direction}, p.id ${direction}
      limit ${limit}::int offset ${offset}::int`.execute(db),
    sql<Record<StockTab, number>>`select ${sql.join(tabs)} ${stock(filter, false)}`.execute(db),
  ])
  return { rows: page.rows, counts: counts.rows[0] as Record<StockTab, number> }
}
