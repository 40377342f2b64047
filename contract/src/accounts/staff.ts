/** Users as an administrator sees them, with their devices. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { accountStatusLabels, adminUserTypeLabels, labelValues, staffRoleLabels } from '../ground/enums.ts'
import { id, idParams, instant } from '../ground/fields.ts'
import { listQuery, page } from '../ground/paging.ts'

/** Any user, as an administrator sees them: customers with their account, staff with their role. */
export const portalUser = z.object({
  id,
  kind: z.enum(['customer', 'staff']),
  name: z.string(),
  email: z.string(),
  status: z.enum(labelValues(accountStatusLabels)),
  accountName: z.nullable(z.string()),
  staff: z.nullable(
    z.object({
      type: z.enum(labelValues(adminUserTypeLabels)),
      role: z.nullable(z.enum(labelValues(staffRoleLabels))),
    }),
  ),
  lastLoginAt: z.nullable(instant),
  /** The number of devices that are signed in. */
  sessions: z.number(),
  hasSecondFactor: z.boolean(),
  /** Whether the caller may end their sessions and reset their second factor. */
  editable: z.boolean(),
})
export type PortalUser = z.output<typeof portalUser>

export const userTabs = ['staff', 'customer'] as const

export const listUsers = endpoint({
  id: 'staff.users',
  method: 'GET',
  path: '/api/staff/users',
  access: 'staff.users',
  summary: 'Users of one kind by name, e-mail or account',
  query: z.extend(listQuery(['name']), {
    search: z.optional(z.string().check(z.maxLength(120))),
    tab: z._default(z.enum(userTabs), 'staff'),
  }),
  response: page(portalUser),
})

export const endUserSessions = endpoint({
  id: 'staff.userSessionsEnd',
  method: 'DELETE',
  path: '/api/staff/users/:id/sessions',
  access: 'staff.users',
  summary: 'Signs a user out everywhere, at once',
  params: idParams,
  response: z.object({ ended: z.number() }),
})
