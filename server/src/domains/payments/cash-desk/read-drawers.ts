/** Formats drawers and their movements for the API. */
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import {
  type CashMovement,
  type DrawerCount,
  type DrawerShift,
  type listCashMovements,
  type listDrawers,
  mostDrawers,
  type StationDrawer,
} from '@waybill/contract/payments/cash-desk'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { findStaffNames } from '../../accounts/service.ts'
import { isStationSupervisor } from '../../parcels/custody/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { listCashHolders } from '../cod/queries.ts'
import { handInNumbers } from '../cod/queries-hand-ins.ts'
import { requireStation, seesOpenDrawers, today } from './drawer.ts'
import {
  type CashMovementRow,
  findSummedShift,
  listMovementPage,
  listStationDrawers,
  type SummedShift,
} from './queries.ts'
import { type CountRow, listCounts } from './queries-counts.ts'

/** The drawers of the caller's station for the screen of the counter. Throws no_station. */
export async function readStationDrawers(deps: Deps, caller: StaffCaller): Promise<ResponseOf<typeof listDrawers>> {
  const { db, settings } = deps
  const stationId = requireStation(caller)
  const currency = settings.get('currency')
  const [stations, rows, holders] = await Promise.all([
    findStationsById(db, [stationId]),
    listStationDrawers(db, stationId),
    listCashHolders(db, stationId, currency),
  ])
  const station = stations.get(stationId)
  if (!station) throw new AppError('no_station')
  const [names, shifts] = await Promise.all([
    findStaffNames(
      db,
      holders.map(({ collected_by }) => collected_by),
    ),
    presentShifts(db, caller, rows),
  ])
  const day = today(deps)
  const highestNumber = shifts.at(-1)?.number ?? 0
  return {
    station: { id: station.id, code: station.code, name: station.name },
    today: day,
    currency,
    drawers: Array.from({ length: Math.max(highestNumber, 1) }, (_, n) => presentPlace(n + 1, shifts, day)),
    nextNumber: highestNumber > 0 && highestNumber < mostDrawers ? highestNumber + 1 : null,
    holders: holders.map((row) => ({
      userId: row.collected_by,
      name: names.get(row.collected_by) ?? '–',
      count: row.count,
      amountMinor: row.amount_minor,
      since: row.since.toISOString(),
    })),
  }
}

/** A drawer of a station, from the open and last closed shifts of all drawers. */
function presentPlace(number: number, shifts: readonly DrawerShift[], day: string): StationDrawer {
  const own = shifts.filter((shift) => shift.number === number)
  const open = own.find(({ state }) => state === 'open') ?? null
  const lastClosed = own.find(({ state }) => state === 'closed') ?? null
  return {
    number,
    open,
    dayOver: open !== null && open.day < day,
    lastClosed,
    carriedMinor: lastClosed?.countedMinor ?? 0,
  }
}

/** A shift of a drawer for the API. `stationId` null: of any station. Throws not_found. */
export async function readShift(
  db: DbOrTx,
  caller: StaffCaller,
  { stationId, id }: { stationId: string | null; id: string },
): Promise<DrawerShift> {
  const row = await findSummedShift(db, stationId, id)
  const [drawer] = await presentShifts(db, caller, row ? [row] : [])
  if (!drawer) throw new AppError('not_found')
  return drawer
}

/** Shifts of drawers for the API, with the names of stations and staff. */
export async function presentShifts(
  db: DbOrTx,
  caller: StaffCaller,
  rows: readonly SummedShift[],
): Promise<DrawerShift[]> {
  const [stations, counts] = await Promise.all([
    findStationsById(db, [...new Set(rows.map(({ station_id }) => station_id))]),
    listCounts(
      db,
      rows.map(({ id }) => id),
    ),
  ])
  const staffIds = [
    ...rows.flatMap(({ opened_by, closed_by, reopened_by }) => [opened_by, closed_by, reopened_by]),
    ...counts.map(({ counted_by }) => counted_by),
  ]
  const names = await findStaffNames(db, [...new Set(staffIds.filter((id) => id !== null))])
  const name = (id: string | null) => names.get(id ?? '') ?? '–'
  const countsByDrawer = Map.groupBy(counts, ({ drawer_id }) => drawer_id)
  return rows.map((row) => {
    const station = stations.get(row.station_id)
    const isBlind = !row.closed_at && !seesOpenDrawers(caller)
    return {
      id: row.id,
      version: row.version,
      station: { id: row.station_id, code: station?.code ?? '–', name: station?.name ?? '–' },
      number: row.number,
      day: row.day,
      shift: row.shift,
      currency: row.currency,
      state: row.closed_at ? 'closed' : 'open',
      carriedMinor: row.carried_minor,
      floatMinor: row.float_minor,
      floatReason: row.float_reason,
      salesCount: row.sales_count,
      sums: isBlind ? null : presentSums(row),
      countedMinor: row.counted_minor,
      differenceMinor: row.difference_minor,
      reason: row.reason,
      pieces: row.pieces,
      openedBy: name(row.opened_by),
      openedAt: row.opened_at.toISOString(),
      closedBy: row.closed_by && name(row.closed_by),
      closedAt: row.closed_at?.toISOString() ?? null,
      counts: isBlind ? null : (countsByDrawer.get(row.id) ?? []).map((count) => presentCount(count, name)),
      reopened:
        row.reopened_at === null
          ? null
          : { by: name(row.reopened_by), at: row.reopened_at.toISOString(), reason: row.reopen_reason ?? '' },
      mayReopen: row.closed_at !== null && row.latest && isStationSupervisor(caller, row.station_id),
    }
  })
}

const presentSums = (row: SummedShift): NonNullable<DrawerShift['sums']> => ({
  salesMinor: row.sales_minor,
  handedInMinor: row.handed_in_minor,
  cashInMinor: row.cash_in_minor,
  cashOutMinor: row.cash_out_minor,
  bankMinor: row.bank_minor,
  expectedMinor: row.balance_minor,
})

const presentCount = (row: CountRow, name: (id: string) => string): DrawerCount => ({
  countedMinor: row.counted_minor,
  differenceMinor: row.counted_minor - row.expected_minor,
  reason: row.reason,
  accepted: row.accepted,
  by: name(row.counted_by),
  at: row.counted_at.toISOString(),
})

/** Movements for the API; without balances during a blind count. A hand-in shows the number of its receipt. */
export async function presentMovements(
  db: DbOrTx,
  rows: readonly CashMovementRow[],
  { blind }: { blind: boolean },
): Promise<CashMovement[]> {
  const handIns = rows.flatMap(({ id, kind }) => (kind === 'hand_in' ? [id] : []))
  const [names, numbers] = await Promise.all([
    findStaffNames(db, [...new Set(rows.map(({ created_by }) => created_by))]),
    handInNumbers(db, handIns),
  ])
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    amountMinor: row.amount_minor,
    balanceAfterMinor: blind ? null : row.balance_after_minor,
    reference: row.reference,
    reason: row.reason,
    givenMinor: row.given_minor,
    receiptNumber: row.receipt_number ?? numbers.get(row.id) ?? null,
    orderId: row.order_id,
    by: names.get(row.created_by) ?? '–',
    at: row.created_at.toISOString(),
  }))
}

/** Movements of a shift of a drawer at the caller's station. Throws no_station, not_found. */
export async function listDrawerMovements(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { offset, limit }: QueryOf<typeof listCashMovements>,
): Promise<ResponseOf<typeof listCashMovements>> {
  const drawer = await readShift(deps.db, caller, { stationId: requireStation(caller), id })
  const { rows, total } = await listMovementPage(deps.db, id, { offset, limit })
  return { items: await presentMovements(deps.db, rows, { blind: drawer.sums === null }), total, offset, limit }
}
