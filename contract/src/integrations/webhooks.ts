/** Webhooks of an account: the customer's URLs that receive events, with a log of the deliveries. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, ok, text, urlLimit, version } from '../ground/fields.ts'
import { keysetPage, keysetQuery, sheetFormat, sheetMedia } from '../ground/paging.ts'

/** Each event has exactly one of these kinds. */
export const webhookEventLabels = {
  'parcel.moved': ['Parcel moved on', '包裹状态更新'],
  'parcel.delivered': ['Parcel delivered', '包裹已送达'],
  'parcel.delivery_failed': ['Delivery failed', '派送失败'],
  'parcel.returned': ['Parcel returned to the sender', '包裹已退回寄件人'],
  'parcel.cancelled': ['Parcel cancelled', '包裹已取消'],
  'order.paid': ['Order paid', '订单已付款'],
  'order.cancelled': ['Order cancelled', '订单已取消'],
} as const
export type WebhookEvent = keyof typeof webhookEventLabels

/** The kind of test deliveries. No webhook subscribes to it. */
export const testEvent = 'test'

export const webhookStatusLabels = {
  active: ['Active', '启用'],
  paused: ['Paused', '已暂停'],
  disabled: ['Switched off', '已停用'],
} as const
export type WebhookStatus = keyof typeof webhookStatusLabels

export const webhook = z.object({
  id,
  url: z.string(),
  events: z.array(z.enum(labelValues(webhookEventLabels))),
  /** `disabled`: switched off automatically, because its deliveries failed for days. */
  status: z.enum(labelValues(webhookStatusLabels)),
  /** Since when every delivery has failed; null: the last one succeeded. */
  failingSince: z.nullable(instant),
  /** The number of waiting deliveries. */
  waiting: z.number(),
  /** Until then deliveries are also signed with the previous secret. */
  previousSecretUntil: z.nullable(instant),
  createdBy: z.nullable(z.string()),
  createdAt: instant,
  version,
})
export type Webhook = z.output<typeof webhook>

export const webhookDelivery = z.object({
  id,
  /**
   * Increases by one with each event of this webhook: a gap or an older number shows that events came out of order.
   */
  sequence: z.number(),
  event: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  createdAt: instant,
  attemptedAt: z.nullable(instant),
  dueAt: z.nullable(instant),
  responseStatus: z.nullable(z.number()),
  responseExcerpt: z.nullable(z.string()),
  /** Why there was no response: `timeout`, `unreachable`, `tls`, `address`, `disabled`. */
  problem: z.nullable(z.string()),
  durationMs: z.nullable(z.number()),
  body: z.string(),
})
export type WebhookDelivery = z.output<typeof webhookDelivery>

/** The maximum number of webhooks per account. */
export const maxWebhooks = 20

const fields = {
  url: z.url({ protocol: /^https?$/ }).check(z.maxLength(urlLimit)),
  events: z.array(z.enum(labelValues(webhookEventLabels))).check(z.minLength(1), z.maxLength(20)),
}

export const newWebhook = z.object(fields)
export const changedWebhook = z.object({ ...fields, active: z.boolean(), version })

export const listWebhooks = endpoint({
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/customer/webhooks',
  access: 'account.owner',
  summary: 'The webhooks of the account, newest first',
  response: z.object({ items: z.array(webhook) }),
})

export const createWebhook = endpoint({
  id: 'webhooks.create',
  method: 'POST',
  path: '/api/customer/webhooks',
  access: 'account.owner',
  summary: 'A new webhook. The answer contains the secret that signs deliveries, which is never shown again',
  body: newWebhook,
  response: z.object({ webhook, secret: z.string() }),
  idempotent: true,
  showsSecret: true,
})

export const updateWebhook = endpoint({
  id: 'webhooks.update',
  method: 'PUT',
  path: '/api/customer/webhooks/:id',
  access: 'account.owner',
  summary: 'Changes URL and events of a webhook, pauses or resumes it. A stale version answers 409',
  params: idParams,
  body: changedWebhook,
  response: webhook,
})

export const removeWebhook = endpoint({
  id: 'webhooks.remove',
  method: 'DELETE',
  path: '/api/customer/webhooks/:id',
  access: 'account.owner',
  summary: 'Removes a webhook with its log',
  params: idParams,
  response: ok,
})

export const rotateWebhookSecret = endpoint({
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/api/customer/webhooks/:id/secret',
  access: 'account.owner',
  summary: 'A new secret, shown once. For a day deliveries are signed with the previous one as well',
  params: idParams,
  response: z.object({ webhook, secret: z.string() }),
  idempotent: true,
  showsSecret: true,
})

export const testWebhook = endpoint({
  id: 'webhooks.test',
  method: 'POST',
  path: '/api/customer/webhooks/:id/test',
  access: 'account.owner',
  summary: 'Sends a test event; the log shows the result',
  params: idParams,
  response: webhookDelivery,
  perMinute: 20,
})

const deliveryFilters = { status: z.optional(z.enum(['pending', 'delivered', 'failed'])) }

export const exportWebhookDeliveries = endpoint({
  id: 'webhooks.deliveriesXls',
  method: 'GET',
  path: '/api/customer/webhooks/:id/deliveries/xls',
  access: 'account.owner',
  summary: 'The deliveries that the same filter lists, all of them, as .xlsx or .csv',
  params: idParams,
  query: z.object({ ...deliveryFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listWebhookDeliveries = endpoint({
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/api/customer/webhooks/:id/deliveries',
  access: 'account.owner',
  summary: 'The log of deliveries of the last 30 days, newest first',
  params: idParams,
  query: z.extend(keysetQuery(), deliveryFilters),
  response: keysetPage(webhookDelivery),
})

export const resendWebhookDelivery = endpoint({
  id: 'webhooks.resend',
  method: 'POST',
  path: '/api/customer/webhooks/:id/deliveries/:deliveryId/resend',
  access: 'account.owner',
  summary: 'Sends a delivery again, with the same id and body, so that the receiver can recognise it',
  params: z.extend(idParams, { deliveryId: id }),
  response: webhookDelivery,
  perMinute: 60,
})

/** The body of a delivery. */
export const webhookBody = z.object({
  id,
  event: text(40),
  sequence: z.number(),
  createdAt: instant,
  /** Ids and statuses; the API has the rest. */
  data: z.record(z.string(), z.unknown()),
})
