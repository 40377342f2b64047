/** Queries that verify the books. */

import { sql } from 'kysely'
import { dayEnd } from '../../../db/conditions/local-days.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { BookKind } from '../rules.ts'

/** A problem of the books, with the first affected entry, if there is one. */
export type BookProblem = {
  kind: 'unbalanced' | 'lines' | 'account' | 'running_balance' | 'balance' | 'overdrawn'
  entryId: string | null
  ledgerAccountId: string | null
  /** The actual and the expected value, in minor units if they are money. */
  found: string
  expected: string
}

/** Totals of one book since the beginning, in minor units. */
export type TrialLine = { kind: BookKind; currency: string; debitMinor: number; creditMinor: number }

/** The maximum number of problems of one kind that are listed. */
const maxProblems = 50

/**
 * Every inconsistency of the books, computed only from the postings. It reads every posting, so it is for the nightly
 * job and `npm run ledger:check`.
 */
export async function findBookProblems(trx: DbOrTx): Promise<BookProblem[]> {
  const { rows } = await sql<BookProblem>`
    with per_entry as (
      select entry_id, currency, sum(amount_minor) as total, min(line) as first, max(line) as last, count(*) as lines
      from journal_postings
      group by entry_id, currency
    ), unbalanced as (
      select 'unbalanced' as kind, entry_id, null::uuid as ledger_account_id, total || ' ' || currency as found,
        '0 ' || currency as expected
      from per_entry
      where total <> 0
      limit ${maxProblems}
    ), entry_lines as (
      select entry_id, min(first) as first, max(last) as last, sum(lines) as lines
      from per_entry
      group by entry_id
    ), incomplete as (
      -- An entry without postings, or with a gap in their line numbers, which begin at 0.
      select 'lines' as kind, e.id as entry_id, null::uuid as ledger_account_id,
        coalesce(p.lines, 0) || ' postings' as found,
        case when p.entry_id is null then 'two or more' else p.last + 1 || ' postings' end as expected
      from journal_entries e
      left join entry_lines p on p.entry_id = e.id
      where p.entry_id is null or p.first <> 0 or p.last <> p.lines - 1 or p.lines < 2
      limit ${maxProblems}
    ), misplaced as (
      select 'account' as kind, p.entry_id, p.ledger_account_id,
        coalesce(p.account_id::text, '-') || ' ' || p.currency as found,
        case
          when a.id is null then 'an account of the books'
          else coalesce(a.account_id::text, '-') || ' ' || a.currency
        end as expected
      from journal_postings p
      left join ledger_accounts a on a.id = p.ledger_account_id
      where a.id is null or a.currency <> p.currency or a.account_id is distinct from p.account_id
      limit ${maxProblems}
    ), running as (
      select p.entry_id, p.ledger_account_id, p.seq, p.balance_after_minor,
        sum(p.amount_minor) over (partition by p.ledger_account_id order by p.seq) as sum_so_far
      from journal_postings p
      join ledger_accounts a on a.id = p.ledger_account_id
      where a.guarded
    ), drifted as (
      -- The first entry of each wallet whose stored balance is not the sum of the postings so far.
      select distinct on (ledger_account_id) 'running_balance' as kind, entry_id, ledger_account_id,
        coalesce(balance_after_minor::text, 'none') as found, sum_so_far::text as expected
      from running
      where balance_after_minor is distinct from sum_so_far
      order by ledger_account_id, seq
      limit ${maxProblems}
    ), overdrawn as (
      select distinct on (ledger_account_id) 'overdrawn' as kind, entry_id, ledger_account_id,
        sum_so_far::text as found, '0 or more' as expected
      from running
      where sum_so_far < 0
      order by ledger_account_id, seq
      limit ${maxProblems}
    ), sums as (
      select ledger_account_id, sum(amount_minor) as total, max(seq) as last
      from journal_postings
      group by ledger_account_id
    ), balances as (
      select 'balance' as kind, l.entry_id, a.id as ledger_account_id, a.balance_minor::text as found,
        coalesce(s.total, 0)::text as expected
      from ledger_accounts a
      left join sums s on s.ledger_account_id = a.id
      left join journal_postings l on l.ledger_account_id = a.id and l.seq = s.last
      where a.guarded and a.balance_minor <> coalesce(s.total, 0)
      limit ${maxProblems}
    )
    select kind, entry_id as "entryId", ledger_account_id as "ledgerAccountId", found, expected
    from (
      select * from unbalanced
      union all select * from incomplete
      union all select * from misplaced
      union all select * from drifted
      union all select * from overdrawn
      union all select * from balances
    ) problems
    order by kind, entry_id`.execute(trx)
  return rows
}

/** The number of entries, postings and accounts, for the summary. */
export async function countBookRows(trx: DbOrTx): Promise<{ entries: number; postings: number; wallets: number }> {
  const { rows } = await sql<{ entries: number; postings: number; wallets: number }>`
    select (select count(*)::int from journal_entries) as entries,
      (select count(*)::int from journal_postings) as postings,
      (select count(*)::int from ledger_accounts where guarded) as wallets`.execute(trx)
  return rows[0] ?? { entries: 0, postings: 0, wallets: 0 }
}

/**
 * Both sides of every book, over all postings or up to the end of a day (`YYYY-MM-DD`) in a time zone. In valid books
 * both sides are equal in each currency.
 */
export async function trialLines(trx: DbOrTx, until?: { day: string; timeZone: string }): Promise<TrialLine[]> {
  const { rows } = await sql<TrialLine>`
    select a.kind, p.currency,
      coalesce(-sum(p.amount_minor) filter (where p.amount_minor < 0), 0)::bigint as "debitMinor",
      coalesce(sum(p.amount_minor) filter (where p.amount_minor > 0), 0)::bigint as "creditMinor"
    from journal_postings p
    join ledger_accounts a on a.id = p.ledger_account_id
    where ${until === undefined}::boolean
      or p.created_at < ${dayEnd(until?.day ?? null, until?.timeZone ?? 'UTC')}
    group by a.kind, p.currency
    order by p.currency, a.kind`.execute(trx)
  return rows
}

export type TrialBalanceRow = { day: string; checked_at: Date; lines: TrialLine[]; problems: BookProblem[] }

/** Stores a day's trial balance. A retried job writes the same one. */
export async function saveTrialBalance(trx: DbOrTx, row: TrialBalanceRow): Promise<void> {
  await sql`
    insert into trial_balances (day, checked_at, lines, problems)
    values (
      ${row.day}::date, ${row.checked_at}::timestamptz, ${JSON.stringify(row.lines)}::jsonb,
      ${JSON.stringify(row.problems)}::jsonb
    )
    on conflict (day) do update set checked_at = excluded.checked_at, lines = excluded.lines,
      problems = excluded.problems`.execute(trx)
}

/** The latest trial balances, newest first. */
export async function trialBalances(db: DbOrTx, limit: number): Promise<TrialBalanceRow[]> {
  const { rows } = await sql<TrialBalanceRow>`
    select day::text as day, checked_at, lines, problems
    from trial_balances
    order by day desc
    limit ${limit}::int`.execute(db)
  return rows
}

/** Whether anything was ever booked. */
export async function hasEntries(db: DbOrTx): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select exists (select from journal_entries) as there`.execute(db)
  return rows[0]?.there ?? false
}

/** Whether this database has the tables of the books. */
export async function hasBooks(db: DbOrTx): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('journal_postings') is not null as there`.execute(
    db,
  )
  return rows[0]?.there ?? false
}
