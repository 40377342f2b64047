import type { Movement } from '@waybill/contract/wallet'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { BookKind } from './rules.ts'

export type EntryRow = {
  id: string
  at: Date
  kind: Movement['kind']
  reference: string | null
  order_id: string | null
  payment_id: string | null
  account_id: string | null
  created_by: string | null
}

export type EntryPosting = {
  entry_id: string
  book: BookKind
  account_id: string | null
  station_id: string | null
  amount_minor: number
  currency: string
  balance_after_minor: number | null
}

export type EntryFilter = {
  /** An id of an entry, order, payment or account; or the beginning of a reference. */
  ref: { id: string } | { begins: string } | null
  accountId: string | null
  kind: Movement['kind'] | null
  book: BookKind | null
  amountMinor: number | null
  from: string | null
  to: string | null
  timeZone: string
}

/** Only what is asked for stands in the statement, so that each search finds its own index. */
function fitting(filter: EntryFilter): RawBuilder<unknown> {
  const { ref, accountId, kind, book, amountMinor, from, to, timeZone } = filter
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (ref && 'id' in ref) {
    const id = sql`${ref.id}::uuid`
    parts.push(sql`(e.id = ${id} or e.order_id = ${id} or e.payment_id = ${id} or e.account_id = ${id})`)
  }
  if (ref && 'begins' in ref) parts.push(sql`e.reference like ${`${ref.begins.replace(/[\\%_]/g, '\\$&')}%`}::text`)
  if (accountId) parts.push(sql`e.account_id = ${accountId}::uuid`)
  if (kind) parts.push(sql`e.kind = ${kind}::text`)
  if (from) parts.push(sql`e.created_at >= ${from}::date::timestamp at time zone ${timeZone}::text`)
  if (to) parts.push(sql`e.created_at < (${to}::date + 1)::timestamp at time zone ${timeZone}::text`)
  if (amountMinor !== null) {
    parts.push(sql`e.id in (select entry_id from journal_postings where abs(amount_minor) = ${amountMinor}::bigint)`)
  }
  if (book) {
    parts.push(sql`exists (select 1 from journal_postings p join ledger_accounts a on a.id = p.ledger_account_id
      where p.entry_id = e.id and a.kind = ${book}::text)`)
  }
  return sql.join(parts, sql` and `)
}

/** A page of the entries, newest first, and how many fit; counting stops at a limit. */
export async function entryPage(
  db: DbOrTx,
  filter: EntryFilter,
  { offset, limit, countLimit }: { offset: number; limit: number; countLimit: number },
): Promise<{ rows: EntryRow[]; total: number }> {
  const fits = fitting(filter)
  const [found, counted] = await Promise.all([
    sql<EntryRow>`
      select e.id, e.created_at as at, e.kind, e.reference, e.order_id, e.payment_id, e.account_id, e.created_by
      from journal_entries e where ${fits} order by e.created_at desc, e.id limit ${limit}::int offset ${offset}::int`.execute(
      db,
    ),
    sql<{ total: number }>`
      select count(*)::int as total from (select 1 from journal_entries e where ${fits} limit ${countLimit}::int) as counted`.execute(
      db,
    ),
  ])
  return { rows: found.rows, total: counted.rows[0]?.total ?? 0 }
}

/** Every posting of these entries, debits first within each. */
export async function postingsOf(db: DbOrTx, entryIds: readonly string[]): Promise<EntryPosting[]> {
  if (entryIds.length === 0) return []
  const { rows } = await sql<EntryPosting>`
    select p.entry_id, a.kind as book, a.account_id, a.station_id, p.amount_minor, p.currency, p.balance_after_minor
    from journal_postings p join ledger_accounts a on a.id = p.ledger_account_id
    where p.entry_id = any(${entryIds}::uuid[]) order by p.entry_id, p.amount_minor, p.line`.execute(db)
  return rows
}
