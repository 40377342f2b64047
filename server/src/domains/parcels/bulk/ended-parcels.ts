// Rows of a spreadsheet may be valid again once the parcel that they equal is cancelled, lost or removed.
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { updateDuplicateMarks } from '../bulk-rows/duplicate-rows.ts'
import { hashesOfParcels } from './queries-duplicates.ts'

type EndedParcel = { accountId: string; parcelId: string; batchId: string | null }

async function checkRowsAgain(deps: Deps, db: DbOrTx, parcels: readonly EndedParcel[]): Promise<void> {
  const byAccount = Map.groupBy(parcels, ({ accountId }) => accountId)
  // In one order, so that two dispatchers cannot wait for each other.
  for (const accountId of [...byAccount.keys()].sort()) {
    const hashes = await hashesOfParcels(db, accountId, byAccount.get(accountId) ?? [])
    await tx(db, (trx) => updateDuplicateMarks(deps, trx, accountId, hashes))
  }
}

const endings: readonly string[] = ['cancelled', 'lost']

/** Checks the rows again that named a parcel that was cancelled or lost. */
export const markAfterEnd: OutboxHandler<'parcel.moved'> = (deps, trx, moves) =>
  checkRowsAgain(
    deps,
    trx,
    moves.filter(({ event }) => endings.includes(event)).map((move) => ({ ...move, batchId: null })),
  )

/** Checks the rows again that named a removed parcel. */
export const markAfterRemoval: OutboxHandler<'parcel.deleted'> = checkRowsAgain
