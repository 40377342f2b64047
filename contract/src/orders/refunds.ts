/** Cancelling parcels of an order, credit notes, and refunds to cards. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { paymentMethodLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, optionalText, text, version } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'
import { parcel } from '../parcels/parcels.ts'
import { invoice } from './orders.ts'

/** Where a refund of a gateway payment can go. Credits always return to the wallet, and bills are corrected. */
export const refundChoices = ['wallet', 'card'] as const
export type RefundChoice = (typeof refundChoices)[number]

/** The destination of the money; label `refund.to.<destination>`. `receivable`: off the monthly bill. */
export const refundDestinations = ['wallet', 'card', 'receivable'] as const

/** Label `refund.status.<status>`. `failed`: the bank refused, so the money went to the wallet instead. */
export const refundStatuses = ['requested', 'done', 'failed'] as const

/** The refund for cancelling some parcels now, and its possible destinations. */
export const refundPreview = z.object({
  currency,
  refundMinor: z.number(),
  /** The part for pickups that are no longer needed. */
  pickupMinor: z.number(),
  /** The fees of pickups that are not refunded, because the pickup serves other parcels, too. */
  keptPickupMinor: z.number(),
  /** The part that was paid at the gateway and can go back to the card. */
  cardMinor: z.number(),
  /** The part that is deducted from the monthly bill. */
  receivableMinor: z.number(),
})
export type RefundPreview = z.output<typeof refundPreview>

const refund = z.object({
  id,
  orderId: id,
  destination: z.enum(refundDestinations),
  status: z.enum(refundStatuses),
  currency,
  amountMinor: z.number(),
})

/** The parcels after the call, and the refunds, one per order. */
const cancellation = z.object({ items: z.array(parcel), refunds: z.array(refund) })
export type Cancellation = z.output<typeof cancellation>

/** As many as an order can have. */
const ids = z.array(id).check(z.minLength(1), z.maxLength(10_000))
const refundTo = z._default(z.enum(refundChoices), 'wallet' as const)
const reason = optionalText(200)

export const cancelParcels = endpoint({
  id: 'parcels.cancel',
  method: 'POST',
  path: '/api/customer/parcels/cancel',
  access: 'parcels.settle',
  summary:
    'Cancels parcels before handover, all or none; what was paid is given back: credits to the wallet, gateway ' +
    'payments to the wallet or the card',
  body: z.object({
    ids,
    reason,
    refundTo,
    /** The versions that the caller saw, by id; a stale one causes a 409. */
    versions: z.optional(z.record(z.string(), version)),
  }),
  response: cancellation,
  idempotent: true,
})

export const previewCancel = endpoint({
  id: 'parcels.cancelPreview',
  method: 'POST',
  path: '/api/customer/parcels/cancel/preview',
  access: 'parcels.settle',
  summary: 'Previews the refund for cancelling these parcels and its possible destinations',
  body: z.object({ ids }),
  response: refundPreview,
})

export const cancelOrder = endpoint({
  id: 'orders.cancel',
  method: 'POST',
  path: '/api/customer/orders/:id/cancel',
  access: 'parcels.settle',
  summary: 'Cancels an order or some of its parcels before handover, and refunds what was paid',
  params: idParams,
  body: z.object({ parcelIds: z.optional(ids), reason, refundTo }),
  response: cancellation,
  idempotent: true,
})

/** A credit note in a list, with the destination of its money. */
export const creditNoteItem = z.object({
  id,
  number: z.string(),
  issuedAt: instant,
  currency,
  totalMinor: z.number(),
  destination: z.enum(refundDestinations),
  status: z.enum(refundStatuses),
  bankReference: z.nullable(z.string()),
  parcelCount: z.number(),
})
export type CreditNoteItem = z.output<typeof creditNoteItem>

export const listCreditNotes = endpoint({
  id: 'orders.creditNotes',
  method: 'GET',
  path: '/api/customer/orders/:id/credit-notes',
  access: 'customer.view',
  summary: 'The credit notes of an order, the oldest first, and where their money went',
  params: idParams,
  /** `parcelId`: only the one for the cancellation of this parcel. */
  query: z.object({ parcelId: z.optional(id) }),
  response: z.object({ items: z.array(creditNoteItem) }),
})

const invoiced = invoice.shape
export const creditNote = z.object({
  id,
  number: z.string(),
  issuedAt: instant,
  orderNumber: z.string(),
  /** The invoice that it corrects. */
  invoiceNumber: z.nullable(z.string()),
  currency,
  seller: invoiced.seller,
  buyer: invoiced.buyer,
  lines: invoiced.lines,
  netMinor: z.number(),
  taxMinor: z.number(),
  totalMinor: z.number(),
  destination: z.enum(refundDestinations),
  status: z.enum(refundStatuses),
  bankReference: z.nullable(z.string()),
  refundedAt: z.nullable(instant),
})
export type CreditNote = z.output<typeof creditNote>

const creditNoteParams = z.object({ id, creditNoteId: id })

export const getCreditNote = endpoint({
  id: 'orders.creditNote',
  method: 'GET',
  path: '/api/customer/orders/:id/credit-notes/:creditNoteId',
  access: 'customer.view',
  summary: 'One credit note of an order',
  params: creditNoteParams,
  response: creditNote,
})

export const printCreditNote = endpoint({
  id: 'orders.creditNotePrint',
  method: 'GET',
  path: '/api/customer/orders/:id/credit-notes/:creditNoteId/print',
  access: 'customer.view',
  summary: 'The credit note as PDF',
  params: creditNoteParams,
  media: 'application/pdf',
})

/** A refund to a card that staff must make, or have made. */
export const refundTask = z.object({
  id,
  version,
  orderId: id,
  orderNumber: z.string(),
  accountName: z.string(),
  creditNoteNumber: z.string(),
  status: z.enum(refundStatuses),
  currency,
  amountMinor: z.number(),
  paymentMethod: z.nullable(z.enum(labelValues(paymentMethodLabels))),
  /** Our number of the payment at the gateway, and the gateway's own. */
  paymentReference: z.nullable(z.string()),
  gatewayTransaction: z.nullable(z.string()),
  bankReference: z.nullable(z.string()),
  note: z.nullable(z.string()),
  createdAt: instant,
  settledAt: z.nullable(instant),
})
export type RefundTask = z.output<typeof refundTask>

const refundFilters = {
  status: z.optional(z.enum(refundStatuses)),
  /** The beginning of the number of an order, a credit note or a payment. */
  search: z.optional(z.string().check(z.maxLength(60))),
}

export const exportRefunds = endpoint({
  id: 'staff.refundsXls',
  method: 'GET',
  path: '/api/staff/refunds/xls',
  access: 'staff.finance',
  summary: 'The refunds that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...refundFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listRefunds = endpoint({
  id: 'staff.refunds',
  method: 'GET',
  path: '/api/staff/refunds',
  access: 'staff.finance',
  summary: 'Refunds to cards: open ones, oldest first, and settled ones',
  query: z.extend(listQuery(['createdAt', 'amountMinor']), refundFilters),
  response: page(refundTask),
})

export const settleRefund = endpoint({
  id: 'staff.refundDone',
  method: 'POST',
  path: '/api/staff/refunds/:id/done',
  access: 'staff.finance',
  summary: "Records that a refund was paid back to the card, with the bank's reference",
  params: idParams,
  body: z.object({ version, bankReference: text(80) }),
  response: refundTask,
})

export const failRefund = endpoint({
  id: 'staff.refundFailed',
  method: 'POST',
  path: '/api/staff/refunds/:id/failed',
  access: 'staff.finance',
  summary: 'Records that the bank refused a refund: its money goes to the wallet at once',
  params: idParams,
  body: z.object({ version, note: text(200) }),
  response: refundTask,
})
