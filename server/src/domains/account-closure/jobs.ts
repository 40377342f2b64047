/** The job that erases what a deleted account has stored. */
import { deleteInBatches } from '../../db/batches.ts'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { eraseActivity, erasePeopleOfParcels, listErasures, listParcelsAfter } from './queries-erasure.ts'

/** Parcels per transaction: few enough that no lock is held long. */
const parcelsAtOnce = 200

/**
 * The job `account-closure:erase`, queued by the deletion of an account that may have 100,000 parcels. Each step is
 * small and repeatable, so a job that crashes starts again. `accountId` is null if only a user was deleted.
 */
export async function eraseStored(deps: Deps, { accountId, userIds }: Jobs['account-closure:erase']): Promise<void> {
  if (accountId !== null) {
    for (const erasure of listErasures(accountId, deps.clock.now())) {
      await deleteInBatches((limit) => erasure(deps.db, limit))
    }
    await eraseParcels(deps, accountId)
  }
  await deleteInBatches((limit) => eraseActivity(accountId, userIds)(deps.db, limit))
}

async function eraseParcels(deps: Deps, accountId: string): Promise<void> {
  let after: string | null = null
  for (;;) {
    const ids: string[] = await listParcelsAfter(deps.db, accountId, after, parcelsAtOnce)
    const last = ids.at(-1)
    if (last === undefined) return
    await tx(deps.db, (trx) => erasePeopleOfParcels(trx, accountId, ids))
    after = last
  }
}
