/** Turns events of the outbox into deliveries. */
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { draftStatuses } from '@waybill/contract/ground/status/parcel-status'
import type { testEvent, WebhookEvent } from '@waybill/contract/integrations/webhooks'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { newId } from '../../../lib/ids.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import type { OutboxEvents } from '../../../outbox/outbox.ts'
import { lockActiveWebhooks, updateWebhookRow, type WebhookRow } from './queries.ts'
import { insertDeliveries } from './queries-deliveries.ts'
import { scheduleDelivery } from './schedule.ts'

type NewEvent = { accountId: string; event: WebhookEvent; data: Record<string, unknown> }

/** Statuses before the checkout: the cart is not part of a parcel's journey. */
const beforeCheckout: readonly ParcelStatus[] = [...draftStatuses, 'pending_payment']

/** Events of the transition table that have a webhook event of their own. All others are `parcel.moved`. */
const kinds: Record<string, WebhookEvent> = {
  delivered: 'parcel.delivered',
  handed_over: 'parcel.delivered',
  attempt_failed: 'parcel.delivery_failed',
  return_received: 'parcel.returned',
  cancelled: 'parcel.cancelled',
}

function parcelEvent(move: OutboxEvents['parcel.moved']): NewEvent[] {
  const { accountId, parcelId, trackingNumber, status, trackingStatus, leg } = move
  if (beforeCheckout.includes(status) || trackingNumber === null || move.fromStatus === status) return []
  // The return is delivered when a rider brings it to its sender.
  const change = move.event === 'delivered' && leg === 'return' ? 'return_received' : move.event
  const event = Object.hasOwn(kinds, change) ? (kinds[change] as WebhookEvent) : 'parcel.moved'
  return [{ accountId, event, data: { parcelId, trackingNumber, status, trackingStatus, change } }]
}

/** Queues deliveries for parcels that moved. */
export const queueParcelEvents: OutboxHandler<'parcel.moved'> = (deps, trx, moves) =>
  queueEvents(deps, trx, moves.flatMap(parcelEvent))

/** Queues deliveries for orders that were paid. */
export const queuePaidOrders: OutboxHandler<'payment.settled'> = (deps, trx, payments) =>
  queueEvents(
    deps,
    trx,
    payments.flatMap(({ accountId, paymentId, purpose, orderId, orderIds, status }) => {
      const paidIds = purpose === 'order' && status === 'succeeded' ? (orderIds ?? [orderId]) : []
      return paidIds.flatMap((id) =>
        id === null ? [] : { accountId, event: 'order.paid' as const, data: { orderId: id, paymentId } },
      )
    }),
  )

/** Queues deliveries for unpaid orders that were cancelled. */
export const queueCancelledOrders: OutboxHandler<'order.cancelled'> = (deps, trx, orders) =>
  queueEvents(
    deps,
    trx,
    orders.map(({ accountId, orderId }) => ({ accountId, event: 'order.cancelled' as const, data: { orderId } })),
  )

/**
 * Writes a delivery for every active webhook that subscribes to the event. Most accounts have none: that is one query.
 */
async function queueEvents(deps: Deps, trx: DbOrTx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const webhooks = await lockActiveWebhooks(trx, [...new Set(events.map(({ accountId }) => accountId))])
  for (const webhook of webhooks) {
    const due = events.filter(
      ({ accountId, event }) => accountId === webhook.account_id && webhook.events.includes(event),
    )
    await addDeliveries(deps, trx, webhook, due)
  }
}

/**
 * Writes consecutively numbered deliveries for a locked webhook, and queues the job that sends them. Returns their
 * ids.
 */
export async function addDeliveries(
  deps: Deps,
  trx: DbOrTx,
  webhook: WebhookRow,
  events: readonly { event: WebhookEvent | typeof testEvent; data: Record<string, unknown> }[],
): Promise<string[]> {
  if (events.length === 0) return []
  const at = deps.clock.now()
  const deliveries = events.map(({ event, data }, index) => {
    const id = newId()
    const sequence = webhook.last_sequence + index + 1
    const body = JSON.stringify({ id, event, sequence, createdAt: at.toISOString(), data })
    return { id, webhook_id: webhook.id, sequence, event, body, due_at: at, created_at: at }
  })
  await updateWebhookRow(trx, webhook.id, { last_sequence: webhook.last_sequence + events.length })
  await insertDeliveries(trx, deliveries)
  await scheduleDelivery(trx, webhook, at)
  return deliveries.map(({ id }) => id)
}
