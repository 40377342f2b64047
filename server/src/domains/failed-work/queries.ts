/** Queries on failed events and jobs. */
import type { FailedWorkKind } from '@waybill/contract/failed-work/failed-work'
import { sql } from 'kysely'
import { readPage } from '../../db/page.ts'
import type { DbOrTx } from '../../db/pool.ts'

export type FailedWorkRow = {
  kind: FailedWorkKind
  id: string
  name: string
  attempts: number
  error: string | null
  created_at: Date
  failed_at: Date
}

/** The queue stores when a job would run next, not when it failed. */
const failedJobs = sql`
  select 'job' as kind, id, task_identifier as name, attempts, last_error as error, created_at,
    run_at - exp(least(attempts, 10)) * interval '1 second' as failed_at
  from graphile_worker.jobs
  where attempts >= max_attempts and locked_at is null`

const failedEvents = sql`
  select 'event' as kind, id, topic as name, attempts, last_error as error, created_at, failed_at
  from outbox_failed`

/** A page of failures, newest first. */
export async function listFailedWorkRows(
  db: DbOrTx,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: FailedWorkRow[]; total: number }> {
  return readPage(
    db,
    sql<FailedWorkRow>`
    select kind, id::text as id, name, attempts, error, created_at, failed_at
    from (${failedEvents} union all ${failedJobs}) as failures
    order by failed_at desc, kind, failures.id desc
    offset ${offset}::int
    limit ${limit}::int`,
    sql`(${failedEvents} union all ${failedJobs}) as failures`,
  )
}

/** Puts failed events back into the outbox. Returns how many. */
export async function restoreEvents(trx: DbOrTx, ids: readonly string[]): Promise<number> {
  const { rows } = await sql`
    with restored as (
      delete from outbox_failed
      where id = any(${ids}::bigint[])
      returning id, topic, payload, created_at
    )
    insert into outbox (id, topic, payload, created_at) overriding system value
    select id, topic, payload, created_at
    from restored
    returning id`.execute(trx)
  return rows.length
}

/** Makes failed jobs due now, with all their attempts. Returns how many. */
export async function restoreJobs(trx: DbOrTx, ids: readonly string[]): Promise<number> {
  const { rows } = await sql`
    update graphile_worker._private_jobs
    set attempts = 0, max_attempts = coalesce((flags ->> 'maxAttempts')::int, max_attempts), run_at = now(),
      flags = null, updated_at = now()
    where id = any(${ids}::bigint[]) and attempts >= max_attempts and locked_at is null
    returning id`.execute(trx)
  if (rows.length > 0) await sql`select pg_notify('jobs:insert', '{"count":1}')`.execute(trx)
  return rows.length
}

/** Deletes failed events. Returns their topics. */
export async function deleteEvents(trx: DbOrTx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    delete from outbox_failed where id = any(${ids}::bigint[]) returning topic as name`.execute(trx)
  return rows.map(({ name }) => name)
}

/** Deletes failed jobs. Returns their names. */
export async function deleteJobs(trx: DbOrTx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where j.id = any(${ids}::bigint[])
      and t.id = j.task_id
      and j.attempts >= j.max_attempts
      and j.locked_at is null
    returning t.identifier as name`.execute(trx)
  return rows.map(({ name }) => name)
}

/** Deletes at most `limit` mails that failed for good before a time. Returns how many. */
export async function deleteFailedMails(db: DbOrTx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from graphile_worker._private_jobs
    where id in (
      select j.id
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'mail:send'
        and j.attempts >= j.max_attempts
        and j.locked_at is null
        and j.created_at < ${before}::timestamptz
      limit ${limit}::int
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export type UnreportedFailure = { name: string; failures: number }

/**
 * Marks and returns, by name, the failures that staff have not been notified of. For a scheduled job only the first
 * failure counts: later ones would only cause more mails.
 */
export async function takeUnreportedFailures(
  trx: DbOrTx,
  { at, timedJobs }: { at: Date; timedJobs: readonly string[] },
): Promise<UnreportedFailure[]> {
  await sql`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id
      and t.identifier = any(${timedJobs}::text[])
      and j.attempts >= j.max_attempts
      and j.locked_at is null
      and exists (
        select 1
        from graphile_worker._private_jobs e
        where e.task_id = j.task_id and e.id < j.id and e.attempts >= e.max_attempts and e.locked_at is null
      )`.execute(trx)
  const { rows } = await sql<UnreportedFailure>`
    with events as (
      update outbox_failed
      set told_at = ${at}::timestamptz
      where told_at is null
      returning topic as name
    ), jobs as (
      update graphile_worker._private_jobs j
      set flags = coalesce(j.flags, '{}') || '{"told": true}'
      from graphile_worker._private_tasks t
      where t.id = j.task_id
        and j.attempts >= j.max_attempts
        and j.locked_at is null
        and not coalesce(j.flags, '{}') ? 'told'
        and (t.identifier <> all(${timedJobs}::text[]) or j.created_at < now() - interval '5 minutes')
      returning t.identifier as name, j.payload ->> 'template' as template
    )
    select name, count(*)::int as failures
    from (
      select name from events
      -- A failed report must not cause another report.
      union all select name from jobs where template is distinct from 'failed_work'
    ) as failures
    group by name
    order by name`.execute(trx)
  return rows
}

export type QueueRow = { task: string; waiting: number; failed: number; oldest_seconds: number }

/**
 * Jobs by task: those that are due or running, those that failed for good, and the age of the oldest that is due. The
 * queue holds unfinished jobs only, so this reads little.
 */
export async function readQueue(db: DbOrTx): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select task_identifier as task,
      count(*) filter (where run_at <= now() and attempts < max_attempts) as waiting,
      count(*) filter (where attempts >= max_attempts and locked_at is null) as failed,
      coalesce(extract(epoch from now() - min(run_at) filter (where run_at <= now() and attempts < max_attempts)), 0)
        ::float8 as oldest_seconds
    from graphile_worker.jobs
    group by task_identifier
    order by task_identifier`.execute(db)
  return rows
}

export type OutboxState = { waiting: number; oldest_seconds: number; parked: number }

/** Undispatched events, the age of the oldest, and those that failed for good. */
export async function readOutbox(db: DbOrTx): Promise<OutboxState> {
  const { rows } = await sql<OutboxState>`
    select count(*) as waiting,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_seconds,
      (select count(*) from outbox_failed) as parked
    from outbox`.execute(db)
  return rows[0] ?? { waiting: 0, oldest_seconds: 0, parked: 0 }
}
