/** Staff routes of gateway payments. */
import {
  exportGatewayTroubles,
  type GatewayTrouble,
  listGatewayTroubles,
  reviewGatewayTrouble,
} from '@waybill/contract/payments/gateway'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { readGatewayTroubles, reviewTrouble } from './gateway/reviews.ts'

/** Messages of the gateway that contradict our books. */
export function staffPaymentRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listGatewayTroubles, async ({ query }) => readGatewayTroubles(deps, query))
  route(app, deps, exportGatewayTroubles, async (call) => {
    const { query, t } = call
    return sendListSheet<GatewayTrouble>(deps, call, {
      file: 'gateway-messages',
      title: 'financePage.gateway',
      columns: [
        { header: t('cashDoc.at'), kind: 'time', value: ({ at }) => new Date(at) },
        {
          header: t('gatewayPage.what'),
          kind: 'text',
          width: 36,
          value: ({ trouble }) => t(`gatewayTrouble.${trouble}`),
        },
        {
          header: t('fields.reference'),
          kind: 'text',
          width: 24,
          value: ({ expected, came }) => expected?.reference ?? came.reference,
        },
        { header: t('financePage.account'), kind: 'text', width: 28, value: ({ expected }) => expected?.accountName },
        { header: t('fields.currency'), kind: 'text', width: 8, value: ({ expected }) => expected?.currency },
        { header: t('gatewayPage.expected'), kind: 'money', value: ({ expected }) => expected?.amountMinor },
        {
          header: t('gatewayPage.came'),
          kind: 'text',
          width: 16,
          value: ({ came }) => [came.currency, came.amount].filter(Boolean).join(' '),
        },
        {
          header: t('gatewayPage.review'),
          kind: 'text',
          width: 12,
          value: ({ review }) => t(`gatewayReview.${review}`),
        },
        { header: t('gatewayPage.note'), kind: 'text', width: 40, value: ({ reviewNote }) => reviewNote },
      ],
      read: (window) => readGatewayTroubles(deps, { ...query, ...window, before: undefined }),
    })
  })
  route(app, deps, reviewGatewayTrouble, async ({ caller, params, body }) =>
    reviewTrouble(deps, staff(caller), params.id, body),
  )
}
