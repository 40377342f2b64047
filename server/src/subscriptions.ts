import { endBrokenCheckouts } from './domains/orders/broken-checkouts.ts'
import { completeOrders } from './domains/orders/service.ts'
import { followCarriers } from './domains/parcels/bookings.ts'
import { askAfterFailure, tellCollectable } from './domains/parcels/service.ts'
import { bookCollected, hurryPayments, tellBalances, tellPayments } from './domains/payments/service.ts'
import { tellFollowers } from './domains/tracking/live.ts'
import { warnLowBalances } from './domains/wallet/service.ts'
import type { Subscriptions } from './outbox.ts'

/** Who listens to what lower domains tell through the outbox. */
export const subscriptions: Subscriptions = {
  'parcel.moved': [askAfterFailure, tellCollectable, tellFollowers, followCarriers, completeOrders],
  'checkout.parcel_left': [endBrokenCheckouts],
  'order.cancelled': [hurryPayments],
  'cod.collected': [bookCollected],
  'payment.settled': [tellPayments],
  'wallet.moved': [tellBalances, warnLowBalances],
}
