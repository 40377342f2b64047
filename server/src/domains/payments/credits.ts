import type { BodyOf } from '@waybill/contract/endpoint'
import type { Payment, payWithCredits } from '@waybill/contract/payments'
import type { Translate } from '@waybill/contract/validation'
import { txFlushedAfter } from '../../db/pool.ts'
import { runSteps } from '../../db/steps.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { fulfilSteps, lockForPayment, refuseUnapproved, sumOf } from '../orders/service.ts'
import { checkPin, postStep, withBalance } from '../wallet/service.ts'
import { presentPayment } from './present.ts'
import { newPayment, paymentStep } from './queries.ts'
import { orderPostings } from './rules.ts'

/**
 * Pays an order with credits: one transaction, and in it one statement from the wallet's debit to the invoice. Locks are taken in the order in which every payment takes them: order,
 * parcels, wallet; the counter of invoice numbers, which all customers share, at the commit.
 * Throws what `checkPin` and `lockForPayment` throw, approval_needed, and wallet_too_low (`details.balanceMinor`, `details.neededMinor`).
 */
export async function payByCredits(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  { pin, expectedTotalMinor }: BodyOf<typeof payWithCredits>,
  t: Translate,
  idempotency: Idempotency,
): Promise<Payment> {
  const { accountId, userId } = caller
  const proof = await checkPin(deps, accountId, pin)
  const needed = { accountId, amountMinor: expectedTotalMinor, currency: deps.settings.get('currency') }
  const method = 'express_credit'
  const pay = () =>
    txFlushedAfter(deps.db, async (trx) => {
      const locked = await lockForPayment(deps, trx, caller, orderId, expectedTotalMinor)
      const { order } = locked
      await refuseUnapproved(trx, caller, order.total_minor)
      const at = deps.clock.now()
      const payment = newPayment({
        accountId,
        purpose: 'order',
        orderId,
        method,
        amountMinor: order.total_minor,
        currency: order.currency,
        createdBy: userId,
        settledAt: at,
        at,
      })
      const answer = presentPayment(payment, t)
      const entry = {
        kind: 'order' as const,
        accountId,
        orderId,
        paymentId: payment.id,
        reference: order.number,
        actorId: userId,
        currency: order.currency,
        postings: orderPostings({ book: 'customer_wallet', accountId }, order.total_minor, sumOf(order.lines, 'tax')),
      }
      const kept = idempotency.keepStep(answer)
      await runSteps(
        trx,
        [
          ...(await fulfilSteps(deps, trx, locked, { actorId: userId, method, paymentId: payment.id })),
          await postStep(deps, trx, entry, proof),
          paymentStep(payment),
          ...(kept ? [kept] : []),
        ],
        { commitEarly: true },
      )
      return answer
    })
  return withBalance(deps, needed, pay)
}
