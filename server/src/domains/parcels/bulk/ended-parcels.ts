// Rows of a spreadsheet may be valid again once the parcel that they equal is cancelled, lost or removed.
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { remarkTwins } from '../bulk-rows/twins.ts'
import { hashesOfParcels } from './queries-twins.ts'

type EndedParcel = { accountId: string; parcelId: string; batchId: string | null }

async function remark(deps: Deps, db: DbOrTx, parcels: readonly EndedParcel[]): Promise<void> {
  const byAccount = Map.groupBy(parcels, ({ accountId }) => accountId)
  // In one order, so that two dispatchers cannot wait for each other.
  for (const accountId of [...byAccount.keys()].sort()) {
    const hashes = await hashesOfParcels(db, accountId, byAccount.get(accountId) ?? [])
    await tx(db, (trx) => remarkTwins(deps, trx, accountId, hashes))
  }
}

const endings: readonly string[] = ['cancelled', 'lost']

/** Checks the rows again that named a parcel that was cancelled or lost. */
export const remarkAfterEnd: OutboxHandler<'parcel.moved'> = (deps, trx, moves) =>
  remark(
    deps,
    trx,
    moves.filter(({ event }) => endings.includes(event)).map((move) => ({ ...move, batchId: null })),
  )

/** Checks the rows again that named a removed parcel. */
export const remarkAfterRemoval: OutboxHandler<'parcel.deleted'> = remark
