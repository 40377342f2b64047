// Parcels with an amount due, and their release once it is paid.
import { parcelCountLimits } from '@waybill/contract/parcels/list'
import type { OutstandingItem } from '@waybill/contract/parcels/outstanding'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type { DbOrTx, Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { onlyCreatedBy } from '../access.ts'
import { countParcels, listParcelRows } from '../list/queries-list.ts'
import { findParcelByNumber, type ParcelRow } from '../queries.ts'
import { requireNumber } from '../tracking-number.ts'
import { transitionParcels } from '../transition.ts'
import { findDifferences, settleDifferences } from './differences.ts'
import { sumDue } from './queries.ts'

/** A page of the caller's parcels with an amount due, the longest waiting first. Order numbers are added by orders. */
export async function readOutstandingPage(
  deps: Deps,
  caller: CustomerCaller,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ items: Omit<OutstandingItem, 'orderNumber'>[]; total: number; totalDueMinor: number }> {
  const { db } = deps
  const createdBy = onlyCreatedBy(caller)
  const filter = { accountId: caller.accountId, createdBy, statuses: ['outstanding'] as const }
  const [rows, total, totalDueMinor] = await Promise.all([
    listParcelRows(db, filter, { sort: [{ field: 'updatedAt', descending: false }], offset, limit }),
    countParcels(db, filter, parcelCountLimits.total),
    sumDue(db, caller.accountId, createdBy),
  ])
  const heldRows = rows.filter(({ handed_over }) => handed_over)
  const differences = await findDifferences(db, caller.accountId, heldRows, { lock: false })
  const items = rows.map((row) => {
    const weighing = differences.get(row.id)?.weighing
    return {
      parcelId: row.id,
      trackingNumber: row.tracking_number,
      kind: row.handed_over ? ('reweighed' as const) : ('store' as const),
      receiverName: row.receiver?.contactName ?? null,
      receiverCity: row.receiver?.city ?? null,
      amountDueMinor: row.amount_due_minor,
      since: (row.last_event_at ?? row.updated_at).toISOString(),
      orderId: row.order_id,
      declaredGrams: weighing?.declared_grams ?? null,
      actualGrams: weighing?.weight_grams ?? null,
      weighingState: weighing?.state ?? null,
      contestUntil: row.contest_until?.toISOString() ?? null,
    }
  })
  return { items, total: Math.max(total, items.length > 0 ? offset + items.length : 0), totalDueMinor }
}

/** A parcel of any account by its number, for a counter. Throws tracking_number_slip, parcel_unknown. */
export async function getParcelForCounter(deps: Deps, db: DbOrTx, code: string): Promise<ParcelRow> {
  const number = requireNumber(code, deps.settings.get('tracking.prefix'))
  const row = await findParcelByNumber(db, number)
  if (!row) throw new AppError('parcel_unknown', { vars: { number }, details: { number } })
  return row
}

/** The lines of the differences for which parcels are held, by parcel. */
export async function dueLines(
  trx: Tx,
  accountId: AccountId,
  rows: readonly ParcelRow[],
): Promise<Map<string, PriceLine[]>> {
  const differences = await findDifferences(trx, accountId, rows, { lock: true })
  return new Map([...differences].map(([id, { lines }]) => [id, lines]))
}

/**
 * Releases locked, outstanding parcels whose amounts are paid in the same transaction. Those that were not handed over
 * wait for drop-off; the others continue from their station, their differences paid on the order `chargeId`.
 */
export async function releaseOutstanding(
  deps: Deps,
  trx: Tx,
  accountId: AccountId,
  rows: readonly ParcelRow[],
  by: { actorId: string | null; stationId?: string | null; chargeId: string | null },
): Promise<ParcelRow[]> {
  const heldRows = rows.filter(({ handed_over }) => handed_over)
  const notHandedOver = rows.filter(({ handed_over }) => !handed_over)
  const released = await transitionParcels(
    deps,
    trx,
    notHandedOver,
    'due_paid',
    { actorId: by.actorId, stationId: by.stationId ?? null },
    () => ({ amount_due_minor: 0 }),
  )
  const differences = await findDifferences(trx, accountId, heldRows, { lock: false })
  return [...released, ...(await settleDifferences(deps, trx, accountId, heldRows, differences, by))]
}
