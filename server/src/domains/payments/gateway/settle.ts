/** Settles gateway payments. */
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/steps.ts'
import type { Deps } from '../../../deps.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { hours, later } from '../../../lib/clock.ts'
import { sumLines } from '../../orders/rules.ts'
import {
  canBePaid,
  expireUnpaidOrder,
  fulfilSteps,
  type LockedOrder,
  lockOrder,
  releaseParcels,
} from '../../orders/settlement.ts'
import { post, postStep } from '../../wallet/ledger/service.ts'
import { hasOtherPending, lockPayment, type PaymentRow, settlePaymentWrite } from '../queries.ts'
import { lastLookHours, orderPostings } from '../rules.ts'

/** Locks the order, then the payment, the lock order of every payment. */
async function lockBoth(
  trx: Tx,
  payment: PaymentRow,
): Promise<{ locked: LockedOrder | undefined; present: PaymentRow | undefined }> {
  const locked = payment.order_id ? await lockOrder(trx, payment.account_id, payment.order_id) : undefined
  return { locked, present: await lockPayment(trx, payment.id) }
}

/**
 * Books money that the gateway received, once: for the order if it can still be paid, else into the wallet, so that
 * late money is never lost. An earlier failed or expired status is overwritten.
 */
export async function settlePaid(deps: Deps, payment: PaymentRow, gatewayTransaction: string | null): Promise<void> {
  await tx(deps.db, async (trx) => {
    const { locked, present } = await lockBoth(trx, payment)
    if (!present || present.status === 'succeeded') return
    const pays = locked !== undefined && canBePaid(deps, locked)
    const actorId = present.created_by
    const { amount_minor: amountMinor, account_id: accountId, id: paymentId } = present
    const entry = {
      kind: pays ? ('order' as const) : ('topup' as const),
      accountId,
      orderId: present.order_id,
      paymentId,
      reference: locked?.order.number ?? present.reference,
      actorId,
      log: pays ? 'orders.paid' : 'wallet.topped_up',
      currency: present.currency,
      postings: pays
        ? orderPostings({ book: 'gateway_clearing' }, amountMinor, sumLines(locked.order.lines, 'tax'))
        : [
            { book: 'gateway_clearing' as const, amountMinor: -amountMinor },
            { book: 'customer_wallet' as const, accountId, amountMinor },
          ],
    }
    const settlement = {
      status: 'succeeded' as const,
      failureCode: present.purpose === 'order' && !pays ? 'late' : null,
      gatewayTransaction,
      at: deps.clock.now(),
    }
    const money = await postStep(deps, trx, entry)
    const bonus = present.purpose === 'topup' && present.bonus_minor > 0
    if (bonus) {
      // The bonus is a separate entry, because it is an expense of ours.
      await runWrites(trx, [money])
      await post(deps, trx, {
        ...entry,
        kind: 'bonus',
        log: null,
        postings: [
          { book: 'promotion', amountMinor: -present.bonus_minor },
          { book: 'customer_wallet', accountId, amountMinor: present.bonus_minor },
        ],
      })
    }
    await runWrites(trx, [
      ...(pays ? await fulfilSteps(deps, trx, locked, { actorId, method: present.method, paymentId }) : []),
      ...(bonus ? [] : [money]),
      settlePaymentWrite(present, settlement),
    ])
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
    const { locked, present } = await lockBoth(trx, payment)
    if (present?.status !== 'pending') return
    const at = deps.clock.now()
    await runWrites(trx, [settlePaymentWrite(present, { status, failureCode, gatewayTransaction: null, at })])
    await scheduleCheck(deps, trx, present.id, hours(lastLookHours))
    if (!locked || (await hasOtherPending(trx, locked.order.id, present.id))) return
    const event = status === 'failed' ? 'payment_failed' : 'payment_expired'
    const parcels = await releaseParcels(deps, trx, locked, event)
    const over = locked.order.expires_at !== null && locked.order.expires_at <= at
    if (over && locked.order.status === 'pending_payment') await expireUnpaidOrder(deps, trx, { ...locked, parcels })
  })
}
