/** The job that delivers the events of one webhook. */
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId } from '../../../http/caller.ts'
import { days, later } from '../../../lib/clock.ts'
import { type PostResult, post } from '../../../lib/outbound/post.ts'
import { resolveByDns } from '../../../lib/outbound/public-address.ts'
import { findAccountById } from '../../accounts/service.ts'
import { notify } from '../../notifications/notify.ts'
import { findWebhook, forgetFailures, markFailing, updateWebhookRow, type WebhookRow } from './queries.ts'
import {
  type DeliveryRow,
  deleteOldDeliveries,
  failWaiting,
  nextDue,
  nextDueAt,
  recordAttempt,
} from './queries-deliveries.ts'
import {
  blockedPauseMs,
  deliveryPauseMs,
  failingDays,
  isSuccess,
  logDays,
  maxAttempts,
  receiverPauseMs,
  runLimit,
} from './rules.ts'
import { scheduleDelivery } from './schedule.ts'
import { signatureHeader, signDelivery, signingSecrets } from './signing.ts'

/**
 * The jobs `webhooks:deliver` and `webhooks:retry`: deliver what is due, in the order of the events. A run ends with
 * the first failure, so that a receiver that is down costs one time-out per pause. A process that dies between the
 * response and its record delivers again, with the same id.
 */
export async function deliverWebhooks(deps: Deps, { webhookId }: { webhookId: string }): Promise<void> {
  const start = performance.now()
  for (let count = 0; ; count += 1) {
    const webhook = await findWebhook(deps.db, webhookId)
    if (webhook?.status !== 'active') return
    const now = deps.clock.now()
    if (webhook.retry_at !== null && webhook.retry_at > now) return scheduleDelivery(deps.db, webhook, now)
    const delivery = await nextDue(deps.db, webhookId, now)
    if (!delivery) {
      const dueAt = await nextDueAt(deps.db, webhookId)
      if (dueAt) await scheduleDelivery(deps.db, webhook, dueAt)
      return
    }
    const exhausted = count >= runLimit.deliveries || performance.now() - start > runLimit.ms
    if (exhausted) return scheduleDelivery(deps.db, webhook, now)
    if (count === 0 && (await isBlocked(deps, webhook)))
      return scheduleDelivery(deps.db, webhook, later(now, blockedPauseMs))
    if (!(await deliver(deps, webhook, delivery))) return
  }
}

/** Users of a blocked account cannot switch its webhooks off, so deliveries wait until the account is open again. */
async function isBlocked(deps: Deps, webhook: WebhookRow): Promise<boolean> {
  // Safe: the id comes from the webhook's own row.
  const account = await findAccountById(deps.db, asAccountId(webhook.account_id))
  return account?.status !== 'active' && account?.status !== 'inactive'
}

/** Makes one attempt. True if the receiver accepted it. */
async function deliver(deps: Deps, webhook: WebhookRow, delivery: DeliveryRow): Promise<boolean> {
  const { anyAddress } = deps.config.webhooks
  const sentAt = deps.clock.now()
  const result = await post(
    {
      url: new URL(webhook.url),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Waybill-Webhooks/1',
        [signatureHeader]: signDelivery(signingSecrets(deps, webhook, sentAt), sentAt, delivery.body),
      },
      body: delivery.body,
    },
    { resolve: anyAddress ? null : resolveByDns, plainHttp: anyAddress },
  )
  const at = deps.clock.now()
  if (isSuccess(result.status)) {
    await recordAttempt(deps.db, delivery.id, result, { state: 'delivered', dueAt: null, at })
    await forgetFailures(deps.db, webhook.id)
    return true
  }
  await tx(deps.db, (trx) => recordFailure(deps, trx, { webhook, delivery, result, at }))
  return false
}

async function recordFailure(
  deps: Deps,
  trx: DbOrTx,
  { webhook, delivery, result, at }: { webhook: WebhookRow; delivery: DeliveryRow; result: PostResult; at: Date },
): Promise<void> {
  const attempts = delivery.attempts + 1
  const last = attempts >= maxAttempts
  const dueAt = last ? null : later(at, deliveryPauseMs(attempts))
  const retryAt = later(at, receiverPauseMs(webhook.failures + 1))
  const failing = await markFailing(trx, webhook.id, { at, retryAt })
  await recordAttempt(trx, delivery.id, result, { state: last ? 'failed' : 'pending', dueAt, at })
  if (!failing) return
  const since = failing.failing_since
  if (since !== null && later(since, days(failingDays)) <= at) await disable(deps, trx, failing, at)
  else if (last && (await nextDueAt(trx, webhook.id)) === null) await forgetFailures(trx, webhook.id)
  else await scheduleDelivery(trx, failing, retryAt)
}

/** Switches off a webhook that has failed for days, and mails the owner. */
async function disable(deps: Deps, trx: DbOrTx, webhook: WebhookRow, at: Date): Promise<void> {
  await updateWebhookRow(trx, webhook.id, { status: 'disabled', updated_at: at, version: webhook.version + 1 })
  await failWaiting(trx, webhook.id)
  await recordActivity(trx, {
    action: 'webhooks.disabled',
    level: 'WARNING',
    accountId: webhook.account_id,
    subject: webhook.id,
    detail: { url: webhook.url },
    at,
  })
  await notify(deps, trx, {
    kind: 'webhook_disabled',
    to: { owner: webhook.account_id },
    // Without the scheme, so that mail programs do not turn it into a link.
    facts: { address: new URL(webhook.url).host, days: failingDays },
  })
}

/** Deletes old deliveries; part of the housekeeping. */
export async function sweepDeliveries(deps: Deps): Promise<void> {
  const before = later(deps.clock.now(), -days(logDays))
  await deleteOldDeliveries(deps.db, before)
}
