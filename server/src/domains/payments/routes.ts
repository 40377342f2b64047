/** Routes of payments. */
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { approveOrder } from '@waybill/contract/orders/approvals'
import { payCorporate } from '@waybill/contract/orders/monthly-billing'
import { getParcelActions, recallParcel, returnParcel } from '@waybill/contract/parcels/allowed-actions'
import { makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import {
  billOutstanding,
  exportOutstanding,
  listOutstanding,
  type OutstandingItem,
  payOutstanding,
} from '@waybill/contract/parcels/outstanding'
import { weighingStateLabels } from '@waybill/contract/parcels/weighing'
import {
  getPayment,
  ipay88Backend,
  ipay88Response,
  payWithCard,
  payWithCredits,
  payWithIpay88,
} from '@waybill/contract/payments/payments'
import { topUp } from '@waybill/contract/wallet/wallet'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { type Call, route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import type { ListSheet } from '../../lib/sheet/list-sheet.ts'
import { weightCell } from '../../lib/sheet/weight.ts'
import { approveAndBill } from './approve-and-bill.ts'
import { chooseForFee } from './from-wallet/pay-delivery-choice.ts'
import { listParcelActions, recallForFee, returnForFee } from './from-wallet/pay-fee.ts'
import { createCreditPayments } from './from-wallet/pay-order.ts'
import { handleGatewayPost } from './gateway/answers.ts'
import { payByGateway, startTopUp } from './gateway/start.ts'
import { payDue, readOutstanding, readOutstandingWithBilling } from './outstanding/pay-outstanding.ts'
import { billDifferences, payByBilling } from './pay-by-month.ts'
import { readPayment } from './service.ts'

/** The gateway's posts: signed, without a session. */
export function publicPaymentRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, ipay88Response, async ({ body, reply }) => {
    const { payment } = await handleGatewayPost(deps, 'response', body)
    // Whatever the post said, the page shows our own result.
    const page = payment ? `/payments/${payment.id}` : '/'
    return reply.redirect(deps.config.http.publicUrl + page, 303)
  })
  route(app, deps, ipay88Backend, async ({ body }) => {
    const { outcome } = await handleGatewayPost(deps, 'backend', body)
    if (outcome === 'refused') throw new AppError('gateway_refused')
    // Without RECEIVEOK the gateway repeats the post.
    if (outcome === 'later') throw new AppError('unavailable', { retryAfter: 60 })
    return 'RECEIVEOK'
  })
}

type TopUpCall = Pick<Call<typeof topUp>, 'caller' | 't' | 'locale' | 'idempotency'>
const getPayer = ({ caller, t, locale, idempotency }: TopUpCall) => ({
  caller: customer(caller),
  t,
  locale,
  idempotency,
})

/** The columns of the spreadsheet of outstanding amounts. */
function outstandingColumns(
  { settings }: Deps,
  { t, locale }: Pick<TopUpCall, 't' | 'locale'>,
): ListSheet<OutstandingItem>['columns'] {
  const [currency, unit] = [settings.get('currency'), settings.get('units.weight')]
  return [
    { header: t('fields.trackingNumber'), kind: 'text', width: 18, value: ({ trackingNumber }) => trackingNumber },
    { header: t('fields.orderId'), kind: 'text', width: 16, value: ({ orderNumber }) => orderNumber },
    { header: t('fields.kind'), kind: 'text', value: ({ kind }) => t(`outstandingPage.kind.${kind}`) },
    { header: t('fields.receiver'), kind: 'text', value: ({ receiverName }) => receiverName },
    { header: t('fields.city'), kind: 'text', width: 18, value: ({ receiverCity }) => receiverCity },
    {
      header: t('phrase.detail', { text: t('weighing.declared'), detail: unit }),
      kind: 'number',
      value: ({ declaredGrams }) => weightCell(declaredGrams, unit),
    },
    {
      header: t('phrase.detail', { text: t('weighing.measured'), detail: unit }),
      kind: 'number',
      value: ({ actualGrams }) => weightCell(actualGrams, unit),
    },
    {
      header: t('fields.status'),
      kind: 'text',
      value: ({ weighingState }) => weighingState && enumLabel(weighingStateLabels, weighingState, locale),
    },
    { header: t('outstandingPage.dueSince'), kind: 'time', value: ({ since }) => new Date(since) },
    {
      header: t('phrase.detail', { text: t('parcelsPage.due'), detail: currency }),
      kind: 'money',
      value: (row) => row.amountDueMinor,
    },
  ]
}

/** Payments of orders, and top-ups. */
export function paymentRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getPayment, async ({ caller, params, t }) => readPayment(deps, customer(caller), params.id, t))
  const payByCredits = createCreditPayments(deps)
  route(
    app,
    deps,
    payWithCredits,
    async ({ caller, params, body, t, idempotency }) => payByCredits(customer(caller), params.id, body, t, idempotency),
    { provenByWrite: true },
  )
  route(app, deps, listOutstanding, async ({ caller, query }) =>
    readOutstandingWithBilling(deps, customer(caller), query),
  )
  route(app, deps, exportOutstanding, async (call) =>
    sendListSheet<OutstandingItem>(deps, call, {
      file: 'outstanding',
      title: 'outstandingPage.title',
      columns: outstandingColumns(deps, call),
      read: (window) => readOutstanding(deps, customer(call.caller), { ...window, sort: undefined }),
    }),
  )
  route(
    app,
    deps,
    payOutstanding,
    async ({ caller, body, t, idempotency }) => payDue(deps, customer(caller), body, t, idempotency),
    { provenByWrite: true },
  )
  route(
    app,
    deps,
    makeDeliveryChoice,
    async ({ caller, params, body, idempotency }) => chooseForFee(deps, customer(caller), params.id, body, idempotency),
    { provenByWrite: true },
  )
  route(app, deps, payCorporate, async ({ caller, params, body, t, idempotency }) =>
    payByBilling(deps, customer(caller), params.id, body, t, idempotency),
  )
  route(app, deps, billOutstanding, async ({ caller, body, t, idempotency }) =>
    billDifferences(deps, customer(caller), body, t, idempotency),
  )
  route(app, deps, approveOrder, async ({ caller, params, body, idempotency }) =>
    approveAndBill(deps, customer(caller), params.id, body, idempotency),
  )
  route(app, deps, payWithIpay88, async (call) =>
    payByGateway(deps, getPayer(call), call.params.id, 'ipay88', call.body),
  )
  route(app, deps, payWithCard, async (call) =>
    payByGateway(deps, getPayer(call), call.params.id, 'credit_card', call.body),
  )
  route(app, deps, getParcelActions, async ({ caller, params }) => listParcelActions(deps, customer(caller), params.id))
  route(
    app,
    deps,
    recallParcel,
    async ({ caller, params, body, idempotency }) => recallForFee(deps, customer(caller), params.id, body, idempotency),
    { provenByWrite: true },
  )
  route(
    app,
    deps,
    returnParcel,
    async ({ caller, params, body, idempotency }) => returnForFee(deps, customer(caller), params.id, body, idempotency),
    { provenByWrite: true },
  )
  route(app, deps, topUp, async (call) => startTopUp(deps, getPayer(call), call.body))
}
