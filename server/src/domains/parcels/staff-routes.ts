// HTTP routes of parcels for staff: scans, delivery tasks, failed deliveries, weight disputes.
import { taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { getStaffDeliveryChoice, recordDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import {
  assignDelivery,
  type DeliveryTask,
  exportDeliveryTasks,
  exportFailedDeliveries,
  type FailedDelivery,
  getDeliveryTask,
  listDeliveryTasks,
  listFailedDeliveries,
  printRunSheet,
  startDelivery,
} from '@waybill/contract/parcels/rider-tasks'
import { declareLost, recentScans, scan, staffParcelByNumber, undoScan } from '@waybill/contract/parcels/scanning'
import { type Dispute, exportDisputes, listDisputes, weighingStateLabels } from '@waybill/contract/parcels/weighing'
import { replayParcelPrice } from '@waybill/contract/pricing/price-replay'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { contentDisposition } from '../../lib/sheet/write.ts'
import { readChoiceForStaff, recordChoice } from './failed-delivery/choice-by-staff.ts'
import { failedDeliveries } from './failed-delivery/failed-deliveries.ts'
import { declareParcelLost } from './lost/service.ts'
import { computePriceAgain } from './price-replay/service.ts'
import { getParcelForStaff, listLatestScans } from './scanning/reads.ts'
import { assignDeliveryTask, readDeliveryTask, readDeliveryTasks, startDeliveryTask } from './scanning/rider-tasks.ts'
import { renderRunSheets } from './scanning/run-sheet.ts'
import { createScanner } from './scanning/service.ts'
import { revertScan } from './scanning/undo.ts'
import { readDisputes } from './weighing/disputes.ts'

/** Routes for parcels at stations and with riders. */
export function staffParcelRoutes(app: FastifyInstance, deps: Deps): void {
  const scanParcel = createScanner(deps)
  route(app, deps, scan, ({ body, caller, idempotency }) => scanParcel(staff(caller), body, idempotency), {
    provenByWrite: true,
  })
  route(app, deps, undoScan, ({ params, caller }) => revertScan(deps, staff(caller), params.id))
  route(app, deps, listDeliveryTasks, ({ query, caller }) => readDeliveryTasks(deps, staff(caller), query))
  deliverySheetRoute(app, deps)
  route(app, deps, printRunSheet, async ({ query, caller, locale, t, reply }) => {
    const { name, pdf } = await renderRunSheets(deps, staff(caller), query, { locale, t })
    reply.header('content-disposition', contentDisposition(name, 'inline'))
    return pdf
  })
  route(app, deps, getStaffDeliveryChoice, ({ params, query }) => readChoiceForStaff(deps, params.id, query.by))
  route(app, deps, recordDeliveryChoice, ({ params, body, caller, idempotency }) =>
    recordChoice(deps, staff(caller), params.id, body, idempotency),
  )
  route(app, deps, listFailedDeliveries, ({ query, caller }) => failedDeliveries(deps, staff(caller), query))
  route(app, deps, exportFailedDeliveries, async (call) => {
    const { caller, query, t } = call
    return sendListSheet<FailedDelivery>(deps, call, {
      file: 'failed-deliveries',
      title: 'failedDelivery.title',
      columns: [
        { header: t('fields.trackingNumber'), kind: 'text', width: 18, value: ({ trackingNumber }) => trackingNumber },
        { header: t('failedDelivery.to'), kind: 'text', width: 24, value: ({ to }) => to?.contactName },
        { header: t('fields.phone'), kind: 'text', width: 18, value: ({ to }) => to?.phone },
        {
          header: t('fields.address'),
          kind: 'text',
          width: 44,
          value: ({ to }) => to && formatAddress(to),
        },
        { header: t('fields.currency'), kind: 'text', width: 8, value: ({ currency }) => currency },
        { header: t('fields.codAmountMinor'), kind: 'money', value: ({ codAmountMinor }) => codAmountMinor },
        { header: t('handInDoc.rider'), kind: 'text', width: 24, value: ({ riderName }) => riderName },
        { header: t('cashDoc.at'), kind: 'time', value: ({ failedAttempt }) => new Date(failedAttempt.at) },
        {
          header: t('failedDelivery.attemptNumber'),
          kind: 'number',
          value: ({ failedAttempt }) => failedAttempt.attempt,
        },
        {
          header: t('failedDelivery.failed'),
          kind: 'text',
          width: 36,
          value: ({ failedAttempt: { reason, note } }) =>
            [reason && t(`failureReason.${reason}`), note].filter(Boolean).join(' · '),
        },
      ],
      read: (window) => failedDeliveries(deps, staff(caller), { ...query, ...window, sort: undefined }),
    })
  })
  route(app, deps, getDeliveryTask, ({ params, caller }) => readDeliveryTask(deps, staff(caller), params.id))
  route(app, deps, startDelivery, ({ params, body, caller }) =>
    startDeliveryTask(deps, staff(caller), params.id, body.version),
  )
  route(app, deps, assignDelivery, ({ params, body, caller }) =>
    assignDeliveryTask(deps, staff(caller), params.id, body),
  )
  route(app, deps, recentScans, ({ query, caller }) => listLatestScans(deps, staff(caller), query.limit))
  route(app, deps, staffParcelByNumber, ({ params, caller, t }) => getParcelForStaff(deps, staff(caller), params.no, t))
  route(app, deps, declareLost, async ({ params, body, caller, t }) => {
    const number = await declareParcelLost(deps, staff(caller), params.id, body)
    return getParcelForStaff(deps, staff(caller), number, t)
  })
  route(app, deps, replayParcelPrice, ({ params }) => computePriceAgain(deps, params.no))
  route(app, deps, listDisputes, ({ query }) => readDisputes(deps, query))
  disputeSheetRoute(app, deps)
}

/** Parcels with riders as a spreadsheet. */
function deliverySheetRoute(app: FastifyInstance, deps: Deps): void {
  route(app, deps, exportDeliveryTasks, async (call) => {
    const { caller, query, locale, t } = call
    return sendListSheet<DeliveryTask>(deps, call, {
      file: 'deliveries',
      title: 'deliveriesPage.title',
      columns: [
        { header: t('fields.trackingNumber'), kind: 'text', width: 18, value: ({ trackingNumber }) => trackingNumber },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 16,
          value: ({ status }) => enumLabel(taskStatusLabels, status, locale),
        },
        { header: t('failedDelivery.to'), kind: 'text', width: 24, value: ({ to }) => to?.contactName },
        { header: t('fields.phone'), kind: 'text', width: 18, value: ({ to }) => to?.phone },
        { header: t('fields.address'), kind: 'text', width: 44, value: ({ to }) => to && formatAddress(to) },
        { header: t('fields.remarks'), kind: 'text', width: 28, value: ({ to }) => to?.remarks },
        { header: t('fields.currency'), kind: 'text', width: 8, value: ({ currency }) => currency },
        { header: t('fields.codAmountMinor'), kind: 'money', value: ({ codAmountMinor }) => codAmountMinor },
        { header: t('fields.codCollectedMinor'), kind: 'money', value: ({ codCollectedMinor }) => codCollectedMinor },
        { header: t('handInDoc.rider'), kind: 'text', width: 24, value: ({ riderName }) => riderName },
        { header: t('failedDelivery.attemptNumber'), kind: 'number', value: ({ attempts }) => attempts },
        {
          header: t('failedDelivery.failed'),
          kind: 'text',
          width: 36,
          value: ({ failureReason, failureNote }) =>
            [failureReason && t(`failureReason.${failureReason}`), failureNote].filter(Boolean).join(' · '),
        },
        { header: t('fields.updatedAt'), kind: 'time', value: ({ updatedAt }) => new Date(updatedAt) },
      ],
      read: (window) => readDeliveryTasks(deps, staff(caller), { ...query, ...window, sort: undefined }),
    })
  })
}

type Address = Pick<NonNullable<DeliveryTask['to']>, 'line1' | 'line2' | 'postcode' | 'city'>

const formatAddress = ({ line1, line2, postcode, city }: Address): string =>
  [line1, line2, `${postcode} ${city}`].filter(Boolean).join(', ')

/** Contested weights as a spreadsheet. */
function disputeSheetRoute(app: FastifyInstance, deps: Deps): void {
  route(app, deps, exportDisputes, async (call) => {
    const { query, locale, t } = call
    return sendListSheet<Dispute>(deps, call, {
      file: 'weight-disputes',
      title: 'disputesPage.title',
      columns: [
        { header: t('fields.trackingNumber'), kind: 'text', width: 18, value: ({ trackingNumber }) => trackingNumber },
        { header: t('inbox.account'), kind: 'text', width: 28, value: ({ accountName }) => accountName },
        { header: t('cashDoc.station'), kind: 'text', width: 28, value: ({ station }) => station },
        { header: t('disputesPage.weighedAt'), kind: 'time', value: ({ at }) => new Date(at) },
        { header: t('disputesPage.declaredGrams'), kind: 'number', value: ({ declaredGrams }) => declaredGrams },
        { header: t('disputesPage.measuredGrams'), kind: 'number', value: ({ weightGrams }) => weightGrams },
        { header: t('fields.currency'), kind: 'text', width: 10, value: ({ currency }) => currency },
        { header: t('weighing.difference'), kind: 'money', value: ({ differenceMinor }) => differenceMinor },
        {
          header: t('disputesPage.disputedAt'),
          kind: 'time',
          value: ({ contestedAt }) => contestedAt && new Date(contestedAt),
        },
        { header: t('disputesPage.comment'), kind: 'text', width: 48, value: ({ reason }) => reason },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 16,
          value: ({ state }) => enumLabel(weighingStateLabels, state, locale),
        },
        {
          header: t('disputesPage.decidedAt'),
          kind: 'time',
          value: ({ decidedAt }) => decidedAt && new Date(decidedAt),
        },
        { header: t('fields.note'), kind: 'text', width: 48, value: ({ decisionNote }) => decisionNote },
      ],
      read: (window) => readDisputes(deps, { ...query, ...window, sort: undefined }),
    })
  })
}
