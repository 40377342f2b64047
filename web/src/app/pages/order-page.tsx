import { LazyMessages } from '../../features/chat/lazy-messages.tsx'
import { OrderPage } from '../../features/orders/order-page.tsx'

/** An order, and below its parcels the messages about it. */
export function OrderScreenPage() {
  return <OrderPage more={LazyMessages} />
}
