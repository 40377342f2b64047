import { PendingCheckouts } from '../../features/orders/checkout/pending-checkouts.tsx'
import { CartPage } from '../../features/parcels/cart/cart-page.tsx'

/** The cart, and above it the parcels of an unpaid checkout. */
export function CartScreenPage() {
  return <CartPage notice={<PendingCheckouts />} />
}
