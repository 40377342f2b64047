import type { payCorporate } from '@waybill/contract/billing'
import type { BodyOf } from '@waybill/contract/endpoint'
import type { Payment } from '@waybill/contract/payments'
import type { Translate } from '@waybill/contract/validation'
import { txFlushedAfter } from '../../db/pool.ts'
import { runSteps } from '../../db/steps.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { fulfilSteps, lockBilling, lockForPayment, sumOf } from '../orders/service.ts'
import { postStep } from '../wallet/service.ts'
import { presentPayment } from './present.ts'
import { newPayment, paymentStep } from './queries.ts'
import { orderPostings } from './rules.ts'

const method = 'monthly_billing'

/**
 * Has an order billed by the month: what the company owes grows by its total, in the transaction that sends the parcels on their way. Locks: order, parcels, the
 * company's conditions. Throws what `lockForPayment` throws, payment_method_closed (`details.reason`, `details.limitMinor`, `details.usedMinor`,
 * `details.memberLeftMinor`, `details.neededMinor`).
 */
export async function payByBilling(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  { expectedTotalMinor }: BodyOf<typeof payCorporate>,
  t: Translate,
  idempotency: Idempotency,
): Promise<Payment> {
  const { accountId, userId } = caller
  return txFlushedAfter(deps.db, async (trx) => {
    const locked = await lockForPayment(deps, trx, caller, orderId, expectedTotalMinor)
    const { order } = locked
    const { closed, billing } = await lockBilling(deps, trx, caller, order.total_minor)
    if (closed !== null) {
      const { limitMinor, usedMinor, memberLeftMinor } = billing
      const details = { reason: closed, limitMinor, usedMinor, memberLeftMinor, neededMinor: order.total_minor }
      throw new AppError('payment_method_closed', { details })
    }
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
      postings: orderPostings(
        { book: 'corporate_receivable', accountId },
        order.total_minor,
        sumOf(order.lines, 'tax'),
      ),
    }
    const kept = idempotency.keepStep(answer)
    await runSteps(
      trx,
      [
        ...(await fulfilSteps(deps, trx, locked, { actorId: userId, method, paymentId: payment.id })),
        await postStep(deps, trx, entry),
        paymentStep(payment),
        ...(kept ? [kept] : []),
      ],
      { commitEarly: true },
    )
    return answer
  })
}
