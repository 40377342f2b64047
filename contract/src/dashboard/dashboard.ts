/** The home page: the to-do list, then widgets that each user arranges. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { idParams, instant, integer, ok, version } from '../ground/fields.ts'
import { widget, widgetKind, widgetSize } from './widgets.ts'

const base = '/api/customer/dashboard'

export const todo = z.object({
  drafts: z.number(),
  inCart: z.number(),
  /** Unpaid orders that the caller sees, except those that wait for an approval; the `payable` ones of the list. */
  unpaid: z.number(),
  /** When the first unpaid checkout expires and its parcels go back to the cart. */
  unpaidUntil: z.nullable(instant),
  /** That checkout expires within a quarter of an hour. */
  unpaidEndsSoon: z.boolean(),
  /** An amount is due: to be paid in store, or after a re-weighing. */
  outstanding: z.number(),
  toHandOver: z.number(),
  /** Paid parcels and returns that wait for a rider and are on no pickup; of the oldest `waitingLimit`. */
  withoutPickup: z.number(),
  /** The same, on a pickup that failed. */
  failedPickups: z.number(),
  /** Failed deliveries that wait for the choice of what happens next; counting stops at `todoLimit`. */
  failedDeliveries: z.number(),
  /** Moving parcels without a scan for `silenceHours`; counting stops at `todoLimit`. */
  stuck: z.number(),
  /** Orders of colleagues that wait for the caller's approval. */
  approvals: z.number(),
  /** Statements of the monthly bill that are past their due day and not fully paid. */
  overdueStatements: z.number(),
})
export type Todo = z.output<typeof todo>

/** The first steps of a new account until its first parcel is ready. Each is true once it is done. */
export const firstSteps = z.object({
  /** A default sender is in the address book. */
  address: z.boolean(),
  /** An order is paid, or there are credits to pay with. */
  funds: z.boolean(),
  /** A parcel is complete: in the cart or further. */
  parcel: z.boolean(),
  /** A consignment note was printed. */
  note: z.boolean(),
})
export type FirstSteps = z.output<typeof firstSteps>

/** The maximum number of parcels that wait for a rider that are looked at. */
export const waitingLimit = 1000

/** The maximum number of parcels that are counted for one task. */
export const todoLimit = 100

export const getDashboard = endpoint({
  id: 'dashboard.list',
  method: 'GET',
  path: base,
  access: 'customer.view',
  summary:
    'What needs you today, the first steps of a new account, and your widgets in their order. Without a right, its ' +
    'widgets are left out',
  response: z.object({
    /** Null once all are done, or once the courier has received a parcel of the account. */
    firstSteps: z.nullable(firstSteps),
    todo,
    silenceHours: z.number(),
    widgets: z.array(widget),
    /** Kinds that can be added. */
    available: z.array(widgetKind),
  }),
})

export const getWidget = endpoint({
  id: 'dashboard.get',
  method: 'GET',
  path: `${base}/:id`,
  access: 'customer.view',
  summary: 'One widget with its figures',
  params: idParams,
  response: widget,
})

export const addWidget = endpoint({
  id: 'dashboard.add',
  method: 'POST',
  path: base,
  access: 'customer.view',
  summary: 'Adds a widget, at the end unless `order` says where. A kind that is there already answers 409',
  body: z.object({ kind: widgetKind, size: z.optional(widgetSize), order: z.optional(integer(1, 100)) }),
  response: widget,
})

export const updateWidget = endpoint({
  id: 'dashboard.update',
  method: 'PUT',
  path: `${base}/:id`,
  access: 'customer.view',
  summary:
    'Moves a widget to another place, or changes its size. The others close up; a place beyond the last one is the ' +
    'last. A stale version of the arrangement answers 409',
  params: idParams,
  body: z.object({ order: integer(1, 100), size: widgetSize, version }),
  response: widget,
})

export const removeWidget = endpoint({
  id: 'dashboard.remove',
  method: 'DELETE',
  path: `${base}/:id`,
  access: 'customer.view',
  summary: 'Removes a widget; it can be added again',
  params: idParams,
  response: ok,
})
