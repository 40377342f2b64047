/** Fees as separate orders. */
import type { PaymentMethod } from '@waybill/contract/ground/enums/enums'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type { Tx } from '../../db/pool.ts'
import { runWrites, type Write } from '../../db/writes.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { newId } from '../../lib/ids.ts'
import { documentFacts } from './invoices/seller.ts'
import type { OrderRow } from './queries.ts'
import { ordersWrite, takeOrderNumbers, toOrderRow } from './queries-new.ts'
import { ordersPaidWrite } from './queries-paid.ts'
import { sumLines } from './rules.ts'

/** A fee for a later action on a parcel, with its tax. */
export type Charge = { lines: PriceLine[]; paymentId: string; method: PaymentMethod }

/**
 * Creates a separate order for a fee, without parcels and completed at once. So it has a number, an invoice and a
 * place in lists and reports (docs/decisions/0017). The order is inserted at once; the returned write pays it and
 * inserts its invoice, in one statement with the payment.
 */
export async function planCharge(
  deps: Deps,
  trx: Tx,
  caller: Pick<CustomerCaller, 'accountId' | 'userId'>,
  { lines, paymentId, method }: Charge,
): Promise<{ order: OrderRow; write: Write }> {
  const at = deps.clock.now()
  const [number = ''] = await takeOrderNumbers(trx, 1)
  const newOrder = {
    id: newId(),
    number,
    accountId: caller.accountId,
    createdBy: caller.userId,
    currency: deps.settings.get('currency'),
    totalMinor: sumLines(lines),
    lines,
    parcelCount: 0,
    pickup: null,
    buyer: null,
    // The terms were accepted with the original order.
    acceptsTerms: false,
    at,
    expiresAt: at,
  }
  await runWrites(trx, [ordersWrite([newOrder])])
  const order = toOrderRow(newOrder)
  const settlement = {
    status: 'completed' as const,
    paymentId,
    method,
    pickupNumber: null,
    invoice: await documentFacts(deps, trx, order, lines),
  }
  return { order, write: ordersPaidWrite([{ order, settlement }]) }
}
