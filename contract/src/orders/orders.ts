/** Orders: checking out, the list, details and the invoice. */
import * as z from 'zod/mini'
import { party } from '../addresses/addresses.ts'
import { endpoint } from '../ground/endpoint.ts'
import { paymentFilters, paymentMethodLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { orderStatusLabels } from '../ground/enums/parcel-enums.ts'
import { day, id, idParams, instant, integer } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { listQuery, page, withOrderedPeriod } from '../ground/paging.ts'
import { taskStatus } from '../ground/tasks.ts'
import { parcel } from '../parcels/parcels.ts'
import { pickupChoice, pickupWindows } from '../pickups/pickup-choice.ts'
import { priceLine } from '../pricing/pricing.ts'
import { approval } from './approvals.ts'

/** A method as this account sees it at checkout; a closed one says why (translation key under `paymentClosed.`). */
export const methodChoice = z.object({
  method: z.enum(labelValues(paymentMethodLabels)),
  open: z.boolean(),
  reason: z.nullable(z.string()),
})

export type MethodChoice = z.output<typeof methodChoice>

export const order = z.object({
  id,
  number: z.string(),
  status: z.enum(labelValues(orderStatusLabels)),
  currency,
  totalMinor: z.number(),
  paidMinor: z.number(),
  /** Refunds, done or pending: to the wallet, the card or the monthly bill. */
  refundedMinor: z.number(),
  /** The part of `refundedMinor` that staff still have to pay to the card. */
  refundPendingMinor: z.number(),
  paymentMethod: z.nullable(z.enum(labelValues(paymentMethodLabels))),
  paymentId: z.nullable(id),
  invoiceNumber: z.nullable(z.string()),
  parcelCount: z.number(),
  /** It waits for an approval, so nobody can pay it yet. */
  waitsForApproval: z.boolean(),
  expiresAt: z.nullable(instant),
  createdAt: instant,
  paidAt: z.nullable(instant),
})
export type Order = z.output<typeof order>

/** Whether an order is still to be paid at a counter. One that is paid and was re-weighed is outstanding, too. */
export const isDueInStore = ({
  status,
  paymentMethod,
  paidAt,
}: Pick<Order, 'status' | 'paymentMethod'> & {
  paidAt: string | Date | null
}): boolean => status === 'outstanding' && paymentMethod === 'store' && paidAt === null

/**
 * The pickup that an order was placed with; null: it has none. The number is assigned with the payment. `joins`: a
 * rider is already coming for another order, so there is no pickup fee. `visits` has what became of it.
 */
const orderPickup = z.nullable(z.extend(pickupChoice, { number: z.nullable(z.string()), joins: z.boolean() }))

/** A rider's visit for parcels of an order as it is now: rescheduled, failed, or booked after the payment. */
const orderVisit = z.object({
  id,
  number: z.string(),
  status: taskStatus,
  address: party,
  date: day,
  window: z.enum(pickupWindows),
})
export type OrderVisit = z.output<typeof orderVisit>

export const orderDetail = z.extend(order, {
  lines: z.array(priceLine),
  parcels: z.array(parcel),
  pickup: orderPickup,
  /** From the payment on, by time, without cancelled ones and returns. A parcel names its own in `pickupRequestId`. */
  visits: z.array(orderVisit),
  methods: z.array(methodChoice),
  /** The approval of a company's order; null: it needs none. */
  approval: z.nullable(
    z.object({
      needed: z.boolean(),
      aboveMinor: z.nullable(z.number()),
      /** The amount of it that this member has already spent today. */
      spentMinor: z.number(),
      /** The number of days for which it would wait for a decision. */
      days: z.number(),
      request: z.nullable(approval),
    }),
  ),
})
export type OrderDetail = z.output<typeof orderDetail>

export const createOrder = endpoint({
  id: 'orders.create',
  method: 'POST',
  path: '/api/customer/orders',
  access: 'pay',
  summary:
    'Makes an order of parcels of one cart tab. `expectedTotalMinor` is what the customer saw: another total ' +
    'today answers 409 with both',
  body: z.object({
    parcelIds: z.array(id).check(z.minLength(1), z.maxLength(10_000)),
    expectedTotalMinor: integer(0),
    /** Needed for D2* parcels. */
    pickup: z._default(z.nullable(pickupChoice), null),
  }),
  response: orderDetail,
  idempotent: true,
})

/** An order for staff. */
export const staffOrder = z.extend(order, {
  accountId: id,
  accountName: z.string(),
  createdByName: z.nullable(z.string()),
  visits: z.array(orderVisit),
})
export type StaffOrder = z.output<typeof staffOrder>

export const getOrderForStaff = endpoint({
  id: 'staff.order',
  method: 'GET',
  path: '/api/staff/orders/:id',
  access: 'staff.parcels',
  summary: 'One order of any account: how it is paid, and the visits of its riders',
  params: idParams,
  response: staffOrder,
})

/** `from` and `to` are days in the deployment's time zone, both included. */
const orderFilters = {
  status: z.optional(z.enum(labelValues(orderStatusLabels))),
  /** Accepts short codes too. */
  paymentMethod: z.optional(z.enum(paymentFilters)),
  from: z.optional(day),
  to: z.optional(day),
  /** Unpaid orders that do not wait for an approval. */
  payable: z.optional(z.literal('true')),
  search: z.optional(z.string().check(z.maxLength(60))),
}

export const listOrders = endpoint({
  id: 'orders.list',
  method: 'GET',
  path: '/api/customer/orders',
  access: 'customer.view',
  summary: 'Orders of the account, with counts by status',
  query: withOrderedPeriod(z.extend(listQuery(['createdAt', 'number', 'totalMinor']), orderFilters)),
  /**
   * `total` stops at `countLimit`. `counts` follow all filters but the status, without statuses that have no
   * orders; null if these filters select more than `countLimit`.
   */
  response: z.extend(page(order), {
    counts: z.nullable(z.partialRecord(z.enum(labelValues(orderStatusLabels)), z.number())),
  }),
})

export const exportOrders = endpoint({
  id: 'orders.xls',
  method: 'GET',
  path: '/api/customer/orders/xls',
  access: 'customer.view',
  summary: 'The orders that the same filters list, all of them, as .xlsx or .csv',
  query: withOrderedPeriod(z.object({ ...orderFilters, format: z._default(z.enum(['xlsx', 'csv']), 'xlsx' as const) })),
  media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
})

export const getOrder = endpoint({
  id: 'orders.get',
  method: 'GET',
  path: '/api/customer/orders/:id',
  access: 'customer.view',
  summary: 'One order with its parcels, price lines and the ways to pay it',
  params: idParams,
  response: orderDetail,
})

export const invoice = z.object({
  number: z.string(),
  issuedAt: instant,
  orderNumber: z.string(),
  currency,
  seller: z.object({
    name: z.string(),
    registrationNumber: z.nullable(z.string()),
    taxNumber: z.nullable(z.string()),
    address: z.string(),
  }),
  buyer: z.object({
    name: z.string(),
    registrationNumber: z.nullable(z.string()),
    taxNumber: z.nullable(z.string()),
    address: z.nullable(z.string()),
    email: z.string(),
  }),
  lines: z.array(z.object({ description: z.string(), quantity: z.number(), amountMinor: z.number() })),
  netMinor: z.number(),
  taxMinor: z.number(),
  totalMinor: z.number(),
  paymentMethod: z.enum(labelValues(paymentMethodLabels)),
  paidAt: z.nullable(instant),
})
export type Invoice = z.output<typeof invoice>

export const getInvoice = endpoint({
  id: 'orders.invoice',
  method: 'GET',
  path: '/api/customer/orders/:id/invoice',
  access: 'customer.view',
  summary: 'The invoice of an order',
  params: idParams,
  response: invoice,
})

export const printInvoice = endpoint({
  id: 'orders.invoicePrint',
  method: 'GET',
  path: '/api/customer/orders/:id/invoice/print',
  access: 'customer.view',
  summary: 'The invoice as PDF',
  params: idParams,
  media: 'application/pdf',
})
