/** Tickets of an account: opened, documented, closed and opened again. */

import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import {
  type addDocuments,
  type createTicket,
  type ListedTicket,
  type listTickets,
  type Ticket,
  ticketTabs,
} from '@waybill/contract/tickets/tickets'
import { recordActivity } from '../../activity.ts'
import { wordPatterns } from '../../db/conditions/like.ts'
import { readKeysetPage } from '../../db/keyset.ts'
import { countTabs } from '../../db/page.ts'
import { type DbOrTx, type Tx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { asAccountId, type CustomerCaller, type UserCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { accountTopic, staffTopic } from '../../http/live.ts'
import { newId } from '../../lib/ids.ts'
import { findUserNames } from '../accounts/service.ts'
import { claimAttachments, presentAttachmentsById } from '../attachments/service.ts'
import { findOrderOfAnyAccount } from '../orders/service.ts'
import { maySeeRecord, onlyCreatedBy } from '../parcels/access.ts'
import { findArtwork } from '../parcels/artwork/service.ts'
import { findParcelOfAnyAccount } from '../parcels/service.ts'
import type { AccountMessage } from '../tracking/live.ts'
import { notifyCustomer, notifyStaff } from './notices.ts'
import { presentListedTicket, presentTicket } from './present.ts'
import {
  countTickets,
  findTicketRow,
  insertTicket,
  listTicketRows,
  lockTicket,
  type NewTicket,
  type TicketRow,
  updateTicket,
} from './queries.ts'
import { findClaim, insertDocuments, listDocuments } from './queries-claims.ts'
import { checklist, deadlineFor, findOpener, listTicketActions, maySwitchTicket } from './rules.ts'

/** Tickets that the caller may see, the last changed first. */
export async function listOwnTickets(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof listTickets>,
): Promise<ResponseOf<typeof listTickets>> {
  const filter = {
    accountId: caller.accountId,
    createdBy: onlyCreatedBy(caller),
    tab: query.tab,
    kind: query.kind ?? null,
    patterns: [],
  }
  const [{ rows, next, previous }, counts] = await Promise.all([
    readKeysetPage(query, (from) => listTicketRows(deps.db, filter, from)),
    countTabs(ticketTabs, (tab) => countTickets(deps.db, { ...filter, tab })),
  ])
  const now = deps.clock.now()
  return {
    items: rows.map((row): ListedTicket => presentListedTicket(row, now)),
    total: counts[query.tab],
    limit: query.limit,
    next,
    previous,
    counts,
  }
}

/** Tickets that the caller may see, by number, title or subject; the last changed first. */
export async function searchTickets(
  deps: Deps,
  caller: UserCaller,
  text: string,
  limit: number,
): Promise<ListedTicket[]> {
  const isCustomer = caller.kind === 'customer'
  const filter = {
    accountId: isCustomer ? caller.accountId : null,
    createdBy: isCustomer ? onlyCreatedBy(caller) : null,
    tab: 'all',
    kind: null,
    patterns: wordPatterns(text),
  } as const
  const rows = await listTicketRows(deps.db, filter, { key: null, backward: false, limit })
  return rows.map((row) => presentListedTicket(row, deps.clock.now()))
}

/** A ticket with all its parts, from its reader's point of view. */
export async function showTicket(deps: Deps, db: DbOrTx, row: TicketRow, caller: UserCaller): Promise<Ticket> {
  const [claim, documents] = await Promise.all([findClaim(db, row.id), listDocuments(db, row.id)])
  const [parcel, artwork, files, names] = await Promise.all([
    claim ? findParcelOfAnyAccount(db, claim.parcel_id) : null,
    row.kind === 'branding' ? findArtwork(deps, db, row.id) : null,
    presentAttachmentsById(
      deps,
      db,
      documents.map(({ attachment_id }) => attachment_id),
    ),
    findUserNames(db, [findOpener(row)]),
  ])
  const parts = { claim, artwork, documents, files, parcelStatus: parcel?.status ?? null }
  return presentTicket(row, { ...parts, createdByName: names.get(findOpener(row)) ?? null }, caller, deps.clock.now())
}

/** A ticket that the caller may see. Throws not_found. */
export async function requireTicket(db: DbOrTx, caller: UserCaller, id: string): Promise<TicketRow> {
  const row = await findTicketRow(db, id)
  if (!row || !maySeeRecord(row, caller)) throw new AppError('not_found')
  return row
}

/** One ticket. Throws not_found. */
export async function readTicket(deps: Deps, caller: CustomerCaller, id: string): Promise<Ticket> {
  return showTicket(deps, deps.db, await requireTicket(deps.db, caller, id), caller)
}

/** A ticket that the caller may see, locked. Throws not_found, version_conflict. */
export async function lockVisible(trx: DbOrTx, caller: UserCaller, id: string, version: number): Promise<TicketRow> {
  const row = await lockTicket(trx, id)
  if (!row || !maySeeRecord(row, caller)) throw new AppError('not_found')
  if (row.version !== version) throw new AppError('version_conflict')
  return row
}

/** Notifies the open screens of both sides that a ticket has changed, when the transaction commits. */
export async function publishTicket(deps: Deps, trx: DbOrTx, row: TicketRow): Promise<void> {
  const event = { type: 'ticket', id: row.id, status: row.status } as const
  const message: AccountMessage = { ...event, createdBy: row.created_by }
  await deps.live.publishAll(trx, [
    { topic: accountTopic(row.account_id), data: message },
    { topic: staffTopic, data: event },
  ])
}

/** The record that a new ticket is about. Throws validation for one that the caller may not see. */
async function aboutRecord(trx: DbOrTx, caller: CustomerCaller, id: string): Promise<NewTicket['about']> {
  const parcel = await findParcelOfAnyAccount(trx, id)
  if (parcel?.tracking_number && maySeeRecord(parcel, caller)) {
    return { subject: 'parcel', id, number: parcel.tracking_number }
  }
  const order = parcel ? null : await findOrderOfAnyAccount(trx, id)
  if (!order || !maySeeRecord(order, caller)) throw validationError({ field: 'aboutId', rule: 'enum' })
  return { subject: 'order', id, number: order.number }
}

/** Opens a ticket. Throws validation for a record that the caller may not see. */
export async function openTicket(
  deps: Deps,
  caller: CustomerCaller,
  { kind, title, description, aboutId }: BodyOf<typeof createTicket>,
  idempotency: Idempotency,
): Promise<Ticket> {
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const row = await insertTicket(trx, {
      id: newId(),
      account_id: caller.accountId,
      kind,
      status: 'open',
      title,
      description,
      about: aboutId === null ? null : await aboutRecord(trx, caller, aboutId),
      deadline: deadlineFor(kind, 'staff', at),
      created_by: caller.userId,
      opened_by: caller.userId,
      at,
    })
    await recordTicket(deps, trx, caller, row, 'tickets.opened')
    await notifyStaff(deps, trx, row)
    const ticket = await showTicket(deps, trx, row, caller)
    await idempotency.keep(trx, ticket)
    return ticket
  })
}

/** Records an action on a ticket in the activity log, and notifies the open screens. */
export async function recordTicket(
  deps: Deps,
  trx: DbOrTx,
  caller: { userId: string | null },
  row: TicketRow,
  action: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await recordActivity(trx, {
    action,
    level: action.startsWith('claims.') ? 'NOTICE' : 'INFO',
    accountId: row.account_id,
    userId: caller.userId,
    subject: row.id,
    detail: { number: row.number, kind: row.kind, ...detail },
    at: deps.clock.now(),
  })
  await publishTicket(deps, trx, row)
}

/** Closes a ticket, or opens it again. Throws not_found, version_conflict, forbidden, ticket_state. */
export async function switchTicket(
  deps: Deps,
  caller: UserCaller,
  id: string,
  { version, action }: { version: number; action: 'close' | 'reopen' },
): Promise<Ticket> {
  return tx(deps.db, async (trx) => {
    const row = await lockVisible(trx, caller, id, version)
    if (!maySwitchTicket(row, caller)) throw new AppError('forbidden')
    const claim = await findClaim(trx, id)
    if (!listTicketActions(row, claim?.state ?? null, caller).includes(action)) throw ticketState(row)
    const at = deps.clock.now()
    const changed =
      action === 'close'
        ? await updateTicket(trx, row, { status: 'closed', deadline: null, at })
        : await updateTicket(trx, row, { status: 'open', deadline: deadlineFor(row.kind, 'staff', at), at })
    await recordTicket(deps, trx, caller, changed, action === 'close' ? 'tickets.closed' : 'tickets.reopened')
    if (action === 'close' && caller.kind === 'staff') await notifyCustomer(deps, trx, changed, 'ticket_closed')
    if (action === 'reopen' && caller.kind === 'customer') await notifyStaff(deps, trx, changed)
    return showTicket(deps, trx, changed, caller)
  })
}

/** The error for an action that the current state does not allow. */
export const ticketState = (row: TicketRow) => new AppError('ticket_state', { details: { status: row.status } })

/**
 * Links uploads to a ticket as documents of its checklist. Throws validation for a kind that is not on the checklist
 * and for files that are not the caller's.
 */
export async function storeDocuments(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  row: TicketRow,
  documents: BodyOf<typeof addDocuments>['documents'],
): Promise<void> {
  const claim = await findClaim(trx, row.id)
  const kinds = new Set(checklist(row.kind, claim?.reason ?? null).map(({ kind }) => kind))
  if (documents.some(({ kind }) => !kinds.has(kind))) throw validationError({ field: 'documents', rule: 'enum' })
  await claimAttachments(
    deps,
    trx,
    documents.map(({ attachmentId }) => attachmentId),
    caller,
    { kind: 'ticket', id: row.id, accountId: row.account_id, purpose: 'ticket_document', field: 'documents' },
  )
  const at = deps.clock.now()
  await insertDocuments(
    trx,
    documents.map(({ kind, attachmentId }) => ({
      account_id: row.account_id,
      ticket_id: row.id,
      attachment_id: attachmentId,
      kind,
      added_at: at,
    })),
  )
}

/** The facts of a ticket that a thread needs; null if there is none. The calling domain checks access. */
export async function findTicketOfAnyAccount(
  db: DbOrTx,
  id: string,
): Promise<Pick<TicketRow, 'account_id' | 'created_by' | 'opened_by' | 'number'> | null> {
  return findTicketRow(db, id)
}

/**
 * Handles a message in a ticket's thread: the other side must act now. Claims and artwork keep their own deadlines.
 */
export async function followMessage(deps: Deps, trx: DbOrTx, id: string, from: UserCaller['kind']): Promise<void> {
  const row = await lockTicket(trx, id)
  if (row?.status !== 'open' || row.kind === 'claim') return
  const waitsFor = from === 'customer' ? 'staff' : 'customer'
  // A second question does not extend staff's deadline.
  if (row.waits_for === waitsFor && waitsFor === 'staff') return
  const at = deps.clock.now()
  const changed = await updateTicket(trx, row, { deadline: deadlineFor(row.kind, waitsFor, at), at })
  await publishTicket(deps, trx, changed)
}

/** The account of a ticket, for staff and jobs, which act for every account. */
export const getAccountId = (row: TicketRow) => asAccountId(row.account_id)
