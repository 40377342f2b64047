/** Opens a drawer, moves cash in and out of it, and closes it with a count. Sales are in `sell`. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type {
  CashDrawer,
  CashMovement,
  CashPiece,
  closeDrawer,
  moveCash,
  openDrawer,
} from '@waybill/contract/payments/cash-desk'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { audit, bookCash, lockDrawer, requireCashCurrency, requireStation, today } from './drawer.ts'
import {
  findLastClosedDrawer,
  findOpenDrawer,
  insertDrawer,
  insertMovement,
  lockDrawerRow,
  lockOpenDrawer,
  setClosed,
} from './queries.ts'
import { presentMovements, readDrawer } from './read-drawers.ts'

/**
 * Opens the day's drawer. A float above the last count was brought from the bank. A lower one is a shortage and needs
 * a reason. Throws no_station, drawer_open, drawer_closed_today, validation.
 */
export async function startDrawer(
  deps: Deps,
  caller: StaffCaller,
  { floatMinor, currency, reason }: BodyOf<typeof openDrawer>,
  idempotency: Idempotency,
): Promise<CashDrawer> {
  const stationId = requireStation(caller)
  requireCashCurrency(deps, currency)
  return tx(deps.db, async (trx) => {
    const [at, day] = [deps.clock.now(), today(deps)]
    // Waits for a count that is being stored, so that the last count is read after it.
    if (await lockOpenDrawer(trx, stationId)) throw new AppError('drawer_open')
    const lastClose = await findLastClosedDrawer(trx, stationId)
    const carried = lastClose?.counted_minor ?? 0
    if (floatMinor < carried && !reason) throw validationError({ field: 'reason', rule: 'required' })
    const row = {
      id: newId(),
      station_id: stationId,
      day,
      currency,
      carried_minor: carried,
      float_minor: floatMinor,
      float_reason: reason,
      opened_by: caller.userId,
      opened_at: at,
    }
    if (!(await insertDrawer(trx, row))) {
      throw new AppError((await findOpenDrawer(trx, stationId)) ? 'drawer_open' : 'drawer_closed_today')
    }
    const difference = floatMinor - carried
    if (difference !== 0) {
      await bookCash(deps, trx, caller, row, {
        kind: difference > 0 ? 'cash' : 'adjustment',
        other: { book: difference > 0 ? 'bank' : 'cash_difference' },
        amountMinor: difference,
        reference: reason,
      })
    }
    await audit(deps, trx, caller, 'cash.open', row.id, { floatMinor, carriedMinor: carried, reason })
    const drawer = await readDrawer(trx, stationId, row.id)
    await idempotency.keep(trx, drawer)
    return drawer
  })
}

/** The columns that only a sale has. */
export const noSale = {
  reference: null,
  given_minor: null,
  account_id: null,
  order_id: null,
  payment_id: null,
  receipt_number: null,
}

/**
 * Puts cash into the drawer or takes it out, with a reason. Throws what `lockDrawer` throws, drawer_too_low
 * (`details.balanceMinor`).
 */
export async function enterMovement(
  deps: Deps,
  caller: StaffCaller,
  { kind, amountMinor, currency, reason }: BodyOf<typeof moveCash>,
  idempotency: Idempotency,
): Promise<CashMovement> {
  requireCashCurrency(deps, currency)
  return tx(deps.db, async (trx) => {
    const drawer = await lockDrawer(deps, trx, caller)
    const signed = kind === 'cash_in' ? amountMinor : -amountMinor
    if (drawer.balance_minor + signed < 0) {
      throw new AppError('drawer_too_low', { details: { balanceMinor: drawer.balance_minor } })
    }
    const row = await insertMovement(trx, {
      ...noSale,
      drawer_id: drawer.id,
      id: newId(),
      kind,
      amount_minor: signed,
      reason,
      created_by: caller.userId,
      created_at: deps.clock.now(),
    })
    const other = { book: kind === 'bank' ? ('bank' as const) : ('petty_cash' as const) }
    await bookCash(deps, trx, caller, drawer, { kind: 'cash', other, amountMinor: signed, reference: reason })
    await audit(deps, trx, caller, `cash.${kind}`, drawer.id, { amountMinor, reason })
    const [movement] = (await presentMovements(trx, [row])) as [CashMovement]
    await idempotency.keep(trx, movement)
    return movement
  })
}

/** The total of a count, and its pieces unless only a sum was entered. */
export function sumCount(count: { pieces: CashPiece[] } | { sumMinor: number }): {
  pieces: CashPiece[] | null
  countedMinor: number
} {
  if ('sumMinor' in count) return { pieces: null, countedMinor: count.sumMinor }
  const countedMinor = count.pieces.reduce((sum, piece) => sum + piece.valueMinor * piece.count, 0)
  return { pieces: count.pieces.filter((piece) => piece.count > 0), countedMinor }
}

/**
 * Closes a drawer with its count. A difference is booked with its reason. Throws no_station, not_found (also for
 * another station's), drawer_closed_today, version_conflict (cash moved during the count), validation.
 */
export async function countAndCloseDrawer(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, counted: cashCount, currency, reason }: BodyOf<typeof closeDrawer>,
): Promise<CashDrawer> {
  requireCashCurrency(deps, currency)
  const stationId = requireStation(caller)
  return tx(deps.db, async (trx) => {
    const drawer = await lockDrawerRow(trx, stationId, id)
    if (!drawer) throw new AppError('not_found')
    if (drawer.closed_at) throw new AppError('drawer_closed_today')
    if (drawer.version !== version) throw new AppError('version_conflict', { details: { version: drawer.version } })
    const { pieces, countedMinor } = sumCount(cashCount)
    const difference = countedMinor - drawer.balance_minor
    if (difference !== 0 && !reason) throw validationError({ field: 'reason', rule: 'required' })
    const at = deps.clock.now()
    await setClosed(trx, drawer, {
      countedMinor,
      pieces,
      reason: difference === 0 ? null : reason,
      by: caller.userId,
      at,
    })
    if (difference !== 0) {
      await bookCash(deps, trx, caller, drawer, {
        kind: 'adjustment',
        other: { book: 'cash_difference' },
        amountMinor: difference,
        reference: reason,
      })
    }
    await audit(deps, trx, caller, 'cash.close', id, {
      countedMinor,
      expectedMinor: drawer.balance_minor,
      differenceMinor: difference,
      reason,
    })
    return readDrawer(trx, stationId, id)
  })
}
