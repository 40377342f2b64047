/** Routes of the cash desk. */

import type { Translate } from '@waybill/contract/ground/validation'
import {
  type CashMovement,
  closeDrawer,
  type DrawerShift,
  findCashDue,
  listCashMovements,
  listDrawers,
  listOwnShifts,
  listShifts,
  moveCash,
  openDrawer,
  printOwnShift,
  printShift,
  reopenDrawer,
  takeCash,
} from '@waybill/contract/payments/cash-desk'
import {
  type CashHandIn,
  handInCash,
  listHandIns,
  listOwnHandIns,
  printHandIn,
  printOwnHandIn,
} from '@waybill/contract/payments/cash-hand-ins'
import { cashReceiptPaper, printCashInvoice, printCashReceipt } from '@waybill/contract/payments/cash-receipts'
import {
  exportCashMovements,
  exportHandIns,
  exportOwnShifts,
  exportShifts,
} from '@waybill/contract/payments/cash-sheets'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import type { ListSheet } from '../../../lib/sheet/list-sheet.ts'
import { contentDisposition } from '../../../lib/sheet/write.ts'
import { readHandIns, renderHandIn, takeHandIn } from '../cod/hand-in.ts'
import { countAndCloseDrawer, reopenClosedDrawer } from './count-drawer.ts'
import { requireStation } from './drawer.ts'
import { enterMovement, startDrawer } from './move-cash.ts'
import { listDrawerMovements, readShift, readStationDrawers } from './read-drawers.ts'
import { printReceipt, renderInvoiceOfSale, renderSaleReceipt } from './receipt.ts'
import { getDue, sell } from './sell.ts'
import { readShifts, renderShift } from './shift-report.ts'

const shiftColumns = (deps: Deps, { t }: { t: Translate }): ListSheet<DrawerShift>['columns'] => {
  const money = (header: string) => t('phrase.detail', { text: header, detail: deps.settings.get('currency') })
  return [
    { header: t('cashPage.day'), kind: 'day', value: ({ day }) => day },
    { header: t('cashDoc.drawer'), kind: 'number', value: ({ number }) => number },
    { header: t('cashPage.shift'), kind: 'number', value: ({ shift }) => shift },
    {
      header: t('cashDoc.station'),
      kind: 'text',
      width: 28,
      value: ({ station }) => `${station.code} ${station.name}`,
    },
    { header: t('fields.status'), kind: 'text', width: 12, value: ({ state }) => t(`cashPage.state.${state}`) },
    {
      header: t('cashPage.signedBy'),
      kind: 'text',
      width: 24,
      value: ({ closedBy, openedBy }) => closedBy ?? openedBy,
    },
    { header: money(t('cashDoc.float')), kind: 'money', value: ({ floatMinor }) => floatMinor },
    { header: money(t('cashMovement.sale')), kind: 'money', value: ({ sums }) => sums?.salesMinor },
    { header: money(t('cashMovement.hand_in')), kind: 'money', value: ({ sums }) => sums?.handedInMinor },
    { header: money(t('cashMovement.cash_in')), kind: 'money', value: ({ sums }) => sums?.cashInMinor },
    { header: money(t('cashMovement.cash_out')), kind: 'money', value: ({ sums }) => sums?.cashOutMinor },
    { header: money(t('cashMovement.bank')), kind: 'money', value: ({ sums }) => sums?.bankMinor },
    { header: money(t('cashDoc.expected')), kind: 'money', value: ({ sums }) => sums?.expectedMinor },
    { header: money(t('cashDoc.counted')), kind: 'money', value: ({ countedMinor }) => countedMinor },
    { header: money(t('cashDoc.difference')), kind: 'money', value: ({ differenceMinor }) => differenceMinor },
    { header: t('cashDoc.reason'), kind: 'text', width: 40, value: ({ reason }) => reason },
    { header: t('cashDoc.counts'), kind: 'number', value: ({ counts }) => counts?.length },
    { header: t('cashDoc.reopened'), kind: 'text', width: 24, value: ({ reopened }) => reopened?.by },
    { header: t('cashDoc.reopenReason'), kind: 'text', width: 40, value: ({ reopened }) => reopened?.reason },
  ]
}

/** Spreadsheets of drawers by day, and of hand-ins. */
function cashSheetRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, exportOwnShifts, async (call) => {
    const caller = staff(call.caller)
    const stationId = requireStation(caller)
    return sendListSheet<DrawerShift>(deps, call, {
      file: 'drawer-shifts',
      title: 'cashPage.shifts',
      columns: shiftColumns(deps, call),
      read: (window) => readShifts(deps, caller, stationId, { ...call.query, ...window, sort: undefined }),
    })
  })
  route(app, deps, exportShifts, async (call) =>
    sendListSheet<DrawerShift>(deps, call, {
      file: 'drawer-shifts',
      title: 'cashPage.shifts',
      columns: shiftColumns(deps, call),
      read: (window) =>
        readShifts(deps, staff(call.caller), call.query.stationId ?? null, {
          ...call.query,
          ...window,
          sort: undefined,
        }),
    }),
  )
  route(app, deps, exportHandIns, async (call) => {
    const { query, t } = call
    const money = (header: string) => t('phrase.detail', { text: header, detail: deps.settings.get('currency') })
    return sendListSheet<CashHandIn>(deps, call, {
      file: 'hand-ins',
      title: 'financePage.handIns',
      columns: [
        { header: t('fields.number'), kind: 'text', width: 16, value: ({ number }) => number },
        { header: t('handInDoc.rider'), kind: 'text', width: 24, value: ({ rider }) => rider },
        {
          header: t('cashDoc.station'),
          kind: 'text',
          width: 28,
          value: ({ station: { code, name } }) => `${code} ${name}`,
        },
        { header: t('handInDoc.countedBy'), kind: 'text', width: 24, value: ({ countedBy }) => countedBy },
        { header: t('cashDoc.at'), kind: 'time', value: ({ at }) => new Date(at) },
        { header: t('codDoc.parcels'), kind: 'number', value: ({ parcelCount }) => parcelCount },
        { header: money(t('cashDoc.expected')), kind: 'money', value: ({ expectedMinor }) => expectedMinor },
        { header: money(t('cashDoc.counted')), kind: 'money', value: ({ countedMinor }) => countedMinor },
        { header: money(t('cashDoc.difference')), kind: 'money', value: ({ differenceMinor }) => differenceMinor },
        { header: t('cashDoc.reason'), kind: 'text', width: 40, value: ({ reason }) => reason },
      ],
      read: (window) => readHandIns(deps, query.stationId ?? null, { ...query, ...window, sort: undefined }),
    })
  })
}

/** The movements of a drawer as a spreadsheet. */
function movementSheetRoute(app: FastifyInstance, deps: Deps): void {
  route(app, deps, exportCashMovements, async (call) => {
    const { caller, params, t } = call
    const clerk = staff(caller)
    const { currency } = await readShift(deps.db, clerk, { stationId: requireStation(clerk), id: params.id })
    return sendListSheet<CashMovement>(deps, call, {
      file: 'cash-movements',
      title: 'cashPage.movements',
      columns: [
        { header: t('cashDoc.at'), kind: 'time', value: ({ at }) => new Date(at) },
        { header: t('cashDoc.what'), kind: 'text', width: 24, value: ({ kind }) => t(`cashMovement.${kind}`) },
        { header: t('fields.reference'), kind: 'text', width: 20, value: ({ reference }) => reference },
        { header: t('cashPage.receiptNumber'), kind: 'text', width: 18, value: (row) => row.receiptNumber },
        { header: t('fields.reason'), kind: 'text', width: 40, value: ({ reason }) => reason },
        { header: t('cashDoc.by'), kind: 'text', width: 24, value: ({ by }) => by },
        {
          header: t('phrase.detail', { text: t('cashDoc.amount'), detail: currency }),
          kind: 'money',
          value: ({ amountMinor }) => amountMinor,
        },
        {
          header: t('phrase.detail', { text: t('cashDoc.balance'), detail: currency }),
          kind: 'money',
          value: (row) => row.balanceAfterMinor,
        },
      ],
      read: (window) => listDrawerMovements(deps, clerk, params.id, { ...window, sort: undefined }),
    })
  })
}

/** Routes for stations and the head office. */
export function cashRoutes(app: FastifyInstance, deps: Deps): void {
  cashSheetRoutes(app, deps)
  movementSheetRoute(app, deps)
  route(app, deps, listDrawers, async ({ caller }) => readStationDrawers(deps, staff(caller)))
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
    const { number, pdf } = await renderInvoiceOfSale(deps, staff(caller), params.id, { locale, t })
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
  route(app, deps, reopenDrawer, async ({ caller, params, body }) =>
    reopenClosedDrawer(deps, staff(caller), params.id, body),
  )
  route(app, deps, listOwnShifts, async ({ caller, query }) => {
    const clerk = staff(caller)
    return readShifts(deps, clerk, requireStation(clerk), query)
  })
  route(app, deps, printOwnShift, async ({ caller, params, locale, t, reply }) => {
    const clerk = staff(caller)
    const which = { stationId: requireStation(clerk), id: params.id }
    const { name, pdf } = await renderShift(deps, clerk, which, { locale, t })
    reply.header('content-disposition', contentDisposition(name))
    return pdf
  })
  route(app, deps, listShifts, async ({ caller, query }) =>
    readShifts(deps, staff(caller), query.stationId ?? null, query),
  )
  route(app, deps, printShift, async ({ caller, params, locale, t, reply }) => {
    const { name, pdf } = await renderShift(deps, staff(caller), { stationId: null, id: params.id }, { locale, t })
    reply.header('content-disposition', contentDisposition(name))
    return pdf
  })
}
