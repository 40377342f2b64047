// Failed deliveries for staff, who try again or wait for the sender's choice.
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { findAddressee, isEnded } from '@waybill/contract/ground/status/parcel-status'
import { type FailedAttempt, failureReasons } from '@waybill/contract/parcels/failed-delivery'
import type { listFailedDeliveries } from '@waybill/contract/parcels/rider-tasks'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { dayIn } from '../../../lib/clock.ts'
import { findStaffNames } from '../../accounts/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { mayTryAgain } from '../custody/rules.ts'
import { requireOwnStation } from '../custody/service.ts'
import { codDue } from '../scanning/rules.ts'
import { decideUntil } from './options.ts'
import { countUndecided, type FailureRow, listFailedRows, listFailureRows } from './queries-failed.ts'

export { countUndecided }

type Names = { stations: ReadonlyMap<string, string>; staff: ReadonlyMap<string, string> }

function presentFailure(deps: Deps, row: FailureRow, names: Names): FailedAttempt {
  const attemptsAllowed = deps.settings.get('delivery.maxAttempts')
  const goingBack = row.leg === 'return'
  const mayChoose = row.choice_made !== true && !row.with_other_carrier
  const waiting = row.status === 'fail-to-deliver' && !goingBack && mayChoose
  const until = decideUntil(deps, { attempt: row.attempt, at: row.failed_at, reason: row.reason })
  return {
    at: row.failed_at.toISOString(),
    reason: failureReasons.find((reason) => reason === row.reason) ?? null,
    note: row.note,
    attempt: row.attempt,
    attemptsAllowed,
    attemptsUsed: !row.with_other_carrier && !mayTryAgain(row.attempt, attemptsAllowed, row.choice_made === true),
    goingBack,
    decideUntil: waiting ? until.toISOString() : null,
    chosen:
      row.kind && row.chosen_by && row.chosen_at
        ? {
            kind: row.kind,
            by: row.chosen_by,
            recordedByStaff: names.staff.has(row.chosen_by_user ?? ''),
            at: row.chosen_at.toISOString(),
            date: row.retry_on,
            station: names.stations.get(row.chosen_station_id ?? '') ?? null,
          }
        : null,
  }
}

async function presentFailures(deps: Deps, db: DbOrTx, rows: readonly FailureRow[]): Promise<FailedAttempt[]> {
  const stationIds = new Set(rows.flatMap(({ chosen_station_id }) => chosen_station_id ?? []))
  const userIds = new Set(rows.flatMap(({ chosen_by_user }) => chosen_by_user ?? []))
  const [stations, staff] = await Promise.all([
    stationIds.size > 0 ? findStationsById(db, [...stationIds]) : new Map<string, { name: string }>(),
    findStaffNames(db, [...userIds]),
  ])
  const names = { stations: new Map([...stations].map(([id, { name }]) => [id, name])), staff }
  return rows.map((row) => presentFailure(deps, row, names))
}

/**
 * The latest failure of each parcel on its current leg; parcels that were not attempted, or have arrived, have none.
 */
export async function findFailedAttempts(
  deps: Deps,
  db: DbOrTx,
  parcelIds: readonly string[],
): Promise<Map<string, FailedAttempt>> {
  const rows = (await listFailureRows(db, parcelIds)).filter(({ status }) => !isEnded(status))
  const failures = await presentFailures(deps, db, rows)
  return new Map(rows.map((row, index) => [row.parcel_id, failures[index] as FailedAttempt]))
}

/** A station's work list of failed deliveries. Throws task_other_station. */
export async function failedDeliveries(
  deps: Deps,
  caller: StaffCaller,
  { stationId = caller.stationId ?? undefined, tab, offset, limit }: QueryOf<typeof listFailedDeliveries>,
): Promise<ResponseOf<typeof listFailedDeliveries>> {
  requireOwnStation(caller, stationId ?? null)
  const filter = {
    stationId: stationId ?? null,
    today: dayIn(deps.clock.now(), deps.settings.get('timezone')),
    maxAttempts: deps.settings.get('delivery.maxAttempts'),
  }
  const { rows, counts } = await listFailedRows(deps.db, filter, tab, { offset, limit })
  const [failures, riders] = await Promise.all([
    presentFailures(deps, deps.db, rows),
    findStaffNames(
      deps.db,
      rows.flatMap(({ rider_id }) => rider_id ?? []),
    ),
  ])
  const items = rows.map((row, index) => ({
    parcelId: row.parcel_id,
    trackingNumber: row.tracking_number,
    to: findAddressee(row),
    codAmountMinor: codDue(row),
    currency: row.currency,
    riderName: riders.get(row.rider_id ?? '') ?? null,
    failedAttempt: failures[index] as FailedAttempt,
  }))
  return { items, total: counts[tab], offset, limit, counts }
}
