/** Deferred work: the kinds of jobs, and how to queue one. */
import type { Locale, SignInSide } from '@waybill/contract/ground/constants'
import { sql } from 'kysely'
import type { DbOrTx } from '../db/pool.ts'

/** The payload that graphile-worker gives a scheduled run. */
export type ScheduledRun = { _cron?: { ts: string } }

/** The time for which a run was scheduled: it may run later, after a failure or while no process was running. */
export const getScheduledTime = ({ _cron }: ScheduledRun, now: Date): Date => (_cron ? new Date(_cron.ts) : now)

/** Every kind of job with its payload. A domain's `jobs.ts` has the code; `tasks.ts` maps kinds to it. */
export type Jobs = {
  'account-closure:erase': { accountId: string | null; userIds: string[] }
  'mail:send': {
    to: string
    userId?: string
    template: string
    locale: Locale
    vars: Record<string, unknown>
    /** When its code or link becomes invalid. Later the mail is not sent. */
    expiresAt?: string | undefined
  }
  'notifications:deliver': Record<string, never>
  'notifications:push': { notificationId: string; subscriptionId: string }
  'accounts:resend-registration': { email: string; subject: string }
  /** Jobs of another release have no side: they are for customers. */
  'accounts:forgot-password': { email: string; codeId: string; side?: SignInSide }
  'addresses:read-import': { accountId: string; importId: string }
  'addresses:save-import': { accountId: string; importId: string; userId: string }
  'dashboard:add-up': Record<string, never>
  'dashboard:recount': Record<string, never>
  'payments:expire': { paymentId: string }
  'payments:check': { paymentId: string }
  'payments:cod-payout': ScheduledRun
  'payments:cod-pay-account': { accountId: string; until: string }
  'orders:make-dossier': { accountId: string; dossierId: string }
  'orders:statements': Record<string, never>
  'orders:expire': Record<string, never>
  'parcels:read-bulk': { accountId: string; batchId: string }
  'parcels:book-carrier': { parcelId: string }
  'parcels:book-carriers': Record<string, never>
  'parcels:track-carriers': Record<string, never>
  'parcels:weights-accepted': Record<string, never>
  'parcels:undelivered': Record<string, never>
  'parcels:collection-days': Record<string, never>
  'parcels:report-found': { parcelId: string }
  'parcels:tell-stuck': Record<string, never>
  'parcels:ensure-partitions': Record<string, never>
  'reports:make-file': { fileId: string }
  'tickets:deadlines': Record<string, never>
  'tracking:mail-followers': { parcelId: string }
  'tracking:push-follower': { followId: string }
  'webhooks:deliver': { webhookId: string }
  'webhooks:retry': { webhookId: string }
  'housekeeping:sweep': Record<string, never>
  'wallet:trial-balance': ScheduledRun
  'failed-work:tell': Record<string, never>
}
export type JobName = keyof Jobs
/** Id and time are the same for every attempt of a job. `attempt` counts from 1. */
export type JobRun = { id: string; createdAt: Date; attempt: number }

/** Thrown by a job that no later attempt can complete: it ends at once and is listed as failed work. */
export class PermanentJobError extends Error {}

/**
 * Attempts a job that may end its process, for example by its use of memory. After each failure `fail` is called. Queue
 * the job with one attempt more than `most`: it calls `fail` when the process has ended during all others.
 */
export async function attempt(
  job: JobRun | undefined,
  { most, work, fail }: { most: number; work: () => Promise<unknown>; fail: () => Promise<unknown> },
): Promise<void> {
  const count = job?.attempt ?? 1
  try {
    if (count > most) throw new Error('The process ended during every attempt.')
    await work()
  } catch (error) {
    await fail()
    if (count < most) throw error
    throw new PermanentJobError((error as Error).message, { cause: error })
  }
}

type Options = {
  runAt?: Date
  /** At most one waiting job per key: a new one replaces it. */
  key?: string
  /** Jobs of the same queue run one after the other. */
  queue?: string
  maxAttempts?: number
}

/**
 * Queues a job in the caller's transaction, so it exists only if that commits. graphile-worker retries with exponential
 * back-off.
 */
export async function addJob<N extends JobName>(
  trx: DbOrTx,
  name: N,
  payload: Jobs[N],
  options: Options = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${name}, ${JSON.stringify(payload)}::json, ${options.queue ?? null}::text, ${options.runAt ?? null}::timestamptz,
      ${options.maxAttempts ?? 25}::int, ${options.key ?? null}::text
    )`.execute(trx)
}

/**
 * Cancels waiting mails to these addresses, including failed ones: the addresses are no longer ours. One that is being
 * sent right now gets no second attempt.
 */
export async function cancelMails(trx: DbOrTx, addresses: readonly string[]): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id
      and t.identifier = 'mail:send'
      and lower(j.payload ->> 'to') = any(${addresses.map((address) => address.toLowerCase())}::text[])`.execute(trx)
}
