/** The drawer of a station: opened with a float, moved with reasons, counted and signed off. */

import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type {
  CashDrawer,
  CashMovement,
  CashPiece,
  closeDrawer,
  getDrawer,
  listCashMovements,
  moveCash,
  openDrawer,
} from '@waybill/contract/payments/cash-desk'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { dayIn } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { namesOfStaff } from '../../accounts/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { post } from '../../wallet/ledger/service.ts'
import type { Posting } from '../../wallet/rules.ts'
import { listCashHolders } from '../cod/queries.ts'
import { handInNumbers } from '../cod/queries-hand-ins.ts'
import {
  type DrawerRow,
  findLastClosedDrawer,
  findOpenDrawer,
  findSummedDrawer,
  insertDrawer,
  insertMovement,
  listMovementPage,
  lockDrawerRow,
  lockOpenDrawer,
  type MovementRow,
  type SummedDrawer,
  setClosed,
} from './queries.ts'

/** The caller's own station: cash is only ever taken there. Throws no_station. */
export function requireStation({ stationId }: StaffCaller): string {
  if (!stationId) throw new AppError('no_station')
  return stationId
}

/** Cash comes in the deployment's currency. */
export function requireCashCurrency(deps: Deps, currency: string): void {
  if (currency !== deps.settings.get('currency')) throw validationError({ field: 'currency', rule: 'enum' })
}

const today = ({ clock, settings }: Deps) => dayIn(clock.now(), settings.get('timezone'))

/**
 * The open drawer of the caller's station, locked before anything else. Throws no_station, drawer_not_open,
 * drawer_day_over (`details.day`).
 */
export async function lockDrawer(deps: Deps, trx: Tx, caller: StaffCaller): Promise<DrawerRow> {
  const drawer = await lockOpenDrawer(trx, requireStation(caller))
  if (!drawer) throw new AppError('drawer_not_open')
  if (drawer.day < today(deps)) throw new AppError('drawer_day_over', { details: { day: drawer.day } })
  return drawer
}

/** What the station's screen shows. Throws no_station. */
export async function drawerNow(deps: Deps, caller: StaffCaller): Promise<ResponseOf<typeof getDrawer>> {
  const { db, settings } = deps
  const stationId = requireStation(caller)
  const currency = settings.get('currency')
  const [stations, open, last, held] = await Promise.all([
    findStationsById(db, [stationId]),
    findOpenDrawer(db, stationId),
    findLastClosedDrawer(db, stationId),
    listCashHolders(db, stationId, currency),
  ])
  const station = stations.get(stationId)
  if (!station) throw new AppError('no_station')
  const names = await namesOfStaff(
    db,
    held.map(({ collected_by }) => collected_by),
  )
  const day = today(deps)
  return {
    station: { id: station.id, code: station.code, name: station.name },
    today: day,
    currency,
    drawer: open ? await readDrawer(db, stationId, open.id) : null,
    dayOver: open !== undefined && open.day < day,
    closedToday: !open && last?.day === day,
    carriedMinor: last?.counted_minor ?? 0,
    holders: held.map((row) => ({
      userId: row.collected_by,
      name: names.get(row.collected_by) ?? '–',
      count: row.count,
      amountMinor: row.amount_minor,
      since: row.since.toISOString(),
    })),
  }
}

/** A drawer as its screens show it; `stationId` null: any station's. Throws not_found. */
export async function readDrawer(db: DbOrTx, stationId: string | null, id: string): Promise<CashDrawer> {
  const row = await findSummedDrawer(db, stationId, id)
  const [shown] = await presentDrawers(db, row ? [row] : [])
  if (!shown) throw new AppError('not_found')
  return shown
}

export async function presentDrawers(db: DbOrTx, rows: readonly SummedDrawer[]): Promise<CashDrawer[]> {
  const [stations, names] = await Promise.all([
    findStationsById(db, [...new Set(rows.map(({ station_id }) => station_id))]),
    namesOfStaff(db, [...new Set(rows.flatMap(({ opened_by, closed_by }) => [opened_by, closed_by ?? []].flat()))]),
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

/**
 * Opens the day's drawer. More than the day before left was brought from the bank; less is missing, and needs a reason.
 * Throws no_station, drawer_open, drawer_closed_today, validation.
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
    const last = await findLastClosedDrawer(trx, stationId)
    const carried = last?.counted_minor ?? 0
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
    const more = floatMinor - carried
    if (more !== 0) {
      await bookCash(deps, trx, caller, row, {
        kind: more > 0 ? 'cash' : 'adjustment',
        other: { book: more > 0 ? 'bank' : 'cash_difference' },
        amountMinor: more,
        reference: reason,
      })
    }
    await audit(deps, trx, caller, 'cash.open', row.id, { floatMinor, carriedMinor: carried, reason })
    const answer = await readDrawer(trx, stationId, row.id)
    await idempotency.keep(trx, answer)
    return answer
  })
}

type Booked = {
  kind: 'cash' | 'adjustment'
  /** Where the money comes from, or goes to. */
  other: Omit<Posting, 'amountMinor'>
  /** Positive: into the drawer. */
  amountMinor: number
  reference: string | null
}

/** Books cash that goes into a station's drawer or out of it. */
export async function bookCash(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  drawer: Pick<DrawerRow, 'station_id' | 'currency'>,
  { kind, other, amountMinor, reference }: Booked,
): Promise<void> {
  await post(deps, trx, {
    kind,
    accountId: null,
    reference: reference?.slice(0, 200) ?? null,
    actorId: caller.userId,
    currency: drawer.currency,
    postings: [
      { book: 'station_cash', stationId: drawer.station_id, amountMinor: -amountMinor },
      { ...other, amountMinor },
    ],
  })
}

export async function audit(
  deps: Deps,
  trx: Tx,
  { userId }: StaffCaller,
  action: string,
  subject: string,
  detail: Record<string, unknown>,
): Promise<void> {
  await recordActivity(trx, { action, level: 'NOTICE', userId, subject, detail, at: deps.clock.now() })
}

export async function presentMovements(db: DbOrTx, rows: readonly MovementRow[]): Promise<CashMovement[]> {
  const handIns = rows.flatMap(({ id, kind }) => (kind === 'hand_in' ? [id] : []))
  const [names, numbers] = await Promise.all([
    namesOfStaff(db, [...new Set(rows.map(({ created_by }) => created_by))]),
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

/** A movement that is no sale. */
export const nothingMore = {
  reference: null,
  given_minor: null,
  account_id: null,
  order_id: null,
  payment_id: null,
  receipt_number: null,
}

/**
 * Puts cash in or takes it out, with the reason. Throws what `lockDrawer` throws, drawer_too_low
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
      ...nothingMore,
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
    const [answer] = (await presentMovements(trx, [row])) as [CashMovement]
    await idempotency.keep(trx, answer)
    return answer
  })
}

/** What a count comes to, and its pieces where it was counted piece by piece. */
export function sumCount(counted: { pieces: CashPiece[] } | { sumMinor: number }): {
  pieces: CashPiece[] | null
  countedMinor: number
} {
  if ('sumMinor' in counted) return { pieces: null, countedMinor: counted.sumMinor }
  const countedMinor = counted.pieces.reduce((sum, { valueMinor, count }) => sum + valueMinor * count, 0)
  return { pieces: counted.pieces.filter(({ count }) => count > 0), countedMinor }
}

/**
 * Signs off a drawer with what was counted in it; a difference is booked with its reason. Throws no_station, not_found
 * (also another station's), conflict (closed already), version_conflict (something moved while it was counted),
 * validation.
 */
export async function countAndCloseDrawer(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, counted, currency, reason }: BodyOf<typeof closeDrawer>,
): Promise<CashDrawer> {
  requireCashCurrency(deps, currency)
  const stationId = requireStation(caller)
  return tx(deps.db, async (trx) => {
    const drawer = await lockDrawerRow(trx, stationId, id)
    if (!drawer) throw new AppError('not_found')
    if (drawer.closed_at) throw new AppError('drawer_closed_today')
    if (drawer.version !== version) throw new AppError('version_conflict', { details: { version: drawer.version } })
    const { pieces, countedMinor } = sumCount(counted)
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
