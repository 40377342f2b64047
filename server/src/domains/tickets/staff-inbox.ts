/** Tickets for staff, over all accounts. */
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import {
  type decideClaim,
  type listStaffTickets,
  type StaffTicket,
  staffTicketTabs,
} from '@waybill/contract/tickets/staff-tickets'
import type { Ticket } from '@waybill/contract/tickets/tickets'
import { wordPatterns } from '../../db/conditions/like.ts'
import { readKeysetPage } from '../../db/keyset.ts'
import { countTabs } from '../../db/page.ts'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { accountNames } from '../accounts/service.ts'
import { decideTicketClaim } from './claims.ts'
import { presentListedTicket } from './present.ts'
import { countTickets, listTicketRows, type TicketFilter, type TicketRow } from './queries.ts'
import { requireTicket, showTicket, switchTicket } from './service.ts'

/** A page of tickets, with the number of those on which staff must act. */
export async function listAllTickets(
  deps: Deps,
  query: QueryOf<typeof listStaffTickets>,
): Promise<ResponseOf<typeof listStaffTickets>> {
  const filter: TicketFilter = {
    accountId: query.accountId ?? null,
    createdBy: null,
    tab: query.tab,
    kind: query.kind ?? null,
    patterns: wordPatterns(query.search),
  }
  const now = deps.clock.now()
  const [{ rows, next, previous }, counts] = await Promise.all([
    readKeysetPage(query, (from) => listTicketRows(deps.db, filter, from)),
    countTabs(staffTicketTabs, (tab) => countTickets(deps.db, { ...filter, tab })),
  ])
  const names = await accountNames(deps.db, [...new Set(rows.map(({ account_id }) => account_id))])
  const items = rows.map((row) => ({
    ...presentListedTicket(row, now),
    accountId: row.account_id,
    accountName: names.get(row.account_id) ?? '',
  }))
  return { items, total: counts[query.tab], limit: query.limit, next, previous, counts }
}

async function forStaff(deps: Deps, accountId: string, ticket: Ticket): Promise<StaffTicket> {
  const names = await accountNames(deps.db, [accountId])
  return { ...ticket, accountId, accountName: names.get(accountId) ?? '' }
}

const showForStaff = async (deps: Deps, caller: StaffCaller, row: TicketRow) =>
  forStaff(deps, row.account_id, await showTicket(deps, deps.db, row, caller))

/** One ticket of any account. Throws not_found. */
export async function readAnyTicket(deps: Deps, caller: StaffCaller, id: string): Promise<StaffTicket> {
  return showForStaff(deps, caller, await requireTicket(deps.db, caller, id))
}

/** Closes or reopens a ticket. Throws the errors of `switchTicket`. */
export async function switchAnyTicket(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  change: { version: number; action: 'close' | 'reopen' },
): Promise<StaffTicket> {
  await switchTicket(deps, caller, id, change)
  return readAnyTicket(deps, caller, id)
}

/** Decides a claim. Throws the errors of `decide`. */
export async function decideOnClaim(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  body: BodyOf<typeof decideClaim>,
): Promise<StaffTicket> {
  return showForStaff(deps, caller, await decideTicketClaim(deps, caller, id, body))
}
