/** Receipts of payments at the counter. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams, instant, integerText } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'

const base = '/api/staff/cash/sales'

/** The maximum number of tracking numbers that a receipt lists; beyond that it prints only their number. */
export const receiptParcels = 12

/** A printed receipt, in the reader's language. Amounts are in minor units of `currency`. */
export const cashReceipt = z.object({
  movementId: id,
  /** `KUL-20261122-1-0007`: the station, the day, the number of the drawer, and a number without gaps. */
  number: z.string(),
  /** How often it has been printed; from the second print on it is marked as a copy. */
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
  /** Tracking numbers of the paid parcels. */
  parcels: z.array(z.string()),
  netMinor: z.number(),
  taxMinor: z.number(),
  totalMinor: z.number(),
  /** The rounding to the nearest coin; may be negative. */
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
