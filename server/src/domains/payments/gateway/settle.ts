/** Settles gateway payments. */
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { hours, later } from '../../../lib/clock.ts'
import { lockAccount } from '../../accounts/service.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { sumLines } from '../../orders/rules.ts'
import {
  canBePaid,
  expireUnpaidOrder,
  fulfilmentWrites,
  isAccepted,
  type LockedOrder,
  lockOrder,
  planFulfilment,
  releaseParcels,
} from '../../orders/settlement.ts'
import { postEntry, postWrites } from '../../wallet/ledger/service.ts'
import { hasOtherPending, lockPayment, type PaymentRow, settlePaymentWrite } from '../queries.ts'
import { lastLookHours, orderPostings } from '../rules.ts'
import { storeMessage } from './messages.ts'

/** Locks the order, then the payment, the lock order of every payment. */
async function lockBoth(
  trx: Tx,
  payment: PaymentRow,
): Promise<{ locked: LockedOrder | undefined; currentPayment: PaymentRow | undefined }> {
  const locked = payment.order_id ? await lockOrder(trx, payment.account_id, payment.order_id) : undefined
  return { locked, currentPayment: await lockPayment(trx, payment.id) }
}

/**
 * Books money that the gateway received, once: for the order if it can still be paid, else into the wallet, so that
 * late money is never lost; the payer is notified. Finance staff refund the money of a deleted account. An earlier
 * failed or expired status is overwritten.
 */
export async function settlePaid(deps: Deps, payment: PaymentRow, gatewayTransaction: string | null): Promise<void> {
  await tx(deps.db, async (trx) => {
    const { locked, currentPayment } = await lockBoth(trx, payment)
    if (!currentPayment || currentPayment.status === 'succeeded') return
    const pays = locked !== undefined && canBePaid(deps, locked)
    const actorId = currentPayment.created_by
    const { amount_minor: amountMinor, account_id: accountId, id: paymentId } = currentPayment
    const late = currentPayment.purpose === 'order' && !pays
    // Locked, so that a deletion at the same moment sees the money, or this sees the deletion.
    const closedAt = pays ? null : (await lockAccount(trx, accountId))?.closed_at
    const entry = {
      kind: late ? ('late_payment' as const) : currentPayment.purpose,
      accountId,
      orderId: currentPayment.order_id,
      paymentId,
      reference: locked?.order.number ?? currentPayment.reference,
      actorId,
      log: pays ? 'orders.paid' : 'wallet.topped_up',
      currency: currentPayment.currency,
      postings: pays
        ? orderPostings({ book: 'gateway_clearing' }, amountMinor, sumLines(locked.order.lines, 'tax'))
        : [
            { book: 'gateway_clearing' as const, amountMinor: -amountMinor },
            { book: 'customer_wallet' as const, accountId, amountMinor },
          ],
    }
    const settlement = {
      status: 'succeeded' as const,
      failureCode: late ? (locked && isAccepted(locked.order) ? 'paid_already' : 'late') : null,
      gatewayTransaction,
      at: deps.clock.now(),
    }
    const money = await postWrites(deps, trx, entry)
    const bonus = currentPayment.purpose === 'topup' && currentPayment.bonus_minor > 0
    if (bonus) {
      // The bonus is a separate entry, because it is an expense of ours.
      await runWrites(trx, money)
      await postEntry(deps, trx, {
        ...entry,
        kind: 'bonus',
        log: null,
        postings: [
          { book: 'promotion', amountMinor: -currentPayment.bonus_minor },
          { book: 'customer_wallet', accountId, amountMinor: currentPayment.bonus_minor },
        ],
      })
    }
    await runWrites(trx, [
      ...(pays
        ? fulfilmentWrites([
            await planFulfilment(deps, trx, locked, { actorId, method: currentPayment.method, paymentId }),
          ])
        : []),
      ...(bonus ? [] : money),
      settlePaymentWrite(currentPayment, settlement),
    ])
    if (late) await notifyPayer(deps, trx, currentPayment, locked, settlement.failureCode)
    if (closedAt) await reportClosedAccount(deps, trx, currentPayment, gatewayTransaction)
  })
}

/** Notifies the payer of money that is in the wallet instead of in its order. */
async function notifyPayer(
  deps: Deps,
  trx: Tx,
  payment: PaymentRow,
  locked: LockedOrder | undefined,
  reason: string | null,
): Promise<void> {
  await notify(deps, trx, {
    kind: reason === 'late' ? 'payment_late' : 'payment_twice',
    to: { users: payment.created_by ? [payment.created_by] : [] },
    subjectId: payment.order_id ?? undefined,
    facts: {
      amount: fact.money(payment.amount_minor, payment.currency),
      order: locked?.order.number ?? payment.reference,
    },
  })
}

/** Reports a payment to a deleted account to finance staff, who have to refund it. */
async function reportClosedAccount(
  deps: Deps,
  trx: Tx,
  payment: PaymentRow,
  gatewayTransaction: string | null,
): Promise<void> {
  await storeMessage(deps, trx, {
    source: 'enquiry',
    paymentId: payment.id,
    payload: gatewayTransaction ? { TransId: gatewayTransaction } : {},
    accepted: true,
    reason: 'paid',
    trouble: 'account_closed',
  })
}

/** Schedules another re-query after a pause. One that is already scheduled is moved to that time. */
export async function scheduleCheck(deps: Deps, db: DbOrTx, paymentId: string, pauseMs: number): Promise<void> {
  const runAt = later(deps.clock.now(), pauseMs)
  await addJob(db, 'payments:check', { paymentId }, { runAt, key: `payments:check ${paymentId}` })
}

/**
 * Ends a pending payment without money. Its parcels return to the cart unless another payment of the order is pending;
 * an expired order ends too. The gateway is queried once more a day later, because the customer may still pay on its
 * page. `failureCode`: a key under `gateway.` in the locale files.
 */
export async function settleUnpaid(
  deps: Deps,
  payment: PaymentRow,
  status: 'failed' | 'expired',
  failureCode: string,
): Promise<void> {
  await tx(deps.db, async (trx) => {
    const { locked, currentPayment } = await lockBoth(trx, payment)
    if (currentPayment?.status !== 'pending') return
    const at = deps.clock.now()
    await runWrites(trx, [settlePaymentWrite(currentPayment, { status, failureCode, gatewayTransaction: null, at })])
    await scheduleCheck(deps, trx, currentPayment.id, hours(lastLookHours))
    if (!locked || (await hasOtherPending(trx, locked.order.id, currentPayment.id))) return
    const event = status === 'failed' ? 'payment_failed' : 'payment_expired'
    const parcels = await releaseParcels(deps, trx, locked, event)
    const over = locked.order.expires_at !== null && locked.order.expires_at <= at
    if (over && locked.order.status === 'pending_payment') await expireUnpaidOrder(deps, trx, { ...locked, parcels })
  })
}
