// The difference of price that a re-weighing makes: its lines, its payment, its refund, and the mail about it.
import type { NotificationKind } from '@waybill/contract/notifications/kinds'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type { DbOrTx, Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { Facts } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { differenceLines } from '../../pricing/reprice.ts'
import type { ParcelRow } from '../queries.ts'
import { collectionAfterHold } from '../self-collection/holding.ts'
import { transitionParcels } from '../transition.ts'
import { findHoldingWeighings, markDifferencesPaid, type WeighingRow } from './queries.ts'

/** The service of a parcel. The defaults never apply to a parcel that was handed over. */
export function getParcelService({ scope, service_type, carrier }: ParcelRow) {
  return { scope, serviceType: service_type ?? ('e_parcel' as const), carrier: carrier ?? ('own' as const) }
}

/** An overpayment on one order: the parcel's own, or the order on which a difference was paid. */
export type Overpaid = { parcel: ParcelRow; orderId: string | null; lines: PriceLine[]; actorId: string }

/** Refunds on orders. Orders are a higher domain than parcels, so the caller passes them in. */
export type DifferenceRefunds = {
  /** Locks orders. Called before the parcel is locked, to avoid deadlocks. */
  lock(trx: Tx, orderIds: readonly string[]): Promise<void>
  give(trx: Tx, overpaid: Overpaid): Promise<void>
}

/** Notifies the user who created the parcel. */
export async function notifySender(
  deps: Deps,
  trx: Tx,
  row: ParcelRow,
  kind: NotificationKind,
  facts: Facts,
): Promise<void> {
  await notify(deps, trx, {
    kind,
    to: { users: [row.created_by] },
    subjectId: row.id,
    facts: { receiver: row.receiver?.contactName ?? '', number: row.tracking_number, ...facts },
  })
}

/** The re-weighings that hold parcels with the lines of their differences, by parcel. */
export async function findDifferences(
  trx: DbOrTx,
  accountId: AccountId,
  rows: readonly ParcelRow[],
  { lock }: { lock: boolean },
): Promise<Map<string, { weighing: WeighingRow; lines: PriceLine[] }>> {
  const weighings = await findHoldingWeighings(
    trx,
    accountId,
    rows.map(({ id }) => id),
    { lock },
  )
  return new Map(
    [...weighings].map(([id, weighing]) => [
      id,
      { weighing, lines: differenceLines(weighing.price_before, weighing.price_after) },
    ]),
  )
}

/**
 * Releases locked, held parcels whose differences are paid; from then on their price is that of the new weight. A paid
 * difference may still be contested until the deadline.
 */
export async function settleDifferences(
  deps: Deps,
  trx: Tx,
  accountId: AccountId,
  rows: readonly ParcelRow[],
  weighings: ReadonlyMap<string, { weighing: WeighingRow }>,
  by: { actorId: string | null; stationId?: string | null; chargeId: string | null },
): Promise<ParcelRow[]> {
  if (rows.length === 0) return []
  const readWeighing = (row: ParcelRow) => weighings.get(row.id)?.weighing as WeighingRow
  await markDifferencesPaid(
    trx,
    accountId,
    rows.map((row) => readWeighing(row).id),
    by.chargeId,
  )
  return transitionParcels(
    deps,
    trx,
    rows,
    'difference_paid',
    { actorId: by.actorId, stationId: by.stationId ?? null },
    (row) => {
      const price = readWeighing(row).price_after
      return {
        ...collectionAfterHold(deps, row),
        amount_due_minor: 0,
        price,
        price_minor: price.totalMinor,
        chargeable_grams: price.chargeableGrams,
        volumetric_grams: price.volumetricGrams,
      }
    },
  )
}
