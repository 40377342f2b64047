/** Routes of orders. */

import { paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import {
  abandonCheckouts,
  abandonCheckoutsAlias,
  pendingCheckouts,
  pendingCheckoutsAlias,
} from '@waybill/contract/orders/checkout'
import {
  createOrder,
  exportOrders,
  getInvoice,
  getOrder,
  getOrderForStaff,
  listOrders,
  printInvoice,
} from '@waybill/contract/orders/orders'
import {
  cancelOrder,
  cancelParcels,
  exportRefunds,
  failRefund,
  getCreditNote,
  listCreditNotes,
  listRefunds,
  previewCancel,
  printCreditNote,
  type RefundTask,
  settleRefund,
} from '@waybill/contract/orders/refunds'
import { payInStore, printPaymentSlip } from '@waybill/contract/parcels/outstanding'
import { decideDispute, reweighParcel } from '@waybill/contract/parcels/weighing'
import { priceSummary } from '@waybill/contract/pricing/pricing'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer, staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { contentDisposition, sheetMediaTypes } from '../../lib/sheet/write.ts'
import { summarizeCheckout } from './checkout.ts'
import { ordersSheet } from './export/service.ts'
import { creditNotes, readCreditNote, renderCreditNote } from './invoices/credit-notes.ts'
import { createCheckouts } from './new-orders.ts'
import { bookInStore, renderSlipPdf } from './pay-at-counter/service.ts'
import { cancelAndRefund, cancelWholeOrder, previewCancellation } from './refunds/cancel.ts'
import { markRefundFailed, markRefundPaid, refundTasks } from './refunds/service.ts'
import { decideWeightDispute, weighAgain } from './refunds/weight-refunds.ts'
import { readInvoice, readOrder, readOrderForStaff, readOrders, renderInvoicePdf } from './service.ts'
import { abandonPending, listPendingOrders } from './unfinished/unfinished-checkouts.ts'

/** Checkout, orders and invoices of the account. Also the totals of a cart, because an order adds its own lines. */
export function orderRoutes(app: FastifyInstance, deps: Deps): void {
  const checkOut = createCheckouts(deps)
  route(app, deps, priceSummary, async ({ caller, body }) => summarizeCheckout(deps, customer(caller), body))
  route(app, deps, createOrder, async ({ caller, body, idempotency }) => checkOut(customer(caller), body, idempotency))
  route(app, deps, listOrders, async ({ caller, query }) => readOrders(deps, customer(caller), query))
  for (const endpoint of [pendingCheckouts, pendingCheckoutsAlias])
    route(app, deps, endpoint, async ({ caller, query }) => listPendingOrders(deps, customer(caller), query))
  for (const endpoint of [abandonCheckouts, abandonCheckoutsAlias])
    route(app, deps, endpoint, async ({ caller, query }) => abandonPending(deps, customer(caller), query.ids))
  route(app, deps, exportOrders, async ({ caller, query, locale, t, reply }) => {
    const { name, sheet } = ordersSheet(deps, customer(caller), query, { locale, t })
    reply.type(sheetMediaTypes[query.format]).header('content-disposition', contentDisposition(name))
    return sheet
  })
  route(app, deps, getOrder, async ({ caller, params }) => readOrder(deps, customer(caller), params.id))
  route(app, deps, payInStore, async ({ caller, params, body, idempotency }) =>
    bookInStore(deps, customer(caller), params.id, body.expectedTotalMinor, idempotency),
  )
  route(app, deps, printPaymentSlip, async ({ caller, params, locale, t, reply }) => {
    const { number, pdf } = await renderSlipPdf(deps, customer(caller), params.id, { locale, t })
    reply.header('content-disposition', contentDisposition(`${number}-slip.pdf`, 'inline'))
    return pdf
  })
  route(app, deps, getInvoice, async ({ caller, params, locale, t }) =>
    readInvoice(deps, customer(caller), params.id, { locale, t }),
  )
  route(app, deps, printInvoice, async ({ caller, params, locale, t, reply }) => {
    const { number, pdf } = await renderInvoicePdf(deps, customer(caller), params.id, { locale, t })
    reply.header('content-disposition', contentDisposition(`${number}.pdf`, 'inline'))
    return pdf
  })

  route(app, deps, cancelParcels, async ({ caller, body, idempotency }) =>
    cancelAndRefund(deps, customer(caller), body, idempotency),
  )
  route(app, deps, previewCancel, async ({ caller, body }) => previewCancellation(deps, customer(caller), body.ids))
  route(app, deps, cancelOrder, async ({ caller, params, body, idempotency }) =>
    cancelWholeOrder(deps, customer(caller), params.id, body, idempotency),
  )
  route(app, deps, listCreditNotes, async ({ caller, params, query }) => ({
    items: await creditNotes(deps, customer(caller), params.id, query),
  }))
  route(app, deps, getCreditNote, async ({ caller, params, locale, t }) =>
    readCreditNote(deps, customer(caller), params, { locale, t }),
  )
  route(app, deps, printCreditNote, async ({ caller, params, locale, t, reply }) => {
    const { number, pdf } = await renderCreditNote(deps, customer(caller), params, { locale, t })
    reply.header('content-disposition', contentDisposition(`${number}.pdf`, 'inline'))
    return pdf
  })
}

/** Routes for staff: orders, card refunds, and weighings, because their differences are refunded. */
export function staffOrderRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getOrderForStaff, ({ params }) => readOrderForStaff(deps, params.id))
  route(app, deps, listRefunds, async ({ query }) => refundTasks(deps, query))
  route(app, deps, exportRefunds, async (call) => {
    const { query, locale, t } = call
    return sendListSheet<RefundTask>(deps, call, {
      file: 'refunds',
      title: 'financePage.refunds',
      columns: [
        { header: t('financePage.account'), kind: 'text', width: 28, value: ({ accountName }) => accountName },
        { header: t('financePage.asked'), kind: 'time', value: ({ createdAt }) => new Date(createdAt) },
        { header: t('financePage.order'), kind: 'text', width: 18, value: ({ orderNumber }) => orderNumber },
        { header: t('financePage.creditNote'), kind: 'text', width: 18, value: (row) => row.creditNoteNumber },
        {
          header: t('financePage.payment'),
          kind: 'text',
          width: 24,
          value: ({ paymentMethod }) => paymentMethod && enumLabel(paymentMethodLabels, paymentMethod, locale),
        },
        { header: t('fields.reference'), kind: 'text', width: 24, value: ({ paymentReference }) => paymentReference },
        { header: t('fields.currency'), kind: 'text', width: 8, value: ({ currency }) => currency },
        { header: t('financePage.amount'), kind: 'money', value: ({ amountMinor }) => amountMinor },
        { header: t('fields.status'), kind: 'text', width: 18, value: ({ status }) => t(`refund.status.${status}`) },
        { header: t('financePage.bankReference'), kind: 'text', width: 24, value: (row) => row.bankReference },
        { header: t('financePage.note'), kind: 'text', width: 40, value: ({ note }) => note },
      ],
      read: (window) => refundTasks(deps, { ...query, ...window, sort: '+createdAt' }),
    })
  })
  route(app, deps, settleRefund, async ({ caller, params, body }) =>
    markRefundPaid(deps, staff(caller), params.id, body),
  )
  route(app, deps, reweighParcel, async ({ caller, params, body, idempotency }) =>
    weighAgain(deps, staff(caller), params.id, body, idempotency),
  )
  route(app, deps, decideDispute, async ({ caller, params, body }) =>
    decideWeightDispute(deps, staff(caller), params.id, body),
  )
  route(app, deps, failRefund, async ({ caller, params, body }) =>
    markRefundFailed(deps, staff(caller), params.id, body),
  )
}
