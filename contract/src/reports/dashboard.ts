/** The home page: what needs the customer today, then figures. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues, trackingStatusLabels } from '../ground/enums.ts'
import { day } from '../ground/fields.ts'

export const getDashboard = endpoint({
  id: 'reports.dashboard',
  method: 'GET',
  path: '/api/customer/dashboard',
  access: 'customer.view',
  summary: 'What needs you today, parcels by tracking status, and parcels a day over 30 days',
  response: z.object({
    todo: z.object({
      drafts: z.number(),
      inCart: z.number(),
      /** Waiting for a gateway. */
      unpaid: z.number(),
      /** An amount is due: to be paid in store, or after a re-weighing. */
      outstanding: z.number(),
      toHandOver: z.number(),
      failedDeliveries: z.number(),
      /** Moving parcels without a scan for `silenceHours`. */
      stuck: z.number(),
    }),
    silenceHours: z.number(),
    byTrackingStatus: z.record(z.enum(labelValues(trackingStatusLabels)), z.number()),
    perDay: z.array(z.object({ day, created: z.number(), delivered: z.number() })),
    walletBalanceMinor: z.nullable(z.number()),
    currency: z.string(),
  }),
})
