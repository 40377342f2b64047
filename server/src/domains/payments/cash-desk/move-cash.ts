/** Opens a drawer, and moves cash in and out of it. Sales are in `sell`, counts in `count-drawer`. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { CashMovement, DrawerShift, moveCash, openDrawer } from '@waybill/contract/payments/cash-desk'
import { isBelowCoin } from '@waybill/contract/payments/coins'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import {
  bookCash,
  lockOpenShift,
  recordCashActivity,
  requireCashCurrency,
  requireStation,
  seesOpenDrawers,
  today,
} from './drawer.ts'
import { hasDrawer, insertMovement, insertShift, lockLastClosedShift, lockOpenShiftRow } from './queries.ts'
import { presentMovements, readShift } from './read-drawers.ts'

/**
 * Begins a shift of a drawer. A float above the last count was brought from the bank. A lower one is a shortage and
 * needs a reason, unless they differ by less than the smallest coin. A new drawer has the next free number. Throws
 * no_station, drawer_open, validation.
 */
export async function startDrawer(
  deps: Deps,
  caller: StaffCaller,
  { drawerNumber: number, floatMinor, currency, reason }: BodyOf<typeof openDrawer>,
  idempotency: Idempotency,
): Promise<DrawerShift> {
  const stationId = requireStation(caller)
  requireCashCurrency(deps, currency)
  return tx(deps.db, async (trx) => {
    const [at, day] = [deps.clock.now(), today(deps)]
    const isNumberFree = number === 1 || (await hasDrawer(trx, { stationId, number: number - 1 }))
    if (!isNumberFree) throw validationError({ field: 'drawerNumber', rule: 'enum' })
    // Waits for a count that is being stored, so that the last count is read after it.
    if (await lockOpenShiftRow(trx, { stationId, number })) throw new AppError('drawer_open')
    const lastClose = await lockLastClosedShift(trx, { stationId, number })
    const carriedMinor = lastClose?.counted_minor ?? 0
    const difference = floatMinor - carriedMinor
    const book = isBelowCoin(difference, currency) ? 'cash_rounding' : difference > 0 ? 'bank' : 'cash_difference'
    if (book === 'cash_difference' && !reason) throw validationError({ field: 'reason', rule: 'required' })
    const row = {
      id: newId(),
      station_id: stationId,
      number,
      day,
      currency,
      carried_minor: carriedMinor,
      float_minor: floatMinor,
      float_reason: reason,
      opened_by: caller.userId,
      opened_at: at,
    }
    if (!(await insertShift(trx, row))) throw new AppError('drawer_open')
    if (difference !== 0) {
      await bookCash(deps, trx, caller, row, {
        kind: book === 'bank' ? 'cash' : 'adjustment',
        other: { book },
        amountMinor: difference,
        reference: reason,
      })
    }
    await recordCashActivity(deps, trx, caller, 'cash.open', row.id, { number, floatMinor, carriedMinor, reason })
    const drawer = await readShift(trx, caller, { stationId, id: row.id })
    await idempotency.keep(trx, drawer)
    return drawer
  })
}

/** Puts cash into a drawer or takes it out, with a reason. Throws what `lockOpenShift` throws, drawer_too_low. */
export async function enterMovement(
  deps: Deps,
  caller: StaffCaller,
  { drawerNumber, kind, amountMinor, currency, reason }: BodyOf<typeof moveCash>,
  idempotency: Idempotency,
): Promise<CashMovement> {
  requireCashCurrency(deps, currency)
  return tx(deps.db, async (trx) => {
    const drawer = await lockOpenShift(deps, trx, caller, drawerNumber)
    const signedMinor = kind === 'cash_in' ? amountMinor : -amountMinor
    if (drawer.balance_minor + signedMinor < 0) throw new AppError('drawer_too_low')
    const row = await insertMovement(trx, {
      drawer_id: drawer.id,
      id: newId(),
      kind,
      amount_minor: signedMinor,
      reason,
      created_by: caller.userId,
      created_at: deps.clock.now(),
    })
    const other = { book: kind === 'bank' ? ('bank' as const) : ('petty_cash' as const) }
    await bookCash(deps, trx, caller, drawer, { kind: 'cash', other, amountMinor: signedMinor, reference: reason })
    await recordCashActivity(deps, trx, caller, `cash.${kind}`, drawer.id, { amountMinor, reason })
    const [movement] = (await presentMovements(trx, [row], { blind: !seesOpenDrawers(caller) })) as [CashMovement]
    await idempotency.keep(trx, movement)
    return movement
  })
}
