import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams, instant, integerText } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'

const base = '/api/staff/cash/sales'

/** Tracking numbers that a receipt names one by one; more are counted. */
export const receiptParcels = 12

/** What a till's paper says of a sale, in the reader's language. Amounts in minor units of `currency`. */
export const cashReceipt = z.object({
  movementId: id,
  /** `KUL-20261122-0007`: station, day of the drawer, number without gaps in it. */
  number: z.string(),
  /** Which print this is; from the second on it is a copy. */
  print: z.number(),
  copy: z.boolean(),
  seller: z.object({
    name: z.string(),
    registrationNumber: z.nullable(z.string()),
    taxNumber: z.nullable(z.string()),
    address: z.string(),
  }),
  station: z.object({ code: z.string(), name: z.string() }),
  cashier: z.string(),
  at: instant,
  customer: z.string(),
  orderNumber: z.string(),
  invoiceNumber: z.string(),
  lines: z.array(z.object({ description: z.string(), quantity: z.number(), amountMinor: z.number() })),
  /** Tracking numbers of what was paid for. */
  parcels: z.array(z.string()),
  netMinor: z.number(),
  taxMinor: z.number(),
  totalMinor: z.number(),
  /** What the nearest coin added (or, negative, took off). */
  roundedMinor: z.number(),
  cashMinor: z.number(),
  givenMinor: z.number(),
  changeMinor: z.number(),
  currency,
})
export type CashReceipt = z.output<typeof cashReceipt>

export const printCashReceipt = endpoint({
  id: 'cash.receiptPrint',
  method: 'POST',
  path: `${base}/:id/receipt-prints`,
  access: 'staff.operate',
  summary: "Prints the receipt of a sale at the caller's station: the first is the receipt, every other one a copy",
  params: idParams,
  response: cashReceipt,
  idempotent: true,
})

export const cashReceiptPaper = endpoint({
  id: 'cash.receipt',
  method: 'GET',
  path: `${base}/:id/receipt`,
  access: 'staff.operate',
  summary: 'A print of a receipt as PDF, 80 mm wide; without its number a copy',
  params: idParams,
  query: z.object({ print: z.optional(integerText(1, 100_000)) }),
  media: 'application/pdf',
})

export const printCashInvoice = endpoint({
  id: 'cash.invoice',
  method: 'GET',
  path: `${base}/:id/invoice`,
  access: 'staff.operate',
  summary: "The invoice of a sale at the caller's station, as PDF",
  params: idParams,
  media: 'application/pdf',
})
