/** Background work that failed for good. */
import type {
  discardFailedWork,
  FailedWorkKind,
  listFailedWork,
  retryFailedWork,
} from '@waybill/contract/failed-work/failed-work'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../activity.ts'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { findLoss } from './losses.ts'
import { deleteEvents, deleteJobs, listFailedWorkRows, restoreEvents, restoreJobs } from './queries.ts'

/** A page of events and jobs that are not retried any more. */
export async function failedWorkPage(
  deps: Deps,
  { offset, limit }: QueryOf<typeof listFailedWork>,
): Promise<ResponseOf<typeof listFailedWork>> {
  const { rows, total } = await listFailedWorkRows(deps.db, { offset, limit })
  const items = rows.map(({ created_at, failed_at, error, ...row }) => ({
    ...row,
    error: error ?? '',
    loss: findLoss(row),
    createdAt: created_at.toISOString(),
    failedAt: failed_at.toISOString(),
  }))
  return { items, total, offset, limit }
}

type Request = { caller: StaffCaller; body: BodyOf<typeof retryFailedWork>; ip: string }

const listIds = ({ items }: Request['body'], kind: FailedWorkKind) =>
  items.filter((item) => item.kind === kind).map(({ id }) => id)

/** Retries failed work after its cause was removed. Unknown ids are ignored. */
export async function retryFailures(
  deps: Deps,
  { caller, body, ip }: Request,
): Promise<ResponseOf<typeof retryFailedWork>> {
  return tx(deps.db, async (trx) => {
    const retried = (await restoreEvents(trx, listIds(body, 'event'))) + (await restoreJobs(trx, listIds(body, 'job')))
    await recordActivity(trx, {
      action: 'failed-work.retry',
      userId: caller.userId,
      detail: { items: body.items, retried },
      ip,
      at: deps.clock.now(),
    })
    return { retried }
  })
}

/**
 * Deletes failed work. Unknown ids are ignored. Throws conflict, and deletes nothing, if any of it must be retried
 * instead (see `losses.ts`).
 */
export async function discardFailures(
  deps: Deps,
  { caller, body, ip }: Request,
): Promise<ResponseOf<typeof discardFailedWork>> {
  return tx(deps.db, async (trx) => {
    const events = await deleteEvents(trx, listIds(body, 'event'))
    const jobs = await deleteJobs(trx, listIds(body, 'job'))
    const works = [
      ...events.map((name) => ({ kind: 'event' as const, name })),
      ...jobs.map((name) => ({ kind: 'job' as const, name })),
    ]
    if (works.some((work) => findLoss(work) === null)) throw new AppError('conflict', { text: 'work_kept' })
    await recordActivity(trx, {
      action: 'failed-work.discard',
      level: 'WARNING',
      userId: caller.userId,
      detail: { items: body.items, discarded: works.map(({ name }) => name) },
      ip,
      at: deps.clock.now(),
    })
    return { discarded: works.length }
  })
}
