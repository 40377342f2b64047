// Checks of a scan in addition to the transition table and custody: required fields, proof, cash, the right station,
// attempts and their chosen day.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { formatDay } from '@waybill/contract/ground/format'
import { type ScanEvent, type scan, stationScans } from '@waybill/contract/parcels/scanning'
import type { Db, Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId } from '../../../http/caller.ts'
import { AppError, type FieldProblem, validationError } from '../../../http/errors.ts'
import { dayIn } from '../../../lib/clock.ts'
import { inBothLanguages } from '../../../lib/i18n.ts'
import type { Station } from '../../stations/queries.ts'
import { isWithOtherCarrier } from '../carrier-handover/with-other-carrier.ts'
import { mayEndAt, mayTryAgain } from '../custody/rules.ts'
import { listLastStations, namedStation } from '../custody/service.ts'
import { choiceAfter, findLastFailure } from '../failed-delivery/queries.ts'
import type { ParcelRow } from '../queries.ts'
import type { ParcelEvent } from '../status.ts'
import { codDue } from './rules.ts'

export type ScanBody = BodyOf<typeof scan>

/** Scans that hand out a parcel, which requires a name and a signature. */
export const needsProof: readonly ScanEvent[] = ['delivered', 'handed_over', 'return_received']

/** Throws validation or proof_required for missing fields. `station` is the scan's, or else the scanner's own. */
export function checkScanFields(body: ScanBody, station: Station | null, next: Station | null): void {
  const problems: FieldProblem[] = []
  const required = (field: string, value: unknown) => {
    if (!value) problems.push({ field, rule: 'required' })
  }
  if (stationScans.includes(body.event)) required('stationId', station)
  if (body.event === 'departed') {
    required('nextStationId', next)
    if (next && next.id === station?.id) problems.push({ field: 'nextStationId', rule: 'enum' })
  }
  if (body.event === 'attempt_failed') required('failureReason', body.failureReason)
  if (problems.length > 0) throw validationError(...problems)
  if (!needsProof.includes(body.event)) return
  required('recipientName', body.recipientName)
  // A photo of the handover replaces the signature.
  if (body.photoIds.length === 0) required('signaturePath', body.signaturePath)
  if (problems.length > 0) throw new AppError('proof_required', { fields: problems })
}

/** At a counter, a parcel is only handed out to a person with an identity document. Throws proof_required. */
export function checkIdentity(body: ScanBody): void {
  if (body.event !== 'handed_over') return
  const problems: FieldProblem[] = []
  if (!body.idDocument) problems.push({ field: 'idDocument', rule: 'required' })
  if (!body.idLast4) problems.push({ field: 'idLast4', rule: 'required' })
  if (problems.length > 0) throw new AppError('proof_required', { fields: problems })
}

/** Cash on delivery must be collected in full with the handover. Throws cod_required. */
export function checkCash(body: ScanBody, row: ParcelRow): void {
  if (!needsProof.includes(body.event)) return
  const due = codDue(row)
  if (due === (body.codCollectedMinor ?? null)) return
  const rule = due === null ? 'noCash' : body.codCollectedMinor ? 'fullAmount' : 'required'
  throw new AppError('cod_required', {
    fields: [{ field: 'codCollectedMinor', rule }],
    details: { codAmountMinor: due, currency: row.currency },
  })
}

/**
 * A journey must end at the right station, and the parcel must be there. Throws wrong_station, which names that
 * station.
 */
export async function checkFinalStation(
  db: Db,
  row: ParcelRow,
  event: ScanEvent,
  station: Station | null,
  isHere: boolean,
) {
  if (event !== 'handed_over' && event !== 'return_received') return
  const lastStationIds = await listLastStations(db, row)
  const journey = {
    leg: row.leg,
    stationId: isHere ? (station?.id ?? null) : row.station_id,
    holder: row.holder,
    selfCollectionStationId: row.self_collection_station_id,
    homes: lastStationIds,
  }
  if (mayEndAt(event, journey, station?.id ?? null)) return
  const current = lastStationIds.includes(station?.id ?? '') ? await namedStation(db, row.station_id) : null
  const rightStation = current ?? (await namedStation(db, lastStationIds[0]))
  throw new AppError('wrong_station', {
    ...(rightStation ? { text: 'wrong_station_named', vars: { station: rightStation.name } } : {}),
    details: { rightStation, stationId: row.station_id },
  })
}

/** Whether a parcel waits at this station for its receiver, who has a last day to collect it. */
export const waitsForCollection = (row: ParcelRow, stationId: string | null): boolean =>
  row.leg === 'outbound' && row.collect_until !== null && row.self_collection_station_id === stationId

/** Sorted again, a waiting parcel would lose its last day and its reminders. Throws waits_for_collection. */
export function checkSorting(row: ParcelRow, event: ScanEvent, station: Station | null): void {
  if (event === 'sorted' && waitsForCollection(row, station?.id ?? null)) throw new AppError('waits_for_collection')
}

/**
 * Enforces the setting `delivery.maxAttempts`. It does not limit another carrier: staff who take over a parcel after
 * its attempts have one. Throws attempts_used.
 */
export async function checkAttempts(deps: Deps, trx: Tx, row: ParcelRow, event: ParcelEvent): Promise<void> {
  if (event !== 'next_attempt' || isWithOtherCarrier(row)) return
  const maxAttempts = deps.settings.get('delivery.maxAttempts')
  const attempts = (await findLastFailure(trx, row))?.attempt ?? 0
  if (mayTryAgain(attempts, maxAttempts, row.choice_made === true)) return
  throw new AppError('attempts_used', { vars: { max: maxAttempts }, details: { attempts, maxAttempts } })
}

/**
 * Another attempt waits for the day that the sender or the receiver chose, unless the clerk confirms an earlier one.
 * Returns that day for the timeline entry if it is confirmed. Throws attempt_early, which names the day.
 */
export async function checkChosenDay(
  deps: Deps,
  trx: Tx,
  row: ParcelRow,
  event: ParcelEvent,
  { beforeChosenDay }: ScanBody,
  scannedAt: Date,
): Promise<{ beforeChosenDay?: string }> {
  if (event !== 'next_attempt' || row.choice_made !== true) return {}
  const failure = await findLastFailure(trx, row)
  // Staff serve every account, so this is the parcel's account.
  const choice = failure && (await choiceAfter(trx, asAccountId(row.account_id), row.id, failure.attempt))
  const day = choice?.retry_on
  if (!day || day <= dayIn(scannedAt, deps.settings.get('timezone'))) return {}
  if (beforeChosenDay) return { beforeChosenDay: day }
  const label = inBothLanguages((locale) => formatDay(day, deps.settings.get('format.date'), locale))
  throw new AppError('attempt_early', { labels: { day: label }, details: { day } })
}
