/** Routes of the links with which receivers enter their own address. */
import * as endpoints from '@waybill/contract/addresses/requests'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { answerRequest, getPublicRequest } from './answer-request.ts'
import { createRequest, listRequests, withdrawRequest } from './service.ts'

/** The receiver's side; the token in the link is the only credential. */
export function publicAddressRequestRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.getPublicAddressRequest, ({ params }) => getPublicRequest(deps, params.token))
  route(app, deps, endpoints.answerAddressRequest, async ({ params, body }) => {
    await answerRequest(deps, params.token, body)
    return { ok: true as const }
  })
}

/** The sender's side. */
export function addressRequestRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.createAddressRequest, ({ caller, body, locale, idempotency }) =>
    createRequest(deps, customer(caller), body, locale, idempotency),
  )
  route(app, deps, endpoints.listAddressRequests, ({ caller, query }) =>
    listRequests(deps, customer(caller).accountId, query),
  )
  route(app, deps, endpoints.exportAddressRequests, async (call) => {
    const { caller, t } = call
    return sendListSheet<endpoints.AddressRequest>(deps, call, {
      file: 'address-links',
      title: 'addressLinks.ask',
      columns: [
        { header: t('fields.label'), kind: 'text', width: 28, value: ({ label }) => label },
        { header: t('fields.email'), kind: 'text', width: 30, value: ({ email }) => email },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 14,
          value: ({ status }) => t(`addressLinks.status.${status}`),
        },
        { header: t('addressLinks.created'), kind: 'time', value: ({ createdAt }) => new Date(createdAt) },
        { header: t('fields.expiresAt'), kind: 'time', value: ({ expiresAt }) => new Date(expiresAt) },
        {
          header: t('addressLinks.answered'),
          kind: 'time',
          value: ({ answeredAt }) => answeredAt && new Date(answeredAt),
        },
      ],
      read: (window) => listRequests(deps, customer(caller).accountId, { ...window, sort: undefined }),
    })
  })
  route(app, deps, endpoints.withdrawAddressRequest, async ({ caller, params }) => {
    await withdrawRequest(deps, customer(caller), params.id)
    return { ok: true as const }
  })
}
