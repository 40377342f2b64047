/** The content of an invoice or credit note: what `layout` draws. */
import type { Locale } from '@waybill/contract/ground/enums'
import type { PrintSettings } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'

/**
 * What an invoice or credit note says. Money in minor units of `currency`, times ISO 8601; texts in the document's
 * language already.
 */
export interface InvoiceDocument {
  kind: 'invoice' | 'creditNote'
  number: string
  issuedAt: string
  dueAt: string | null
  orderNumber: string
  /** Of a credit note: the invoice that it corrects. */
  correctsNumber?: string | null
  seller: InvoiceParty
  buyer: InvoiceParty
  currency: string
  lines: InvoiceLine[]
  subtotalMinor: number
  /** One for each rate, e.g. `Service tax 6%`. */
  taxes: { label: string; amountMinor: number }[]
  totalMinor: number
  /** `refunding`: a credit note whose money is still on its way. */
  status: 'paid' | 'unpaid' | 'refunded' | 'refunding'
  payment: InvoicePayment | null
  remarks?: string | null
}

/** How it was paid; of a credit note how the money went back, with captions of its own. */
export interface InvoicePayment {
  title?: string
  methodCaption?: string
  methodLabel: string
  reference: string | null
  dateCaption?: string
  /** Of a credit note: null while the money is on its way. */
  paidAt: string | null
}

export interface InvoiceParty {
  name: string
  /** Company registration number. */
  registrationNumber?: string | null
  taxNumber?: string | null
  /** One entry a line. */
  address: string[]
  phone?: string | null
  email?: string | null
}

export interface InvoiceLine {
  description: string
  /** A second, smaller line: a tracking number, a weight. */
  detail?: string | null
  quantity: number
  unitMinor: number
  amountMinor: number
}

export interface InvoiceOptions {
  locale: Locale
  /** Answers the words of the locale files' `invoiceDoc` object. */
  t: Translate
  settings: PrintSettings
  /** The deployment's primary colour, `#rrggbb`. */
  primaryColour: string
  /** For the document's own properties. */
  now: Date
}
