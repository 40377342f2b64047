import { PendingCheckouts } from '../../features/orders/checkout/pending-checkouts.tsx'
import { CartPage } from '../../features/parcels/cart/cart-page.tsx'

/** The cart, and above it what was taken out of it by a checkout that nobody has paid yet. */
export function CartScreenPage() {
  return <CartPage notice={<PendingCheckouts />} />
}
