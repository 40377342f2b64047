// Rows of a spreadsheet may be valid again once the parcel that they equal is cancelled or removed.
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { remarkTwins } from '../bulk-rows/twins.ts'
import { hashesOfParcels } from './queries-twins.ts'

type LostParcel = { accountId: string; parcelId: string; batchId: string | null }

async function remark(deps: Deps, db: DbOrTx, parcels: readonly LostParcel[]): Promise<void> {
  const byAccount = Map.groupBy(parcels, ({ accountId }) => accountId)
  // In one order, so that two dispatchers cannot wait for each other.
  for (const accountId of [...byAccount.keys()].sort()) {
    const hashes = await hashesOfParcels(db, accountId, byAccount.get(accountId) ?? [])
    await tx(db, (trx) => remarkTwins(deps, trx, accountId, hashes))
  }
}

/** Checks the rows again that named a cancelled parcel. */
export const remarkAfterCancellation: OutboxHandler<'parcel.moved'> = (deps, trx, moves) =>
  remark(
    deps,
    trx,
    moves.filter(({ event }) => event === 'cancelled').map((move) => ({ ...move, batchId: null })),
  )

/** Checks the rows again that named a removed parcel. */
export const remarkAfterRemoval: OutboxHandler<'parcel.deleted'> = remark
