/** Service levels: promised and actual delivery times. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { serviceTypeLabels } from '../ground/enums/parcel-enums.ts'
import { day } from '../ground/fields.ts'

/** `from` and `to` as in the report of orders: days in the deployment's time zone, both included. */
export const reportPeriod = { from: z.optional(day), to: z.optional(day) }

const levels = {
  /** Parcels that arrived in the period; returns do not count. */
  delivered: z.number(),
  /**
   * Deliveries on time and late, compared with the originally promised day. Parcels without a promised day are in
   * neither.
   */
  onTime: z.number(),
  late: z.number(),
  /**
   * Parcels whose delivery to the door ended in the period, delivered or not; and those delivered at the first
   * attempt.
   */
  attempted: z.number(),
  firstAttempt: z.number(),
}
const serviceLevels = z.object(levels)
export type ServiceLevels = z.output<typeof serviceLevels>

/** The levels of all parcels, and by service. A parcel without a service is only in the totals. */
export const serviceReport = {
  totals: serviceLevels,
  services: z.array(z.object({ serviceType: z.enum(labelValues(serviceTypeLabels)), ...levels })),
}

export const reportServiceLevels = endpoint({
  id: 'reports.serviceLevels',
  method: 'GET',
  path: '/api/customer/reports/service-levels',
  access: 'reports',
  summary: 'Deliveries of a period of at most 366 days by service: on time, late, and at the first attempt',
  query: z.object(reportPeriod),
  response: z.object({ from: day, to: day, ...serviceReport }),
})
