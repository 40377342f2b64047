/** Queries on the entries of the books. */

import type { Movement } from '@waybill/contract/wallet/wallet'
import { type RawBuilder, sql } from 'kysely'
import { beginningWith } from '../../../db/conditions/like.ts'
import { withinDays } from '../../../db/conditions/local-days.ts'
import type { Keyed, ReadFrom } from '../../../db/keyset.ts'
import { countRows } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import { numberSpellings } from '../../../lib/number-search.ts'
import { isReturned } from '../queries-withdrawals.ts'
import type { BookKind } from '../rules.ts'

export type EntryRow = {
  id: string
  at: Date
  kind: Movement['kind']
  reference: string | null
  order_id: string | null
  payment_id: string | null
  account_id: string | null
  created_by: string | null
  /** A withdrawal without its return. */
  returnable: boolean
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
  /** The id of an entry, order, payment or account; or the beginning of a reference. */
  ref: { id: string } | { begins: string } | null
  accountId: string | null
  kind: Movement['kind'] | null
  book: BookKind | null
  amountMinor: number | null
  from: string | null
  to: string | null
  timeZone: string
}

/** The statement contains only the given conditions, so that each search can use its own index. */
function fitting(filter: EntryFilter): RawBuilder<unknown> {
  const { ref, accountId, kind, book, amountMinor, from, to, timeZone } = filter
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (ref && 'id' in ref) {
    const id = sql`${ref.id}::uuid`
    parts.push(sql`(e.id = ${id} or e.order_id = ${id} or e.payment_id = ${id} or e.account_id = ${id})`)
  }
  if (ref && 'begins' in ref) {
    const spellings = numberSpellings(ref.begins).map(beginningWith)
    const each = spellings.map((pattern) => sql`e.reference like ${pattern}::text`)
    parts.push(sql`(${sql.join(each, sql` or `)})`)
  }
  if (accountId) parts.push(sql`e.account_id = ${accountId}::uuid`)
  if (kind) parts.push(sql`e.kind = ${kind}::text`)
  parts.push(...withinDays(sql`e.created_at`, { from, to, timeZone }))
  if (amountMinor !== null) {
    parts.push(sql`e.id in (select entry_id from journal_postings where abs(amount_minor) = ${amountMinor}::bigint)`)
  }
  if (book) {
    parts.push(sql`exists (select 1 from journal_postings p join ledger_accounts a on a.id = p.ledger_account_id
      where p.entry_id = e.id and a.kind = ${book}::text)`)
  }
  return sql.join(parts, sql` and `)
}

/** Entries from a position in the list, newest first (`backward`: oldest first). */
export async function listEntryRows(
  db: DbOrTx,
  filter: EntryFilter,
  { key, backward, limit }: ReadFrom,
): Promise<(EntryRow & Keyed)[]> {
  const at = sql`${key?.at}::timestamptz`
  // The first half enters the index, the second separates entries of the same moment.
  const from = !key
    ? sql`true`
    : backward
      ? sql`e.created_at >= ${at} and (e.created_at > ${at} or e.id < ${key.id}::uuid)`
      : sql`e.created_at <= ${at} and (e.created_at < ${at} or e.id > ${key.id}::uuid)`
  const order = backward ? sql`e.created_at, e.id desc` : sql`e.created_at desc, e.id`
  const { rows } = await sql<EntryRow & Keyed>`
    select e.id, e.created_at as at, e.created_at::text as at_exactly, e.kind, e.reference, e.order_id, e.payment_id,
      e.account_id, e.created_by, e.kind = 'withdrawal' and not ${isReturned} as returnable
    from journal_entries e
    where ${fitting(filter)} and ${from}
    order by ${order}
    limit ${limit}::int`.execute(db)
  return rows
}

/** The number of matching entries, up to a limit. */
export async function countEntries(db: DbOrTx, filter: EntryFilter, most: number): Promise<number> {
  return countRows(db, sql`from journal_entries e where ${fitting(filter)}`, most)
}

/** The postings of these entries, debits first within each. */
export async function listPostings(db: DbOrTx, entryIds: readonly string[]): Promise<EntryPosting[]> {
  if (entryIds.length === 0) return []
  const { rows } = await sql<EntryPosting>`
    select p.entry_id, a.kind as book, a.account_id, a.station_id, p.amount_minor, p.currency, p.balance_after_minor
    from journal_postings p
    join ledger_accounts a on a.id = p.ledger_account_id
    where p.entry_id = any(${entryIds}::uuid[])
    order by p.entry_id, p.amount_minor, p.line`.execute(db)
  return rows
}
