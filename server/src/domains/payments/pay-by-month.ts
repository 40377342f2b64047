/** Monthly billing of an order. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { Translate } from '@waybill/contract/ground/validation'
import type { payCorporate } from '@waybill/contract/orders/monthly-billing'
import type { Payment } from '@waybill/contract/payments/payments'
import { type Tx, tx } from '../../db/pool.ts'
import { runWrites, type Write } from '../../db/steps.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { takeKeyLimit } from '../integrations/api-keys/spend.ts'
import { requireSpending } from '../orders/approvals/reads.ts'
import { lockBilling } from '../orders/monthly-billing/service.ts'
import { fulfilSteps, type LockedOrder, lockForPayment } from '../orders/settlement.ts'
import { postStep } from '../wallet/ledger/service.ts'
import { presentPayment } from './present.ts'
import { type PaymentRow, paymentStep } from './queries.ts'
import { buildOrderEntry, buildSettledPayment } from './settled-order.ts'

const method = 'monthly_billing'

/**
 * Bills an order to the company: its debt grows in the transaction that releases the parcels. Locks: order, parcels,
 * the company's conditions. Throws what `lockForPayment` throws, approval_needed, payment_method_closed
 * (`details.reason`, `details.limitMinor`, `details.usedMinor`, `details.memberLeftMinor`, `details.neededMinor`).
 */
export async function payByBilling(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  { expectedTotalMinor }: BodyOf<typeof payCorporate>,
  t: Translate,
  idempotency: Idempotency,
): Promise<Payment> {
  return tx(deps.db, async (trx) => {
    const locked = await lockForPayment(deps, trx, caller, orderId, expectedTotalMinor)
    await requireSpending(deps, trx, caller, locked.order.total_minor)
    await takeKeyLimit(deps, trx, caller, locked.order.total_minor)
    const payment = await billOrder(deps, trx, caller, locked, (payment) => {
      const answer = presentPayment(payment, t)
      return { answer, keepAnswer: idempotency.keepStep(answer) }
    })
    return payment
  })
}

/**
 * Bills a locked order to the company, against the monthly limit of `payer`. These are the last writes of the
 * transaction. `prepareAnswer` creates the response and the write that stores it. Throws payment_method_closed.
 */
export async function billOrder<A>(
  deps: Deps,
  trx: Tx,
  payer: CustomerCaller,
  lockedOrder: LockedOrder,
  prepareAnswer: (payment: PaymentRow) => { answer: A; keepAnswer: Write | null },
): Promise<A> {
  const { userId } = payer
  const { order } = lockedOrder
  const { closed, billing } = await lockBilling(deps, trx, payer, order.total_minor)
  if (closed !== null) {
    const { limitMinor, usedMinor, memberLeftMinor } = billing
    const details = { reason: closed, limitMinor, usedMinor, memberLeftMinor, neededMinor: order.total_minor }
    throw new AppError('payment_method_closed', { details })
  }
  const payment = buildSettledPayment(deps, order, { method, actorId: userId })
  const { answer, keepAnswer } = prepareAnswer(payment)
  const entry = buildOrderEntry(order, payment, 'corporate_receivable', 'orders.billed')
  await runWrites(trx, [
    ...(await fulfilSteps(deps, trx, lockedOrder, { actorId: userId, method, paymentId: payment.id })),
    await postStep(deps, trx, entry),
    paymentStep(payment),
    ...(keepAnswer ? [keepAnswer] : []),
  ])
  return answer
}
