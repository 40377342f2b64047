/** Counts a drawer and ends its shift; a supervisor can reopen it to have it counted again. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { closeDrawer, DrawerShift, reopenDrawer } from '@waybill/contract/payments/cash-desk'
import { type CashPiece, isBelowCoin } from '@waybill/contract/payments/coins'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { isStationSupervisor } from '../../parcels/custody/service.ts'
import type { BookKind } from '../../wallet/rules.ts'
import { bookCash, recordCashActivity, requireCashCurrency, requireStation } from './drawer.ts'
import { lockShift, type ShiftRow } from './queries.ts'
import { hasLaterShift, insertCount, setClosed, setReopened } from './queries-counts.ts'
import { readShift } from './read-drawers.ts'

/** The total of a count, and its pieces unless only a sum was entered. */
export function sumCount(count: { pieces: CashPiece[] } | { sumMinor: number }): {
  pieces: CashPiece[] | null
  countedMinor: number
} {
  if ('sumMinor' in count) return { pieces: null, countedMinor: count.sumMinor }
  const countedMinor = count.pieces.reduce((sum, piece) => sum + piece.valueMinor * piece.count, 0)
  return { pieces: count.pieces.filter((piece) => piece.count > 0), countedMinor }
}

type Count = { countedMinor: number; reason: string | null; accepted: boolean }

/** Keeps a count and its entry in the activity log. */
async function keepCount(deps: Deps, trx: Tx, caller: StaffCaller, drawer: ShiftRow, count: Count): Promise<void> {
  const { countedMinor, reason, accepted } = count
  await insertCount(trx, {
    drawer_id: drawer.id,
    id: newId(),
    counted_minor: countedMinor,
    expected_minor: drawer.balance_minor,
    reason,
    accepted,
    counted_by: caller.userId,
    counted_at: deps.clock.now(),
  })
  await recordCashActivity(deps, trx, caller, accepted ? 'cash.close' : 'cash.count', drawer.id, {
    number: drawer.number,
    countedMinor,
    expectedMinor: drawer.balance_minor,
    differenceMinor: countedMinor - drawer.balance_minor,
    reason,
  })
}

/**
 * Ends the shift of a drawer with its count. A difference is booked with its reason; one below the smallest coin needs
 * none. A count that differs and has no reason is kept, but the drawer stays open. Throws no_station, not_found (also
 * for another station's), drawer_closed, version_conflict (cash moved during the count), count_differs.
 */
export async function countAndCloseDrawer(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, counted: cashCount, currency, reason }: BodyOf<typeof closeDrawer>,
): Promise<DrawerShift> {
  requireCashCurrency(deps, currency)
  const stationId = requireStation(caller)
  const { pieces, countedMinor } = sumCount(cashCount)
  const shift = await tx(deps.db, async (trx) => {
    const drawer = await lockShift(trx, stationId, id)
    if (!drawer) throw new AppError('not_found')
    if (drawer.closed_at) throw new AppError('drawer_closed')
    if (drawer.version !== version) throw new AppError('version_conflict', { details: { version: drawer.version } })
    const difference = countedMinor - drawer.balance_minor
    const needsReason = !isBelowCoin(difference, currency)
    const usedReason = needsReason ? reason : null
    const accepted = !needsReason || reason !== null
    await keepCount(deps, trx, caller, drawer, { countedMinor, reason: usedReason, accepted })
    if (!accepted) return null
    await setClosed(trx, drawer, { countedMinor, pieces, reason: usedReason, by: caller.userId, at: deps.clock.now() })
    const book = differenceBook(usedReason)
    await bookDifference(deps, trx, caller, drawer, { book, amountMinor: difference, reference: reason })
    return readShift(trx, caller, { stationId, id })
  })
  // Thrown only now, so that the refused count stays stored.
  if (!shift) throw new AppError('count_differs', { fields: [{ field: 'reason', rule: 'required' }] })
  return shift
}

type Difference = { book: BookKind; amountMinor: number; reference: string | null }

/** The book of a count's difference. Only one that is smaller than every coin has no reason. */
export const differenceBook = (reason: string | null): BookKind =>
  reason === null ? 'cash_rounding' : 'cash_difference'

/** Books the difference of a count, or reverses it. */
async function bookDifference(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  drawer: ShiftRow,
  { book, amountMinor, reference }: Difference,
): Promise<void> {
  if (amountMinor === 0) return
  await bookCash(deps, trx, caller, drawer, { kind: 'adjustment', other: { book }, amountMinor, reference })
}

/**
 * Reopens the last shift of a drawer, to have it counted again. The difference that its count booked is reversed. If
 * its day is over, it accepts no more cash. Throws not_found (also for a station that the caller does not supervise),
 * drawer_open, version_conflict, drawer_not_latest.
 */
export async function reopenClosedDrawer(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, reason }: BodyOf<typeof reopenDrawer>,
): Promise<DrawerShift> {
  return tx(deps.db, async (trx) => {
    const drawer = await lockShift(trx, null, id)
    if (!drawer || !isStationSupervisor(caller, drawer.station_id)) throw new AppError('not_found')
    if (!drawer.closed_at) throw new AppError('drawer_open')
    if (drawer.version !== version) throw new AppError('version_conflict', { details: { version: drawer.version } })
    if (await hasLaterShift(trx, drawer)) throw new AppError('drawer_not_latest')
    await setReopened(trx, drawer, { reason, by: caller.userId, at: deps.clock.now() })
    const amountMinor = -(drawer.difference_minor ?? 0)
    const book = differenceBook(drawer.reason)
    await bookDifference(deps, trx, caller, drawer, { book, amountMinor, reference: reason })
    await recordCashActivity(deps, trx, caller, 'cash.reopen', id, {
      number: drawer.number,
      countedMinor: drawer.counted_minor,
      differenceMinor: drawer.difference_minor,
      reason,
    })
    return readShift(trx, caller, { stationId: null, id })
  })
}
