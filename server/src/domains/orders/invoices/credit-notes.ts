/** Credit notes of orders. */
import type { Readable } from 'node:stream'
import type { QueryOf } from '@waybill/contract/ground/endpoint'
import { paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import type { CreditNote, CreditNoteItem, listCreditNotes } from '@waybill/contract/orders/refunds'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { findVisibleOrder } from '../approvals/reads.ts'
import { type Language, presentTaxDocument } from '../present.ts'
import type { ListedOrder } from '../queries.ts'
import { type CreditNoteRow, listCreditNoteRows } from '../refunds/queries.ts'
import { printInvoice } from './print-invoice.ts'

async function requireVisibleOrder(deps: Deps, caller: CustomerCaller, orderId: string): Promise<ListedOrder> {
  const order = await findVisibleOrder(deps.db, caller, orderId)
  if (!order) throw new AppError('not_found')
  return order
}

/**
 * The credit notes of an order, oldest first; `parcelId`: only that of this cancelled parcel. Throws not_found, also
 * for another customer's order.
 */
export async function creditNotes(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  { parcelId }: QueryOf<typeof listCreditNotes>,
): Promise<CreditNoteItem[]> {
  const order = await requireVisibleOrder(deps, caller, orderId)
  return (await listCreditNoteRows(deps.db, caller.accountId, order.id, { parcelId })).map((row) => ({
    id: row.id,
    number: row.number,
    issuedAt: row.issued_at.toISOString(),
    currency: row.currency,
    totalMinor: row.total_minor,
    destination: row.destination,
    status: row.refund_status,
    bankReference: row.bank_reference,
    parcelCount: row.parcels,
  }))
}

async function buildNote(
  deps: Deps,
  caller: CustomerCaller,
  ids: { id: string; creditNoteId: string },
): Promise<{ order: ListedOrder; row: CreditNoteRow }> {
  const order = await requireVisibleOrder(deps, caller, ids.id)
  const [row] = await listCreditNoteRows(deps.db, caller.accountId, order.id, { id: ids.creditNoteId })
  if (!row) throw new AppError('not_found')
  return { order, row }
}

/** Formats a credit note in the caller's language. */
function presentCreditNote(order: ListedOrder, row: CreditNoteRow, language: Language): CreditNote {
  return {
    id: row.id,
    ...presentTaxDocument(row, order.number, language),
    invoiceNumber: row.invoice_number,
    destination: row.destination,
    status: row.refund_status,
    bankReference: row.bank_reference,
    refundedAt: row.settled_at?.toISOString() ?? null,
  }
}

/** One credit note. Throws not_found, also for another customer's. */
export async function readCreditNote(
  deps: Deps,
  caller: CustomerCaller,
  ids: { id: string; creditNoteId: string },
  language: Language,
): Promise<CreditNote> {
  const { order, row } = await buildNote(deps, caller, ids)
  return presentCreditNote(order, row, language)
}

/** A credit note as PDF, in the layout of invoices. Throws not_found. */
export async function renderCreditNote(
  deps: Deps,
  caller: CustomerCaller,
  ids: { id: string; creditNoteId: string },
  language: Language,
): Promise<{ number: string; pdf: Readable }> {
  const { order, row } = await buildNote(deps, caller, ids)
  const note = presentCreditNote(order, row, language)
  const method =
    order.payment_method === null ? '' : enumLabel(paymentMethodLabels, order.payment_method, language.locale)
  const pdf = await printInvoice(
    deps,
    {
      ...note,
      kind: 'creditNote',
      correctsNumber: note.invoiceNumber,
      status: note.status === 'requested' ? 'refunding' : 'refunded',
      payment: {
        title: language.t('invoiceDoc.refund'),
        methodCaption: language.t('invoiceDoc.refundTo'),
        methodLabel: language.t(`refund.to.${note.status === 'failed' ? 'wallet' : note.destination}`, { method }),
        dateCaption: language.t('invoiceDoc.refundedOn'),
        reference: note.bankReference,
        paidAt: note.refundedAt,
      },
    },
    language,
  )
  return { number: note.number, pdf }
}
