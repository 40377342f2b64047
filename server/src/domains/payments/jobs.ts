/** Jobs of gateway payments. */
import type { Deps } from '../../deps.ts'
import { addJob, type Jobs } from '../../jobs/jobs.ts'
import { hours } from '../../lib/clock.ts'
import { checkGateway } from './gateway/answers.ts'
import { scheduleCheck, settleUnpaid } from './gateway/settle.ts'
import { findPayment } from './queries.ts'
import { enquiryTimeoutMs, lastLookHours } from './rules.ts'

/**
 * Ends a gateway payment when its time is over. The gateway is queried first; if it does not respond, the job is
 * retried. A payment that was reported as paid but is not confirmed stays open and is queried daily.
 */
export async function expirePayment(deps: Deps, { paymentId }: Jobs['payments:expire']): Promise<void> {
  const payment = await findPayment(deps.db, paymentId)
  if (payment?.status !== 'pending') return
  const now = deps.clock.now()
  if (payment.expires_at && payment.expires_at > now) {
    await addJob(deps.db, 'payments:expire', { paymentId }, { runAt: payment.expires_at })
    return
  }
  const gatewayCheck = await checkGateway(deps, payment, enquiryTimeoutMs)
  if (gatewayCheck === 'settled') return
  if (gatewayCheck === 'unavailable') throw new Error('the gateway can not be asked about a payment whose time is over')
  if (gatewayCheck === 'open') await settleUnpaid(deps, payment, 'expired', 'expired')
  if (gatewayCheck === 'unconfirmed') await scheduleCheck(deps, deps.db, paymentId, hours(lastLookHours))
}

/**
 * Queries the gateway about an unsettled or ended payment. Throws if it does not respond, so that the job is retried.
 * A payment that stayed open past its time ends once the gateway allows it.
 */
export async function checkPayment(deps: Deps, { paymentId }: Jobs['payments:check']): Promise<void> {
  const payment = await findPayment(deps.db, paymentId)
  if (!payment || payment.status === 'succeeded') return
  const gatewayCheck = await checkGateway(deps, payment, enquiryTimeoutMs)
  if (gatewayCheck === 'unavailable') throw new Error('the gateway can not be asked about a payment')
  if (gatewayCheck === 'unconfirmed') await scheduleCheck(deps, deps.db, paymentId, hours(lastLookHours))
  const over = payment.expires_at !== null && payment.expires_at <= deps.clock.now()
  if (gatewayCheck === 'open' && over) await settleUnpaid(deps, payment, 'expired', 'expired')
}
