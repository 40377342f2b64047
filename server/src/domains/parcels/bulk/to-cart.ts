// Turns the good rows of a batch into parcels of the cart. Rows that are no longer good stay, with their problems.
import { setImmediate as breathe } from 'node:timers/promises'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { cartBulk } from '@waybill/contract/parcels/bulk'
import { customerActivity, recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { priceRow } from '../bulk-rows/cells-price.ts'
import { checkRow } from '../bulk-rows/check-row.ts'
import { loadRowContext, type RowContext } from '../bulk-rows/context.ts'
import { markDuplicates, updateDuplicateMarks } from '../bulk-rows/duplicate-rows.ts'
import { insertParcels } from '../cart/queries-create.ts'
import type { NewParcel, ParcelChanges } from '../queries.ts'
import type { BatchRow } from './queries-batches.ts'
import { type BulkRowRow, bulkRows, setCarted, updateBulkRows } from './queries-rows.ts'
import { getBatch, presentBatch, type Reader, requireReadyBatch } from './service.ts'

/** Rows per transaction, few enough not to delay other writers. */
const chunkSize = 500

/**
 * Puts the valid rows in the cart, all or the given ones. Throws bulk_not_ready, bulk_no_sender, bulk_nothing_good.
 */
export async function cartBatch(
  deps: Deps,
  reader: Reader,
  body: BodyOf<typeof cartBulk>,
): Promise<ResponseOf<typeof cartBulk>> {
  const { caller } = reader
  let before = await getBatch(deps.db, caller, body.id)
  if (before.status !== 'ready') throw new AppError('bulk_not_ready')
  let context = await loadRowContext(deps, deps.db, caller.accountId, before.sender)
  let added = 0
  let senderless = 0
  let after = 0
  for (;;) {
    const chunk = await tx(deps.db, async (trx) => {
      const batch = await requireReadyBatch(trx, caller, body.id)
      // Another request may have changed the sender before this chunk was locked.
      if (batch.version !== before.version) context = await loadRowContext(deps, trx, caller.accountId, batch.sender)
      before = batch
      const filter = { state: 'good', after, limit: chunkSize, ...(body.rows ? { numbers: body.rows } : {}) } as const
      const rows = await bulkRows(trx, batch, filter, true)
      const last = rows.at(-1)?.row_number ?? null
      // Imports that run at the same time do not see each other's last rows.
      await markDuplicates(deps, trx, batch, rows, null)
      const duplicates = rows.filter((row) => row.state === 'bad')
      const { good, bad, senderlessCount } = await recheckRows(
        context,
        caller,
        rows.filter((row) => row.state === 'good'),
      )
      await updateBulkRows(trx, batch, [...duplicates, ...bad])
      await putInCart(deps, trx, caller, batch, good)
      // Duplicates of these rows now name parcels of the cart, or are none any more.
      const changedRows = [...good.map(({ row }) => row), ...bad]
      await updateDuplicateMarks(
        deps,
        trx,
        caller.accountId,
        changedRows.flatMap(({ hash }) => hash ?? []),
      )
      return { count: good.length, senderlessCount, last }
    })
    added += chunk.count
    senderless += chunk.senderlessCount
    if (chunk.last === null) break
    after = chunk.last
  }
  // Rows without a sender stay as they are.
  if (added === 0) throw new AppError(senderless > 0 ? 'bulk_no_sender' : 'bulk_nothing_good')
  deps.outbox.kick()
  return { batch: await presentBatch(deps, deps.db, await getBatch(deps.db, caller, body.id), reader), added }
}

type GoodRow = { row: BulkRowRow; columns: ParcelChanges; price: ParcelChanges }

/** Checks and prices rows again: rates and rules may have changed since they were valid. */
async function recheckRows(context: RowContext, caller: CustomerCaller, rows: readonly BulkRowRow[]) {
  const good: GoodRow[] = []
  const bad: BulkRowRow[] = []
  let senderlessCount = 0
  for (const [n, row] of rows.entries()) {
    if (n % 25 === 24) await breathe()
    const overrideContext = { before: row.overrides, now: [], caller }
    const { input, problems, overrides } = checkRow(context, row.cells, undefined, overrideContext)
    if (input && !input.sender) {
      senderlessCount++
      continue
    }
    const pricedRow = input ? await priceRow(context, input) : null
    if (pricedRow && 'price' in pricedRow) {
      good.push({ row, columns: { ...pricedRow.row, shipped_anyway: overrides }, price: pricedRow.price })
    } else
      bad.push({
        ...row,
        overrides,
        state: 'bad',
        price_minor: null,
        problems: pricedRow ? [...problems, pricedRow] : problems,
      })
  }
  return { good, bad, senderlessCount }
}

/** Inserts the parcels of valid rows in the cart, and links each row to its parcel. */
async function putInCart(
  deps: Deps,
  trx: Parameters<typeof insertParcels>[0],
  caller: CustomerCaller,
  batch: BatchRow,
  good: readonly GoodRow[],
): Promise<void> {
  if (good.length === 0) return
  const start = { accountId: caller.accountId, createdBy: caller.userId, at: deps.clock.now(), inCart: true }
  const parcels = await insertParcels(
    trx,
    good.map(({ columns, price }) => ({
      columns: { ...(columns as NewParcel), ...price, batch_id: batch.id, id: newId() },
      eventId: newId(),
      cartEventId: newId(),
      start,
    })),
  )
  const subjects = parcels.map(({ id }) => id)
  await recordActivity(trx, customerActivity(caller, 'parcels.created', subjects, start.at))
  const carted = parcels.map(({ id }, n) => ({
    row_number: good[n]?.row.row_number ?? 0,
    parcel_id: id,
    price_minor: good[n]?.price.price_minor ?? null,
  }))
  await setCarted(trx, batch, carted)
}
