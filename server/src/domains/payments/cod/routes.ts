/** Routes of cash on delivery. */

import type { Translate } from '@waybill/contract/ground/validation'
import * as cod from '@waybill/contract/payments/cod'
import * as payouts from '@waybill/contract/payments/cod-payouts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer, staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import type { ListSheet } from '../../../lib/sheet/list-sheet.ts'
import { contentDisposition, sheetMediaTypes } from '../../../lib/sheet/write.ts'
import { renderPayout } from './payout-report.ts'
import { codOwedToSenders, getCodOverview, listPayouts, payOut } from './service.ts'

type Columns<R> = ListSheet<R>['columns']

const payoutColumns = (deps: Deps, { t }: { t: Translate }, { everySender = false } = {}): Columns<cod.CodPayout> => {
  const money = (header: string) => t('phrase.detail', { text: header, detail: deps.settings.get('currency') })
  const sender: Columns<cod.CodPayout> = [
    { header: t('codDoc.sender'), kind: 'text', width: 28, value: ({ accountName }) => accountName },
  ]
  return [
    { header: t('cod.payout'), kind: 'text', width: 18, value: ({ number }) => number },
    ...(everySender ? sender : []),
    { header: t('codDoc.day'), kind: 'time', value: ({ at }) => new Date(at) },
    { header: t('codDoc.parcels'), kind: 'number', value: ({ parcelCount }) => parcelCount },
    { header: money(t('codDoc.collected')), kind: 'money', value: ({ collectedMinor }) => collectedMinor },
    { header: money(t('codDoc.fee')), kind: 'money', value: ({ feeMinor }) => feeMinor },
    { header: money(t('codDoc.paid')), kind: 'money', value: ({ paidMinor }) => paidMinor },
  ]
}

/** A sender's own collections and payouts. */
export function codRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, cod.listCod, async ({ caller, query }) => getCodOverview(deps, customer(caller), query))
  route(app, deps, cod.exportCod, async (call) => {
    const { caller, query, t } = call
    return sendListSheet<cod.CodItem>(deps, call, {
      file: 'cash-on-delivery',
      title: 'cod.title',
      columns: [
        { header: t('codDoc.parcel'), kind: 'text', width: 18, value: ({ trackingNumber }) => trackingNumber },
        { header: t('codDoc.collectedAt'), kind: 'time', value: ({ collectedAt }) => new Date(collectedAt) },
        { header: t('fields.status'), kind: 'text', width: 14, value: ({ state }) => t(`cod.state.${state}`) },
        { header: t('cod.payout'), kind: 'text', width: 18, value: ({ payoutNumber }) => payoutNumber },
        { header: t('codDoc.day'), kind: 'time', value: ({ paidOutAt }) => paidOutAt && new Date(paidOutAt) },
        {
          header: t('phrase.detail', { text: t('codDoc.amount'), detail: deps.settings.get('currency') }),
          kind: 'money',
          value: ({ amountMinor }) => amountMinor,
        },
      ],
      read: (window) => getCodOverview(deps, customer(caller), { ...query, ...window, sort: undefined }),
    })
  })
  route(app, deps, cod.listCodPayouts, async ({ caller, query }) =>
    listPayouts(deps, customer(caller).accountId, query),
  )
  route(app, deps, cod.printCodPayout, async ({ caller, params, query, locale, t, reply }) => {
    const { name, file } = await renderPayout(deps, customer(caller), params.id, query, { locale, t })
    if (query.format !== 'pdf') reply.type(sheetMediaTypes[query.format])
    reply.header('content-disposition', contentDisposition(name))
    return file
  })
  route(app, deps, cod.exportCodPayouts, async (call) =>
    sendListSheet<cod.CodPayout>(deps, call, {
      file: 'payouts',
      title: 'cod.payouts',
      columns: payoutColumns(deps, call),
      read: (window) => listPayouts(deps, customer(call.caller).accountId, { ...window, sort: undefined }),
    }),
  )
}

/** The amounts owed to every sender, and all payouts. */
export function staffCodRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, payouts.listCodOwed, async ({ query }) => codOwedToSenders(deps, query))
  route(app, deps, payouts.payOutCod, async ({ caller, body, idempotency }) =>
    payOut(deps, staff(caller), body, idempotency),
  )
  route(app, deps, payouts.listAllCodPayouts, async ({ query }) => listPayouts(deps, null, query))
  route(app, deps, payouts.printAnyCodPayout, async ({ params, query, locale, t, reply }) => {
    const { name, file } = await renderPayout(deps, null, params.id, query, { locale, t })
    if (query.format !== 'pdf') reply.type(sheetMediaTypes[query.format])
    reply.header('content-disposition', contentDisposition(name))
    return file
  })
  route(app, deps, payouts.exportCodOwed, async (call) => {
    const { t } = call
    const money = (header: string) => t('phrase.detail', { text: header, detail: deps.settings.get('currency') })
    return sendListSheet<payouts.CodOwed>(deps, call, {
      file: 'cod-owed',
      title: 'cod.owedToSenders',
      columns: [
        { header: t('codDoc.sender'), kind: 'text', width: 28, value: ({ accountName }) => accountName },
        { header: t('codDoc.parcels'), kind: 'number', value: ({ parcelCount }) => parcelCount },
        { header: t('cod.oldest'), kind: 'time', value: ({ oldestAt }) => new Date(oldestAt) },
        { header: money(t('cod.withRiders')), kind: 'money', value: ({ withRidersMinor }) => withRidersMinor },
        { header: money(t('cod.owedAmount')), kind: 'money', value: ({ owedMinor }) => owedMinor },
        { header: money(t('codDoc.fee')), kind: 'money', value: ({ feeMinor }) => feeMinor },
      ],
      read: (window) => codOwedToSenders(deps, { ...window, sort: undefined }),
    })
  })
  route(app, deps, payouts.exportAllCodPayouts, async (call) =>
    sendListSheet<cod.CodPayout>(deps, call, {
      file: 'payouts',
      title: 'cod.payouts',
      columns: payoutColumns(deps, call, { everySender: true }),
      read: (window) => listPayouts(deps, null, { ...call.query, ...window, sort: undefined }),
    }),
  )
}
