/** Background work that failed for good. */
import type { listFailedWork, retryFailedWork } from '@waybill/contract/failed-work/failed-work'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../activity.ts'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { listFailureRows, restoreEvents, restoreJobs } from './queries.ts'

/** A page of events and jobs that are not retried any more. */
export async function failedWorkPage(
  deps: Deps,
  { offset, limit }: QueryOf<typeof listFailedWork>,
): Promise<ResponseOf<typeof listFailedWork>> {
  const { rows, total } = await listFailureRows(deps.db, { offset, limit })
  const items = rows.map(({ created_at, failed_at, error, ...row }) => ({
    ...row,
    error: error ?? '',
    createdAt: created_at.toISOString(),
    failedAt: failed_at.toISOString(),
  }))
  return { items, total, offset, limit }
}

type Request = { caller: StaffCaller; body: BodyOf<typeof retryFailedWork>; ip: string }

/** Retries failed work after its cause was removed. Unknown ids are ignored. */
export async function retryFailures(
  deps: Deps,
  { caller, body, ip }: Request,
): Promise<ResponseOf<typeof retryFailedWork>> {
  const listIds = (kind: string) => body.items.filter((item) => item.kind === kind).map(({ id }) => id)
  return tx(deps.db, async (trx) => {
    const retried = (await restoreEvents(trx, listIds('event'))) + (await restoreJobs(trx, listIds('job')))
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
