/** Parcels with an amount due, and how to pay it. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, integer, pin } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'
import { billing } from '../orders/monthly-billing.ts'
import { order } from '../orders/orders.ts'
import { payment } from '../payments/payments.ts'
import { weighingStateLabels } from './weighing.ts'

/** Why an amount is due: payment at a counter was chosen, or the parcel is heavier than declared. */
export const outstandingKinds = ['store', 'reweighed'] as const

export const outstandingItem = z.object({
  parcelId: id,
  trackingNumber: z.nullable(z.string()),
  kind: z.enum(outstandingKinds),
  receiverName: z.nullable(z.string()),
  receiverCity: z.nullable(z.string()),
  amountDueMinor: z.number(),
  since: instant,
  orderId: z.nullable(id),
  orderNumber: z.nullable(z.string()),
  /** `reweighed`: the declared weight, the scale's weight, and the state. */
  declaredGrams: z.nullable(z.number()),
  actualGrams: z.nullable(z.number()),
  weighingState: z.nullable(z.enum(labelValues(weighingStateLabels))),
  contestUntil: z.nullable(instant),
})
export type OutstandingItem = z.output<typeof outstandingItem>

export const listOutstanding = endpoint({
  id: 'parcels.outstanding',
  method: 'GET',
  path: '/api/customer/parcels/outstanding',
  access: 'customer.view',
  summary: 'Parcels with an amount due: orders to pay in store and differences after a re-weighing, the oldest first',
  query: listQuery([]),
  response: z.extend(page(outstandingItem), {
    totalDueMinor: z.number(),
    currency,
    /** Monthly billing for the caller; null for individuals, for members who may not pay, and if nothing is due. */
    billing: z.nullable(z.pick(billing, { closed: true, availableMinor: true, memberLeftMinor: true })),
  }),
})

export const exportOutstanding = endpoint({
  id: 'parcels.outstandingXls',
  method: 'GET',
  path: '/api/customer/parcels/outstanding/xls',
  access: 'customer.view',
  summary: 'All parcels with an amount due as .xlsx or .csv',
  query: z.object({ format: sheetFormat }),
  media: sheetMedia,
})

const parcelIds = z.array(id).check(z.minLength(1), z.maxLength(1000))

export const payOutstanding = endpoint({
  id: 'payments.outstanding',
  method: 'POST',
  path: '/api/customer/payments/express_credit/outstanding',
  access: 'pay.owed',
  summary:
    'Pays the amounts due of parcels with credits, all or none. A store order is paid whole; another total than ' +
    'the one seen answers 409 with both. Needs the wallet PIN, unless the total is 0',
  /** A total of 0: what became free after a parcel was cancelled. */
  body: z.object({ parcelIds, totalSeenMinor: integer(0), pin: z.optional(pin) }),
  response: payment,
  idempotent: true,
})

export const billOutstanding = endpoint({
  id: 'payments.corporateOutstanding',
  method: 'POST',
  path: '/api/customer/payments/corporate/outstanding',
  access: 'pay',
  summary:
    'Puts differences after a re-weighing on the monthly bill, all or none, within the same limits as an order. ' +
    'Another total than the one seen answers 409 with both',
  body: z.object({ parcelIds, totalSeenMinor: integer(1) }),
  response: payment,
  idempotent: true,
})

export const payInStore = endpoint({
  id: 'payments.store',
  method: 'POST',
  path: '/api/customer/payments/store/:id',
  access: 'pay',
  summary: 'Chooses to pay an order at the counter; walk-in parcels only. They are outstanding until then',
  params: idParams,
  body: z.object({ expectedTotalMinor: integer(0) }),
  response: order,
  idempotent: true,
})

export const printPaymentSlip = endpoint({
  id: 'orders.paymentSlip',
  method: 'GET',
  path: '/api/customer/orders/:id/payment-slip',
  access: 'customer.view',
  summary: 'The slip to pay an order at the counter: its number as a barcode and the amount due, as PDF',
  params: idParams,
  media: 'application/pdf',
})
