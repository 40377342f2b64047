// HTTP routes of the stock of a station.
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { countStock, exportStock, listStock, listStockNumbers, type StockParcel } from '@waybill/contract/parcels/stock'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { endStockCount, readStockNumbers } from './count.ts'
import { readStock } from './service.ts'

export function stockRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listStock, ({ caller, query }) => readStock(deps, staff(caller), query))
  route(app, deps, listStockNumbers, ({ caller, query }) => readStockNumbers(deps, staff(caller), query))
  route(app, deps, countStock, ({ caller, body, idempotency }) => endStockCount(deps, staff(caller), body, idempotency))
  route(app, deps, exportStock, async (call) => {
    const { caller, query, t, locale } = call
    return sendListSheet<StockParcel>(deps, call, {
      file: 'station-stock',
      title: 'stockPage.title',
      columns: [
        { header: t('fields.trackingNumber'), kind: 'text', width: 18, value: ({ trackingNumber }) => trackingNumber },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 18,
          value: ({ status }) => enumLabel(parcelStatusLabels, status, locale),
        },
        { header: t('stockPage.to'), kind: 'text', width: 24, value: ({ toName }) => toName },
        { header: t('fields.city'), kind: 'text', width: 20, value: ({ toCity }) => toCity },
        { header: t('inbox.account'), kind: 'text', width: 28, value: ({ accountName }) => accountName },
        {
          header: t('stockPage.next'),
          kind: 'text',
          width: 32,
          value: ({ next: { step, station } }) => t(`stockStep.${step}`, { station: station ?? '' }),
        },
        {
          header: t('stockPage.lastScan'),
          kind: 'time',
          value: ({ lastEventAt }) => lastEventAt && new Date(lastEventAt),
        },
        { header: t('stockPage.expected'), kind: 'day', value: ({ expectedDate }) => expectedDate },
        { header: t('stockPage.collectUntil'), kind: 'day', value: ({ collectUntil }) => collectUntil },
        {
          header: t('stockPage.late'),
          kind: 'text',
          width: 10,
          value: ({ late }) => (late ? t('stockPage.late') : ''),
        },
      ],
      read: (window) => readStock(deps, staff(caller), { ...query, ...window, sort: undefined }),
    })
  })
}
