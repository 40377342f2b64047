/** The open drawers of a station: shared by all use cases with cash. */
import { decide } from '@waybill/contract/ground/access'
import { recordActivity } from '../../../activity.ts'
import type { Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { dayIn } from '../../../lib/clock.ts'
import { postEntry } from '../../wallet/ledger/service.ts'
import type { Posting } from '../../wallet/rules.ts'
import { lockOpenShiftRow, type ShiftRow } from './queries.ts'

/** The caller's station: cash is only taken at a station. Throws no_station. */
export function requireStation({ stationId }: StaffCaller): string {
  if (!stationId) throw new AppError('no_station')
  return stationId
}

/** Throws validation unless it is the deployment's currency. */
export function requireCashCurrency(deps: Deps, currency: string): void {
  if (currency !== deps.settings.get('currency')) throw validationError({ field: 'currency', rule: 'enum' })
}

/** The day in the deployment's time zone, as `2026-11-22`. */
export const today = ({ clock, settings }: Deps) => dayIn(clock.now(), settings.get('timezone'))

/**
 * Whether the caller sees the expected amount of an open drawer. Counter staff do not (blind count): they could hide a
 * shortage by entering the expected amount.
 */
export const seesOpenDrawers = (caller: StaffCaller) => decide('staff.finance', caller) === 'pass'

/**
 * The open shift of a drawer at the caller's station, locked. Lock it before anything else, or two sales could
 * deadlock. Throws no_station, drawer_not_open, drawer_day_over (`details.day`).
 */
export async function lockOpenShift(deps: Deps, trx: Tx, caller: StaffCaller, number: number): Promise<ShiftRow> {
  const drawer = await lockOpenShiftRow(trx, { stationId: requireStation(caller), number })
  if (!drawer) throw new AppError('drawer_not_open')
  if (drawer.day < today(deps)) throw new AppError('drawer_day_over', { details: { day: drawer.day } })
  return drawer
}

type CashBooking = {
  kind: 'cash' | 'adjustment'
  /** The other side of the entry. */
  other: Omit<Posting, 'amountMinor'>
  /** Positive into the drawer, negative out of it. */
  amountMinor: number
  reference: string | null
}

/** Posts cash that moves into or out of a station's drawer. */
export async function bookCash(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  drawer: Pick<ShiftRow, 'station_id' | 'currency'>,
  { kind, other, amountMinor, reference }: CashBooking,
): Promise<void> {
  await postEntry(deps, trx, {
    kind,
    accountId: null,
    reference: reference?.slice(0, 200) ?? null,
    actorId: caller.userId,
    log: null,
    currency: drawer.currency,
    postings: [
      { book: 'station_cash', stationId: drawer.station_id, amountMinor: -amountMinor },
      { ...other, amountMinor },
    ],
  })
}

/** Records what was done with a drawer in the activity log. */
export async function recordCashActivity(
  deps: Deps,
  trx: Tx,
  { userId }: StaffCaller,
  action: string,
  subject: string,
  detail: Record<string, unknown>,
): Promise<void> {
  await recordActivity(trx, { action, level: 'NOTICE', userId, subject, detail, at: deps.clock.now() })
}
