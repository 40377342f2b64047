/** Fees as separate orders. */
import type { PaymentMethod } from '@waybill/contract/ground/enums'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type { Tx } from '../../db/pool.ts'
import type { Write } from '../../db/steps.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { dayIn } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { getSeller } from './invoices/seller.ts'
import { insertOrder, type OrderRow, paidStep } from './queries.ts'
import { sumLines } from './rules.ts'

/** A fee for a later action on a parcel, with its tax. */
export type Charge = { lines: PriceLine[]; paymentId: string; method: PaymentMethod }

/**
 * Creates a separate order for a fee, without parcels and completed at once. So it has a number, an invoice and a
 * place in lists and reports (docs/decisions/0017). The order is inserted at once; the returned write pays it and
 * inserts its invoice, in one statement with the payment.
 */
export async function chargeStep(
  deps: Deps,
  trx: Tx,
  caller: Pick<CustomerCaller, 'accountId' | 'userId'>,
  { lines, paymentId, method }: Charge,
): Promise<{ order: OrderRow; step: Write }> {
  const { settings, clock } = deps
  const at = clock.now()
  const order = await insertOrder(trx, {
    id: newId(),
    accountId: caller.accountId,
    createdBy: caller.userId,
    currency: settings.get('currency'),
    totalMinor: sumLines(lines),
    lines,
    parcelCount: 0,
    pickup: null,
    // The terms were accepted with the original order.
    acceptsTerms: false,
    at,
    expiresAt: at,
  })
  const step = paidStep(order, {
    status: 'completed',
    paymentId,
    method,
    pickupNumber: null,
    buyer: order.buyer,
    invoiceId: newId(),
    seller: getSeller(settings),
    taxMinor: sumLines(lines, 'tax'),
    year: Number(dayIn(at, settings.get('timezone')).slice(0, 4)),
    at,
  })
  return { order, step }
}
