/** Queries on the rows of imports. */
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { WrittenAddress } from '../check-address.ts'
import type { AddressProblem } from './check-row.ts'
import type { ImportRow, RowState } from './queries.ts'

export type SheetRow = {
  row_number: number
  cells: string[]
  problems: AddressProblem[]
  state: RowState
  content: WrittenAddress | null
  address_id: string | null
}

type ImportKey = Pick<ImportRow, 'account_id' | 'id'>

/** Stores newly read rows. */
export async function insertSheetRows(
  db: DbOrTx,
  { account_id, id }: ImportKey,
  rows: readonly Omit<SheetRow, 'address_id'>[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into address_import_rows (account_id, import_id, row_number, cells, problems, state, content)
    select ${account_id}::uuid, ${id}::uuid, row_number, cells, problems, state, content
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (row_number int, cells jsonb, problems jsonb, state text, content jsonb)`.execute(db)
}

export async function deleteSheetRows(db: DbOrTx, { account_id, id }: ImportKey): Promise<void> {
  await db.deleteFrom('address_import_rows').where('account_id', '=', account_id).where('import_id', '=', id).execute()
}

/** Rows of an import in the order of the file, only those below the row `after`; `state` null: all. */
export async function listSheetRows(
  db: DbOrTx,
  { account_id, id }: ImportKey,
  { state, offset = 0, after = 0, limit }: { state: RowState | null; offset?: number; after?: number; limit: number },
): Promise<SheetRow[]> {
  const { rows } = await sql<SheetRow>`
    select row_number, cells, problems, state, content, address_id
    from address_import_rows
    where account_id = ${account_id}::uuid and import_id = ${id}::uuid and row_number > ${after}::int
      and (${state}::text is null or state = ${state}::text)
    order by row_number
    offset ${offset}::bigint limit ${limit}::int`.execute(db)
  return rows
}

export type RowCounts = Record<RowState | 'waiting', number>

export const noRows: RowCounts = {
  good: 0,
  hidden: 0,
  duplicate: 0,
  contradiction: 0,
  bad: 0,
  imported: 0,
  waiting: 0,
}

/** The number of rows of each state by import; `waiting`: those that a job has still to save. */
export async function countSheetRows(
  db: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
): Promise<Map<string, RowCounts>> {
  const { rows } = await sql<{ import_id: string; state: RowState; count: number; waiting: number }>`
    select import_id, state, count(*)::int as count,
      (count(*) filter (where chosen and state <> 'imported'))::int as waiting
    from address_import_rows
    where account_id = ${accountId}::uuid and import_id = any(${[...ids]}::uuid[])
    group by import_id, state`.execute(db)
  const counts = new Map(ids.map((id): [string, RowCounts] => [id, { ...noRows }]))
  for (const { import_id, state, count, waiting } of rows) {
    const entry = counts.get(import_id)
    if (!entry) continue
    entry[state] += count
    entry.waiting += waiting
  }
  return counts
}

/**
 * For each address the key of its first line, and whether the book has an address with this phone, postcode and key,
 * which makes it a duplicate.
 */
export async function findInBook(
  db: DbOrTx,
  accountId: AccountId,
  addresses: readonly Pick<WrittenAddress, 'phone' | 'postcode' | 'line1'>[],
): Promise<{ key: string; in_book: boolean }[]> {
  const { rows } = await sql<{ key: string; in_book: boolean }>`
    select concat_ws('|', r.phone, r.postcode, address_key(r.line1)) as key, exists (
      select
      from addresses a
      where a.account_id = ${accountId}::uuid and a.phone = r.phone and a.postcode = r.postcode
        and a.line_key = address_key(r.line1)
    ) as in_book
    from unnest(
      ${addresses.map(({ phone }) => phone)}::text[],
      ${addresses.map(({ postcode }) => postcode)}::text[],
      ${addresses.map(({ line1 }) => line1)}::text[]
    ) with ordinality as r (phone, postcode, line1, n)
    order by r.n`.execute(db)
  return rows
}

/** Marks rows for the job that saves them; `numbers` null: all rows of these states. Returns how many. */
export async function chooseRows(
  trx: DbOrTx,
  { account_id, id }: ImportKey,
  states: readonly RowState[],
  numbers: readonly number[] | null,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update address_import_rows
    set chosen = true
    where account_id = ${account_id}::uuid and import_id = ${id}::uuid and state = any(${[...states]}::text[])
      and (${numbers}::int[] is null or row_number = any(${numbers}::int[]))`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** The next chosen rows that are not in the address book yet. */
export async function nextChosenRows(trx: DbOrTx, { account_id, id }: ImportKey, limit: number): Promise<SheetRow[]> {
  const { rows } = await sql<SheetRow>`
    select row_number, cells, problems, state, content, address_id
    from address_import_rows
    where account_id = ${account_id}::uuid and import_id = ${id}::uuid and chosen and state <> 'imported'
    order by row_number
    limit ${limit}::int`.execute(trx)
  return rows
}

export async function markImported(
  trx: DbOrTx,
  { account_id, id }: ImportKey,
  rows: readonly { row_number: number; address_id: string }[],
): Promise<void> {
  await sql`
    update address_import_rows r
    set state = 'imported', address_id = n.address_id
    from unnest(
      ${rows.map(({ row_number }) => row_number)}::int[],
      ${rows.map(({ address_id }) => address_id)}::uuid[]
    ) as n (row_number, address_id)
    where r.account_id = ${account_id}::uuid and r.import_id = ${id}::uuid and r.row_number = n.row_number`.execute(trx)
}
