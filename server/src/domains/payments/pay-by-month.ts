/** Monthly billing of an order, and of amounts due. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { Translate } from '@waybill/contract/ground/validation'
import type { payCorporate } from '@waybill/contract/orders/monthly-billing'
import type { billOutstanding } from '@waybill/contract/parcels/outstanding'
import type { Payment } from '@waybill/contract/payments/payments'
import { type Tx, tx } from '../../db/pool.ts'
import { runWrites } from '../../db/writes.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { type Idempotency, type KeyedResponse, keyedResponsesWrite } from '../../http/idempotency.ts'
import { takeKeyLimit } from '../integrations/api-keys/spend.ts'
import { requireSpending } from '../orders/approvals/reads.ts'
import { lockBilling } from '../orders/monthly-billing/service.ts'
import {
  fulfilmentWrites,
  type LockedOrder,
  lockForPayment,
  planFulfilment,
  requireMethodOpen,
} from '../orders/settlement.ts'
import { postWrites } from '../wallet/ledger/service.ts'
import { lockSeenOutstanding, type SettledBy, settleOutstanding } from './outstanding/settle-outstanding.ts'
import { presentPayment } from './present.ts'
import { type PaymentRow, paymentsWrite } from './queries.ts'
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
    requireMethodOpen(locked, method)
    await requireSpending(deps, trx, caller, locked.order.total_minor)
    await takeKeyLimit(deps, trx, caller, locked.order.total_minor)
    const payment = await billOrder(deps, trx, caller, locked, (payment) => {
      const answer = presentPayment(payment, t)
      return { answer, keyedResponse: idempotency.toKeyedResponse(answer) }
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
  prepareAnswer: (payment: PaymentRow) => { answer: A; keyedResponse: KeyedResponse | null },
): Promise<A> {
  const { userId } = payer
  const { order } = lockedOrder
  await requireBilling(deps, trx, payer, order.total_minor)
  const payment = buildSettledPayment(deps, order, { method, actorId: userId })
  const { answer, keyedResponse } = prepareAnswer(payment)
  const entry = buildOrderEntry(order, payment, 'corporate_receivable', 'orders.billed')
  await runWrites(trx, [
    ...fulfilmentWrites([
      await planFulfilment(deps, trx, lockedOrder, { actorId: userId, method, paymentId: payment.id }),
    ]),
    ...(await postWrites(deps, trx, entry)),
    paymentsWrite([payment]),
    keyedResponsesWrite([keyedResponse]),
  ])
  return answer
}

/** Locks the company's conditions. Throws payment_method_closed if this amount cannot be billed. */
async function requireBilling(deps: Deps, trx: Tx, payer: CustomerCaller, neededMinor: number): Promise<void> {
  const { closed, billing } = await lockBilling(deps, trx, payer, neededMinor)
  if (closed === null) return
  const { limitMinor, usedMinor, memberLeftMinor } = billing
  const details = { reason: closed, limitMinor, usedMinor, memberLeftMinor, neededMinor }
  throw new AppError('payment_method_closed', { details })
}

/**
 * Bills differences after a re-weighing to the company, all or none, and releases their parcels. Orders to be paid at a
 * counter cannot be billed (docs/rules/parcels.md). Throws what `lockSeenOutstanding` throws, approval_needed,
 * payment_method_closed like `payByBilling`, or with the reason `differences_only`.
 */
export async function billDifferences(
  deps: Deps,
  caller: CustomerCaller,
  body: BodyOf<typeof billOutstanding>,
  t: Translate,
  idempotency: Idempotency,
): Promise<Payment> {
  const { accountId, userId } = caller
  return tx(deps.db, async (trx) => {
    const outstanding = await lockSeenOutstanding(trx, caller, body)
    const { totalMinor } = outstanding
    if (outstanding.orders.length > 0)
      throw new AppError('payment_method_closed', { details: { reason: 'differences_only' } })
    await requireSpending(deps, trx, caller, totalMinor)
    await requireBilling(deps, trx, caller, totalMinor)
    const from = { book: 'corporate_receivable' as const, accountId }
    const by: SettledBy = { method, from, actorId: userId, log: 'orders.due_billed' }
    const answer = presentPayment(await settleOutstanding(deps, trx, accountId, outstanding, by), t)
    await idempotency.keep(trx, answer)
    return answer
  })
}
