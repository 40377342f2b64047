// The parcels that a station has.
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import { findAddressee, isGoingBack } from '@waybill/contract/ground/status/parcel-status'
import type { listStock, StockParcel } from '@waybill/contract/parcels/stock'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { dayIn, hours, later } from '../../../lib/clock.ts'
import { accountNames, findStaffNames } from '../../accounts/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { listLastStations } from '../custody/service.ts'
import { requireStockStation } from './count.ts'
import { listStockRows, type StockFilter, type StockRow } from './queries.ts'
import { findLastStockCount } from './queries-counts.ts'
import { nextStockStep } from './rules.ts'

/**
 * The stock of a station, with what happens to each parcel next. Throws what `requireStockStation` throws.
 */
export async function readStock(
  deps: Deps,
  caller: StaffCaller,
  query: QueryOf<typeof listStock>,
): Promise<ResponseOf<typeof listStock>> {
  const { tab, search, offset, limit } = query
  const stationId = await requireStockStation(deps.db, caller, query.stationId)
  const { clock, settings, db } = deps
  const count = await findLastStockCount(db, stationId)
  const filter: StockFilter = {
    stationId,
    search: search || null,
    silentSince: later(clock.now(), -hours(settings.get('tracking.silenceHours'))),
    today: dayIn(clock.now(), settings.get('timezone')),
    missing: count ? { numbers: count.missing, countedAt: count.counted_at } : null,
  }
  const descending = parseSort(query.sort)[0]?.descending ?? false
  const { rows, counts } = await listStockRows(db, filter, tab, { offset, limit, descending })
  const [items, names] = await Promise.all([
    presentStock(deps, stationId, rows),
    findStaffNames(db, count ? [count.counted_by] : []),
  ])
  const lastCount = count && {
    at: count.counted_at.toISOString(),
    by: names.get(count.counted_by) ?? '–',
    expected: count.expected,
    found: count.found,
  }
  return { items, total: counts[tab], offset, limit, counts, lastCount: lastCount ?? null }
}

async function presentStock({ db }: Deps, stationId: string, rows: readonly StockRow[]): Promise<StockParcel[]> {
  const lastStations = await Promise.all(rows.map((row) => listLastStations(db, row)))
  const [stations, accounts] = await Promise.all([
    findStationsById(db, [...new Set(lastStations.flatMap(([first]) => first ?? []))]),
    accountNames(db, [...new Set(rows.map(({ account_id }) => account_id))]),
  ])
  return rows.map((row, n) => {
    const ends = lastStations[n] ?? []
    const step = nextStockStep(row, stationId, ends)
    const to = findAddressee(row)
    return {
      parcelId: row.id,
      trackingNumber: row.tracking_number ?? '',
      status: row.status,
      leg: row.leg,
      toName: to?.contactName ?? null,
      toCity: to?.city ?? null,
      accountName: accounts.get(row.account_id) ?? '–',
      next: { step, station: step === 'forward' ? (stations.get(ends[0] ?? '')?.name ?? null) : null },
      lastEventAt: row.last_event_at?.toISOString() ?? null,
      expectedDate: isGoingBack(row) ? null : row.expected_date,
      collectUntil: row.collect_until,
      late: row.late,
    }
  })
}
