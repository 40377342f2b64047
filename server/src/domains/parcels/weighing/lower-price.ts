// A parcel costs less than was paid: by a lighter reading, or a decision about a dispute.
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import type { Tx } from '../../../db/pool.ts'
import { asAccountId } from '../../../http/caller.ts'
import { differenceLines } from '../../pricing/reprice.ts'
import { sumPriceLines } from '../../pricing/service.ts'
import type { ParcelRow } from '../queries.ts'
import type { DifferenceRefunds } from './differences.ts'
import { setCharged } from './queries.ts'
import { deductRefund, paidDifferences } from './queries-paid.ts'

/**
 * Sets a lower price of a locked parcel, and refunds the rest: first from the paid differences, latest first, then from
 * the parcel's order. Each difference began at the price before it, so each order refunds at most what was paid on it.
 */
export async function lowerPrice(
  trx: Tx,
  refunds: DifferenceRefunds,
  parcel: ParcelRow,
  { from, to }: { from: PriceBreakdown; to: PriceBreakdown },
  actorId: string,
): Promise<void> {
  const accountId = asAccountId(parcel.account_id)
  let price = from
  const refundDownTo = async (next: PriceBreakdown, orderId: string | null) => {
    const lines = differenceLines(next, price)
    const refundMinor = sumPriceLines(lines)
    if (refundMinor <= 0) return 0
    await refunds.give(trx, { parcel, orderId, lines, actorId })
    price = next
    return refundMinor
  }
  for (const difference of await paidDifferences(trx, accountId, parcel.id)) {
    const { price_before, paid_order_id } = difference
    const next = to.totalMinor > price_before.totalMinor ? to : price_before
    const refundMinor = await refundDownTo(next, paid_order_id)
    if (refundMinor > 0) await deductRefund(trx, accountId, difference, refundMinor)
  }
  await refundDownTo(to, parcel.order_id)
  await setCharged(trx, accountId, parcel.id, { price: to })
}
