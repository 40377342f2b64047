/** Routes of the cash desk and of cash on delivery. */
import {
  closeDrawer,
  findCashDue,
  getDrawer,
  handInCash,
  listCashMovements,
  listCloses,
  listHandIns,
  listOwnCloses,
  listOwnHandIns,
  moveCash,
  openDrawer,
  printClose,
  printHandIn,
  printOwnClose,
  printOwnHandIn,
  takeCash,
} from '@waybill/contract/payments/cash-desk'
import { cashReceiptPaper, printCashInvoice, printCashReceipt } from '@waybill/contract/payments/cash-receipts'
import {
  type CodItem,
  exportCod,
  listAllCodPayouts,
  listCod,
  listCodOwed,
  listCodPayouts,
  payOutCod,
  printAnyCodPayout,
  printCodPayout,
} from '@waybill/contract/payments/cod'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer, staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { attachment, sheetMedia } from '../../../lib/sheet/write.ts'
import { readHandIns, renderHandIn, takeHandIn } from '../cod/hand-in.ts'
import { renderPayout } from '../cod/payout-report.ts'
import { codOwedToSenders, getCodOverview, listPayouts, payOut } from '../cod/service.ts'
import { closes, renderClose } from './day-close.ts'
import { requireStation } from './drawer.ts'
import { countAndCloseDrawer, enterMovement, startDrawer } from './move-cash.ts'
import { drawerNow, listDrawerMovements } from './read-drawers.ts'
import { invoiceOfSale, printReceipt, renderSaleReceipt } from './receipt.ts'
import { getDue, sell } from './sell.ts'

/** For stations, the head office and senders. */
export function cashRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getDrawer, async ({ caller }) => drawerNow(deps, staff(caller)))
  route(app, deps, openDrawer, async ({ caller, body, idempotency }) =>
    startDrawer(deps, staff(caller), body, idempotency),
  )
  route(app, deps, listCashMovements, async ({ caller, params, query }) =>
    listDrawerMovements(deps, staff(caller), params.id, query),
  )
  route(app, deps, moveCash, async ({ caller, body, idempotency }) =>
    enterMovement(deps, staff(caller), body, idempotency),
  )
  route(app, deps, findCashDue, async ({ query }) => getDue(deps, query))
  route(app, deps, takeCash, async ({ caller, body, idempotency }) => sell(deps, staff(caller), body, idempotency))
  route(app, deps, printCashReceipt, async ({ caller, params, locale, t, idempotency }) =>
    printReceipt(deps, staff(caller), params.id, { locale, t }, idempotency),
  )
  route(app, deps, cashReceiptPaper, async ({ caller, params, query, locale, t, reply }) => {
    const { number, pdf } = await renderSaleReceipt(deps, staff(caller), params.id, query.print ?? null, { locale, t })
    reply.header('content-disposition', `inline; filename="${number}.pdf"`)
    return pdf
  })
  route(app, deps, printCashInvoice, async ({ caller, params, locale, t, reply }) => {
    const { number, pdf } = await invoiceOfSale(deps, staff(caller), params.id, { locale, t })
    reply.header('content-disposition', `inline; filename="${number}.pdf"`)
    return pdf
  })
  route(app, deps, handInCash, async ({ caller, body, idempotency }) =>
    takeHandIn(deps, staff(caller), body, idempotency),
  )
  route(app, deps, listOwnHandIns, async ({ caller, query }) => readHandIns(deps, requireStation(staff(caller)), query))
  route(app, deps, listHandIns, async ({ query }) => readHandIns(deps, query.stationId ?? null, query))
  route(app, deps, printOwnHandIn, async ({ caller, params, locale, t, reply }) => {
    const { name, pdf } = await renderHandIn(deps, requireStation(staff(caller)), params.id, { locale, t })
    reply.header('content-disposition', `inline; filename="${name}"`)
    return pdf
  })
  route(app, deps, printHandIn, async ({ params, locale, t, reply }) => {
    const { name, pdf } = await renderHandIn(deps, null, params.id, { locale, t })
    reply.header('content-disposition', `inline; filename="${name}"`)
    return pdf
  })
  route(app, deps, closeDrawer, async ({ caller, params, body }) =>
    countAndCloseDrawer(deps, staff(caller), params.id, body),
  )
  route(app, deps, listOwnCloses, async ({ caller, query }) => closes(deps, requireStation(staff(caller)), query))
  route(app, deps, printOwnClose, async ({ caller, params, locale, t, reply }) => {
    const { name, pdf } = await renderClose(deps, requireStation(staff(caller)), params.id, { locale, t })
    reply.header('content-disposition', attachment(name))
    return pdf
  })
  route(app, deps, listCloses, async ({ query }) => closes(deps, query.stationId ?? null, query))
  route(app, deps, printClose, async ({ params, locale, t, reply }) => {
    const { name, pdf } = await renderClose(deps, null, params.id, { locale, t })
    reply.header('content-disposition', attachment(name))
    return pdf
  })

  route(app, deps, listCod, async ({ caller, query }) => getCodOverview(deps, customer(caller), query))
  route(app, deps, exportCod, async (call) => {
    const { caller, query, t } = call
    return sendListSheet<CodItem>(deps, call, {
      file: 'cash-on-delivery',
      title: 'cod.title',
      columns: [
        { header: t('codDoc.parcel'), kind: 'text', width: 18, value: ({ trackingNumber }) => trackingNumber },
        { header: t('codDoc.collectedAt'), kind: 'time', value: ({ collectedAt }) => new Date(collectedAt) },
        { header: t('fields.status'), kind: 'text', width: 14, value: ({ state }) => t(`cod.state.${state}`) },
        { header: t('cod.payout'), kind: 'text', width: 18, value: ({ payoutNumber }) => payoutNumber },
        { header: t('codDoc.day'), kind: 'time', value: ({ paidOutAt }) => paidOutAt && new Date(paidOutAt) },
        {
          header: `${t('codDoc.amount')} (${deps.settings.get('currency')})`,
          kind: 'money',
          value: ({ amountMinor }) => amountMinor,
        },
      ],
      read: (window) => getCodOverview(deps, customer(caller), { ...query, ...window, sort: undefined }),
    })
  })
  route(app, deps, listCodPayouts, async ({ caller, query }) => listPayouts(deps, customer(caller).accountId, query))
  route(app, deps, printCodPayout, async ({ caller, params, query, locale, t, reply }) => {
    const { accountId } = customer(caller)
    const { name, file } = await renderPayout(deps, accountId, params.id, query, { locale, t })
    if (query.format !== 'pdf') reply.type(sheetMedia[query.format])
    reply.header('content-disposition', attachment(name))
    return file
  })
  route(app, deps, listCodOwed, async ({ query }) => codOwedToSenders(deps, query))
  route(app, deps, payOutCod, async ({ caller, body, idempotency }) => payOut(deps, staff(caller), body, idempotency))
  route(app, deps, listAllCodPayouts, async ({ query }) => listPayouts(deps, null, query))
  route(app, deps, printAnyCodPayout, async ({ params, query, locale, t, reply }) => {
    const { name, file } = await renderPayout(deps, null, params.id, query, { locale, t })
    if (query.format !== 'pdf') reply.type(sheetMedia[query.format])
    reply.header('content-disposition', attachment(name))
    return file
  })
}
