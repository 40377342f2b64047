/** Queries on tickets: reads by key, locks and changes. */
import type { TicketStatus } from '@waybill/contract/ground/enums/enums'
import { countLimit } from '@waybill/contract/ground/paging'
import type { ClaimState } from '@waybill/contract/tickets/claims'
import type { StaffTicketTab } from '@waybill/contract/tickets/staff-tickets'
import type { TicketKind } from '@waybill/contract/tickets/tickets'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type Keyed, keysetClauses, type ReadFrom } from '../../db/keyset.ts'
import { countRows } from '../../db/page.ts'
import type { DbOrTx } from '../../db/pool.ts'
import type { Tickets } from '../../db/schema.ts'
import type { AccountId } from '../../http/caller.ts'
import type { Deadline } from './rules.ts'

type ColumnTypes = {
  kind: TicketKind
  status: TicketStatus
  about_subject: 'parcel' | 'order' | null
  waits_for: 'customer' | 'staff' | null
}
export type TicketRow = Omit<Selectable<Tickets>, keyof ColumnTypes> & ColumnTypes

export type NewTicket = Pick<TicketRow, 'id' | 'kind' | 'status' | 'title' | 'description' | 'created_by'> & {
  /** Who is notified of it; may differ from `created_by`, which decides who sees it. */
  opened_by: string
  account_id: AccountId
  about: { subject: 'parcel' | 'order'; id: string; number: string } | null
  deadline: Deadline
  at: Date
}

/** Stores a new ticket, which takes the next number. */
export async function insertTicket(trx: DbOrTx, { about, deadline, at, ...row }: NewTicket): Promise<TicketRow> {
  const inserted = await trx
    .insertInto('tickets')
    .values({
      ...row,
      about_subject: about?.subject ?? null,
      about_id: about?.id ?? null,
      about_number: about?.number ?? null,
      waits_for: deadline?.waitsFor ?? null,
      due_at: deadline?.at ?? null,
      created_at: at,
      updated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return inserted as TicketRow
}

/** A ticket of any account; the caller checks access. */
export async function findTicketRow(db: DbOrTx, id: string): Promise<TicketRow | null> {
  const { rows } = await sql<TicketRow>`select * from tickets where id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

/** `findTicketRow`, locked until the transaction ends. */
export async function lockTicket(trx: DbOrTx, id: string): Promise<TicketRow | null> {
  const { rows } = await sql<TicketRow>`select * from tickets where id = ${id}::uuid for update`.execute(trx)
  return rows[0] ?? null
}

/** Changes a locked ticket. */
export async function updateTicket(
  trx: DbOrTx,
  row: TicketRow,
  { status = row.status, deadline, at }: { status?: TicketStatus; deadline: Deadline; at: Date },
): Promise<TicketRow> {
  const changed = await trx
    .updateTable('tickets')
    .set({
      status,
      waits_for: deadline?.waitsFor ?? null,
      due_at: deadline?.at ?? null,
      version: row.version + 1,
      updated_at: at,
    })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return changed as TicketRow
}

/** Locks open tickets whose customer missed the deadline; tickets that are locked elsewhere are skipped. */
export async function lockLapsed(
  trx: DbOrTx,
  now: Date,
  limit: number,
  except: readonly string[],
): Promise<TicketRow[]> {
  const { rows } = await sql<TicketRow>`
    select *
    from tickets
    where waits_for = 'customer' and due_at <= ${now}::timestamptz and id <> all(${except}::uuid[])
    order by due_at, id
    limit ${limit}::int
    for update skip locked`.execute(trx)
  return rows
}

export type ListedTicketRow = TicketRow & Keyed & { claim_state: ClaimState | null }

/** The filter of a list. `createdBy` null: of all users; `accountId` null: of all accounts. */
export type TicketFilter = {
  accountId: string | null
  createdBy: string | null
  tab: StaffTicketTab
  kind: TicketKind | null
  /** LIKE patterns over the search text, in lower case; all must match. */
  patterns: readonly string[]
}

const tabConditions = {
  due: sql`t.waits_for = 'staff'`,
  open: sql`t.is_open`,
  closed: sql`not t.is_open`,
  all: sql`true`,
} as const satisfies Record<StaffTicketTab, RawBuilder<unknown>>

// Without three consecutive letters or digits the trigram index would be scanned completely.
const matches = (pattern: string) =>
  /[\p{L}\p{N}]{3}/u.test(pattern) ? sql`t.search_text like ${pattern}` : sql`t.search_text || '' like ${pattern}`

const buildConditions = ({ accountId, createdBy, tab, kind, patterns }: TicketFilter) => [
  tabConditions[tab],
  ...(accountId === null ? [] : [sql`t.account_id = ${accountId}::uuid`]),
  ...(createdBy === null ? [] : [sql`t.created_by = ${createdBy}::uuid`]),
  ...(kind === null ? [] : [sql`t.kind = ${kind}`]),
  ...patterns.map(matches),
]

/** A page of tickets: the nearest deadline first for `due`, else the last changed first. */
export async function listTicketRows(db: DbOrTx, filter: TicketFilter, from: ReadFrom): Promise<ListedTicketRow[]> {
  const isDue = filter.tab === 'due'
  const at = isDue ? 't.due_at' : 't.updated_at'
  const { beyond, order } = keysetClauses(from, { at, id: 't.id', ascending: isDue })
  const { rows } = await sql<ListedTicketRow>`
    select t.*, ${sql.raw(at)}::text as at_exactly,
      (select c.state from claims c where c.account_id = t.account_id and c.ticket_id = t.id) as claim_state
    from tickets t
    where ${sql.join(buildConditions(filter), sql` and `)} ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

/** The number of tickets of a list, at most `countLimit`. */
export async function countTickets(db: DbOrTx, filter: TicketFilter): Promise<number> {
  return countRows(db, sql`from tickets t where ${sql.join(buildConditions(filter), sql` and `)}`, countLimit)
}
