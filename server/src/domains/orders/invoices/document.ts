/** The content of an invoice or credit note, as drawn by `layout`. */

import type { Locale } from '@waybill/contract/ground/constants'
import type { PrintSettings } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'

/**
 * An invoice or credit note. Money in minor units of `currency`, times in ISO 8601, texts in the language of the
 * document.
 */
export interface InvoiceDocument {
  kind: 'invoice' | 'creditNote'
  number: string
  issuedAt: string
  dueAt: string | null
  orderNumber: string
  /** The invoice that a credit note corrects. */
  correctsNumber?: string | null
  seller: InvoiceParty
  buyer: InvoiceParty
  currency: string
  lines: InvoiceLine[]
  subtotalMinor: number
  /** One per rate, e.g. `Service tax 6%`. */
  taxes: { label: string; amountMinor: number }[]
  totalMinor: number
  /** `refunding`: a credit note whose money has not been paid back yet. */
  status: 'paid' | 'unpaid' | 'refunded' | 'refunding'
  payment: InvoicePayment | null
  remarks?: string | null
}

/** How it was paid. For a credit note: how the money is refunded, with separate captions. */
export interface InvoicePayment {
  title?: string
  methodCaption?: string
  methodLabel: string
  reference: string | null
  dateCaption?: string
  /** Null for a credit note whose money has not been paid back yet. */
  paidAt: string | null
}

export interface InvoiceParty {
  name: string
  /** Company registration number. */
  registrationNumber?: string | null
  taxNumber?: string | null
  /** One entry per line. */
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
  /** Translates the keys of the locale files' `invoiceDoc` object. */
  t: Translate
  settings: PrintSettings
  /** The deployment's primary colour, `#rrggbb`. */
  primaryColour: string
  /** The courier's logo as PNG. */
  logo?: Uint8Array | null
  /** The creation time in the properties of the PDF. */
  now: Date
}
