/** Pays an order with credits. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { Translate } from '@waybill/contract/ground/validation'
import type { Payment, payWithCredits } from '@waybill/contract/payments/payments'
import { groupCalls } from '../../../db/concurrency/group-calls.ts'
import { type DbOrTx, limitLockWait, tx } from '../../../db/pool.ts'
import { runLastWrites, runWrites, runWritesInTransaction, type Write } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { type Idempotency, type KeyedResponse, keyedResponsesWrite } from '../../../http/idempotency.ts'
import { takeKeyLimit } from '../../integrations/api-keys/spend.ts'
import { approvalLimit, requireSpending } from '../../orders/approvals/reads.ts'
import {
  type Fulfilment,
  fulfilmentWrites,
  lockForPayment,
  type OrderWithParcels,
  planFulfilment,
  readForPayment,
} from '../../orders/settlement.ts'
import { entryWrites, type PlannedEntry, planEntry, withBalance } from '../../wallet/ledger/service.ts'
import type { PinCheck } from '../../wallet/queries.ts'
import { selectPin, withPin } from '../../wallet/service.ts'
import { presentPayment } from '../present.ts'
import { type PaymentRow, paymentsWrite } from '../queries.ts'
import { buildOrderEntry, buildSettledPayment } from '../settled-order.ts'

const method = 'express_credit'
/** How long a group of payments waits for a row that another request has locked. */
const longestLockMs = 100
/** A payment of more parcels is written alone. */
const mostParcelsInGroup = 100
/** The number of attempts if data changes between reading and writing. */
const attempts = 3

/** What a payment writes. */
type PlannedPayment = {
  payment: PaymentRow
  fulfilment: Fulfilment
  entry: PlannedEntry
  keyedResponse: KeyedResponse | null
}

/** The writes of payments of different orders, for one statement. */
const paymentWrites = (payments: readonly PlannedPayment[]): Write[] => [
  ...fulfilmentWrites(payments.map(({ fulfilment }) => fulfilment)),
  ...entryWrites(payments.map(({ entry }) => entry)),
  paymentsWrite(payments.map(({ payment }) => payment)),
  keyedResponsesWrite(payments.map(({ keyedResponse }) => keyedResponse)),
]

type WritePayment = (payment: PlannedPayment) => Promise<void>

/**
 * Writes payments that arrive together by one statement (decision 102). If a row is locked for long, each is written
 * alone, so that none waits for the lock of another customer.
 */
function groupPayments({ db }: Deps): WritePayment {
  return groupCalls(
    (payments: readonly PlannedPayment[]) =>
      tx(db, async (trx) => {
        await limitLockWait(trx, longestLockMs)
        await runLastWrites(db, trx, paymentWrites(payments))
        return payments.map(() => undefined)
      }),
    (payment) => runWritesInTransaction(db, paymentWrites([payment])),
    ({ fulfilment: { transitions } }) => transitions.some(({ moves }) => moves.length > mostParcelsInGroup),
  )
}

/**
 * A function that pays an order with credits in one statement: order, invoice, parcels and the wallet's debit.
 * Optimistic: each write re-checks the version it read. On a mismatch the payment is retried, at most three times
 * (decision 10). With a pickup, whose place in the rider's day is reserved first, it runs in a transaction that locks
 * like every other payment.
 */
export function createCreditPayments(deps: Deps) {
  const writePayment = groupPayments(deps)
  return async (
    caller: CustomerCaller,
    orderId: string,
    { pin, expectedTotalMinor }: BodyOf<typeof payWithCredits>,
    t: Translate,
    idempotency: Idempotency,
  ): Promise<Payment> => {
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
      payProven(deps, caller, takeOrder, { proof, expectedTotalMinor }, { t, idempotency, writePayment })
    // The owner entered the PIN when the key was created; its daily limit is checked with the payment.
    // A free order takes no money.
    if (caller.apiKey || expectedTotalMinor === 0) return pay(null)
    if (pin === undefined) throw validationError({ field: 'pin', rule: 'required' })
    return withPin(deps, caller.accountId, pin, pay, readPin)
  }
}

type Answering = { t: Translate; idempotency: Idempotency; writePayment: WritePayment }

async function payProven(
  deps: Deps,
  caller: CustomerCaller,
  takeOrder: () => Promise<OrderWithParcels>,
  { proof, expectedTotalMinor }: { proof: PinCheck | null; expectedTotalMinor: number },
  { t, idempotency, writePayment }: Answering,
): Promise<Payment> {
  const { accountId } = caller
  const needed = { accountId, amountMinor: expectedTotalMinor, currency: deps.settings.get('currency') }
  for (let attempt = 1; ; attempt += 1) {
    const orderToPay = await takeOrder()
    const payment = buildSettledPayment(deps, orderToPay.order, { method, actorId: caller.userId })
    const answer = presentPayment(payment, t)
    const keyedResponse = idempotency.toKeyedResponse(answer)
    const plan = async (db: DbOrTx, { order, parcels }: OrderWithParcels): Promise<PlannedPayment> => {
      const by = { actorId: caller.userId, method, paymentId: payment.id } as const
      const fulfilment = await planFulfilment(deps, db, { order, parcels }, by)
      const debit = buildOrderEntry(order, payment, 'customer_wallet', 'orders.paid')
      return { payment, fulfilment, entry: await planEntry(deps, db, debit, proof), keyedResponse }
    }
    // A key's limit, a member's daily sum and a pickup's place need locks, and thus a transaction around the statement.
    const locking =
      caller.apiKey !== undefined || orderToPay.order.pickup !== null || (await approvalLimit(deps.db, caller)) !== null
    const pay = locking
      ? () =>
          tx(deps.db, async (trx) => {
            const lockedOrder = await lockForPayment(deps, trx, caller, orderToPay.order.id, expectedTotalMinor)
            await requireSpending(deps, trx, caller, lockedOrder.order.total_minor)
            await takeKeyLimit(deps, trx, caller, lockedOrder.order.total_minor)
            await runWrites(trx, paymentWrites([await plan(trx, lockedOrder)]))
          })
      : async () => writePayment(await plan(deps.db, orderToPay))
    try {
      await withBalance(deps, needed, pay)
      return answer
    } catch (error) {
      const changed = error instanceof AppError && error.code === 'version_conflict'
      if (!changed || attempt === attempts) throw error
    }
  }
}
