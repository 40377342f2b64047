/** Routes of approvals. */
import { memberUsage } from '@waybill/contract/accounts/company'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import {
  type Approval,
  approvalStatusLabels,
  askApproval,
  declineOrder,
  exportApprovals,
  listApprovals,
} from '@waybill/contract/orders/approvals'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { listMemberUsage } from '../monthly-billing/service.ts'
import { readApprovals } from './reads.ts'
import { declineApproval, requestApproval } from './service.ts'

/** Requests for approval, and the amounts billed for each member this month. */
export function approvalRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listApprovals, async ({ caller, query }) => readApprovals(deps, customer(caller), query))
  route(app, deps, exportApprovals, async (call) => {
    const { caller, query, locale, t } = call
    return sendListSheet<Approval>(deps, call, {
      file: 'approvals',
      title: 'approvals.title',
      columns: [
        { header: t('fields.orderId'), kind: 'text', width: 16, value: ({ orderNumber }) => orderNumber },
        { header: t('fields.parcels'), kind: 'number', value: ({ parcelCount }) => parcelCount },
        { header: t('approvals.by'), kind: 'text', width: 24, value: ({ requestedBy }) => requestedBy.name },
        { header: t('approvals.requestedAt'), kind: 'time', value: ({ requestedAt }) => new Date(requestedAt) },
        { header: t('fields.note'), kind: 'text', width: 30, value: ({ note }) => note },
        {
          header: t('phrase.detail', { text: t('approvals.amount'), detail: deps.settings.get('currency') }),
          kind: 'money',
          value: ({ amountMinor }) => amountMinor,
        },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 20,
          value: ({ status }) => enumLabel(approvalStatusLabels, status, locale),
        },
        { header: t('approvals.decidedBy'), kind: 'text', width: 24, value: ({ decidedBy }) => decidedBy },
        {
          header: t('approvals.decidedAt'),
          kind: 'time',
          value: ({ decidedAt }) => decidedAt && new Date(decidedAt),
        },
        { header: t('fields.reason'), kind: 'text', width: 30, value: ({ reason }) => reason },
      ],
      read: (window) => readApprovals(deps, customer(caller), { ...query, ...window, sort: undefined }),
    })
  })
  route(app, deps, askApproval, async ({ caller, body, idempotency }) =>
    requestApproval(deps, customer(caller), body, idempotency),
  )
  route(app, deps, declineOrder, async ({ caller, params, body }) =>
    declineApproval(deps, customer(caller), params.id, body),
  )
  route(app, deps, memberUsage, async ({ caller }) => listMemberUsage(deps, customer(caller)))
}
