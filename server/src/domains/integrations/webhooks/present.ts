/** Formats webhooks and deliveries for the API. */
import type { Webhook, WebhookDelivery, WebhookEvent, WebhookStatus } from '@waybill/contract/integrations/webhooks'
import type { WebhookRow } from './queries.ts'
import type { DeliveryRow } from './queries-deliveries.ts'

/** A webhook without its secrets. */
export function presentWebhook(
  row: WebhookRow,
  { waiting, createdBy, now }: { waiting: number; createdBy: string | null; now: Date },
): Webhook {
  const rotating = row.previous_until !== null && row.previous_until > now
  return {
    id: row.id,
    url: row.url,
    events: row.events as WebhookEvent[],
    status: row.status as WebhookStatus,
    failingSince: row.failing_since?.toISOString() ?? null,
    waiting,
    previousSecretUntil: rotating ? (row.previous_until?.toISOString() ?? null) : null,
    createdBy,
    createdAt: row.created_at.toISOString(),
    version: row.version,
  }
}

/** A line of the log. A due delivery waits for the end of the receiver's pause (`retry_at` of its webhook). */
export function presentDelivery(row: DeliveryRow, { retry_at }: Pick<WebhookRow, 'retry_at'>): WebhookDelivery {
  const dueAt = row.due_at && retry_at && retry_at > row.due_at ? retry_at : row.due_at
  return {
    id: row.id,
    sequence: row.sequence,
    event: row.event,
    status: row.status as WebhookDelivery['status'],
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    attemptedAt: row.attempted_at?.toISOString() ?? null,
    dueAt: dueAt?.toISOString() ?? null,
    responseStatus: row.response_status,
    responseExcerpt: row.response_excerpt,
    problem: row.problem,
    durationMs: row.duration_ms,
    body: row.body,
  }
}
