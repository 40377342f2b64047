/** The subscribers of the outbox. */
import type { Deps } from '../deps.ts'
import { revokeKeysOfFormerOwners } from '../domains/integrations/api-keys/service.ts'
import { queueCancelledOrders, queuePaidOrders, queueParcelEvents } from '../domains/integrations/webhooks/events.ts'
import { followLeftMembers } from '../domains/orders/approvals/left-members.ts'
import { completeOrders } from '../domains/orders/service.ts'
import { endBrokenCheckouts } from '../domains/orders/unfinished/broken-checkouts.ts'
import { notifyOrdersEnded } from '../domains/orders/unfinished/notify-ended.ts'
import { markAfterEnd, markAfterRemoval } from '../domains/parcels/bulk/ended-parcels.ts'
import { followCarriers } from '../domains/parcels/carrier-handover/bookings.ts'
import { askAfterFailure } from '../domains/parcels/failed-delivery/jobs.ts'
import { leaveOpenGunnies } from '../domains/parcels/gunny/left-parcels.ts'
import { notifyFound, queueFound } from '../domains/parcels/lost/jobs.ts'
import { notifyCollectable } from '../domains/parcels/self-collection/holding.ts'
import { notifyDelivered } from '../domains/parcels/timeline/notify-delivered.ts'
import { bookCollected } from '../domains/payments/cod/service.ts'
import { expirePaymentsOfOrders } from '../domains/payments/refunds.ts'
import { notifyBalances, notifyPaymentsSettled } from '../domains/payments/service.ts'
import { notifyFoundAfterPayment } from '../domains/tickets/notices.ts'
import { queueFollowerMails } from '../domains/tracking/following/jobs.ts'
import { notifyFollowers } from '../domains/tracking/live.ts'
import { warnLowBalances } from '../domains/wallet/preferences.ts'
import type { OutboxHandler } from './handler.ts'
import type { OutboxEvents, OutboxTopic, Subscription } from './outbox.ts'

/** Every subscriber of the outbox, by topic. */
export function outboxSubscriptions(deps: Deps): Subscription[] {
  const on = <T extends OutboxTopic>(topic: T, ...handlers: OutboxHandler<T>[]): Subscription => ({
    topic,
    async handle(trx, payloads) {
      // Only `emit` writes payloads, and it types them by their topic.
      for (const handler of handlers) await handler(deps, trx, payloads as OutboxEvents[T][])
    },
  })
  return [
    on(
      'parcel.moved',
      // First, because gunnies are locked before parcels.
      leaveOpenGunnies,
      askAfterFailure,
      notifyCollectable,
      notifyFollowers,
      queueFollowerMails,
      followCarriers,
      completeOrders,
      queueParcelEvents,
      notifyDelivered,
      queueFound,
      markAfterEnd,
    ),
    on('parcel.found', notifyFound, notifyFoundAfterPayment),
    on('parcel.deleted', markAfterRemoval),
    on('checkout.parcel_left', endBrokenCheckouts),
    on('company.member_limited', followLeftMembers),
    on('company.owner_changed', revokeKeysOfFormerOwners),
    on('order.cancelled', expirePaymentsOfOrders, queueCancelledOrders, notifyOrdersEnded),
    on('cod.collected', bookCollected),
    on('payment.settled', notifyPaymentsSettled, queuePaidOrders),
    on('wallet.moved', notifyBalances, warnLowBalances),
  ]
}
