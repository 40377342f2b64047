/** The report of orders: rows, totals, and figures over time and by user. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { paymentFilters, paymentMethodLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { orderStatusLabels, serviceTypeLabels } from '../ground/enums/parcel-enums.ts'
import { day, id, instant } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { keysetPage, keysetQuery } from '../ground/paging.ts'

/** The maximum length of a report in days: a year, including leap years. A longer period causes a 422. */
export const maxReportDays = 366

/**
 * `from` and `to` are days in the deployment's time zone, both included. Without `from` the report begins with the
 * month eleven months before `to`; without `to` it ends today.
 */
export const reportFilters = {
  from: z.optional(day),
  to: z.optional(day),
  status: z.optional(z.enum(labelValues(orderStatusLabels))),
  serviceType: z.optional(z.enum(labelValues(serviceTypeLabels))),
  /** Accepts short codes too. */
  paymentMethod: z.optional(z.enum(paymentFilters)),
  /** The user who made the order. */
  createdBy: z.optional(id),
}

const reportedOrder = z.object({
  id,
  number: z.string(),
  createdAt: instant,
  createdByName: z.nullable(z.string()),
  status: z.enum(labelValues(orderStatusLabels)),
  waitsForApproval: z.boolean(),
  paymentMethod: z.nullable(z.enum(labelValues(paymentMethodLabels))),
  parcelCount: z.number(),
  totalMinor: z.number(),
  paidMinor: z.number(),
  refundedMinor: z.number(),
})
export type ReportedOrder = z.output<typeof reportedOrder>

/** Sums over orders. `spentMinor` is the amount paid or billed, less refunds. */
const sums = {
  orders: z.number(),
  parcels: z.number(),
  totalMinor: z.number(),
  paidMinor: z.number(),
  refundedMinor: z.number(),
  spentMinor: z.number(),
}
export const orderSums = z.object(sums)
export type OrderSums = z.output<typeof orderSums>

export const reportOrders = endpoint({
  id: 'reports.orders',
  method: 'GET',
  path: '/api/customer/reports/orders',
  access: 'reports',
  summary: 'Orders of a period of at most 366 days with totals, and figures by day or month and by user',
  query: z.extend(keysetQuery(), reportFilters),
  response: z.extend(keysetPage(reportedOrder), {
    from: day,
    to: day,
    currency,
    totals: orderSums,
    /** `day` for periods of up to 62 days. */
    step: z.enum(['day', 'month']),
    /** One entry for each day or month of the period, also without orders. `start` is its first day. */
    figures: z.array(z.object({ start: day, ...sums })),
    /** The spending of each user, the highest first. */
    users: z.array(z.object({ id, name: z.nullable(z.string()), costCentre: z.nullable(z.string()), ...sums })),
    /** The users that `createdBy` may name: all of the account, or only the caller, by name. */
    creators: z.array(z.object({ id, name: z.string() })),
  }),
})

export const printOrderReport = endpoint({
  id: 'reports.ordersPdf',
  method: 'GET',
  path: '/api/customer/reports/orders/pdf',
  access: 'reports',
  summary: 'The report of orders as PDF, every order of the period with totals',
  query: z.object(reportFilters),
  media: 'application/pdf',
})

export const exportOrderReport = endpoint({
  id: 'reports.ordersExcel',
  method: 'GET',
  path: '/api/customer/reports/orders/excel',
  access: 'reports',
  summary: 'The report of orders as .xlsx or .csv, every order of the period with totals',
  query: z.object({ ...reportFilters, format: z._default(z.enum(['xlsx', 'csv']), 'xlsx' as const) }),
  media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
})
