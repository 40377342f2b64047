import { addJob } from '../../jobs/jobs.ts'
import type { OutboxHandler } from '../../outbox/handler.ts'
import { expireGatewayPayments } from './queries-refunds.ts'

/**
 * Orders were cancelled while a bank's page may be open: the time of their payments is over. The job that ends them
 * asks the gateway first and once more a day later, so that money which came all the same goes to the wallet
 * (docs/decisions/0007).
 */
export const hurryPayments: OutboxHandler<'order.cancelled'> = async (deps, trx, cancelled) => {
  const orderIds = cancelled.map(({ orderId }) => orderId)
  for (const paymentId of await expireGatewayPayments(trx, orderIds, deps.clock.now())) {
    await addJob(trx, 'payments:expire', { paymentId }, { key: `payments:expire ${paymentId}` })
  }
}
