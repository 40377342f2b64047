/** Pays an order with credits. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { Translate } from '@waybill/contract/ground/validation'
import type { Payment, payWithCredits } from '@waybill/contract/payments/payments'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import { runWrites, runWritesInTransaction } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { takeKeyLimit } from '../../integrations/api-keys/spend.ts'
import { approvalLimit, requireSpending } from '../../orders/approvals/reads.ts'
import { lockForPayment, type OrderWithParcels, planFulfilment, readForPayment } from '../../orders/settlement.ts'
import { postWrites, withBalance } from '../../wallet/ledger/service.ts'
import type { PinCheck } from '../../wallet/queries.ts'
import { selectPin, withPin } from '../../wallet/service.ts'
import { presentPayment } from '../present.ts'
import { insertPaymentWrite } from '../queries.ts'
import { buildOrderEntry, buildSettledPayment } from '../settled-order.ts'

const method = 'express_credit'
/** The number of attempts if data changes between reading and writing. */
const attempts = 3

/**
 * Pays an order with credits in one statement: order, invoice, parcels and the wallet's debit. Optimistic: each write
 * re-checks the version it read. On a mismatch the payment is retried, at most three times (decision 10).
 * With a pickup, whose place in the rider's day is reserved first, it runs in a transaction that locks like every other
 * payment.
 */
export async function payByCredits(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  { pin, expectedTotalMinor }: BodyOf<typeof payWithCredits>,
  t: Translate,
  idempotency: Idempotency,
): Promise<Payment> {
  const read = () => readForPayment(deps, caller, orderId, expectedTotalMinor, selectPin(caller.accountId))
  // The PIN's row is read with the order. If both are invalid, the wrong PIN is reported first.
  let withPinRow: ReturnType<typeof read> | null = null
  const readPin = async () => {
    withPinRow = read()
    return (await withPinRow).extra
  }
  const takeOrder = async () => {
    const reading = withPinRow ?? read()
    withPinRow = null
    return (await reading).requireReady()
  }
  const pay = (proof: PinCheck | null) =>
    payProven(deps, caller, takeOrder, { proof, expectedTotalMinor }, { t, idempotency })
  // The owner entered the PIN when the key was created; its daily limit is checked with the payment.
  // A free order takes no money.
  if (caller.apiKey || expectedTotalMinor === 0) return pay(null)
  if (pin === undefined) throw validationError({ field: 'pin', rule: 'required' })
  return withPin(deps, caller.accountId, pin, pay, readPin)
}

type Answering = { t: Translate; idempotency: Idempotency }

async function payProven(
  deps: Deps,
  caller: CustomerCaller,
  takeOrder: () => Promise<OrderWithParcels>,
  { proof, expectedTotalMinor }: { proof: PinCheck | null; expectedTotalMinor: number },
  { t, idempotency }: Answering,
): Promise<Payment> {
  const { accountId } = caller
  const needed = { accountId, amountMinor: expectedTotalMinor, currency: deps.settings.get('currency') }
  for (let attempt = 1; ; attempt += 1) {
    const orderToPay = await takeOrder()
    const payment = buildSettledPayment(deps, orderToPay.order, { method, actorId: caller.userId })
    const answer = presentPayment(payment, t)
    const keepAnswer = idempotency.keepWrite(answer)
    const planWrites = async (db: DbOrTx, { order, parcels }: OrderWithParcels) => [
      ...(await planFulfilment(
        deps,
        db,
        { order, parcels },
        { actorId: caller.userId, method, paymentId: payment.id },
      )),
      ...(await postWrites(deps, db, buildOrderEntry(order, payment, 'customer_wallet', 'orders.paid'), proof)),
      insertPaymentWrite(payment),
      ...(keepAnswer ? [keepAnswer] : []),
    ]
    // A key's limit, a member's daily sum and a pickup's place need locks, and thus a transaction around the statement.
    const locking =
      caller.apiKey !== undefined || orderToPay.order.pickup !== null || (await approvalLimit(deps.db, caller)) !== null
    const pay = locking
      ? () =>
          tx(deps.db, async (trx) => {
            const lockedOrder = await lockForPayment(deps, trx, caller, orderToPay.order.id, expectedTotalMinor)
            await requireSpending(deps, trx, caller, lockedOrder.order.total_minor)
            await takeKeyLimit(deps, trx, caller, lockedOrder.order.total_minor)
            await runWrites(trx, await planWrites(trx, lockedOrder))
          })
      : async () => runWritesInTransaction(deps.db, await planWrites(deps.db, orderToPay))
    try {
      await withBalance(deps, needed, pay)
      return answer
    } catch (error) {
      const changed = error instanceof AppError && error.code === 'version_conflict'
      if (!changed || attempt === attempts) throw error
    }
  }
}
