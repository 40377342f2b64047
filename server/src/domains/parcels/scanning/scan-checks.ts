/** What a scan must say, and where and how often it may be made. Not here: the transition table and custody. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { type ScanEvent, type scan, stationScans } from '@waybill/contract/parcels/scanning'
import type { Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, type FieldProblem, validationError } from '../../../http/errors.ts'
import type { Station } from '../../stations/queries.ts'
import { mayEndAt, mayTryAgain } from '../custody/rules.ts'
import { listLastStations, namedStation } from '../custody/service.ts'
import { findLastFailure } from '../failed-delivery/queries.ts'
import type { ParcelRow } from '../queries.ts'
import type { ParcelEvent } from '../status.ts'
import { codDue } from './rules.ts'

export type ScanBody = BodyOf<typeof scan>

/** Whoever takes a parcel gives their name and signs. */
export const needsProof: readonly ScanEvent[] = ['delivered', 'handed_over', 'return_received']

/** 422 for what the scan itself must say. `station` is the one given, else the scanner's own. */
export function checkWords(body: ScanBody, station: Station | null, next: Station | null): void {
  const problems: FieldProblem[] = []
  const required = (field: string, given: unknown) => {
    if (!given) problems.push({ field, rule: 'required' })
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
  // A photo of the hand-over says as much as a signature.
  if (body.photoIds.length === 0) required('signaturePath', body.signaturePath)
  if (problems.length > 0) throw new AppError('proof_required', { fields: problems })
}

/** Whoever collects a parcel at a counter shows who they are. */
export function checkIdentity(body: ScanBody): void {
  if (body.event !== 'handed_over') return
  const problems: FieldProblem[] = []
  if (!body.idDocument) problems.push({ field: 'idDocument', rule: 'required' })
  if (!body.idLast4) problems.push({ field: 'idLast4', rule: 'required' })
  if (problems.length > 0) throw new AppError('proof_required', { fields: problems })
}

/** Cash on delivery is paid in full before the parcel changes hands. */
export function checkCash(body: ScanBody, row: ParcelRow): void {
  if (!needsProof.includes(body.event)) return
  const due = codDue(row)
  if (due === (body.codCollectedMinor ?? null)) return
  throw new AppError('cod_required', {
    fields: [{ field: 'codCollectedMinor', rule: due === null ? 'noCash' : 'required' }],
    details: { codAmountMinor: due, currency: row.currency },
  })
}

/** A way ends at the right station, and the parcel must be there. Throws wrong_station, which names the right one. */
export async function checkEnd(trx: Tx, row: ParcelRow, event: ScanEvent, station: Station | null, isHere: boolean) {
  if (event !== 'handed_over' && event !== 'return_received') return
  const ends = await listLastStations(trx, row)
  const way = {
    leg: row.leg,
    stationId: isHere ? (station?.id ?? null) : row.station_id,
    holder: row.holder,
    selfCollectionStationId: row.self_collection_station_id,
    homes: ends,
  }
  if (mayEndAt(event, way, station?.id ?? null)) return
  const right = ends.includes(station?.id ?? '') ? await namedStation(trx, row.station_id) : null
  const rightStation = right ?? (await namedStation(trx, ends[0]))
  throw new AppError('wrong_station', {
    ...(rightStation ? { vars: { context: 'named', station: rightStation.name } } : {}),
    details: { rightStation, stationId: row.station_id },
  })
}

/** Riders go out no more often than the setting says. Throws attempts_used. */
export async function checkAttempts(deps: Deps, trx: Tx, row: ParcelRow, event: ParcelEvent): Promise<void> {
  if (event !== 'next_attempt') return
  const maxAttempts = deps.settings.get('delivery.maxAttempts')
  const attempts = (await findLastFailure(trx, row))?.attempt ?? 0
  if (mayTryAgain(attempts, maxAttempts, row.choice_made === true)) return
  throw new AppError('attempts_used', { vars: { max: maxAttempts }, details: { attempts, maxAttempts } })
}
