/** Tickets for staff: all accounts, the nearest deadline first, and the decisions on claims. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, integer, optionalText, version } from '../ground/fields.ts'
import { keysetPage, keysetQuery, sheetFormat, sheetMedia, tabCounts } from '../ground/paging.ts'
import { claimDecisions } from './claims.ts'
import { listedTicket, ticket, ticketKindLabels } from './tickets.ts'

const base = '/api/staff/tickets'
const access = 'staff.accounts' as const

/** `due`: staff must act, the nearest deadline first. */
export const staffTicketTabs = ['due', 'open', 'closed', 'all'] as const
export type StaffTicketTab = (typeof staffTicketTabs)[number]

export const staffListedTicket = z.extend(listedTicket, { accountId: id, accountName: z.string() })
export type StaffListedTicket = z.output<typeof staffListedTicket>

export const staffTicket = z.extend(ticket, { accountId: id, accountName: z.string() })
export type StaffTicket = z.output<typeof staffTicket>

const listFilters = {
  tab: z._default(z.enum(staffTicketTabs), 'due' as const),
  kind: z.optional(z.enum(labelValues(ticketKindLabels))),
  accountId: z.optional(id),
  /** Words that occur in the number, the title, or the number of the parcel or order that it is about. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(60))),
}

export const exportStaffTickets = endpoint({
  id: 'staffTickets.xls',
  method: 'GET',
  path: `${base}/xls`,
  access,
  summary: 'The tickets that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...listFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listStaffTickets = endpoint({
  id: 'staffTickets.list',
  method: 'GET',
  path: base,
  access,
  summary: 'Tickets of all accounts by tab; `due` sorts by the nearest deadline, the others by the last change',
  query: z.extend(keysetQuery(), listFilters),
  response: z.extend(keysetPage(staffListedTicket), { counts: tabCounts(staffTicketTabs) }),
})

export const getStaffTicket = endpoint({
  id: 'staffTickets.get',
  method: 'GET',
  path: `${base}/:id`,
  access,
  summary: 'One ticket of any account',
  params: idParams,
  response: staffTicket,
})

export const closeStaffTicket = endpoint({
  id: 'staffTickets.close',
  method: 'POST',
  path: `${base}/:id/close`,
  access,
  summary: 'Closes a ticket that is answered; a claim is decided instead',
  params: idParams,
  body: z.object({ version }),
  response: staffTicket,
})

export const reopenStaffTicket = endpoint({
  id: 'staffTickets.reopen',
  method: 'POST',
  path: `${base}/:id/reopen`,
  access,
  summary: 'Opens a closed ticket again',
  params: idParams,
  body: z.object({ version }),
  response: staffTicket,
})

export const decideClaim = endpoint({
  id: 'staffTickets.decideClaim',
  method: 'POST',
  path: `${base}/:id/claim`,
  access: 'staff.finance',
  summary: 'Decides a claim: accepted (whole or part, paid to the wallet), refused, or back for documents',
  params: idParams,
  body: z.object({
    version,
    decision: z.enum(claimDecisions),
    /** With `accepted`: the amount to pay, at most the claim. */
    amountMinor: z._default(z.nullable(integer(1)), null),
    /** Required unless the whole claim is accepted. The customer can read it. */
    note: optionalText(1000),
  }),
  response: staffTicket,
})
