// Pickup tasks of riders: assignment, start, scans, completion and failure.
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { isCancelled } from '@waybill/contract/ground/status/parcel-status'
import type { PickupFailureReason } from '@waybill/contract/pickups/pickups'
import type {
  assignPickup,
  listPickupTasks,
  listRiders,
  PickupTask,
  PickupTaskDetail,
  scanPickup,
} from '@waybill/contract/pickups/rider-tasks'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, StaleRead, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { accountNames, findStaffNames, readRiders } from '../../accounts/service.ts'
import { listTaskSteps } from '../../accounts/staff/task-steps.ts'
import { columnsToRestore, isOwnStation, requireOwnStation, requireRider } from '../../parcels/custody/service.ts'
import {
  currentPickupId,
  listParcelsById,
  listParcelsOfPickups,
  lockPickupParcels,
  setPickup,
} from '../../parcels/pickup-side/queries-waiting.ts'
import { findScannedPickupId, lockScannedParcel } from '../../parcels/pickup-side/scanned.ts'
import type { ParcelRow } from '../../parcels/queries.ts'
import { transitionForbidden, transitionParcels } from '../../parcels/transition.ts'
import { isPicked, presentPickup, presentPickupParcel } from '../present.ts'
import { type PickupRow, setParcelsLeft } from '../queries.ts'
import { normalizePickupNumber } from '../rules.ts'
import { nextPickupStatus, type PickupEvent } from '../status.ts'
import {
  changePickup,
  findPickupOfAnyAccount,
  listPickupTaskRows,
  lockAnyPickup,
  lockAnyPickups,
  type PickupChanges,
} from './queries.ts'

/** Whether a parcel is on this pickup, on either leg. */
const isOn = (parcel: ParcelRow, { id }: PickupRow) => parcel.pickup_request_id === id || parcel.return_pickup_id === id

async function presentTasks(
  db: DbOrTx,
  rows: readonly PickupRow[],
  parcels: readonly ParcelRow[],
): Promise<PickupTask[]> {
  const [riders, accounts] = await Promise.all([
    findStaffNames(
      db,
      rows.flatMap(({ rider_id }) => rider_id ?? []),
    ),
    accountNames(
      db,
      rows.map(({ account_id }) => account_id),
    ),
  ])
  return rows.map((row) => ({
    ...presentPickup(row),
    accountName: accounts.get(row.account_id) ?? '',
    stationId: row.station_id,
    riderId: row.rider_id,
    riderName: (row.rider_id && riders.get(row.rider_id)) ?? null,
    pickedCount: parcels.filter((parcel) => isOn(parcel, row) && isPicked(parcel, row)).length,
  }))
}

/**
 * A page of the tasks of a station (by default the caller's), or of the caller. Throws task_other_station: tasks
 * contain customers' addresses, which other stations must not see.
 */
export async function readPickupTasks(
  deps: Deps,
  caller: StaffCaller,
  { stationId, date, rider, status, search, offset, limit }: QueryOf<typeof listPickupTasks>,
): Promise<ResponseOf<typeof listPickupTasks>> {
  if (rider !== 'me') requireOwnStation(caller, stationId ?? caller.stationId)
  const { rows, total } = await listPickupTaskRows(
    deps.db,
    {
      stationId: rider === 'me' ? null : (stationId ?? caller.stationId),
      day: date ?? null,
      riderId: rider === 'me' ? caller.userId : null,
      withoutRider: rider === 'nobody',
      status: status ?? null,
      number: search ? normalizePickupNumber(search) : null,
    },
    { offset, limit },
  )
  const parcels = await listParcelsOfPickups(
    deps.db,
    rows.map(({ id }) => id),
  )
  return { items: await presentTasks(deps.db, rows, parcels), total, offset, limit }
}

const actions = [
  ['assign', 'assigned'],
  ['start', 'started'],
  ['complete', 'completed'],
  ['fail', 'failed'],
] as const

const stepOfAction = {
  'pickups.assigned': 'assigned',
  'pickups.started': 'started',
  'pickups.completed': 'completed',
  'pickups.failed': 'failed',
} as const

async function buildDetail(deps: Deps, row: PickupRow, caller: StaffCaller): Promise<PickupTaskDetail> {
  const [parcels, missing, steps] = await Promise.all([
    listParcelsOfPickups(deps.db, [row.id]),
    listParcelsById(deps.db, asAccountId(row.account_id), row.missing_parcel_ids),
    listTaskSteps(deps.db, row.id, stepOfAction),
  ])
  const [task] = await presentTasks(deps.db, [row], parcels)
  const extra = new Set(row.extra_parcel_ids)
  const mine = row.rider_id === caller.userId
  const state = { status: row.status as PickupTask['status'], cancelled: row.cancelled_at !== null }
  const allowed: PickupTaskDetail['allowed'] = actions.flatMap(([action, event]) => {
    const possible =
      nextPickupStatus(state, event) !== null && (action === 'assign' ? isOwnStation(caller, row.station_id) : mine)
    return possible ? [action] : []
  })
  if (mine && state.status === 'in_progress') allowed.push('scan')
  return {
    ...(task as PickupTask),
    expected: parcels
      .filter((parcel) => !extra.has(parcel.id) && !isCancelled(parcel.status))
      .map((parcel) => ({ ...presentPickupParcel(parcel), picked: isPicked(parcel, row) })),
    extra: parcels.filter(({ id }) => extra.has(id)).map(presentPickupParcel),
    missing: missing.map(presentPickupParcel),
    failureNote: row.failure_note,
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    steps,
    allowed,
  }
}

/**
 * A task with its parcels and its history of riders. Throws not_found; task_other_station unless it is the caller's
 * own.
 */
export async function readPickupTask(deps: Deps, caller: StaffCaller, id: string): Promise<PickupTaskDetail> {
  const row = await findPickupOfAnyAccount(deps.db, id)
  if (!row || row.cancelled_at) throw new AppError('not_found')
  if (row.rider_id !== caller.userId) requireOwnStation(caller, row.station_id)
  return buildDetail(deps, row, caller)
}

/** The riders to whom a station's tasks can be assigned. Throws task_other_station. */
export async function listPickupRiders(
  deps: Deps,
  caller: StaffCaller,
  { stationId }: QueryOf<typeof listRiders>,
): Promise<ResponseOf<typeof listRiders>> {
  requireOwnStation(caller, stationId ?? caller.stationId)
  return { items: await readRiders(deps.db, stationId ?? caller.stationId, caller.userId) }
}

/** A 409 with the current status. */
const forbidden = (row: PickupRow) => new AppError('task_forbidden', { details: { status: row.status } })

/**
 * Moves a locked task along its table. Throws not_found, task_forbidden (`details.status`), task_taken (another
 * rider's, or nobody's), task_other_station, version_conflict.
 */
async function transition(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  event: PickupEvent,
  version: number,
  changes: (trx: Tx, row: PickupRow) => Promise<PickupChanges>,
  note: string | null = null,
): Promise<PickupTaskDetail> {
  const task = await tx(deps.db, async (trx) => {
    const row = await lockAnyPickup(trx, id)
    if (!row || row.cancelled_at) throw new AppError('not_found')
    const status = nextPickupStatus({ status: row.status as PickupTask['status'], cancelled: false }, event)
    // Riders keep their tasks after a move to another station.
    if (event === 'assigned' || row.rider_id === null) requireOwnStation(caller, row.station_id)
    // Only its rider may scan for it, so nobody else may start it.
    if (event !== 'assigned' && row.rider_id !== caller.userId)
      throw new AppError('task_taken', row.rider_id === null ? { text: 'task_without_rider' } : {})
    if (!status) throw forbidden(row)
    if (row.version !== version) throw new AppError('version_conflict')
    const at = deps.clock.now()
    const updated = await changePickup(trx, row, { status, ...(await changes(trx, row)) }, at)
    await recordActivity(trx, {
      action: `pickups.${event}`,
      userId: caller.userId,
      subject: row.id,
      detail: { riderId: updated.rider_id, from: row.rider_id, reason: updated.failure_reason, note },
      at,
    })
    return updated
  })
  return buildDetail(deps, task, caller)
}

/**
 * Assigns a task to a rider, even if another one has started it. Throws the errors of `transition`, and validation
 * (not a rider of that station).
 */
export function assignRider(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, riderId, note }: BodyOf<typeof assignPickup>,
): Promise<PickupTaskDetail> {
  const changes = async (trx: Tx, row: PickupRow): Promise<PickupChanges> => {
    await requireRider(trx, riderId, row.station_id)
    // A visit under way stays so: its sender can no longer change it.
    const startedAt = row.status === 'in_progress' || row.status === 'open' ? row.started_at : null
    return { rider_id: riderId, started_at: startedAt, finished_at: null, failure_reason: null, failure_note: null }
  }
  return transition(deps, caller, id, 'assigned', version, changes, note)
}

/** The caller starts a task. Throws as `transition` does. */
export function startPickupTask(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  version: number,
): Promise<PickupTaskDetail> {
  return transition(deps, caller, id, 'started', version, async () => ({ started_at: deps.clock.now() }))
}

/** Fails a task for which nothing was picked up. Throws the errors of `transition`, and task_forbidden otherwise. */
export function failTask(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, reason, note }: { version: number; reason: PickupFailureReason; note: string | null },
): Promise<PickupTaskDetail> {
  const changes = async (trx: Tx, row: PickupRow): Promise<PickupChanges> => {
    if ((await lockPickupParcels(trx, row.id)).some((parcel) => isPicked(parcel, row))) throw forbidden(row)
    return { finished_at: deps.clock.now(), failure_reason: reason, failure_note: note }
  }
  return transition(deps, caller, id, 'failed', version, changes, note)
}

/**
 * Completes a task. Missing parcels stay paid and can be put on another pickup. Throws the errors of `transition`,
 * pickup_empty (nothing was picked up, so the task has failed), and pickup_missing (`details.missing`) until the
 * missing parcels are accepted.
 */
export function completeTask(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, acceptMissing }: { version: number; acceptMissing: boolean },
): Promise<PickupTaskDetail> {
  return transition(deps, caller, id, 'completed', version, async (trx, row) => {
    const parcels = (await lockPickupParcels(trx, row.id)).filter((parcel) => !isCancelled(parcel.status))
    const missing = parcels.filter((parcel) => !isPicked(parcel, row))
    if (missing.length === parcels.length) throw new AppError('pickup_empty')
    if (missing.length > 0 && !acceptMissing) {
      const numbers = missing.map(({ tracking_number, id: parcelId }) => tracking_number ?? parcelId)
      throw new AppError('pickup_missing', {
        vars: { numbers },
        details: { missing: numbers },
      })
    }
    const ids = missing.map(({ id: parcelId }) => parcelId)
    await setPickup(trx, row.account_id, ids, null)
    return { finished_at: deps.clock.now(), missing_parcel_ids: ids }
  })
}

/**
 * Locks a task and the pickup that a scanned parcel is on. Both are locked before the parcel and in the order of their
 * ids, so the parcel's pickup is read without a lock first; `removeFromPickup` checks that it is still the same.
 */
async function lockTaskAndPickup(
  deps: Deps,
  trx: Tx,
  id: string,
  code: string,
): Promise<{ row: PickupRow | undefined; other: PickupRow | undefined }> {
  const otherId = await findScannedPickupId(deps, trx, code)
  const pickups = await lockAnyPickups(trx, [id, ...(otherId === null ? [] : [otherId])])
  return { row: pickups.find((pickup) => pickup.id === id), other: pickups.find((pickup) => pickup.id !== id) }
}

/** Lowers the count of the pickup from which the rider of another one took a parcel. At zero no rider comes. */
async function removeFromPickup(deps: Deps, trx: Tx, parcel: ParcelRow, other: PickupRow | undefined): Promise<void> {
  const id = currentPickupId(parcel)
  if (id === null) return
  if (id !== other?.id) throw new StaleRead()
  const left = (await listParcelsOfPickups(trx, [id])).filter((row) => row.id !== parcel.id && !isCancelled(row.status))
  await setParcelsLeft(trx, asAccountId(parcel.account_id), new Map([[id, left.length]]), deps.clock.now())
}

/**
 * Scans a parcel that the rider picks up. An unexpected one of the same sender is taken along as extra, and removed
 * from any other pickup, which is cancelled if no parcel is left. Repeating a scan changes nothing. Throws not_found,
 * task_taken, task_forbidden, tracking_number_slip, parcel_unknown, pickup_foreign (another sender's),
 * transition_forbidden (already picked up elsewhere, not paid, …).
 */
export async function scanForPickup(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  code: string,
): Promise<ResponseOf<typeof scanPickup>> {
  const { task, scanned } = await tx(deps.db, async (trx) => {
    const { row, other } = await lockTaskAndPickup(deps, trx, id, code)
    if (!row || row.cancelled_at) throw new AppError('not_found')
    if (row.rider_id !== caller.userId) throw new AppError('task_taken')
    if (row.status !== 'in_progress') throw forbidden(row)
    const parcel = await lockScannedParcel(deps, trx, code)
    const number = parcel.tracking_number ?? code
    if (parcel.account_id !== row.account_id) throw new AppError('pickup_foreign', { details: { number } })
    const isExpected = currentPickupId(parcel) === row.id
    if (isExpected && isPicked(parcel, row)) {
      const extra = row.extra_parcel_ids.includes(parcel.id)
      return { task: row, scanned: { trackingNumber: number, extra, repeated: true } }
    }
    const isReturn = row.leg === 'return'
    const event = isReturn ? 'return_picked_up' : 'picked_up'
    if (parcel.status !== (isReturn ? 'reverse_pickup' : 'pending_pickup')) throw transitionForbidden(parcel, event)
    const extra = !isExpected
    const door = isReturn ? parcel.receiver : parcel.sender
    const by = {
      actorId: caller.userId,
      stationId: row.station_id,
      place: door?.city ?? null,
      detail: columnsToRestore(parcel),
    }
    const column = isReturn ? 'return_pickup_id' : 'pickup_request_id'
    if (extra) await removeFromPickup(deps, trx, parcel, other)
    await transitionParcels(deps, trx, [parcel], event, by, () => ({ [column]: row.id }))
    const pickup = extra
      ? await changePickup(trx, row, { extra_parcel_ids: [...row.extra_parcel_ids, parcel.id] }, deps.clock.now())
      : row
    return { task: pickup, scanned: { trackingNumber: number, extra, repeated: false } }
  })
  return { ...(await buildDetail(deps, task, caller)), scanned }
}
