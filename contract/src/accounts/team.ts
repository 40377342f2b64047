/** The staff of the deployment: list, invitations, role, station, status, and what each of them did. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import {
  type AdminUserType,
  accountStatusLabels,
  adminUserTypeLabels,
  type StaffRole,
  staffRoleLabels,
} from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { email, id, idParams, instant, locale, nameText, ok, phone, version } from '../ground/fields.ts'
import { keysetPage, keysetQuery, sheetFormat, sheetMedia, tabCounts } from '../ground/paging.ts'
import { memberAction } from './company.ts'

const status = z.enum(labelValues(accountStatusLabels))
const type = z.enum(labelValues(adminUserTypeLabels))
const role = z.nullable(z.enum(labelValues(staffRoleLabels)))

/**
 * The rank of a member of staff, 1 to 4. Staff can only manage, or promote colleagues to, ranks up to their own. The
 * role `admin` of the type `staff` may do what an administrator may, but does not manage administrators.
 */
export function staffRank(type: AdminUserType, role: StaffRole | null): number {
  if (type === 'superadmin') return 4
  if (type === 'admin') return 3
  return role === 'admin' ? 2 : 1
}

export const colleague = z.object({
  id,
  name: z.string(),
  email: z.string(),
  /** A signed link that is valid for a quarter of an hour. */
  photoUrl: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  language: locale,
  status,
  type,
  /** Null unless `type` is `staff`. */
  role,
  stationId: z.nullable(id),
  /** Invited, but has neither set a password nor signed in yet. */
  invited: z.boolean(),
  lastLoginAt: z.nullable(instant),
  createdAt: instant,
  /** The number of devices that are signed in. */
  sessions: z.number(),
  hasSecondFactor: z.boolean(),
  isYou: z.boolean(),
  /** Whether the caller may change this member of staff. */
  editable: z.boolean(),
  version,
})
export type Colleague = z.output<typeof colleague>

/** Determines the permissions. `staff` needs a role; the other types have none. */
const position = { type, role: z._default(role, null), stationId: z._default(z.nullable(id), null) }
type Position = { type: AdminUserType; role: StaffRole | null }
/* @__NO_SIDE_EFFECTS__ */
const requiresRole = () =>
  z.refine<Position>((form) => form.type !== 'staff' || form.role !== null, {
    path: ['role'],
    params: { rule: 'required' },
  })
/* @__NO_SIDE_EFFECTS__ */
const roleIsForStaff = () =>
  z.refine<Position>((form) => form.type === 'staff' || form.role === null, {
    path: ['role'],
    params: { rule: 'roleOfStaff' },
  })

const personal = { name: nameText(120), phone: z._default(z.nullable(phone), null) }

export const newColleague = z
  .object({ ...personal, ...position, email, language: z._default(locale, 'en') })
  .check(requiresRole(), roleIsForStaff())
export const changedColleague = z.object({ ...personal, ...position, version }).check(requiresRole(), roleIsForStaff())

export const teamTabs = ['all', 'invited', ...labelValues(accountStatusLabels)] as const

const listFilters = {
  search: z.optional(z.string().check(z.maxLength(120))),
  type: z.optional(type),
  role: z.optional(z.enum(labelValues(staffRoleLabels))),
  stationId: z.optional(id),
  /** `invited`: not suspended or blocked, but never signed in; such colleagues are not in `active`. */
  tab: z._default(z.enum(teamTabs), 'all'),
}

export const exportTeam = endpoint({
  id: 'team.xls',
  method: 'GET',
  path: '/api/staff/team/xls',
  access: 'staff.users',
  summary: 'The staff that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...listFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listTeam = endpoint({
  id: 'team.list',
  method: 'GET',
  path: '/api/staff/team',
  access: 'staff.users',
  summary: 'The staff, newest first; found by name, e-mail and phone',
  query: z.extend(keysetQuery(), listFilters),
  response: z.extend(keysetPage(colleague), { counts: tabCounts(teamTabs) }),
})

export const inviteColleague = endpoint({
  id: 'team.invite',
  method: 'POST',
  path: '/api/staff/team',
  access: 'staff.users',
  summary:
    'Invites a member of staff: mails a single-use link to choose a password. Roles above the caller’s are refused',
  body: newColleague,
  response: colleague,
})

export const getColleague = endpoint({
  id: 'team.get',
  method: 'GET',
  path: '/api/staff/team/:id',
  access: 'staff.users',
  summary: 'A member of staff',
  params: idParams,
  response: colleague,
})

export const updateColleague = endpoint({
  id: 'team.update',
  method: 'PUT',
  path: '/api/staff/team/:id',
  access: 'staff.users',
  summary: 'Changes name, role and station; takes effect with their next call. A stale version answers 409',
  params: idParams,
  body: changedColleague,
  response: colleague,
})

export const setColleagueStatus = endpoint({
  id: 'team.status',
  method: 'PUT',
  path: '/api/staff/team/:id/status',
  access: 'staff.users',
  summary: 'Suspends (inactive), blocks (blacklisted) or reactivates at once; ends their sessions unless active',
  params: idParams,
  body: z.object({ status, version }),
  response: colleague,
})

export const withdrawInvitation = endpoint({
  id: 'team.withdraw',
  method: 'DELETE',
  path: '/api/staff/team/:id',
  access: 'staff.users',
  summary: 'Withdraws an invitation: the link no longer works, and the address can be invited again',
  params: idParams,
  response: ok,
})

const mailedLink = z.object({ email: z.string(), expiresAt: instant })

export const sendColleagueLink = endpoint({
  id: 'team.link',
  method: 'POST',
  path: '/api/staff/team/:id/link',
  access: 'staff.users',
  summary: 'Mails a new single-use link to set a password: the invitation again, or a reset. Throttled',
  params: idParams,
  response: mailedLink,
})

export const colleagueActivity = endpoint({
  id: 'team.activity',
  method: 'GET',
  path: '/api/staff/team/:id/activity',
  access: 'staff.users',
  summary: 'The actions of a member of staff, newest first',
  params: idParams,
  query: keysetQuery(),
  response: keysetPage(memberAction),
})
