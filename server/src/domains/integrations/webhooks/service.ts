/** Webhooks of an account and their log. */

import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { countLimit } from '@waybill/contract/ground/paging'
import {
  type createWebhook,
  type listWebhookDeliveries,
  type listWebhooks,
  maxWebhooks,
  testEvent,
  type updateWebhook,
  type Webhook,
  type WebhookDelivery,
} from '@waybill/contract/integrations/webhooks'
import { recordActivity } from '../../../activity.ts'
import { readKeysetPage } from '../../../db/keyset.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { hours, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { RefusedAddress, requirePublicHost, resolveByDns } from '../../../lib/outbound/public-address.ts'
import { findUserNames, lockAccount } from '../../accounts/service.ts'
import { addDeliveries } from './events.ts'
import { presentDelivery, presentWebhook } from './present.ts'
import {
  deleteWebhook,
  findAccountWebhook,
  insertWebhook,
  listWebhookRows,
  lockAccountWebhook,
  updateWebhookRow,
  type WebhookRow,
} from './queries.ts'
import {
  countDeliveries,
  countWaitingDeliveries,
  failWaiting,
  findWebhookDelivery,
  listDeliveryRows,
  requeueDelivery,
} from './queries-deliveries.ts'
import { rotationHours } from './rules.ts'
import { scheduleDelivery } from './schedule.ts'
import { newSigningSecret, sealSecret } from './signing.ts'

async function presentAll(deps: Deps, db: DbOrTx, rows: readonly WebhookRow[]): Promise<Webhook[]> {
  const ids = rows.map(({ id }) => id)
  const [waiting, names] = await Promise.all([
    countWaitingDeliveries(db, ids),
    findUserNames(db, [...new Set(rows.map((row) => row.created_by))]),
  ])
  const now = deps.clock.now()
  return rows.map((row) =>
    presentWebhook(row, { waiting: waiting.get(row.id) ?? 0, createdBy: names.get(row.created_by) ?? null, now }),
  )
}

async function readWebhook(deps: Deps, db: DbOrTx, { accountId }: CustomerCaller, id: string): Promise<Webhook> {
  const row = await findAccountWebhook(db, accountId, id)
  const [webhook] = row ? await presentAll(deps, db, [row]) : []
  if (!webhook) throw new AppError('not_found')
  return webhook
}

/** The webhooks of the caller's account. */
export async function listOwnWebhooks(deps: Deps, caller: CustomerCaller): Promise<ResponseOf<typeof listWebhooks>> {
  return { items: await presentAll(deps, deps.db, await listWebhookRows(deps.db, caller.accountId)) }
}

/**
 * Refuses addresses that must not be called. This check only gives the owner early feedback; the one that protects our
 * network runs on every connection.
 */
async function checkUrl({ config }: Deps, text: string): Promise<void> {
  const { anyAddress } = config.webhooks
  const url = new URL(text)
  if (url.protocol !== 'https:' && !anyAddress) throw validationError({ field: 'url', rule: 'https' })
  if (url.username !== '' || url.password !== '') throw validationError({ field: 'url', rule: 'noPassword' })
  if (anyAddress) return
  try {
    await requirePublicHost(url, resolveByDns)
  } catch (error) {
    if (error instanceof RefusedAddress) throw validationError({ field: 'url', rule: 'publicAddress' })
    throw validationError({ field: 'url', rule: 'hostUnknown', vars: { host: url.hostname } })
  }
}

/** Creates a webhook. Only this response shows its secret. Throws validation, too_many_webhooks. */
export async function addWebhook(
  deps: Deps,
  caller: CustomerCaller,
  { url, events }: BodyOf<typeof createWebhook>,
  idempotency: Idempotency,
): Promise<ResponseOf<typeof createWebhook>> {
  await checkUrl(deps, url)
  const { accountId, userId } = caller
  const secret = newSigningSecret()
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    // Locked, so that parallel requests do not create more webhooks than allowed.
    await lockAccount(trx, accountId)
    const existing = await listWebhookRows(trx, accountId)
    if (existing.length >= maxWebhooks) throw new AppError('too_many_webhooks', { vars: { count: maxWebhooks } })
    const created = await insertWebhook(trx, {
      id: newId(),
      account_id: accountId,
      url,
      events: [...new Set(events)],
      secret: sealSecret(deps, secret),
      created_by: userId,
      created_at: at,
      updated_at: at,
    })
    const detail = { url, events: created.events }
    await recordActivity(trx, { action: 'webhooks.created', accountId, userId, subject: created.id, detail, at })
    const answer = { webhook: await readWebhook(deps, trx, caller, created.id), secret }
    await idempotency.keep(trx, answer)
    return answer
  })
}

/** Locks a webhook of the caller's account. Throws not_found. */
async function requireWebhook(trx: Tx, { accountId }: CustomerCaller, id: string): Promise<WebhookRow> {
  const row = await lockAccountWebhook(trx, accountId, id)
  if (!row) throw new AppError('not_found')
  return row
}

/**
 * Changes a webhook. Switching it off discards waiting deliveries; switching it on resets earlier failures. Throws
 * not_found, validation, version_conflict.
 */
export async function changeWebhook(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { url, events, active, version }: BodyOf<typeof updateWebhook>,
): Promise<Webhook> {
  // Checked first, so that an unknown id costs no name resolution.
  if (!(await findAccountWebhook(deps.db, caller.accountId, id))) throw new AppError('not_found')
  await checkUrl(deps, url)
  const { accountId, userId } = caller
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const row = await requireWebhook(trx, caller, id)
    if (row.version !== version) throw new AppError('version_conflict')
    const status = active ? 'active' : 'paused'
    await updateWebhookRow(trx, id, {
      url,
      events: [...new Set(events)],
      status,
      updated_at: at,
      version: version + 1,
      ...(url !== row.url || status !== row.status ? { failures: 0, failing_since: null, retry_at: null } : {}),
    })
    if (!active) await failWaiting(trx, id)
    const detail = { url: [row.url, url], events: [row.events, events], status: [row.status, status] }
    await recordActivity(trx, { action: 'webhooks.changed', accountId, userId, subject: id, detail, at })
  })
  return readWebhook(deps, deps.db, caller, id)
}

/** Removes a webhook with its log. Throws not_found. */
export async function endWebhook(deps: Deps, caller: CustomerCaller, id: string): Promise<void> {
  const { accountId, userId } = caller
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const { url } = await requireWebhook(trx, caller, id)
    await deleteWebhook(trx, accountId, id)
    await recordActivity(trx, { action: 'webhooks.removed', accountId, userId, subject: id, detail: { url }, at })
  })
}

/** Replaces the secret. For a day deliveries are signed with both, so that the receiver can switch without a gap. */
export async function rotateSecret(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  idempotency: Idempotency,
): Promise<ResponseOf<typeof createWebhook>> {
  const { accountId, userId } = caller
  const secret = newSigningSecret()
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const row = await requireWebhook(trx, caller, id)
    await updateWebhookRow(trx, id, {
      secret: sealSecret(deps, secret),
      previous_secret: row.secret,
      previous_until: later(at, hours(rotationHours)),
      updated_at: at,
      version: row.version + 1,
    })
    await recordActivity(trx, { action: 'webhooks.secretRotated', accountId, userId, subject: id, at })
    const answer = { webhook: await readWebhook(deps, trx, caller, id), secret }
    await idempotency.keep(trx, answer)
    return answer
  })
}

/**
 * Locks an active webhook and allows its receiver to be called at once, despite earlier failures. Throws
 * webhook_stopped.
 */
async function requireActive(trx: Tx, caller: CustomerCaller, id: string): Promise<WebhookRow> {
  const row = await requireWebhook(trx, caller, id)
  if (row.status !== 'active') throw new AppError('webhook_stopped')
  if (row.retry_at !== null) await updateWebhookRow(trx, id, { retry_at: null })
  return { ...row, retry_at: null }
}

/** A delivery as its transaction queues it: after the commit it may be delivered before it is read. */
async function readQueuedDelivery(trx: Tx, webhook: WebhookRow, id: string | undefined): Promise<WebhookDelivery> {
  const row = id === undefined ? undefined : await findWebhookDelivery(trx, webhook.id, id)
  if (!row) throw new AppError('not_found')
  return presentDelivery(row, webhook)
}

/** Queues a test event. Throws not_found, webhook_stopped. */
export async function sendTest(deps: Deps, caller: CustomerCaller, id: string): Promise<WebhookDelivery> {
  return tx(deps.db, async (trx) => {
    const webhook = await requireActive(trx, caller, id)
    const data = { message: 'Hello from Waybill' }
    const [deliveryId] = await addDeliveries(deps, trx, webhook, [{ event: testEvent, data }])
    return readQueuedDelivery(trx, webhook, deliveryId)
  })
}

/** Queues a delivery again, with the same id and body. Throws not_found, webhook_stopped. */
export async function sendAgain(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const { accountId, userId } = caller
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    await requireWebhook(trx, caller, id)
    if (!(await findWebhookDelivery(trx, id, deliveryId))) throw new AppError('not_found')
    const webhook = await requireActive(trx, caller, id)
    await requeueDelivery(trx, deliveryId, at)
    await scheduleDelivery(trx, webhook, at)
    const detail = { deliveryId }
    await recordActivity(trx, { action: 'webhooks.resent', accountId, userId, subject: id, detail, at })
    return readQueuedDelivery(trx, webhook, deliveryId)
  })
}

/** A webhook of the caller's account. Throws not_found. */
export async function requireOwnWebhook(deps: Deps, caller: CustomerCaller, id: string): Promise<WebhookRow> {
  const row = await findAccountWebhook(deps.db, caller.accountId, id)
  if (!row) throw new AppError('not_found')
  return row
}

/** The log of a webhook, newest first. Throws not_found. */
export async function listDeliveries(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  query: QueryOf<typeof listWebhookDeliveries>,
): Promise<ResponseOf<typeof listWebhookDeliveries>> {
  const webhook = await requireOwnWebhook(deps, caller, id)
  const status = query.status ?? null
  const [page, total] = await Promise.all([
    readKeysetPage(query, (from) => listDeliveryRows(deps.db, id, status, from)),
    countDeliveries(deps.db, id, status, countLimit),
  ])
  const { rows, next, previous } = page
  return { items: rows.map((row) => presentDelivery(row, webhook)), total, limit: query.limit, next, previous }
}
