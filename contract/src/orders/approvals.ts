/** Approvals: members' orders that need the company's decision. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, integer, optionalText, text } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'

/** States of an approval, with labels `[en, cn_zh]`. */
export const approvalStatusLabels = {
  pending: ['Waiting for approval', '等待批准'],
  approved: ['Approved', '已批准'],
  declined: ['Declined', '已拒绝'],
  withdrawn: ['Withdrawn', '已撤回'],
  expired: ['Expired', '已过期'],
} as const
export type ApprovalStatus = keyof typeof approvalStatusLabels

export const approvalTabs = ['pending', 'decided'] as const

export const approval = z.object({
  id,
  orderId: id,
  orderNumber: z.string(),
  status: z.enum(labelValues(approvalStatusLabels)),
  amountMinor: z.number(),
  currency,
  parcelCount: z.number(),
  requestedBy: z.object({ id, name: z.string() }),
  requestedAt: instant,
  note: z.nullable(z.string()),
  /** The deadline of the decision; after it the parcels return to the cart. */
  expiresAt: instant,
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(instant),
  reason: z.nullable(z.string()),
  /** Whether the caller may decide it. */
  decidable: z.boolean(),
})
export type Approval = z.output<typeof approval>

export const askApproval = endpoint({
  id: 'approvals.ask',
  method: 'POST',
  path: '/api/customer/approvals',
  access: 'pay',
  summary: 'Requests approval of an order: nothing is charged, its parcels wait, and the approvers are mailed',
  body: z.object({ orderId: id, note: optionalText(300) }),
  response: approval,
  idempotent: true,
})

const listFilters = { tab: z._default(z.enum(approvalTabs), 'pending') }

export const exportApprovals = endpoint({
  id: 'approvals.xls',
  method: 'GET',
  path: '/api/customer/approvals/xls',
  access: 'corporate.pay',
  summary: 'The requests for approval that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...listFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listApprovals = endpoint({
  id: 'approvals.list',
  method: 'GET',
  path: '/api/customer/approvals',
  access: 'corporate.pay',
  summary:
    'Orders that wait for approval, the oldest first, or decided ones, the newest first; who may not decide sees ' +
    'the own ones',
  query: z.extend(listQuery(['requestedAt']), listFilters),
  response: z.extend(page(approval), { counts: z.object({ pending: z.number(), decided: z.number() }) }),
})

export const approveOrder = endpoint({
  id: 'approvals.approve',
  method: 'POST',
  path: '/api/customer/approvals/:id/approve',
  access: 'corporate.users',
  summary:
    'Approves an order and has it billed by the month in the name of who asked; where monthly billing is closed, ' +
    'answers why and changes nothing',
  params: idParams,
  body: z.object({
    /** The total that the caller saw. */
    expectedTotalMinor: integer(0),
  }),
  response: approval,
  idempotent: true,
})

export const declineOrder = endpoint({
  id: 'approvals.decline',
  method: 'POST',
  path: '/api/customer/approvals/:id/decline',
  access: 'corporate.users',
  summary: 'Declines an order: it is cancelled, its parcels return to the cart, and its creator is mailed the reason',
  params: idParams,
  body: z.object({ reason: text(300) }),
  response: approval,
})
