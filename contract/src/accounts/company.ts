/** The users of a company: members, invitations, permissions, the approval rule and the activity log. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { accountStatusLabels, logLevelLabels, memberPermissionLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import {
  email,
  id,
  idParams,
  instant,
  integer,
  locale,
  nameText,
  ok,
  optionalName,
  optionalText,
  phone,
  version,
} from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { listQuery, page, sheetFormat, sheetMedia, tabCounts } from '../ground/paging.ts'

const limit = z.nullable(integer(0, 1_000_000_000_00))

/** A user of a company, the owner included. No call here changes the owner. */
export const member = z.object({
  id,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  /** A signed URL that is valid for a quarter of an hour. */
  photoUrl: z.nullable(z.string()),
  language: locale,
  jobTitle: z.nullable(z.string()),
  costCentre: z.nullable(z.string()),
  isOwner: z.boolean(),
  status: z.enum(labelValues(accountStatusLabels)),
  permissions: z.array(z.enum(labelValues(memberPermissionLabels))),
  /** Their limit for monthly billing in a calendar month; null: only the limit of the company. */
  monthlyLimitMinor: z.nullable(z.number()),
  /** Invited, but has not set a password yet. */
  invited: z.boolean(),
  lastLoginAt: z.nullable(instant),
  createdAt: instant,
  /** Whether the caller may change, block or remove this user. */
  editable: z.boolean(),
  version,
})
export type Member = z.output<typeof member>

const personal = {
  name: nameText(120),
  phone: z._default(z.nullable(phone), null),
  jobTitle: optionalName(80),
  costCentre: optionalText(40),
  permissions: z.array(z.enum(labelValues(memberPermissionLabels))).check(z.maxLength(20)),
  monthlyLimitMinor: z._default(limit, null),
}

export const newMember = z.object({ ...personal, email, language: z._default(locale, 'en') })
export const changedMember = z.object({ ...personal, version })

/** `invited`: not suspended or blocked, but never signed in; such users are not in `active`. */
export const memberTabs = ['all', 'invited', ...labelValues(accountStatusLabels)] as const
export type MemberTab = (typeof memberTabs)[number]

const listFilters = {
  search: z.optional(z.string().check(z.maxLength(120))),
  tab: z._default(z.enum(memberTabs), 'all'),
}

export const exportMembers = endpoint({
  id: 'corporate.xls',
  method: 'GET',
  path: '/api/customer/corporate/xls',
  access: 'corporate.users',
  summary: 'The users that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...listFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listMembers = endpoint({
  id: 'corporate.list',
  method: 'GET',
  path: '/api/customer/corporate',
  access: 'corporate.users',
  summary: 'The users of the company, the owner first',
  query: z.extend(listQuery(['name', 'email', 'lastLoginAt', 'createdAt']), listFilters),
  response: z.extend(page(member), { counts: tabCounts(memberTabs) }),
})

export const createMember = endpoint({
  id: 'corporate.create',
  method: 'POST',
  path: '/api/customer/corporate',
  access: 'corporate.users',
  summary: 'Invites a user to the company: mails a single-use link to choose a password',
  body: newMember,
  response: member,
})

export const getMember = endpoint({
  id: 'corporate.get',
  method: 'GET',
  path: '/api/customer/corporate/:id',
  access: 'corporate.users',
  summary: 'A user of the company',
  params: idParams,
  response: member,
})

export const updateMember = endpoint({
  id: 'corporate.update',
  method: 'PUT',
  path: '/api/customer/corporate/:id',
  access: 'corporate.users',
  summary: 'Changes name and permissions of a user, from their next call on. A stale version answers 409',
  params: idParams,
  body: changedMember,
  response: member,
})

export const removeMember = endpoint({
  id: 'corporate.remove',
  method: 'DELETE',
  path: '/api/customer/corporate/:id',
  access: 'corporate.users',
  summary: 'Removes a user, who is signed out everywhere; their parcels, orders and entries remain',
  params: idParams,
  response: ok,
})

export const setMemberStatus = endpoint({
  id: 'corporate.status',
  method: 'PUT',
  path: '/api/customer/corporate/:id/:status',
  access: 'corporate.users',
  summary:
    'active: may do what they may; inactive (suspended): may look, not buy; blacklisted (blocked): cannot sign in',
  params: z.extend(idParams, { status: z.enum(labelValues(accountStatusLabels)) }),
  response: member,
})

export const resendCredential = endpoint({
  id: 'corporate.resendCredential',
  method: 'POST',
  path: '/api/customer/profile/:id/resend-login-credential',
  access: 'corporate.users',
  summary: 'Mails a user a new single-use link to choose a password; the previous link expires. Throttled',
  params: idParams,
  response: z.object({ email: z.string(), expiresAt: instant }),
})

export const memberAction = z.object({
  id,
  /** `domain.verb`; words under `action.` in the locale files. */
  action: z.string(),
  level: z.enum(labelValues(logLevelLabels)),
  subject: z.nullable(z.string()),
  at: instant,
})

export const memberActivity = endpoint({
  id: 'corporate.activity',
  method: 'GET',
  path: '/api/customer/corporate/:id/activity',
  access: 'corporate.users',
  summary: 'The actions of a user, newest first',
  params: idParams,
  query: listQuery(['at']),
  response: page(memberAction),
})

export const memberUsage = endpoint({
  id: 'corporate.usage',
  method: 'GET',
  path: '/api/customer/billing/members',
  access: 'corporate.users',
  summary: 'The amount that each user had billed this calendar month; users without orders are omitted',
  response: z.object({ currency, items: z.array(z.object({ userId: id, billedMinor: z.number() })) }),
})

export const approvalRule = z.object({
  /** Orders of members above this amount need an approval; null: no order does. */
  aboveMinor: z.nullable(z.number()),
  currency,
  /** How many days an order waits for the decision. */
  days: z.number(),
  version,
})

export const getApprovalRule = endpoint({
  id: 'corporate.approvalRule',
  method: 'GET',
  path: '/api/customer/approvals/rule',
  access: 'corporate.pay',
  summary: 'The amount above which an order of a member needs approval',
  response: approvalRule,
})

export const setApprovalRule = endpoint({
  id: 'corporate.setApprovalRule',
  method: 'PUT',
  path: '/api/customer/approvals/rule',
  access: 'corporate.owner',
  summary:
    'Sets the amount above which an order of a member needs approval; null: none does. A stale version answers 409',
  body: z.object({ aboveMinor: limit, version }),
  response: approvalRule,
})
