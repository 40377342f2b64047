/** Customer users, as shown to staff who manage users. Staff users are in `team.ts`. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { accountStatusLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'

/** A user of a customer's account. */
export const portalUser = z.object({
  id,
  name: z.string(),
  email: z.string(),
  status: z.enum(labelValues(accountStatusLabels)),
  accountName: z.nullable(z.string()),
  lastLoginAt: z.nullable(instant),
  /** The number of devices that are signed in. */
  sessions: z.number(),
})
export type PortalUser = z.output<typeof portalUser>

const userFilters = { search: z.optional(z.string().check(z.maxLength(120))) }

export const exportUsers = endpoint({
  id: 'staff.usersXls',
  method: 'GET',
  path: '/api/staff/users/xls',
  access: 'staff.users',
  summary: 'The users of customers that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...userFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listUsers = endpoint({
  id: 'staff.users',
  method: 'GET',
  path: '/api/staff/users',
  access: 'staff.users',
  summary: 'The users of customers, found by name, e-mail or account',
  query: z.extend(listQuery(['name']), userFilters),
  response: page(portalUser),
})

export const endUserSessions = endpoint({
  id: 'staff.userSessionsEnd',
  method: 'DELETE',
  path: '/api/staff/users/:id/sessions',
  access: 'staff.users',
  summary: 'Signs a customer or staff user out everywhere',
  params: idParams,
  response: z.object({ ended: z.number() }),
})
