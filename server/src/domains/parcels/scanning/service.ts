import type { ScanResult } from '@waybill/contract/parcels/scanning'
import { activityWrite, bindOrigin } from '../../../activity.ts'
import { groupCalls } from '../../../db/concurrency/group-calls.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import { runLastWrites } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { type Idempotency, keyedResponsesWrite } from '../../../http/idempotency.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import { findOwnNumber } from '../carrier-handover/bookings.ts'
import { lockParcelByNumber, type ParcelRow } from '../queries.ts'
import { lockFreeParcels, movesWrite } from '../queries-transition.ts'
import { proofsWrite } from '../timeline/queries.ts'
import { requireNumber } from '../tracking-number.ts'
import { type PlannedScan, planScan, type ScanRequest, type ScanStations } from './plan-scan.ts'
import { endTasksWrite, openTasksWrite } from './queries-deliveries.ts'
import type { ScanBody } from './scan-checks.ts'

/** The station of a scan and, for a departure, the next one. Throws validation. */
export async function requireScanStations(
  deps: Deps,
  body: Pick<ScanBody, 'stationId' | 'nextStationId'>,
  caller: StaffCaller,
): Promise<ScanStations> {
  const stationId = body.stationId ?? caller.stationId
  const ids = [stationId, body.nextStationId].filter((id) => id !== undefined && id !== null)
  const stations = await findStationsById(deps.db, ids)
  const get = (field: string, id: string | null | undefined): Station | null => {
    if (!id) return null
    const station = stations.get(id)
    if (!station) throw validationError({ field, rule: 'enum' })
    return station
  }
  return { station: get('stationId', stationId), next: get('nextStationId', body.nextStationId) }
}

/**
 * Writes scans of different parcels by one statement, and commits: transitions, proofs, tasks, entries of the activity
 * log, and the responses under the requests' idempotency keys.
 */
async function writeScans(deps: Deps, trx: Tx, scans: readonly PlannedScan[]): Promise<void> {
  const getEach = <T>(get: (scan: PlannedScan) => T | null | undefined): T[] => scans.flatMap((scan) => get(scan) ?? [])
  await runLastWrites(deps.db, trx, [
    movesWrite(
      getEach(({ transition }) => transition),
      { checkout: false },
    ),
    activityWrite(...getEach(({ activity }) => activity)),
    proofsWrite(getEach(({ proof }) => proof)),
    openTasksWrite(getEach(({ task }) => task?.opening)),
    endTasksWrite(getEach(({ task }) => task?.end)),
    keyedResponsesWrite(getEach(({ keyedResponse }) => keyedResponse)),
  ])
}

/**
 * A function that scans a parcel. It is locked, so a second scan waits and is checked against the new status. Scans
 * that arrive while others run share a transaction with each other (decision 102).
 *
 * The function throws tracking_number_slip, parcel_unknown, transition_forbidden (with the current status),
 * custody_take_over, custody_refused, report_not_yours, wrong_station, attempts_used, attempt_early, proof_required,
 * cod_required, validation.
 */
export function createScanner(deps: Deps) {
  const scanTogether = groupCalls(
    (calls: readonly ScanCall[]) => tx(deps.db, (trx) => scanAll(deps, trx, calls)),
    (call) => tx(deps.db, (trx) => scanOne(deps, trx, call)),
  )
  return async (caller: StaffCaller, body: ScanBody, idempotency: Idempotency): Promise<ScanResult> => {
    const number = requireNumber(await findOwnNumber(deps, body.trackingNumber), deps.settings.get('tracking.prefix'))
    const stations = await requireScanStations(deps, body, caller)
    return scanTogether(toScanCall(deps, { caller, number, body, stations, idempotency }))
  }
}

/** A scan that any request may run. */
type ScanCall = { number: string; plan: (trx: Tx, row: ParcelRow) => Promise<PlannedScan> }

const toScanCall = (deps: Deps, request: ScanRequest): ScanCall => ({
  number: request.number,
  plan: bindOrigin((trx: Tx, row: ParcelRow) => planScan(deps, trx, row, request)),
})

async function scanOne(deps: Deps, trx: Tx, { number, plan }: ScanCall): Promise<ScanResult> {
  const row = await lockParcelByNumber(trx, number)
  if (!row) throw new AppError('parcel_unknown', { vars: { number }, details: { number } })
  const scan = await plan(trx, row)
  await writeScans(deps, trx, [scan])
  return scan.result
}

/** Scans parcels in one transaction. Throws if any is locked, unknown, scanned twice, or refuses its scan. */
async function scanAll(deps: Deps, trx: Tx, calls: readonly ScanCall[]): Promise<ScanResult[]> {
  const rows = new Map<string | null, ParcelRow>()
  const numbers = calls.map(({ number }) => number)
  for (const row of await lockFreeParcels(trx, numbers)) rows.set(row.tracking_number, row)
  if (rows.size < calls.length) throw new Error('these parcels cannot be scanned together')
  const scans: PlannedScan[] = []
  for (const { number, plan } of calls) scans.push(await plan(trx, rows.get(number) as ParcelRow))
  await writeScans(deps, trx, scans)
  return scans.map(({ result }) => result)
}

/**
 * Scans a parcel as the end of the caller's transaction, which it commits. `number`: one of our own. Throws what
 * `createScanner`'s function throws.
 */
export async function scanLastly(deps: Deps, trx: Tx, request: ScanRequest): Promise<ScanResult> {
  return scanOne(deps, trx, toScanCall(deps, request))
}
