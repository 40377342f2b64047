// Payments at the gateway, from their form to the messages of the gateway and the reads of the customer.
import type { OrderDetail } from '@waybill/contract/orders/orders'
import { type GatewayForm, getPayment } from '@waybill/contract/payments/payments'
import { sql } from 'kysely'
import type { TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { payAtGateway, placeOrder } from '../../testing/factories/orders.ts'

type StartedPayment = { customer: TestCustomer; order: OrderDetail; form: GatewayForm }

/** A new customer's order whose payment form is open. */
export async function startPayment(test: TestApp, count = 1): Promise<StartedPayment> {
  const customer = await createCustomer(test)
  const order = await placeOrder(test, customer, { count })
  return { customer, order, form: await payAtGateway(test, customer, order) }
}

/** The payment as its customer sees it. The call queries the gateway again. */
export async function readPayment(test: TestApp, { token }: TestCustomer, { paymentId }: GatewayForm) {
  return (await test.call(getPayment, { token, params: { id: paymentId } })).body
}

/** Advances the clock past the half hour of a payment. */
export async function endPaymentTime(test: TestApp, { paymentId }: GatewayForm): Promise<void> {
  const before = new Date(test.clock.now().getTime() - 1)
  await sql`update payments set expires_at = ${before} where id = ${paymentId}::uuid`.execute(test.deps.db)
  await sql`update orders set expires_at = ${before} where payment_id = ${paymentId}::uuid
    and status = 'pending_payment'`.execute(test.deps.db)
}
