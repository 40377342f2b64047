/** Notes and invoices with default values, and the languages and settings for printing them. */

import type { Locale } from '@waybill/contract/ground/constants'
import type { PrintSettings } from '@waybill/contract/ground/format'
import type { InvoiceDocument } from '../../src/domains/orders/invoices/document.ts'
import type { ConsignmentNote, NoteAddress } from '../../src/domains/parcels/labels/layout-text.ts'
import { loadTranslations } from '../../src/lib/i18n.ts'

export const translations = loadTranslations()
export const now = new Date('2026-11-21T03:20:00Z')
export const settings: PrintSettings = {
  timeZone: 'Asia/Kuala_Lumpur',
  dateFormat: 'DD/MM/YYYY',
  dateTimeFormat: 'DD/MM/YYYY HH:mm',
  weightUnit: 'kg',
}

export function language(locale: Locale) {
  return { locale, t: translations(locale), settings, now }
}

export function someAddress(overrides: Partial<NoteAddress> = {}): NoteAddress {
  return {
    name: 'Tan Ah Kow 陈亚九',
    company: null,
    phone: '+60124567890',
    line1: '12-3A, Lebuh Pantai Residences',
    line2: 'Jalan Burma',
    postcode: '10050',
    city: 'George Town',
    state: 'Pulau Pinang',
    country: 'Malaysia',
    ...overrides,
  }
}

export function someNote(overrides: Partial<ConsignmentNote> = {}): ConsignmentNote {
  const trackingNumber = overrides.trackingNumber ?? 'WB12345678903'
  return {
    trackingNumber,
    trackingUrl: `https://portal.example.test/public/track-parcels?no=${trackingNumber}`,
    serviceLabel: 'e-Parcel',
    deliveryMode: { code: 'D2D', label: 'Pick Up - Delivery' },
    carrierLabel: 'Own network',
    routeCode: 'PEN-07',
    sender: someAddress({
      name: 'Lim Mei Ling',
      company: 'Kedai Buku Harmoni',
      city: 'Kuala Lumpur',
      postcode: '59100',
    }),
    receiver: someAddress(),
    weightGrams: 1250,
    pieces: 1,
    contentDescription: 'Books (3), stationery',
    cod: null,
    insuredValueMinor: null,
    currency: 'MYR',
    reference: 'SO-20981',
    remarks: null,
    createdAt: '2026-11-21T03:20:00Z',
    companyName: 'Swiftline Express',
    selfCollectionStation: null,
    ...overrides,
  }
}

export function someInvoice(overrides: Partial<InvoiceDocument> = {}): InvoiceDocument {
  return {
    kind: 'invoice',
    number: 'INV-2026-000123',
    issuedAt: '2026-11-21T03:20:00Z',
    dueAt: null,
    orderNumber: 'ORD-2611-004512',
    seller: {
      name: 'Swiftline Express Sdn Bhd',
      registrationNumber: '202301012345',
      taxNumber: 'W10-2301-32000123',
      address: ['12 Jalan Ampang', '50450 Kuala Lumpur'],
    },
    buyer: {
      name: 'Harmoni Books 和谐书店',
      taxNumber: 'C20395547010',
      address: ['28 Jalan Telawi 3', '59100 Kuala Lumpur'],
    },
    currency: 'MYR',
    lines: [someLine(1), someLine(2)],
    subtotalMinor: 250_000,
    taxes: [{ label: 'Service tax 6%', amountMinor: 15_000 }],
    totalMinor: 265_000,
    status: 'paid',
    payment: { methodLabel: 'Credit', reference: 'T123456789012', paidAt: '2026-11-21T03:22:00Z' },
    ...overrides,
  }
}

export function someLine(index: number) {
  return {
    description: `Parcel line ${index}`,
    detail: '收件人 陈亚九',
    quantity: 1,
    unitMinor: 125_000,
    amountMinor: 125_000,
  }
}

/** A text of `length` characters that repeats a phrase. */
export function long(length: number, phrase: string): string {
  return `${phrase} `
    .repeat(Math.ceil(length / phrase.length))
    .slice(0, length)
    .trim()
}
