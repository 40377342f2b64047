/** Writes the selected rows of an import into the address book, a few hundred at a time. */
import { contradictoryFields } from '@waybill/contract/addresses/addresses'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { newId } from '../../../lib/ids.ts'
import { requireValidAddress } from '../check-address.ts'
import { insertAddresses } from '../queries.ts'
import { findImport, updateImport } from './queries.ts'
import { markImported, nextChosenRows } from './queries-rows.ts'
import { notifyScreens } from './read-import.ts'

/** Rows per transaction: few enough that nobody waits for it, many enough that ten thousand take seconds. */
const batchSize = 500

/**
 * The job that saves. Each batch is a separate transaction that also marks its rows, so a restarted job continues
 * after the last batch and stores nothing twice.
 */
export async function saveImport(
  deps: Deps,
  { accountId, importId, userId }: { accountId: string; importId: string; userId: string },
): Promise<void> {
  for (;;) {
    const saved = await tx(deps.db, async (trx) => {
      const row = await findImport(trx, accountId, importId, true)
      if (row?.status !== 'saving') return null
      const at = deps.clock.now()
      const rows = await nextChosenRows(trx, row, batchSize)
      if (rows.length === 0) {
        await updateImport(trx, row, { status: 'ready' }, at)
        await recordActivity(trx, { action: 'addresses.import', accountId, userId, subject: importId, at })
        return { row, count: 0 }
      }
      const addresses = rows.flatMap(({ row_number, content, state }) => {
        if (!content) return []
        // The user who selected a row with a contradiction has confirmed it.
        const override = state === 'good' || state === 'hidden' ? [] : [...contradictoryFields]
        const address = requireValidAddress({ ...content, override }, { by: userId, at })
        return [{ id: newId(), row_number, content: address }]
      })
      await insertAddresses(trx, row.account_id, addresses, { by: userId, at })
      await markImported(
        trx,
        row,
        addresses.map(({ id, row_number }) => ({ row_number, address_id: id })),
      )
      return { row, count: rows.length }
    })
    if (!saved) return
    await notifyScreens(deps, saved.row)
    if (saved.count === 0) return
  }
}
