/** Customers' tickets: kinds, deadlines, documents, and the calls of an account. */
import * as z from 'zod/mini'
import { attachment } from '../attachments/attachments.ts'
import { endpoint } from '../ground/endpoint.ts'
import { ticketStatusLabels } from '../ground/enums/enums.ts'
import { type Labels, labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, text, version } from '../ground/fields.ts'
import { keysetPage, keysetQuery, sheetFormat, sheetMedia, tabCounts } from '../ground/paging.ts'
import { artwork } from '../parcels/labels.ts'
import { claim, claimReasonLabels, claimStateLabels } from './claims.ts'

export const ticketKindLabels = {
  enquiry: ['Question', '咨询'],
  delivery: ['Delivery problem', '派送问题'],
  billing: ['Payment or invoice', '付款或发票'],
  claim: ['Insurance claim', '保险理赔'],
  branding: ['Artwork on consignment notes', '托运单图稿'],
} as const satisfies Labels<string>
export type TicketKind = keyof typeof ticketKindLabels

/** Kinds that a customer opens with a title and a text. Claims and artwork have separate calls. */
export const plainTicketKinds = ['enquiry', 'delivery', 'billing'] as const
export type PlainTicketKind = (typeof plainTicketKinds)[number]

export const documentKindLabels = {
  proof_of_value: ['Proof of value', '价值证明'],
  damage_photo: ['Photo of the damage', '损坏照片'],
  packaging_photo: ['Photo of the packaging', '包装照片'],
  other: ['Other document', '其他文件'],
} as const satisfies Labels<string>
export type DocumentKind = keyof typeof documentKindLabels

/** The maximum number of files of one kind of document. */
export const maxDocuments = 8

/** One line of the checklist: a requested document, and its files. */
const checklistLine = z.object({
  kind: z.enum(labelValues(documentKindLabels)),
  required: z.boolean(),
  files: z.array(attachment),
})

/** The caller's possible actions on a ticket now. The server decides; screens show these. */
export const ticketActions = [
  'close',
  'reopen',
  'add_document',
  'submit_claim',
  'withdraw_claim',
  'request_documents',
  'accept_claim',
  'refuse_claim',
  'reconsider_claim',
] as const
export type TicketAction = (typeof ticketActions)[number]

/** The record that a ticket is about. */
const about = z.object({ subject: z.enum(['parcel', 'order']), id, number: z.string() })

export const listedTicket = z.object({
  id,
  number: z.string(),
  kind: z.enum(labelValues(ticketKindLabels)),
  status: z.enum(labelValues(ticketStatusLabels)),
  title: z.string(),
  /** The state of a claim, which says more than the status; null: another kind of ticket. */
  claimState: z.nullable(z.enum(labelValues(claimStateLabels))),
  about: z.nullable(about),
  /** Which side must act, and until when; null: nothing is due. */
  deadline: z.nullable(z.object({ at: instant, waitsFor: z.enum(['customer', 'staff']), overdue: z.boolean() })),
  createdAt: instant,
  updatedAt: instant,
})
export type ListedTicket = z.output<typeof listedTicket>

export const ticket = z.extend(listedTicket, {
  version,
  description: z.string(),
  documents: z.array(checklistLine),
  claim: z.nullable(claim),
  artwork: z.nullable(artwork),
  createdByName: z.nullable(z.string()),
  allowedActions: z.array(z.enum(ticketActions)),
})
export type Ticket = z.output<typeof ticket>

/** Tabs of the lists of tickets. */
export const ticketTabs = ['open', 'closed', 'all'] as const

const base = '/api/customer/tickets'

const listFilters = {
  tab: z._default(z.enum(ticketTabs), 'open' as const),
  kind: z.optional(z.enum(labelValues(ticketKindLabels))),
}

export const exportTickets = endpoint({
  id: 'tickets.xls',
  method: 'GET',
  path: `${base}/xls`,
  access: 'customer.view',
  summary: 'The tickets that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...listFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listTickets = endpoint({
  id: 'tickets.list',
  method: 'GET',
  path: base,
  access: 'customer.view',
  summary: 'Tickets that the caller may see, the last changed first',
  query: z.extend(keysetQuery(), listFilters),
  response: z.extend(keysetPage(listedTicket), { counts: tabCounts(ticketTabs) }),
})

export const getTicket = endpoint({
  id: 'tickets.get',
  method: 'GET',
  path: `${base}/:id`,
  access: 'customer.view',
  summary: 'One ticket with its documents, its claim or artwork, and what the caller may do',
  params: idParams,
  response: ticket,
})

export const createTicket = endpoint({
  id: 'tickets.create',
  method: 'POST',
  path: base,
  access: 'support',
  summary: 'Opens a ticket, which may be about a parcel or an order',
  body: z.object({
    kind: z.enum(plainTicketKinds),
    title: text(120),
    description: text(4000),
    aboutId: z._default(z.nullable(id), null),
  }),
  response: ticket,
  idempotent: true,
  perMinute: 20,
})

const documentInput = z.object({
  kind: z._default(z.enum(labelValues(documentKindLabels)), 'other' as const),
  attachmentId: id,
})
const documents = z.array(documentInput).check(z.maxLength(maxDocuments * 4))

export const addDocuments = endpoint({
  id: 'tickets.addDocuments',
  method: 'POST',
  path: `${base}/:id/documents`,
  access: 'support',
  summary: 'Adds documents to the checklist; a claim whose checklist is complete goes to staff',
  params: idParams,
  body: z.object({ version, documents: documents.check(z.minLength(1)) }),
  response: ticket,
})

export const closeTicket = endpoint({
  id: 'tickets.close',
  method: 'POST',
  path: `${base}/:id/close`,
  access: 'support',
  summary: 'Closes a ticket that is answered; a claim is withdrawn instead',
  params: idParams,
  body: z.object({ version }),
  response: ticket,
})

export const reopenTicket = endpoint({
  id: 'tickets.reopen',
  method: 'POST',
  path: `${base}/:id/reopen`,
  access: 'support',
  summary: 'Opens a closed ticket again',
  params: idParams,
  body: z.object({ version }),
  response: ticket,
})

export const createClaim = endpoint({
  id: 'tickets.createClaim',
  method: 'POST',
  path: `${base}/claims`,
  access: 'parcels.settle',
  summary: 'Claims for an insured parcel: once, in states that allow it, at most the insured value',
  body: z.object({
    parcelId: id,
    reason: z.enum(labelValues(claimReasonLabels)),
    amountMinor: claim.shape.claimedMinor.check(z.minimum(1)),
    description: text(4000),
    documents: z._default(documents, []),
  }),
  response: ticket,
  idempotent: true,
  perMinute: 20,
})

export const withdrawClaim = endpoint({
  id: 'tickets.withdrawClaim',
  method: 'POST',
  path: `${base}/:id/withdraw`,
  access: 'parcels.settle',
  summary: 'Withdraws an undecided claim; the parcel can be claimed again',
  params: idParams,
  body: z.object({ version }),
  response: ticket,
})

export const claimOptions = endpoint({
  id: 'tickets.claimOptions',
  method: 'GET',
  path: `${base}/claim-options/:id`,
  access: 'customer.view',
  summary: 'Whether a parcel can be claimed, for which reasons, and the documents that each reason needs',
  params: idParams,
  response: z.object({
    insuredMinor: z.nullable(z.number()),
    currency: z.string(),
    /** Why no claim is possible; null: it is. */
    closed: z.nullable(z.enum(['not_insured', 'state', 'window_over', 'claimed'])),
    /** The ticket of the existing claim. */
    ticketId: z.nullable(id),
    reasons: z.array(
      z.object({
        reason: z.enum(labelValues(claimReasonLabels)),
        documents: z.array(z.object({ kind: z.enum(labelValues(documentKindLabels)), required: z.boolean() })),
      }),
    ),
  }),
})
