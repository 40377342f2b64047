/** Routes of webhooks. */
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import * as endpoints from '@waybill/contract/integrations/webhooks'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import {
  addWebhook,
  changeWebhook,
  endWebhook,
  listDeliveries,
  listOwnWebhooks,
  requireOwnWebhook,
  rotateSecret,
  sendAgain,
  sendTest,
} from './service.ts'

/** Routes for the owner of an account. */
export function webhookRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listWebhooks, async ({ caller }) => listOwnWebhooks(deps, customer(caller)))
  route(app, deps, endpoints.createWebhook, async ({ caller, body, idempotency }) =>
    addWebhook(deps, customer(caller), body, idempotency),
  )
  route(app, deps, endpoints.updateWebhook, async ({ caller, params, body }) =>
    changeWebhook(deps, customer(caller), params.id, body),
  )
  route(app, deps, endpoints.removeWebhook, async ({ caller, params }) => {
    await endWebhook(deps, customer(caller), params.id)
    return { ok: true } as const
  })
  route(app, deps, endpoints.rotateWebhookSecret, async ({ caller, params, idempotency }) =>
    rotateSecret(deps, customer(caller), params.id, idempotency),
  )
  route(app, deps, endpoints.testWebhook, async ({ caller, params }) => sendTest(deps, customer(caller), params.id))
  route(app, deps, endpoints.listWebhookDeliveries, async ({ caller, params, query }) =>
    listDeliveries(deps, customer(caller), params.id, query),
  )
  route(app, deps, endpoints.exportWebhookDeliveries, async (call) => {
    const { caller, params, query, locale, t } = call
    const eventLabel = (event: string) =>
      event === endpoints.testEvent
        ? t('developers.testEvent')
        : enumLabel(endpoints.webhookEventLabels, event as endpoints.WebhookEvent, locale)
    // A stream that fails has sent its headers: a webhook of another account has to be refused before.
    await requireOwnWebhook(deps, customer(caller), params.id)
    return sendListSheet<endpoints.WebhookDelivery>(deps, call, {
      file: 'webhook-deliveries',
      title: 'developers.openLog',
      columns: [
        { header: t('developers.number'), kind: 'number', value: ({ sequence }) => sequence },
        { header: t('developers.event'), kind: 'text', width: 32, value: ({ event }) => eventLabel(event) },
        { header: t('developers.happened'), kind: 'time', value: ({ createdAt }) => new Date(createdAt) },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 12,
          value: ({ status }) => t(`developers.deliveryStatus.${status}`),
        },
        { header: t('developers.attemptCount'), kind: 'number', value: ({ attempts }) => attempts },
        {
          header: t('developers.lastAttempt'),
          kind: 'time',
          value: (row) => row.attemptedAt && new Date(row.attemptedAt),
        },
        { header: t('developers.nextAttempt'), kind: 'time', value: ({ dueAt }) => dueAt && new Date(dueAt) },
        {
          header: t('developers.response'),
          kind: 'text',
          width: 28,
          value: ({ problem, responseStatus }) =>
            problem ? t(`developers.problem.${problem}`) : responseStatus && String(responseStatus),
        },
        { header: t('developers.milliseconds'), kind: 'number', value: ({ durationMs }) => durationMs },
        { header: t('developers.responseBody'), kind: 'text', width: 60, value: (row) => row.responseExcerpt },
      ],
      read: (window) => listDeliveries(deps, customer(caller), params.id, { ...query, ...window, before: undefined }),
    })
  })
  route(app, deps, endpoints.resendWebhookDelivery, async ({ caller, params }) =>
    sendAgain(deps, customer(caller), params.id, params.deliveryId),
  )
}
