// Delivery tasks of riders.

import type { TaskStatus } from '@waybill/contract/ground/enums/enums'
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { type Selectable, sql } from 'kysely'
import { dayBegin, dayEnd } from '../../../db/conditions/local-days.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { DeliveryTasks } from '../../../db/schema.ts'
import type { Write } from '../../../db/writes.ts'
import { addresseeOfP } from '../custody/queries.ts'
import type { ParcelRow } from '../queries.ts'

export type TaskRow = Omit<Selectable<DeliveryTasks>, 'status'> & { status: TaskStatus }

/** A task with the parcel's data that a rider needs. */
export type TaskWithParcel = TaskRow &
  Pick<
    ParcelRow,
    | 'leg'
    | 'sender'
    | 'receiver'
    | 'collection_mode'
    | 'cod_amount_minor'
    | 'currency'
    | 'weight_grams'
    | 'expected_date'
  > & { tracking_number: string; parcel_status: ParcelStatus; cod_collected_minor: number | null }

/** The task of a parcel that a rider takes over. */
export type TaskOpening = {
  accountId: string
  id: string
  parcelId: string
  riderId: string
  stationId: string | null
  at: Date
}

/** Opens tasks, or reopens them for another attempt. */
export function openTasksWrite(openings: readonly TaskOpening[]): Write {
  const values = openings.map(({ accountId, id, parcelId, riderId, stationId, at }) => ({
    account_id: accountId,
    id,
    parcel_id: parcelId,
    rider_id: riderId,
    station_id: stationId,
    at,
  }))
  const ctes = sql`
    tasks_opened as (
      insert into delivery_tasks (account_id, id, parcel_id, status, rider_id, station_id, created_at, updated_at)
      select account_id, id, parcel_id, 'open', rider_id, station_id, at, at
      from json_to_recordset(${JSON.stringify(values)}::json) as t(
        account_id uuid, id uuid, parcel_id uuid, rider_id uuid, station_id uuid, at timestamptz)
      on conflict (account_id, parcel_id) do update
      set status = 'open',
        rider_id = excluded.rider_id,
        station_id = coalesce(excluded.station_id, delivery_tasks.station_id),
        attempts = delivery_tasks.attempts + 1,
        started_at = null,
        finished_at = null,
        failure_reason = null,
        failure_note = null,
        version = delivery_tasks.version + 1,
        updated_at = excluded.updated_at
      returning 1
    )`
  return { ctes, cte: 'tasks_opened', expected: openings.length, refused: () => new Error('a task was not opened') }
}

/** The end of a parcel's task, if it has one. The failure is null if the task is completed. */
export type TaskEnd = {
  accountId: string
  parcelId: string
  status: 'completed' | 'failed'
  failureReason: string | null
  failureNote: string | null
  at: Date
}

/** Ends the tasks of locked parcels. A rider may report a delivery without having started the task. */
export function endTasksWrite(ends: readonly TaskEnd[]): Write {
  const values = ends.map(({ accountId, parcelId, status, failureReason, failureNote, at }) => ({
    account_id: accountId,
    parcel_id: parcelId,
    status,
    failure_reason: failureReason,
    failure_note: failureNote,
    at,
  }))
  const ctes = sql`
    tasks_ended as (
      update delivery_tasks d
      set status = t.status, started_at = coalesce(d.started_at, t.at), finished_at = t.at,
        failure_reason = case t.status when 'failed' then t.failure_reason else d.failure_reason end,
        failure_note = case t.status when 'failed' then t.failure_note else d.failure_note end,
        version = d.version + 1, updated_at = t.at
      from json_to_recordset(${JSON.stringify(values)}::json) as t(
        account_id uuid, parcel_id uuid, status text, failure_reason text, failure_note text, at timestamptz)
      where d.account_id = t.account_id and d.parcel_id = t.parcel_id
      returning 1
    )`
  return { ctes, cte: 'tasks_ended', expected: null, refused: () => new Error('a task was not ended') }
}

export async function lockTaskOfParcel(trx: DbOrTx, accountId: string, parcelId: string): Promise<TaskRow | null> {
  const { rows } = await sql<TaskRow>`
    select *
    from delivery_tasks
    where account_id = ${accountId}::uuid and parcel_id = ${parcelId}::uuid
    for update`.execute(trx)
  return rows[0] ?? null
}

export async function lockTask(trx: DbOrTx, id: string): Promise<TaskRow | null> {
  const { rows } = await sql<TaskRow>`select * from delivery_tasks where id = ${id}::uuid for update`.execute(trx)
  return rows[0] ?? null
}

/** The columns of a task that a scan changes, without the rider's note. */
export type TaskBefore = Pick<
  TaskRow,
  'status' | 'rider_id' | 'station_id' | 'attempts' | 'failure_reason' | 'started_at' | 'finished_at'
>
type TaskChanges = Partial<TaskBefore & Pick<TaskRow, 'failure_note'>>

export async function changeTask(trx: DbOrTx, row: TaskRow, changes: TaskChanges, at: Date): Promise<void> {
  await trx
    .updateTable('delivery_tasks')
    .set({ ...changes, version: row.version + 1, updated_at: at })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute()
}

/** Makes another rider the holder of the task's parcel. This does not count as an edit, so its version stays. */
export async function setRider(trx: DbOrTx, task: TaskRow, riderId: string): Promise<void> {
  await sql`
    update parcels
    set rider_id = ${riderId}::uuid
    where account_id = ${task.account_id}::uuid and id = ${task.parcel_id}::uuid and holder = 'rider'`.execute(trx)
}

export async function deleteTask(trx: DbOrTx, row: TaskRow): Promise<void> {
  await trx.deleteFrom('delivery_tasks').where('account_id', '=', row.account_id).where('id', '=', row.id).execute()
}

/** A day of the deployment's calendar. */
export type Day = { day: string; timeZone: string }

export type DeliveryTaskFilter = {
  riderId: string | null
  stationId: string | null
  /** Tasks that were finished on this day; null: those in progress. */
  finished: Day | null
}

const selectWithParcel = sql`
    select t.*, p.tracking_number, p.status as parcel_status, p.leg, p.sender, p.receiver, p.collection_mode,
      p.cod_amount_minor, f.cod_collected_minor, p.currency, p.weight_grams, p.expected_date
    from delivery_tasks t
    join parcels p on p.account_id = t.account_id and p.id = t.parcel_id
    left join parcel_proofs f on f.account_id = t.account_id and f.parcel_id = t.parcel_id`

const finishedOn = ({ day, timeZone }: Day) => sql`
      t.finished_at >= ${dayBegin(day, timeZone)}
      and t.finished_at < ${dayEnd(day, timeZone)}`

const buildCondition = ({ riderId, stationId, finished }: DeliveryTaskFilter) => sql`
      (${riderId}::uuid is null or t.rider_id = ${riderId}::uuid)
      and (${stationId}::uuid is null or t.station_id = ${stationId}::uuid)
      and ${finished ? finishedOn(finished) : sql`t.status in ('new', 'open', 'in_progress')`}`

export async function findTask(db: DbOrTx, id: string): Promise<TaskWithParcel | null> {
  const { rows } = await sql<TaskWithParcel>`${selectWithParcel} where t.id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

/**
 * A page of tasks: started ones first, then by postcode, in which order riders drive. Finished ones by time, the
 * latest first.
 */
export async function listDeliveryTaskRows(
  db: DbOrTx,
  filter: DeliveryTaskFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: TaskWithParcel[]; total: number }> {
  const order = filter.finished
    ? sql`t.finished_at desc, t.id`
    : sql`
      t.status = 'in_progress' desc,
      ${addresseeOfP} ->> 'postcode',
      t.id`
  const [page, count] = await Promise.all([
    sql<TaskWithParcel>`
      ${selectWithParcel}
      where ${buildCondition(filter)}
      order by ${order}
      limit ${limit}::int offset ${offset}::int`.execute(db),
    sql<{ total: number }>`select count(*) as total from delivery_tasks t where ${buildCondition(filter)}`.execute(db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

export type TaskSummary = { under_way: number; completed: number; failed: number; cod_collected_minor: number }

/** Counts the tasks in progress, and those that were finished today. */
export async function summarizeTasks(db: DbOrTx, filter: DeliveryTaskFilter, today: Day): Promise<TaskSummary> {
  const { rows } = await sql<TaskSummary>`
    select
      (select count(*) from delivery_tasks t where ${buildCondition({ ...filter, finished: null })}) as under_way,
      count(*) filter (where t.status = 'completed') as completed,
      count(*) filter (where t.status = 'failed') as failed,
      coalesce(sum(f.cod_collected_minor) filter (where t.status = 'completed'), 0)::bigint as cod_collected_minor
    from delivery_tasks t
    left join parcel_proofs f on f.account_id = t.account_id and f.parcel_id = t.parcel_id
    where ${buildCondition({ ...filter, finished: today })}`.execute(db)
  return rows[0] as TaskSummary
}
