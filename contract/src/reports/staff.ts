/** The report of the whole deployment, for staff. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { day, id } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { ageing } from '../orders/monthly-billing.ts'
import { codOutstanding } from '../payments/cod-payouts.ts'
import { orderSums } from './orders.ts'
import { reportPeriod, serviceReport } from './service-levels.ts'

export const reportDeployment = endpoint({
  id: 'reports.staff',
  method: 'GET',
  path: '/api/staff/reports',
  access: 'staff.finance',
  summary:
    'All accounts: revenue, volume and service levels of a period of at most 366 days; and as of now parcels that ' +
    'are late by station, cash on delivery that is owed, and the ageing of monthly bills',
  query: z.object(reportPeriod),
  response: z.object({
    from: day,
    to: day,
    currency,
    totals: orderSums,
    /** `day` for periods of up to 62 days. */
    step: z.enum(['day', 'month']),
    /** One entry for each day or month of the period. `start` is its first day. */
    figures: z.array(z.extend(orderSums, { start: day })),
    service: z.object(serviceReport),
    /** Parcels past their originally promised day, by the station that has, delivers or expects them; most first. */
    lateByStation: z.array(
      z.object({ stationId: z.nullable(id), name: z.nullable(z.string()), parcels: z.number(), oldestDay: day }),
    ),
    cod: codOutstanding,
    ageing,
  }),
})

export const exportDeploymentReport = endpoint({
  id: 'reports.staffExcel',
  method: 'GET',
  path: '/api/staff/reports/excel',
  access: 'staff.finance',
  summary: 'Orders, parcels and revenue of all accounts by day or month, with totals, as .xlsx or .csv',
  query: z.object({ ...reportPeriod, format: z._default(z.enum(['xlsx', 'csv']), 'xlsx' as const) }),
  media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
})
