// Delivery tasks of riders. Scans open, finish and fail them, so a task always agrees with its parcel.
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { findAddressee } from '@waybill/contract/ground/status/parcel-status'
import type { FailedAttempt } from '@waybill/contract/parcels/failed-delivery'
import {
  type assignDelivery,
  type DeliveryTask,
  type DeliveryTaskDetail,
  isTaskOpen,
  type listDeliveryTasks,
} from '@waybill/contract/parcels/rider-tasks'
import type { ScanEvent } from '@waybill/contract/parcels/scanning'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { dayIn } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { findStaffNames } from '../../accounts/service.ts'
import { listTaskSteps } from '../../accounts/staff/task-steps.ts'
import { isOwnStation, isStationSupervisor, requireOwnStation, requireRider } from '../custody/service.ts'
import { findFailedAttempts } from '../failed-delivery/failed-deliveries.ts'
import { listFailureRows } from '../failed-delivery/queries-failed.ts'
import { lockParcelById, type ParcelRow } from '../queries.ts'
import {
  changeTask,
  type DeliveryTaskFilter,
  deleteTask,
  findTask,
  listDeliveryTaskRows,
  lockTask,
  lockTaskOfParcel,
  setRider,
  summarizeTasks,
  type TaskBefore,
  type TaskEnd,
  type TaskOpening,
  type TaskWithParcel,
} from './queries-deliveries.ts'
import { codStillDue } from './rules.ts'

type ScanReport = {
  riderId: string
  stationId: string | null
  failureReason?: string | undefined
  note: string | null
}

/** How a scan changes the parcel's task: it opens or ends it, or neither. */
export type TaskChange = { opening: TaskOpening | null; end: TaskEnd | null }

export function planTask(
  { account_id: accountId, id: parcelId }: ParcelRow,
  event: ScanEvent,
  { riderId, stationId, failureReason, note }: ScanReport,
  at: Date,
): TaskChange {
  if (event === 'out_for_delivery') {
    return { opening: { accountId, id: newId(), parcelId, riderId, stationId, at }, end: null }
  }
  if (event === 'delivered') {
    const end = { accountId, parcelId, status: 'completed', failureReason: null, failureNote: null, at } as const
    return { opening: null, end }
  }
  if (event !== 'attempt_failed') return { opening: null, end: null }
  const reason = failureReason ?? null
  const end = { accountId, parcelId, status: 'failed', failureReason: reason, failureNote: note, at } as const
  return { opening: null, end }
}

/** Ends the task of a locked parcel that another carrier has delivered, has tried to deliver, or has collected. */
export async function endTask(
  trx: DbOrTx,
  { account_id, id }: ParcelRow,
  event: 'delivered' | 'attempt_failed',
  failureReason: string | null,
  at: Date,
): Promise<void> {
  const task = await lockTaskOfParcel(trx, account_id, id)
  if (!task || !isTaskOpen(task.status)) return
  const end =
    event === 'delivered'
      ? { status: 'completed' as const }
      : { status: 'failed' as const, failure_reason: failureReason ?? 'other' }
  await changeTask(trx, task, { ...end, started_at: task.started_at ?? at, finished_at: at }, at)
}

/**
 * The parcel's task before a scan that changes it and can be undone, for the scan's timeline entry. Without the rider's
 * note, which would then be stored twice and erased once; `restoreTask` reads it from the timeline.
 */
export async function taskToRestore(
  trx: DbOrTx,
  row: ParcelRow,
  event: ScanEvent,
): Promise<{ taskBefore?: TaskBefore | null }> {
  if (event !== 'out_for_delivery' && event !== 'attempt_failed') return {}
  const task = await lockTaskOfParcel(trx, row.account_id, row.id)
  if (!task) return { taskBefore: null }
  const { status, rider_id, station_id, attempts, failure_reason, started_at, finished_at } = task
  return { taskBefore: { status, rider_id, station_id, attempts, failure_reason, started_at, finished_at } }
}

/** Restores the parcel's task as it was before an undone scan; one that the scan created is deleted. */
export async function restoreTask(
  trx: DbOrTx,
  row: ParcelRow,
  { taskBefore }: { taskBefore?: TaskBefore | null },
  at: Date,
): Promise<void> {
  const task = taskBefore === undefined ? null : await lockTaskOfParcel(trx, row.account_id, row.id)
  if (!task) return
  if (!taskBefore) {
    await deleteTask(trx, task)
    return
  }
  const [failure] = taskBefore.status === 'failed' ? await listFailureRows(trx, [row.id]) : []
  await changeTask(trx, task, { ...taskBefore, failure_note: failure?.note ?? null }, at)
}

/** Whom the rider visits, or has visited: a parcel that was recalled since was tried at its receiver's door. */
export const findVisited = (task: TaskWithParcel) => findAddressee({ ...task, status: 'delivering' })

function present(
  row: TaskWithParcel,
  caller: StaffCaller,
  names: ReadonlyMap<string, string>,
  failures: ReadonlyMap<string, FailedAttempt>,
): DeliveryTask {
  return {
    id: row.id,
    status: row.status,
    parcelId: row.parcel_id,
    trackingNumber: row.tracking_number,
    parcelStatus: row.parcel_status,
    to: findVisited(row),
    codAmountMinor: row.cod_collected_minor === null ? codStillDue({ ...row, status: row.parcel_status }) : null,
    codCollectedMinor: row.cod_collected_minor,
    currency: row.currency,
    weightGrams: row.weight_grams,
    expectedDate: row.leg === 'return' ? null : row.expected_date,
    riderId: row.rider_id,
    riderName: (row.rider_id && names.get(row.rider_id)) ?? null,
    stationId: row.station_id,
    mayReport: row.rider_id === caller.userId || isStationSupervisor(caller, row.station_id),
    mayAssign: isTaskOpen(row.status) && isOwnStation(caller, row.station_id),
    attempts: row.attempts,
    failureReason: row.failure_reason as DeliveryTask['failureReason'],
    failureNote: row.failure_note,
    failedAttempt: failures.get(row.parcel_id) ?? null,
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  }
}

async function presentTasks(deps: Deps, caller: StaffCaller, rows: readonly TaskWithParcel[]): Promise<DeliveryTask[]> {
  const mayHaveFailed = rows.filter(({ status, attempts }) => status === 'failed' || attempts > 1)
  const [names, failures] = await Promise.all([
    findStaffNames(
      deps.db,
      rows.flatMap(({ rider_id }) => rider_id ?? []),
    ),
    findFailedAttempts(
      deps,
      deps.db,
      mayHaveFailed.map(({ parcel_id }) => parcel_id),
    ),
  ])
  return rows.map((row) => present(row, caller, names, failures))
}

/**
 * Which tasks a request means: the caller's own, or those of a station. Throws task_other_station: tasks contain
 * receivers' addresses, which other stations must not see.
 */
export function toTaskFilter(
  caller: StaffCaller,
  { rider, stationId }: Pick<QueryOf<typeof listDeliveryTasks>, 'rider' | 'stationId'>,
  finished: DeliveryTaskFilter['finished'],
): DeliveryTaskFilter {
  if (rider === 'me') return { riderId: caller.userId, stationId: null, finished }
  requireOwnStation(caller, stationId ?? caller.stationId)
  return { riderId: null, stationId: stationId ?? caller.stationId, finished }
}

/**
 * The tasks of the caller or of a station, in progress or finished on a day, with a summary of today. Throws
 * task_other_station.
 */
export async function readDeliveryTasks(
  deps: Deps,
  caller: StaffCaller,
  query: QueryOf<typeof listDeliveryTasks>,
): Promise<ResponseOf<typeof listDeliveryTasks>> {
  const timeZone = deps.settings.get('timezone')
  const today = dayIn(deps.clock.now(), timeZone)
  const getDay = (day: string) => ({ day, timeZone })
  const filter = toTaskFilter(caller, query, query.state === 'done' ? getDay(query.date ?? today) : null)
  const { offset, limit } = query
  const [{ rows, total }, summary] = await Promise.all([
    listDeliveryTaskRows(deps.db, filter, { offset, limit }),
    summarizeTasks(deps.db, filter, getDay(today)),
  ])
  return {
    items: await presentTasks(deps, caller, rows),
    total,
    offset,
    limit,
    summary: {
      underWay: summary.under_way,
      completed: summary.completed,
      failed: summary.failed,
      codCollectedMinor: summary.cod_collected_minor,
    },
  }
}

async function changeRider(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  version: number,
  action: 'start' | 'assign',
  riderId: string,
  note: string | null = null,
): Promise<DeliveryTask> {
  await tx(deps.db, async (trx) => {
    // Parcels are locked before their tasks, in the same order as in scans, to avoid deadlocks.
    const unlocked = await findTask(trx, id)
    if (unlocked) await lockParcelById(trx, unlocked.parcel_id)
    const task = await lockTask(trx, id)
    if (!task) throw new AppError('not_found')
    if (!isTaskOpen(task.status) || (action === 'start' && task.status === 'in_progress')) {
      throw new AppError('task_forbidden', { details: { status: task.status } })
    }
    if (action === 'start' && task.rider_id !== riderId) throw new AppError('task_taken')
    // Riders keep their tasks after a move to another station.
    if (action === 'assign') requireOwnStation(caller, task.station_id)
    if (task.version !== version) throw new AppError('version_conflict')
    const at = deps.clock.now()
    if (action === 'start') await changeTask(trx, task, { status: 'in_progress', started_at: at }, at)
    else {
      await requireRider(trx, riderId, task.station_id)
      await changeTask(trx, task, { rider_id: riderId, status: 'open', started_at: null }, at)
      await setRider(trx, task, riderId)
    }
    await recordActivity(trx, {
      action: `deliveries.${action}`,
      userId: caller.userId,
      subject: task.parcel_id,
      detail: { riderId, from: task.rider_id, note },
      at,
    })
  })
  const row = await findTask(deps.db, id)
  const [task] = await presentTasks(deps, caller, row ? [row] : [])
  if (!task) throw new AppError('not_found')
  return task
}

/**
 * The caller starts a task. Throws not_found, task_taken (another rider's), task_forbidden (already started or
 * finished), version_conflict.
 */
export function startDeliveryTask(deps: Deps, caller: StaffCaller, id: string, version: number): Promise<DeliveryTask> {
  return changeRider(deps, caller, id, version, 'start', caller.userId)
}

/**
 * Assigns a task to another rider. Throws not_found, task_forbidden, task_other_station, version_conflict, validation
 * (not a rider of that station).
 */
export function assignDeliveryTask(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, riderId, note }: BodyOf<typeof assignDelivery>,
): Promise<DeliveryTask> {
  return changeRider(deps, caller, id, version, 'assign', riderId, note)
}

/** A task with its history of riders. Throws not_found; task_other_station unless it is the caller's own. */
export async function readDeliveryTask(deps: Deps, caller: StaffCaller, id: string): Promise<DeliveryTaskDetail> {
  const row = await findTask(deps.db, id)
  if (!row) throw new AppError('not_found')
  if (row.rider_id !== caller.userId) requireOwnStation(caller, row.station_id)
  const [[task], steps] = await Promise.all([
    presentTasks(deps, caller, [row]),
    listTaskSteps(deps.db, row.parcel_id, { 'deliveries.assign': 'assigned', 'deliveries.start': 'started' }),
  ])
  return { ...(task as DeliveryTask), steps }
}
