/** The difference that a weighing makes: how it is paid, how it goes back, and who is told. */
import type { Locale } from '@waybill/contract/ground/enums'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type { DbOrTx, Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { findUserById } from '../../accounts/service.ts'
import { differenceLines } from '../../pricing/reprice.ts'
import type { ParcelRow } from '../queries.ts'
import { transitionParcels } from '../transition.ts'
import { latestWeighings, markDifferencesPaid, type WeighingRow } from './queries.ts'

/** In minor units of the lines' currency. */
export const sumDifferenceLines = (lines: readonly PriceLine[]) =>
  lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/** What a parcel is sent as; a parcel that was handed over has all of it. */
export function sentService({ scope, service_type, carrier }: ParcelRow) {
  return { scope, serviceType: service_type ?? ('e_parcel' as const), carrier: carrier ?? ('own' as const) }
}

/** What was paid too much on one order: its own, or the one on which a difference was paid. */
export type Overpaid = { parcel: ParcelRow; orderId: string | null; lines: PriceLine[]; actorId: string }

/** How money of orders goes back; orders stand above parcels, so whoever weighs or decides hands this in. */
export type DifferenceRefunds = {
  /** Locks orders before their parcel, as everywhere. */
  lock(trx: Tx, orderIds: readonly string[]): Promise<void>
  give(trx: Tx, overpaid: Overpaid): Promise<void>
}

/** Mails whoever made the parcel, in their language, with the way to its page. */
export async function notifySender(
  deps: Deps,
  trx: Tx,
  row: ParcelRow,
  template: string,
  vars: (locale: Locale) => Record<string, unknown>,
): Promise<void> {
  const user = await findUserById(trx, row.created_by)
  if (!user) return
  const locale = user.language as Locale
  const url = `${deps.config.http.publicUrl}/parcels/${row.id}`
  const number = row.tracking_number
  await addJob(trx, 'mail:send', {
    to: user.email,
    template,
    locale,
    vars: { name: user.name, receiver: row.receiver?.contactName ?? '', number, url, ...vars(locale) },
  })
}

/** The differences that keep locked parcels: by parcel, what is due and its lines. For payments. */
export async function findDifferences(
  trx: DbOrTx,
  accountId: AccountId,
  rows: readonly ParcelRow[],
  { lock }: { lock: boolean },
): Promise<Map<string, { weighing: WeighingRow; lines: PriceLine[] }>> {
  const found = await latestWeighings(
    trx,
    accountId,
    rows.map(({ id }) => id),
    { lock },
  )
  return new Map(
    [...found].map(([id, weighing]) => [
      id,
      { weighing, lines: differenceLines(weighing.price_before, weighing.price_after) },
    ]),
  )
}

/**
 * Differences of locked, held parcels are paid: they go on, and are charged by the new weight from now on. One contest
 * may still be open.
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
  const of = (row: ParcelRow) => weighings.get(row.id)?.weighing as WeighingRow
  await markDifferencesPaid(
    trx,
    accountId,
    rows.map((row) => of(row).id),
    by.chargeId,
  )
  return transitionParcels(
    deps,
    trx,
    rows,
    'difference_paid',
    { actorId: by.actorId, stationId: by.stationId ?? null },
    (row) => {
      const price = of(row).price_after
      return {
        amount_due_minor: 0,
        price,
        price_minor: price.totalMinor,
        chargeable_grams: price.chargeableGrams,
        volumetric_grams: price.volumetricGrams,
      }
    },
  )
}
