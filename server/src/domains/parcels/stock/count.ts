// Counts of the stock: the scanned numbers are compared with what the station has on record.
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Custody } from '@waybill/contract/parcels/scanning'
import { type countStock, type listStockNumbers, stockCountLimit } from '@waybill/contract/parcels/stock'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { days, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { mapOwnNumbers } from '../../carriers/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { findOwnNumbers } from '../carrier-handover/bookings.ts'
import { presentCustody, requireOwnStation } from '../custody/service.ts'
import {
  insertStockCount,
  listFailedAtStation,
  listNumbersAtStation,
  listParcelsByNumbers,
  type NumberAtStation,
} from './queries-counts.ts'
import { isBroughtBack } from './rules.ts'

/** A count that began earlier than this is out of date: too many parcels have moved. */
const longestCount = days(1)

/**
 * The station of a request, or else of the caller. Throws task_other_station; validation if neither the caller nor the
 * request has a station, or if there is no such station.
 */
export async function requireStockStation(
  db: DbOrTx,
  caller: StaffCaller,
  stationId: string | null = caller.stationId,
): Promise<string> {
  if (!stationId) throw validationError({ field: 'stationId', rule: 'required' })
  requireOwnStation(caller, stationId)
  if (!(await findStationsById(db, [stationId])).has(stationId)) {
    throw validationError({ field: 'stationId', rule: 'enum' })
  }
  return stationId
}

/** What a count expects. Throws stock_count_too_large. */
async function listExpected(db: DbOrTx, stationId: string, until: Date | null): Promise<NumberAtStation[]> {
  const rows = await listNumbersAtStation(db, stationId, until, stockCountLimit + 1)
  if (rows.length > stockCountLimit) throw new AppError('stock_count_too_large', { vars: { max: stockCountLimit } })
  return rows
}

/**
 * What a station has now, to be counted. Throws what `requireStockStation` throws; stock_count_too_large, before
 * anything is scanned in vain.
 */
export async function readStockNumbers(
  deps: Deps,
  caller: StaffCaller,
  query: QueryOf<typeof listStockNumbers>,
): Promise<ResponseOf<typeof listStockNumbers>> {
  const stationId = await requireStockStation(deps.db, caller, query.stationId)
  const at = deps.clock.now()
  const [expected, failed] = await Promise.all([
    listExpected(deps.db, stationId, null),
    listFailedAtStation(deps.db, stationId),
  ])
  const ownNumbers = await mapOwnNumbers(deps.db, { parcelIds: [...expected, ...failed].map(({ id }) => id) })
  return {
    at: at.toISOString(),
    numbers: expected.map(({ tracking_number }) => tracking_number),
    broughtBack: failed.map(({ tracking_number }) => tracking_number),
    ownNumbers: Object.fromEntries(ownNumbers),
  }
}

/**
 * Ends a count. No parcel moves: what is missing is listed until its next event, and extra parcels are scanned as
 * usual. A parcel with an event since the start is left out. After a failed attempt its rider brings a parcel back
 * without a scan, so it is neither expected nor extra. Throws what `requireStockStation` throws;
 * stock_count_too_old, also for a start in the future; stock_count_too_large.
 */
export async function endStockCount(
  deps: Deps,
  caller: StaffCaller,
  body: BodyOf<typeof countStock>,
  idempotency: Idempotency,
): Promise<ResponseOf<typeof countStock>> {
  const stationId = await requireStockStation(deps.db, caller, body.stationId)
  const [at, startedAt] = [deps.clock.now(), new Date(body.startedAt)]
  if (startedAt > at || startedAt < later(at, -longestCount)) {
    throw new AppError('stock_count_too_old')
  }
  const scans = body.numbers.map(normalizeTrackingNumber)
  const ownNumbers = await findOwnNumbers(deps, scans)
  const numbers = new Set(scans.map((number) => ownNumbers.get(number) ?? number))
  return tx(deps.db, async (trx) => {
    const expected = (await listExpected(trx, stationId, startedAt)).map(({ tracking_number }) => tracking_number)
    const missing = expected.filter((number) => !numbers.has(number))
    const expectedNumbers = new Set(expected)
    const others = [...numbers].filter((number) => !expectedNumbers.has(number))
    const rows = await listParcelsByNumbers(trx, others)
    const knownNumbers = new Set(rows.map(({ tracking_number }) => tracking_number))
    const settledRows = rows.filter(({ last_event_at }) => last_event_at === null || last_event_at <= startedAt)
    const extraRows = settledRows.filter((row) => !isBroughtBack(row, stationId))
    const custodies = await presentCustody(trx, extraRows)
    const answer: ResponseOf<typeof countStock> = {
      at: at.toISOString(),
      expected: expected.length,
      found: expected.length - missing.length,
      missing,
      extra: extraRows.map(({ tracking_number, status, leg }, n) => ({
        trackingNumber: tracking_number ?? '',
        status,
        leg,
        custody: custodies[n] as Custody,
      })),
      broughtBack: settledRows.flatMap((row) => (isBroughtBack(row, stationId) ? (row.tracking_number ?? []) : [])),
      unknown: others.filter((number) => !knownNumbers.has(number)),
    }
    const { extra, unknown } = answer
    const id = newId()
    await insertStockCount(trx, {
      station_id: stationId,
      id,
      counted_by: caller.userId,
      started_at: startedAt,
      counted_at: at,
      expected: expected.length,
      found: answer.found,
      missing,
      extra: extra.map(({ trackingNumber }) => trackingNumber),
      unknown,
    })
    await recordActivity(trx, {
      action: 'stock.counted',
      level: missing.length > 0 ? 'WARNING' : 'INFO',
      userId: caller.userId,
      subject: id,
      detail: {
        stationId,
        expected: expected.length,
        found: answer.found,
        extra: extra.length,
        unknown: unknown.length,
      },
      at,
    })
    await idempotency.keep(trx, answer)
    return answer
  })
}
