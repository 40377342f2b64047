import { completeOrders } from '../domains/orders/service.ts'
import { endBrokenCheckouts } from '../domains/orders/unfinished/broken-checkouts.ts'
import { followCarriers } from '../domains/parcels/carrier-handover/bookings.ts'
import { askAfterFailure } from '../domains/parcels/failed-delivery/jobs.ts'
import { tellCollectable } from '../domains/parcels/self-collection/holding.ts'
import { bookCollected } from '../domains/payments/cod/service.ts'
import { hurryPayments } from '../domains/payments/refunds.ts'
import { tellBalances, tellPayments } from '../domains/payments/service.ts'
import { tellFollowers } from '../domains/tracking/live.ts'
import { warnLowBalances } from '../domains/wallet/preferences.ts'
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
