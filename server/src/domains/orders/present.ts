/** Formats orders and invoices for the API. */

import type { Locale } from '@waybill/contract/ground/constants'
import { carrierLabels, isOtherCarrier } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import type { BillingClosedReason } from '@waybill/contract/orders/monthly-billing'
import type { Invoice, Order, OrderDetail, OrderVisit, StaffOrder } from '@waybill/contract/orders/orders'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import type { VisitRow } from '../parcels/pickup-side/visits.ts'
import type { ParcelRow } from '../parcels/queries.ts'
import { presentParcelRow } from '../parcels/service.ts'
import type { InvoiceRow, ListedOrder } from './queries.ts'
import { checkoutTab, methodChoices, waitsForApproval } from './rules.ts'

/** An order in a list. */
export function presentOrder(row: ListedOrder): Order {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    currency: row.currency,
    totalMinor: row.total_minor,
    paidMinor: row.paid_minor,
    refundedMinor: row.refunded_minor,
    refundPendingMinor: row.refund_pending_minor,
    paymentMethod: row.payment_method,
    paymentId: row.payment_id,
    invoiceNumber: row.invoice_number,
    parcelCount: row.parcel_count,
    waitsForApproval: waitsForApproval(row),
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
  }
}

const presentPickup = ({ pickup }: ListedOrder): OrderDetail['pickup'] =>
  pickup && {
    address: pickup.address,
    date: pickup.date,
    window: pickup.window,
    number: pickup.number,
    joins: (pickup.visitId ?? null) !== null,
  }

const presentVisit = (row: VisitRow): OrderVisit => ({
  id: row.id,
  number: row.number,
  status: row.status as OrderVisit['status'],
  address: row.address as OrderVisit['address'],
  date: row.pickup_date,
  window: row.pickup_window as OrderVisit['window'],
})

/** An order for staff. */
export const presentOrderForStaff = (
  row: ListedOrder,
  accountName: string,
  createdByName: string | null,
  visits: readonly VisitRow[],
): StaffOrder => ({
  ...presentOrder(row),
  accountId: row.account_id,
  accountName,
  createdByName,
  visits: visits.map(presentVisit),
})

/** An order with its parcels, their riders' visits and the payment methods. */
export function presentOrderDetail(
  deps: Deps,
  row: ListedOrder,
  { parcels, visits }: { parcels: readonly ParcelRow[]; visits: readonly VisitRow[] },
  caller: CustomerCaller,
  { billing, approval }: { billing: BillingClosedReason | null; approval: OrderDetail['approval'] },
): OrderDetail {
  const tab = checkoutTab(parcels[0]?.delivery_mode ?? null)
  return {
    ...presentOrder(row),
    lines: row.lines,
    parcels: parcels.map((parcel) => presentParcelRow(deps, parcel, caller)),
    pickup: presentPickup(row),
    visits: visits.map(presentVisit),
    methods: methodChoices({
      currency: row.currency,
      totalMinor: row.total_minor,
      tab,
      billing,
      approval: approvalWord(approval),
    }),
    approval,
  }
}

/** The approval state in the form that the payment methods need. */
function approvalWord(approval: OrderDetail['approval']): 'needed' | 'pending' | null {
  if (approval?.needed) return 'needed'
  return approval?.request?.status === 'pending' ? 'pending' : null
}

/** A language with its texts. */
export type Language = { locale: Locale; t: Translate }

/**
 * `own.e_parcel.D2D` -> `E-parcel, Pick Up - Delivery`, `dhl.e_parcel.D2D` -> `E-parcel, DHL, Pick Up - Delivery`; null
 * for an unknown code.
 */
function serviceName(code: string, locale: Locale): string | null {
  const [carrier = '', type = '', mode = ''] = code.split('.')
  if (!(type in serviceTypeLabels) || !(mode in deliveryModeLabels)) return null
  const names = [
    enumLabel(serviceTypeLabels, type as keyof typeof serviceTypeLabels, locale),
    ...(isOtherCarrier(carrier) ? [enumLabel(carrierLabels, carrier, locale)] : []),
    enumLabel(deliveryModeLabels, mode as keyof typeof deliveryModeLabels, locale),
  ]
  return names.join(locale === 'cn_zh' ? '，' : ', ')
}

/** A line of an invoice or credit note in the caller's language. */
function presentInvoiceLine(
  { kind, amountMinor, basis }: PriceLine,
  { locale, t }: Language,
): Invoice['lines'][number] {
  const service = typeof basis.serviceCode === 'string' ? serviceName(basis.serviceCode, locale) : null
  const number = typeof basis.trackingNumber === 'string' ? groupTrackingNumber(basis.trackingNumber) : null
  const about = service ?? number
  const label = t(`price.line.${kind}`)
  return {
    description: about ? t('phrase.detail', { text: label, detail: about }) : label,
    quantity: kind === 'pickup' ? 1 : Math.max(1, Number(basis.parcels ?? 1)),
    amountMinor,
  }
}

type TaxDocument = Pick<
  InvoiceRow,
  'number' | 'issued_at' | 'currency' | 'seller' | 'buyer' | 'lines' | 'net_minor' | 'tax_minor' | 'total_minor'
>

/** What invoices and credit notes have in common, in the caller's language. Tax is separate from the lines. */
export function presentTaxDocument(row: TaxDocument, orderNumber: string, language: Language) {
  const { name, registrationNumber, taxNumber, address } = row.seller
  return {
    number: row.number,
    issuedAt: row.issued_at.toISOString(),
    orderNumber,
    currency: row.currency,
    seller: { name, registrationNumber, taxNumber, address: address ?? '' },
    buyer: { ...row.buyer, email: row.buyer.email ?? '' },
    lines: row.lines.filter(({ kind }) => kind !== 'tax').map((line) => presentInvoiceLine(line, language)),
    netMinor: row.net_minor,
    taxMinor: row.tax_minor,
    totalMinor: row.total_minor,
  }
}

/** Formats an invoice in the caller's language. */
export const presentInvoice = (row: InvoiceRow, orderNumber: string, language: Language): Invoice => ({
  ...presentTaxDocument(row, orderNumber, language),
  paymentMethod: row.payment_method,
  paidAt: row.paid_at?.toISOString() ?? null,
})
