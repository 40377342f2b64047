/** Payments of cancelled orders. */
import { addJob } from '../../jobs/jobs.ts'
import type { OutboxHandler } from '../../outbox/handler.ts'
import { expireGatewayPayments } from './queries-refunds.ts'

/**
 * A cancelled order may still have a bank's page open, so its payments expire now. The job that ends them queries the
 * gateway first, and again a day later: money that still arrives goes to the wallet (docs/decisions/0007).
 */
export const expirePaymentsOfOrders: OutboxHandler<'order.cancelled'> = async (deps, trx, cancelled) => {
  const orderIds = cancelled.map(({ orderId }) => orderId)
  for (const paymentId of await expireGatewayPayments(trx, orderIds, deps.clock.now())) {
    await addJob(trx, 'payments:expire', { paymentId }, { key: `payments:expire ${paymentId}` })
  }
}
