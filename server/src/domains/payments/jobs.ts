import type { Deps } from '../../deps.ts'
import { addJob, type Jobs } from '../../jobs/jobs.ts'
import { hours } from '../../lib/clock.ts'
import { checkGateway, scheduleCheck } from './gateway/answers.ts'
import { settleUnpaid } from './gateway/settle.ts'
import { findPayment } from './queries.ts'
import { enquiryTimeoutMs, lastLookHours } from './rules.ts'

/**
 * The end of a gateway payment's time. The gateway is asked before it is given up, and while it can't be asked the job
 * is tried again; a day later it is asked once more, for money that came without a word. A payment that the gateway has
 * called paid and does not confirm is not given up: it is asked about every day.
 */
export async function expirePayment(deps: Deps, { paymentId }: Jobs['payments:expire']): Promise<void> {
  const payment = await findPayment(deps.db, paymentId)
  if (payment?.status !== 'pending') return
  const now = deps.clock.now()
  if (payment.expires_at && payment.expires_at > now) {
    await addJob(deps.db, 'payments:expire', { paymentId }, { runAt: payment.expires_at })
    return
  }
  const asked = await checkGateway(deps, payment, enquiryTimeoutMs)
  if (asked === 'settled') return
  if (asked === 'unavailable') throw new Error('the gateway can not be asked about a payment whose time is over')
  if (asked === 'open') await settleUnpaid(deps, payment, 'expired', 'expired')
  await scheduleCheck(deps, paymentId, hours(lastLookHours))
}

/**
 * Asks the gateway about a payment that is not settled, or was given up: throws while it can't be asked, so that it is
 * tried again. One that was kept open past its time ends as soon as the gateway no longer leaves it open.
 */
export async function checkPayment(deps: Deps, { paymentId }: Jobs['payments:check']): Promise<void> {
  const payment = await findPayment(deps.db, paymentId)
  if (!payment || payment.status === 'succeeded') return
  const asked = await checkGateway(deps, payment, enquiryTimeoutMs)
  if (asked === 'unavailable') throw new Error('the gateway can not be asked about a payment')
  if (asked === 'unconfirmed') await scheduleCheck(deps, paymentId, hours(lastLookHours))
  const over = payment.expires_at !== null && payment.expires_at <= deps.clock.now()
  if (asked === 'open' && over) await settleUnpaid(deps, payment, 'expired', 'expired')
}
