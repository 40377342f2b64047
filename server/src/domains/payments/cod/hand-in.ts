/** Hand-ins of collected cash: a second person counts the rider's money and records the reason for a shortage. */
import type { Readable } from 'node:stream'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { formatDate, formatMoney } from '@waybill/contract/ground/format'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { CashHandIn, handInCash, listHandIns, listOwnHandIns } from '@waybill/contract/payments/cash-hand-ins'
import { isBelowCoin } from '@waybill/contract/payments/coins'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { findStaffNames } from '../../accounts/service.ts'
import type { Language } from '../../orders/present.ts'
import { renderCompanyReport } from '../../settings/company-report.ts'
import { findStationsById } from '../../stations/service.ts'
import { differenceBook, sumCount } from '../cash-desk/count-drawer.ts'
import { bookCash, lockOpenShift, recordCashActivity, requireCashCurrency } from '../cash-desk/drawer.ts'
import { insertMovement, type ShiftRow } from '../cash-desk/queries.ts'
import { type CollectionRow, listCashHolders, listHandInCollections, lockHeldCash, setHandedIn } from './queries.ts'
import { findHandIn, type HandInRow, handInPage, insertHandIn } from './queries-hand-ins.ts'

/**
 * Takes all cash that a rider has collected into the drawer, as counted. A difference is booked with its reason; one
 * below the smallest coin needs none. Throws the errors of `lockOpenShift`, hand_in_own (riders do not count their own
 * cash), hand_in_other_station (a rider of another station hands in exactly what was collected), hand_in_done (nothing
 * collected), hand_in_changed (`details.totalMinor`: the amount collected), validation.
 */
export async function takeHandIn(
  deps: Deps,
  caller: StaffCaller,
  { drawerNumber, riderId, expectedMinor, counted: cashCount, currency, reason }: BodyOf<typeof handInCash>,
  idempotency: Idempotency,
): Promise<CashHandIn> {
  requireCashCurrency(deps, currency)
  if (riderId === caller.userId) throw new AppError('hand_in_own')
  const { pieces, countedMinor } = sumCount(cashCount)
  return tx(deps.db, async (trx) => {
    const drawer = await lockOpenShift(deps, trx, caller, drawerNumber)
    const collections = await lockHeldCash(trx, riderId, currency)
    if (collections.length === 0) throw new AppError('hand_in_done')
    const totalMinor = collections.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
    const differenceMinor = countedMinor - totalMinor
    const needsReason = !isBelowCoin(differenceMinor, currency)
    if (totalMinor !== expectedMinor || needsReason) await requireHolderHere(trx, drawer.station_id, riderId, currency)
    if (totalMinor !== expectedMinor) {
      throw new AppError('hand_in_changed', { details: { expectedTotalMinor: expectedMinor, totalMinor } })
    }
    if (needsReason && !reason) throw validationError({ field: 'reason', rule: 'required' })
    const [at, id] = [deps.clock.now(), newId()]
    await setHandedIn(trx, collections, { drawerId: drawer.id, handInId: id, at })
    const row = await insertHandIn(trx, {
      id,
      numberStart: await numberStart(trx, drawer),
      drawer_id: drawer.id,
      station_id: drawer.station_id,
      rider_id: riderId,
      counted_by: caller.userId,
      currency,
      parcel_count: collections.length,
      expected_minor: totalMinor,
      counted_minor: countedMinor,
      pieces,
      reason: needsReason ? reason : null,
      created_at: at,
    })
    const [answer] = (await presentHandIns(trx, [row])) as [CashHandIn]
    await bookHandIn(deps, trx, caller, drawer, { row, collections, rider: answer.rider })
    await recordCashActivity(deps, trx, caller, 'cash.hand_in', drawer.id, {
      riderId,
      parcels: collections.length,
      expectedMinor: totalMinor,
      countedMinor,
      reason: row.reason,
    })
    await idempotency.keep(trx, answer)
    return answer
  })
}

/**
 * Throws hand_in_other_station, which tells no sum, for a rider whom the station does not list: one of another station,
 * with no cash that was collected for this one. Only their own station may learn the sum, or write a difference off.
 */
async function requireHolderHere(trx: Tx, stationId: string, riderId: string, currency: string): Promise<void> {
  const holders = await listCashHolders(trx, stationId, currency)
  if (!holders.some(({ collected_by }) => collected_by === riderId)) throw new AppError('hand_in_other_station')
}

/** Books the hand-in: cash of another station's books moves to this one's, then the difference. */
async function bookHandIn(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  drawer: ShiftRow,
  { row, collections, rider }: { row: HandInRow; collections: readonly CollectionRow[]; rider: string },
): Promise<void> {
  await insertMovement(trx, {
    drawer_id: drawer.id,
    id: row.id,
    kind: 'hand_in',
    amount_minor: row.counted_minor,
    reference: rider,
    reason: row.reason,
    created_by: caller.userId,
    created_at: row.created_at,
  })
  const elsewhere = Map.groupBy(
    collections.filter(({ station_id }) => station_id !== drawer.station_id),
    ({ station_id }) => station_id,
  )
  for (const [stationId, rows] of elsewhere) {
    await bookCash(deps, trx, caller, drawer, {
      kind: 'cash',
      other: { book: 'station_cash', ...(stationId ? { stationId } : {}) },
      amountMinor: rows.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
      reference: rider,
    })
  }
  const differenceMinor = row.counted_minor - row.expected_minor
  if (differenceMinor === 0) return
  await bookCash(deps, trx, caller, drawer, {
    kind: 'adjustment',
    other: { book: differenceBook(row.reason) },
    amountMinor: differenceMinor,
    reference: [row.number, row.reason].filter(Boolean).join(': '),
  })
}

async function numberStart(trx: Tx, { station_id, day }: ShiftRow): Promise<string> {
  const station = (await findStationsById(trx, [station_id])).get(station_id)
  return `${station?.code ?? ''}-${day.replaceAll('-', '')}`
}

async function presentHandIns(db: DbOrTx, rows: readonly HandInRow[]): Promise<CashHandIn[]> {
  const [stations, names] = await Promise.all([
    findStationsById(db, [...new Set(rows.map(({ station_id }) => station_id))]),
    findStaffNames(db, [...new Set(rows.flatMap(({ rider_id, counted_by }) => [rider_id, counted_by]))]),
  ])
  return rows.map((row) => {
    const station = stations.get(row.station_id)
    return {
      id: row.id,
      number: row.number,
      station: { id: row.station_id, code: station?.code ?? '–', name: station?.name ?? '–' },
      rider: names.get(row.rider_id) ?? '–',
      countedBy: names.get(row.counted_by) ?? '–',
      at: row.created_at.toISOString(),
      parcelCount: row.parcel_count,
      currency: row.currency,
      expectedMinor: row.expected_minor,
      countedMinor: row.counted_minor,
      differenceMinor: row.counted_minor - row.expected_minor,
      reason: row.reason,
    }
  })
}

/** Hand-ins, newest first; `stationId` null: of every station. */
export async function readHandIns(
  deps: Deps,
  stationId: string | null,
  { difference, offset, limit }: QueryOf<typeof listOwnHandIns>,
): Promise<ResponseOf<typeof listHandIns>> {
  const filter = { stationId, difference: difference ?? null }
  const { rows, total } = await handInPage(deps.db, filter, { offset, limit })
  return { items: await presentHandIns(deps.db, rows), total, offset, limit }
}

/** The receipt of a hand-in, which the rider signs. `stationId` null: of any station. Throws not_found. */
export async function renderHandIn(
  deps: Deps,
  stationId: string | null,
  id: string,
  { t, locale }: Language,
): Promise<{ name: string; pdf: Readable }> {
  const row = await findHandIn(deps.db, stationId, id)
  const [handIn] = row ? await presentHandIns(deps.db, [row]) : []
  if (!row || !handIn) throw new AppError('not_found')
  const { settings } = deps
  const money = (minor: number) => formatMoney(minor, handIn.currency, locale)
  const time = (at: Date) =>
    formatDate(at.toISOString(), settings.get('timezone'), settings.get('format.dateTime'), locale)
  const parcels = await listHandInCollections(deps.db, id)
  const title = t('handInDoc.title')
  const pdf = renderCompanyReport(deps, locale, {
    title,
    subtitle: handIn.number,
    reference: handIn.number,
    facts: [
      [t('handInDoc.rider'), handIn.rider],
      [t('handInDoc.countedBy'), handIn.countedBy],
      [t('cashDoc.station'), `${handIn.station.code}  ${handIn.station.name}`],
      [t('cashDoc.at'), time(row.created_at)],
      ...(handIn.reason ? [[t('cashDoc.reason'), handIn.reason] as const] : []),
    ],
    columns: [
      { header: t('cashDoc.at'), width: 44 },
      { header: t('handInDoc.parcel') },
      { header: t('cashDoc.amount'), width: 36, align: 'right' },
    ],
    rows: parcels.map(({ tracking_number, amount_minor, collected_at }) => ({
      cells: [time(collected_at), groupTrackingNumber(tracking_number ?? ''), money(amount_minor)],
    })),
    empty: '',
    closing: () => [
      [t('cashDoc.expected'), money(handIn.expectedMinor)],
      [t('cashDoc.difference'), money(handIn.differenceMinor)],
      [t('cashDoc.counted'), money(handIn.countedMinor)],
    ],
    foot: (page) => t('handInDoc.foot', { number: handIn.number, page }),
  })
  return { name: `${handIn.number}.pdf`, pdf }
}
