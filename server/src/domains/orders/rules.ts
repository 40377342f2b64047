/** Rules of orders: lines, payment methods, refunds, status. */
import type { Locale } from '@waybill/contract/ground/constants'
import {
  type PaymentFilter,
  type PaymentMethod,
  paymentMethodForFilter,
  paymentMethodLabels,
} from '@waybill/contract/ground/enums/enums'
import { enumLabel, labelValues, lookup } from '@waybill/contract/ground/enums/labels'
import {
  type OrderStatus,
  orderStatusLabels,
  type ParcelStatus,
  type ServiceType,
} from '@waybill/contract/ground/enums/parcel-enums'
import { handoverStatuses, isCancelled, isEnded } from '@waybill/contract/ground/status/parcel-status'
import { toStoredNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import type { BillingClosedReason } from '@waybill/contract/orders/monthly-billing'
import { isDueInStore, type MethodChoice } from '@waybill/contract/orders/orders'
import type { RefundChoice } from '@waybill/contract/orders/refunds'
import { cardChannels } from '@waybill/contract/payments/payments'
import { isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import { type PriceBreakdown, type PriceLine, priceLineKinds } from '@waybill/contract/pricing/pricing'

/** `isDueInStore` of a row. */
export const isRowDueInStore = (row: {
  status: OrderStatus
  payment_method: PaymentMethod | null
  paid_at: Date | null
}): boolean => isDueInStore({ status: row.status, paymentMethod: row.payment_method, paidAt: row.paid_at })

/** Minutes until unpaid orders and gateway payments expire (docs/rules/payments.md). */
export const paymentMinutes = 30

export type CheckoutTab = 'pickup' | 'dropoff'

/** The tab of the cart: D2* parcels are fetched, P2* are brought. Each is checked out separately. */
export function checkoutTab(deliveryMode: string | null): CheckoutTab {
  return isPickedUp(deliveryMode) ? 'pickup' : 'dropoff'
}

/** The parts of a parcel that make an order's price. */
export type PricedParcel = { service_code: string | null; price: Pick<PriceBreakdown, 'lines'> | null }

/**
 * The lines of an order: its parcels' lines summed by kind (freight also by service), in the order of computation.
 * `extra`: lines of the order itself (pickup and its tax). `basis.parcels` counts the parcels of a line,
 * `basis.serviceCode` names the service of freight. Zero sums are dropped.
 */
export function orderLines(parcels: readonly PricedParcel[], extra: readonly PriceLine[] = []): PriceLine[] {
  const lines = new Map<string, PriceLine>()
  const add = (line: PriceLine, serviceCode: string | null, parcelCount: number) => {
    const service = line.kind === 'freight' ? serviceCode : null
    const key = `${line.kind} ${service ?? ''}`
    const sum = lines.get(key)
    if (!sum) {
      const basis = { parcels: parcelCount, ...(service === null ? {} : { serviceCode: service }) }
      lines.set(key, { kind: line.kind, amountMinor: line.amountMinor, basis })
      return
    }
    sum.amountMinor += line.amountMinor
    sum.basis.parcels = Number(sum.basis.parcels) + parcelCount
  }
  for (const parcel of parcels) for (const line of parcel.price?.lines ?? []) add(line, parcel.service_code, 1)
  for (const line of extra) add(line, null, line.kind === 'tax' ? 0 : Number(line.basis.parcels ?? 1))
  return [...lines.values()]
    .filter(({ amountMinor }) => amountMinor !== 0)
    .sort((a, b) => priceLineKinds.indexOf(a.kind) - priceLineKinds.indexOf(b.kind))
}

/** A parcel with the lines of its weight difference. */
type Difference = { parcel: { id: string; tracking_number: string | null }; lines: readonly PriceLine[] }

/**
 * The lines of weight differences on their own order: one for each parcel, which names it for the page of the order,
 * the invoice and the receipt, and the tax.
 */
export function weightDifferenceLines(differences: readonly Difference[]): PriceLine[] {
  const taxMinor = differences.reduce((sum, { lines }) => sum + sumLines(lines, 'tax'), 0)
  const lines = differences.map(({ parcel, lines }): PriceLine => {
    const amountMinor = sumLines(lines) - sumLines(lines, 'tax')
    const basis = { parcelId: parcel.id, trackingNumber: parcel.tracking_number ?? '' }
    return { kind: 'weight_difference', amountMinor, basis }
  })
  return taxMinor === 0 ? lines : [...lines, { kind: 'tax', amountMinor: taxMinor, basis: {} }]
}

/** The sum of lines in minor units, optionally of one kind. */
export function sumLines(lines: readonly PriceLine[], kind?: PriceLine['kind']): number {
  return lines.reduce((sum, line) => (kind === undefined || line.kind === kind ? sum + line.amountMinor : sum), 0)
}

/** What the payment methods depend on. */
export type Checkout = {
  currency: string
  totalMinor: number
  tab: CheckoutTab
  /** Why monthly billing is closed for this order; null: it is open. */
  billing: BillingClosedReason | null
  /** `needed`: an approval must be requested; `pending`: it was requested. */
  approval?: 'needed' | 'pending' | null
}

/** The payment methods at checkout. A closed one has a reason (a key under `paymentClosed.`). */
export function methodChoices(checkout: Checkout): MethodChoice[] {
  return labelValues(paymentMethodLabels).map((method) => {
    const reason = whyClosed(method, checkout)
    return { method, open: reason === null, reason }
  })
}

/** Methods that spend the company's money. */
const companyMoney: readonly PaymentMethod[] = ['express_credit', 'monthly_billing', 'store']

function whyClosed(method: PaymentMethod, { currency, totalMinor, tab, billing, approval }: Checkout): string | null {
  if (approval === 'pending') return 'approval_pending'
  // A free order is confirmed with credits: no money moves, and no PIN is needed.
  if (totalMinor === 0) return method === 'express_credit' ? null : 'nothing_to_pay'
  // An approved order is billed, so an approval cannot help where monthly billing is closed.
  if (approval === 'needed' && method === 'monthly_billing' && billing !== null) return billing
  if (approval === 'needed' && companyMoney.includes(method)) return 'approval_needed'
  switch (method) {
    case 'express_credit':
      return null
    case 'ipay88':
    case 'credit_card':
      return lookup(cardChannels, currency) === undefined ? 'currency' : null
    case 'store':
      return tab === 'pickup' ? 'store_pickup' : null
    case 'monthly_billing':
      return billing
  }
}

/** What the number of an order, or of its invoice, starts with; null: that kind of number does not match. */
export type NumberPrefixes = { order: string | null; invoice: string | null }

/**
 * The prefixes that a search text means: `ORD-00000123` or its digits, `INV-2026-000123` or its part from the year on.
 * The prefixes become part of the SQL text, so any other character means that nothing matches.
 */
function numberPrefixes(search: string): NumberPrefixes {
  const text = toStoredNumber(search)
  if (/^\d{1,8}$/.test(text)) return { order: `ORD-${text.padStart(8, '0')}`, invoice: null }
  if (/^\d{4}-\d{0,9}$/.test(text)) return { order: null, invoice: `INV-${text}` }
  return { order: /^ORD[-\d]*$/.test(text) ? text : null, invoice: /^INV[-\d]*$/.test(text) ? text : null }
}

/** The parts of a parcel that a refund depends on. */
export type RefundedParcel = PricedParcel & { id: string; status: ParcelStatus; price_minor: number | null }

/**
 * The refund for cancelling some parcels of an order: their lines, and the order's own (the pickup) once nothing is
 * left to fetch.
 */
export type Share = {
  parcels: { id: string; amountMinor: number }[]
  lines: PriceLine[]
  totalMinor: number
  pickupMinor: number
  /** The fee of the pickup that stays, because other parcels need the visit. */
  keptPickupMinor: number
}

/** Parcels of other orders that join the visit paid by an order: those cancelled now, and those that remain. */
export type VisitSharers = { cancelled: number; left: number }

/**
 * The refund for some parcels, to the minor unit: all their lines with discount and tax, since each was rounded
 * separately. Only parcels that are paid or billed, but not handed over, have one. The fee of the pickup is refunded
 * with the last parcel of its visit, even one of another order. `all`: the order's parcels before the cancellation.
 */
export function paidShare(
  order: { lines: readonly PriceLine[] },
  all: readonly RefundedParcel[],
  cancelled: ReadonlySet<string>,
  joined: VisitSharers = { cancelled: 0, left: 0 },
): Share {
  const refunded = all.filter(({ id, status }) => cancelled.has(id) && handoverStatuses.includes(status))
  const nothingLeft = all.every(({ id, status }) => cancelled.has(id) || isCancelled(status))
  const emptied = (refunded.length > 0 || joined.cancelled > 0) && nothingLeft && joined.left === 0
  const own = refunded.length > 0 || emptied ? ownLines(order, all) : []
  const pickup = emptied ? own : []
  const lines = orderLines(refunded, pickup)
  return {
    parcels: refunded.map(({ id, price }) => ({ id, amountMinor: sumLines(price?.lines ?? []) })),
    lines,
    totalMinor: sumLines(lines),
    pickupMinor: sumLines(pickup),
    keptPickupMinor: emptied ? 0 : sumLines(own),
  }
}

/** The lines of the order itself: the pickup, and its part of the tax. */
function ownLines({ lines }: { lines: readonly PriceLine[] }, all: readonly RefundedParcel[]): PriceLine[] {
  const fee = lines.filter(({ kind }) => kind === 'pickup')
  if (fee.length === 0) return []
  const tax = sumLines(lines, 'tax') - all.reduce((sum, { price }) => sum + sumLines(price?.lines ?? [], 'tax'), 0)
  return tax === 0 ? fee : [...fee, { kind: 'tax', amountMinor: tax, basis: {} }]
}

/**
 * Where a refund can go: credits and cash to the wallet, a bill is reduced, and a gateway payment goes where the
 * customer chooses.
 */
export function refundDestination(
  method: PaymentMethod | null,
  choice: RefundChoice,
): 'wallet' | 'card' | 'receivable' {
  if (method === 'monthly_billing') return 'receivable'
  return choice === 'card' && (method === 'ipay88' || method === 'credit_card') ? 'card' : 'wallet'
}

/**
 * The status of an order that follows from its parcels: ended with the last of them (a returned one may start again),
 * outstanding while one waits for money, else on its way.
 */
export function statusByParcels(parcels: readonly { status: ParcelStatus }[]): OrderStatus {
  const some = (target: ParcelStatus) => parcels.some(({ status }) => status === target)
  if (some('outstanding')) return 'outstanding'
  if (!parcels.every(({ status }) => isEnded(status))) return 'pending'
  if (parcels.some(({ status }) => !isCancelled(status))) return 'completed'
  return some('refunded') ? 'refunded' : 'cancel'
}

/** The orders that a list or an export selects. */
export type OrderNarrowing = {
  status: OrderStatus | null
  /** Only unpaid orders that do not wait for an approval. */
  payable: boolean
  paymentMethod: PaymentMethod | null
  /** Days in a time zone, both included. */
  days: { from: string | null; to: string | null; timeZone: string } | null
  /** Beginnings of numbers; null: no search by number. */
  numbers: NumberPrefixes | null
  createdBy: string | null
  /** Orders that contain a parcel of this service; absent: of all services. */
  serviceType?: ServiceType | null
}

/** Parses the filters of a list. `createdBy` null: of everybody. */
export function orderFilter(
  query: Partial<Record<'search' | 'from' | 'to', string | undefined>> & {
    status?: OrderStatus | undefined
    payable?: 'true' | undefined
    paymentMethod?: PaymentFilter | undefined
    serviceType?: ServiceType | undefined
  },
  createdBy: string | null,
  timeZone: string,
): OrderNarrowing {
  const { status, payable, paymentMethod, serviceType, search, from, to } = query
  return {
    status: status ?? null,
    payable: payable !== undefined,
    paymentMethod: paymentMethod ? paymentMethodForFilter(paymentMethod) : null,
    days: from || to ? { from: from ?? null, to: to ?? null, timeZone } : null,
    numbers: search?.trim() ? numberPrefixes(search) : null,
    createdBy,
    serviceType: serviceType ?? null,
  }
}

type StatusRow = { status: OrderStatus; approval_id: string | null }

/** Whether an order must be approved before it can be paid. */
export const waitsForApproval = ({ status, approval_id }: StatusRow): boolean =>
  status === 'pending_payment' && approval_id !== null

/** An order's status in documents, as on the pages. */
export const orderStatusText = (row: StatusRow, { locale, t }: { locale: Locale; t: Translate }): string =>
  waitsForApproval(row) ? t('approvals.waitsTitle') : enumLabel(orderStatusLabels, row.status, locale)
