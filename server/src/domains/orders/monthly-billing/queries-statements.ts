/** Queries on statements and receipts. */

import { type Selectable, sql } from 'kysely'
import { dayBegin } from '../../../db/conditions/local-days.ts'
import { readPage } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { CorporateReceipts, CorporateStatements } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'

export type StatementRow = Omit<Selectable<CorporateStatements>, 'account_id' | 'month' | 'due_on'> & {
  account_id: AccountId
  /** `YYYY-MM` */
  month: string
  /** `YYYY-MM-DD` */
  due_on: string
}

const columns = sql`account_id, id, number, to_char(month, 'YYYY-MM') as month, currency, opening_minor,
    charges_minor, credits_minor, receipts_minor, closing_minor, due_on::text as due_on, overdue_told_at, issued_at,
    begins_at, ends_at`

/** Every statement of these accounts, newest first: few, at one per month. */
export async function listStatementRows(db: DbOrTx, accountIds: readonly AccountId[]): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select ${columns}
    from corporate_statements
    where account_id = any(${accountIds}::uuid[])
    order by account_id, corporate_statements.month desc`.execute(db)
  return rows
}

/**
 * Whether the newest statement due before `today` charged more than has been received since, less the receipts that
 * were cancelled since. True is not proof that it is unpaid, because credits are not counted here.
 */
export async function isLastDueUnpaid(db: DbOrTx, accountId: AccountId, today: string): Promise<boolean> {
  const { rows } = await sql<{ unpaid: boolean }>`
    select s.closing_minor > (
      select coalesce(sum(r.amount_minor) filter (where r.created_at >= s.ends_at), 0)
        - coalesce(sum(r.amount_minor) filter (where r.cancelled_at >= s.ends_at), 0)
      from corporate_receipts r
      where r.account_id = s.account_id
    ) as unpaid
    from corporate_statements s
    where s.account_id = ${accountId}::uuid and s.due_on < ${today}::date
    order by s.month desc
    limit 1`.execute(db)
  return rows[0]?.unpaid ?? false
}

/** The first moment of a month (`YYYY-MM`) in a time zone. */
export async function startOfMonth(db: DbOrTx, month: string, timeZone: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select ${dayBegin(`${month}-01`, timeZone)} as at`.execute(db)
  return (rows[0] as { at: Date }).at
}

/** A statement of an account. */
export async function findStatement(db: DbOrTx, accountId: AccountId, id: string): Promise<StatementRow | undefined> {
  const { rows } = await sql<StatementRow>`
    select ${columns}
    from corporate_statements
    where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(db)
  return rows[0]
}

/** Inserts a statement. Undefined if the month already has one. */
export async function insertStatement(
  trx: DbOrTx,
  row: Omit<StatementRow, 'number' | 'overdue_told_at'>,
): Promise<StatementRow | undefined> {
  const { rows } = await sql<StatementRow>`
    insert into corporate_statements (
      account_id, id, number, month, currency, opening_minor, charges_minor, credits_minor, receipts_minor,
      closing_minor, due_on, issued_at, begins_at, ends_at
    )
    values (
      ${row.account_id}::uuid, ${row.id}::uuid,
      'STM-' || replace(${row.month}::text, '-', '') || '-' || lpad(nextval('statement_serial')::text, 6, '0'),
      (${`${row.month}-01`})::date, ${row.currency}::text, ${row.opening_minor}::bigint, ${row.charges_minor}::bigint,
      ${row.credits_minor}::bigint, ${row.receipts_minor}::bigint, ${row.closing_minor}::bigint, ${row.due_on}::date,
      ${row.issued_at}::timestamptz, ${row.begins_at}::timestamptz, ${row.ends_at}::timestamptz
    )
    on conflict on constraint corporate_statements_month do nothing
    returning ${columns}`.execute(trx)
  return rows[0]
}

/** Locks overdue statements that were not announced yet. */
export async function lockOverdueStatements(
  trx: DbOrTx,
  today: string,
  limit: number,
  except: readonly string[],
): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select ${columns}
    from corporate_statements
    where overdue_told_at is null and due_on < ${today}::date and id <> all(${except}::uuid[])
    order by due_on, id
    limit ${limit}::int
    for update skip locked`.execute(trx)
  return rows
}

/** Marks overdue statements as announced. */
export async function markOverdueAnnounced(trx: DbOrTx, ids: readonly string[], at: Date): Promise<void> {
  await sql`
    update corporate_statements
    set overdue_told_at = ${at}::timestamptz
    where id = any(${ids}::uuid[])`.execute(trx)
}

const receiptColumns = sql`account_id, id, amount_minor, currency, reference, received_on::text as received_on,
    recorded_by, created_at, cancelled_at, cancelled_by, cancel_reason`

export type ReceiptRow = Omit<Selectable<CorporateReceipts>, 'received_on'> & { received_on: string }

/** Inserts a receipt. False if the same one is recorded already, and not cancelled. */
export async function insertReceipt(
  trx: DbOrTx,
  row: Omit<ReceiptRow, 'account_id'> & { account_id: AccountId },
): Promise<boolean> {
  const newRow = await trx
    .insertInto('corporate_receipts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return newRow !== undefined
}

/** A page of an account's receipts, newest first. */
export async function receiptPage(
  db: DbOrTx,
  accountId: AccountId,
  offset: number,
  limit: number,
): Promise<{ rows: ReceiptRow[]; total: number }> {
  return readPage(
    db,
    sql<ReceiptRow>`
      select ${receiptColumns}
      from corporate_receipts
      where account_id = ${accountId}::uuid
      order by corporate_receipts.received_on desc, id desc
      offset ${offset}
      limit ${limit}`,
    sql`corporate_receipts where account_id = ${accountId}::uuid`,
  )
}

/** A receipt of an account. */
export async function findReceipt(db: DbOrTx, accountId: AccountId, id: string): Promise<ReceiptRow | undefined> {
  const { rows } = await sql<ReceiptRow>`
    select ${receiptColumns}
    from corporate_receipts
    where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(db)
  return rows[0]
}

/** Marks a receipt of a locked account as cancelled. */
export async function setReceiptCancelled(
  trx: DbOrTx,
  accountId: AccountId,
  id: string,
  set: Pick<ReceiptRow, 'cancelled_at' | 'cancelled_by' | 'cancel_reason'>,
): Promise<void> {
  await sql`
    update corporate_receipts
    set cancelled_at = ${set.cancelled_at}::timestamptz, cancelled_by = ${set.cancelled_by}::uuid,
      cancel_reason = ${set.cancel_reason}::text
    where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(trx)
}
