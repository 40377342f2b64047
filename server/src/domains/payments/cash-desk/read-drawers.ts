/** Formats drawers and their movements for the API. */
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { CashDrawer, CashMovement, getDrawer, listCashMovements } from '@waybill/contract/payments/cash-desk'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { findStaffNames } from '../../accounts/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { listCashHolders } from '../cod/queries.ts'
import { handInNumbers } from '../cod/queries-hand-ins.ts'
import { requireStation, today } from './drawer.ts'
import {
  type CashMovementRow,
  findLastClosedDrawer,
  findOpenDrawer,
  findSummedDrawer,
  listMovementPage,
  type SummedDrawer,
} from './queries.ts'

/** The state of the caller's station for the screen of the counter. Throws no_station. */
export async function getDrawerState(deps: Deps, caller: StaffCaller): Promise<ResponseOf<typeof getDrawer>> {
  const { db, settings } = deps
  const stationId = requireStation(caller)
  const currency = settings.get('currency')
  const [stations, openDrawer, lastClose, holders] = await Promise.all([
    findStationsById(db, [stationId]),
    findOpenDrawer(db, stationId),
    findLastClosedDrawer(db, stationId),
    listCashHolders(db, stationId, currency),
  ])
  const station = stations.get(stationId)
  if (!station) throw new AppError('no_station')
  const names = await findStaffNames(
    db,
    holders.map(({ collected_by }) => collected_by),
  )
  const day = today(deps)
  return {
    station: { id: station.id, code: station.code, name: station.name },
    today: day,
    currency,
    drawer: openDrawer ? await readDrawer(db, stationId, openDrawer.id) : null,
    dayOver: openDrawer !== undefined && openDrawer.day < day,
    closedToday: !openDrawer && lastClose?.day === day,
    carriedMinor: lastClose?.counted_minor ?? 0,
    holders: holders.map((row) => ({
      userId: row.collected_by,
      name: names.get(row.collected_by) ?? '–',
      count: row.count,
      amountMinor: row.amount_minor,
      since: row.since.toISOString(),
    })),
  }
}

/** A drawer for the API. `stationId` null: of any station. Throws not_found. */
export async function readDrawer(db: DbOrTx, stationId: string | null, id: string): Promise<CashDrawer> {
  const row = await findSummedDrawer(db, stationId, id)
  const [drawer] = await presentDrawers(db, row ? [row] : [])
  if (!drawer) throw new AppError('not_found')
  return drawer
}

/** Drawers for the API, with the names of stations and staff. */
export async function presentDrawers(db: DbOrTx, rows: readonly SummedDrawer[]): Promise<CashDrawer[]> {
  const [stations, names] = await Promise.all([
    findStationsById(db, [...new Set(rows.map(({ station_id }) => station_id))]),
    findStaffNames(db, [...new Set(rows.flatMap(({ opened_by, closed_by }) => [opened_by, closed_by ?? []].flat()))]),
  ])
  return rows.map((row) => {
    const station = stations.get(row.station_id)
    return {
      id: row.id,
      version: row.version,
      station: { id: row.station_id, code: station?.code ?? '–', name: station?.name ?? '–' },
      day: row.day,
      currency: row.currency,
      state: row.closed_at ? 'closed' : 'open',
      carriedMinor: row.carried_minor,
      floatMinor: row.float_minor,
      floatReason: row.float_reason,
      salesMinor: row.sales_minor,
      salesCount: row.sales_count,
      handedInMinor: row.handed_in_minor,
      cashInMinor: row.cash_in_minor,
      cashOutMinor: row.cash_out_minor,
      bankMinor: row.bank_minor,
      expectedMinor: row.balance_minor,
      countedMinor: row.counted_minor,
      differenceMinor: row.difference_minor,
      reason: row.reason,
      pieces: row.pieces,
      openedBy: names.get(row.opened_by) ?? '–',
      openedAt: row.opened_at.toISOString(),
      closedBy: (row.closed_by && names.get(row.closed_by)) ?? null,
      closedAt: row.closed_at?.toISOString() ?? null,
    }
  })
}

/** Movements for the API. A hand-in shows the number of its receipt. */
export async function presentMovements(db: DbOrTx, rows: readonly CashMovementRow[]): Promise<CashMovement[]> {
  const handIns = rows.flatMap(({ id, kind }) => (kind === 'hand_in' ? [id] : []))
  const [names, numbers] = await Promise.all([
    findStaffNames(db, [...new Set(rows.map(({ created_by }) => created_by))]),
    handInNumbers(db, handIns),
  ])
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    amountMinor: row.amount_minor,
    balanceAfterMinor: row.balance_after_minor,
    reference: row.reference,
    reason: row.reason,
    givenMinor: row.given_minor,
    receiptNumber: row.receipt_number ?? numbers.get(row.id) ?? null,
    orderId: row.order_id,
    by: names.get(row.created_by) ?? '–',
    at: row.created_at.toISOString(),
  }))
}

/** Movements of a drawer of the caller's station. Throws no_station, not_found. */
export async function listDrawerMovements(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { offset, limit }: QueryOf<typeof listCashMovements>,
): Promise<ResponseOf<typeof listCashMovements>> {
  await readDrawer(deps.db, requireStation(caller), id)
  const { rows, total } = await listMovementPage(deps.db, id, { offset, limit })
  return { items: await presentMovements(deps.db, rows), total, offset, limit }
}
