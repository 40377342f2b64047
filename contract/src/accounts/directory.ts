/** Every account as staff see it: list, details, status with its history, notes and activity. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { accountStatusLabels, userTypeLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, locale, ok, text, version } from '../ground/fields.ts'
import { keysetPage, keysetQuery, sheetFormat, sheetMedia, tabCounts } from '../ground/paging.ts'

const status = z.enum(labelValues(accountStatusLabels))
const userType = z.enum(labelValues(userTypeLabels))

export const listedAccount = z.object({
  id,
  /** The account number that customer and staff use: `A100001`. */
  number: z.string(),
  name: z.string(),
  userType,
  status,
  /** The owner's email address. */
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  createdAt: instant,
})
export type ListedAccount = z.output<typeof listedAccount>

export const accountTabs = ['all', 'customer', 'corporate', 'inactive', 'blacklisted'] as const

const listFilters = {
  search: z.optional(z.string().check(z.maxLength(120))),
  tab: z._default(z.enum(accountTabs), 'all'),
}

export const exportAccounts = endpoint({
  id: 'accounts.xls',
  method: 'GET',
  path: '/api/staff/accounts/xls',
  access: 'staff.accounts',
  summary: 'The accounts that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...listFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listAccounts = endpoint({
  id: 'accounts.list',
  method: 'GET',
  path: '/api/staff/accounts',
  access: 'staff.accounts',
  summary: 'Customers and companies, newest first; found by number, name, e-mail and phone of any of their users',
  query: z.extend(keysetQuery(), listFilters),
  response: z.extend(keysetPage(listedAccount), { counts: tabCounts(accountTabs) }),
})

export const accountUser = z.object({
  id,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  language: locale,
  isOwner: z.boolean(),
  status,
  /** Invited, but has not set a password yet. */
  invited: z.boolean(),
  lastLoginAt: z.nullable(instant),
})

export const statusChange = z.object({
  id,
  from: status,
  to: status,
  reason: z.string(),
  by: z.nullable(z.string()),
  at: instant,
})

export const accountDetail = z.extend(listedAccount, {
  registrationNumber: z.nullable(z.string()),
  taxNumber: z.nullable(z.string()),
  billingAddress: z.nullable(z.string()),
  /** The current users, the owner first; at most fifty. */
  users: z.array(accountUser),
  userCount: z.number(),
  /** The latest changes of the status, newest first. */
  statusChanges: z.array(statusChange),
  /** Whether staff may view the account as its owner: neither the account nor its owner is blocked. */
  viewable: z.boolean(),
  /** When its owner deleted it; the status is not changed. */
  closedAt: z.nullable(instant),
  version,
})
export type AccountDetail = z.output<typeof accountDetail>

export const getAccount = endpoint({
  id: 'accounts.get',
  method: 'GET',
  path: '/api/staff/accounts/:id',
  access: 'staff.accounts',
  summary: 'An account with its users and the history of its status',
  params: idParams,
  response: accountDetail,
})

export const setAccountStatus = endpoint({
  id: 'accounts.status',
  method: 'PUT',
  path: '/api/staff/accounts/:id/status',
  access: 'staff.accounts',
  summary:
    'active; inactive (may look, not buy); blacklisted (signed out, cannot sign in). Needs a reason; at once in all ' +
    'processes, and the owner is mailed. A stale version answers 409',
  params: idParams,
  body: z.object({ status, reason: text(400), version }),
  response: accountDetail,
})

export const accountNote = z.object({
  id,
  text: z.string(),
  author: z.nullable(z.string()),
  at: instant,
  /** Whether the caller wrote it, and so may delete it. */
  own: z.boolean(),
})
export type AccountNote = z.output<typeof accountNote>

export const listAccountNotes = endpoint({
  id: 'accounts.notes',
  method: 'GET',
  path: '/api/staff/accounts/:id/notes',
  access: 'staff.accounts',
  summary: 'Internal notes about an account, newest first. Customers never see them',
  params: idParams,
  query: keysetQuery(),
  response: keysetPage(accountNote),
})

export const addAccountNote = endpoint({
  id: 'accounts.addNote',
  method: 'POST',
  path: '/api/staff/accounts/:id/notes',
  access: 'staff.accounts',
  summary: 'Adds a note of the caller',
  params: idParams,
  body: z.object({ text: text(2000) }),
  response: accountNote,
  idempotent: true,
})

export const deleteAccountNote = endpoint({
  id: 'accounts.deleteNote',
  method: 'DELETE',
  path: '/api/staff/accounts/:id/notes/:noteId',
  access: 'staff.accounts',
  summary: "Deletes a note of the caller's own",
  params: z.extend(idParams, { noteId: id }),
  response: ok,
})

export const viewAccount = endpoint({
  id: 'accounts.view',
  method: 'POST',
  path: '/api/staff/accounts/:id/view',
  access: 'staff.accounts',
  summary:
    'A token for 15 minutes to see the portal as the owner of the account sees it. It changes nothing: every call ' +
    'but GET is refused. Logged, also for the customer; `auth.logout` ends it',
  params: idParams,
  response: z.object({ token: z.string(), expiresAt: instant, accountName: z.string(), staffName: z.string() }),
})
