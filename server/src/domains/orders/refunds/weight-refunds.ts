/** Refunds of weight differences. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { decideDispute, reweighParcel, Weighing } from '@waybill/contract/parcels/weighing'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type StaffCaller } from '../../../http/caller.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import type { DifferenceRefunds } from '../../parcels/weighing/differences.ts'
import { settleDispute as decideWeight } from '../../parcels/weighing/disputes.ts'
import { reweigh } from '../../parcels/weighing/service.ts'
import { postEntry } from '../../wallet/ledger/service.ts'
import { refundDestination, sumLines, weightDifferenceLines } from '../rules.ts'
import { lockOrderById } from './queries.ts'
import { refundShare } from './service.ts'

/**
 * Refunds a difference with a credit note on the invoice with which it was paid: off the bill if it was billed, else
 * to the wallet.
 */
function createRefunds(deps: Deps): DifferenceRefunds {
  return {
    async lock(trx, orderIds) {
      for (const id of [...orderIds].sort()) await lockOrderById(trx, id)
    },
    async give(trx, { parcel, orderId, lines, actorId }) {
      const order = orderId === null ? undefined : await lockOrderById(trx, orderId)
      const own = weightDifferenceLines([{ parcel, lines }])
      const [totalMinor, taxMinor] = [sumLines(own), sumLines(own, 'tax')]
      const reference = parcel.tracking_number ?? ''
      if (order) {
        const destination = refundDestination(order.payment_method, 'wallet')
        // No parcel is fully refunded: this one stays in transit.
        const share = { parcels: [], lines: own, totalMinor }
        await refundShare(deps, trx, order, { share, destination, actorId, reference })
        return
      }
      // An old record without an order: the money is refunded without a credit note.
      const accountId = asAccountId(parcel.account_id)
      await postEntry(deps, trx, {
        kind: 'refund',
        accountId,
        orderId: parcel.order_id,
        reference,
        actorId,
        log: 'orders.refunded',
        currency: parcel.currency,
        postings: [
          { book: 'revenue', amountMinor: taxMinor - totalMinor },
          { book: 'tax', amountMinor: -taxMinor },
          { book: 'customer_wallet', accountId, amountMinor: totalMinor },
        ],
      })
    },
  }
}

/** Weighs a parcel at a station. Throws the errors of the weighing. */
export function weighAgain(
  deps: Deps,
  caller: StaffCaller,
  parcelId: string,
  body: BodyOf<typeof reweighParcel>,
  idempotency: Idempotency,
): Promise<Weighing> {
  return reweigh(deps, caller, parcelId, body, { idempotency, refunds: createRefunds(deps) })
}

/** Decides a weight dispute. Throws the errors of the decision. */
export function decideWeightDispute(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  body: BodyOf<typeof decideDispute>,
): Promise<Weighing> {
  return decideWeight(deps, caller, id, body, createRefunds(deps))
}
