// What senders said the headers of their files mean.
import type { BulkField } from '@waybill/contract/parcels/bulk'
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'

/** The maximum number of headers stored per account; the ones used last are kept. */
const maxNames = 500

/** The fields by normalised header (`plainHeader`). Null: the account leaves the column out. */
export async function readColumnNames(db: DbOrTx, accountId: string): Promise<Map<string, BulkField | null>> {
  const { rows } = await sql<{ header: string; field: BulkField | null }>`
    select header, field
    from bulk_column_names
    where account_id = ${accountId}::uuid
    order by updated_at desc
    limit ${maxNames}::int`.execute(db)
  return new Map(rows.map(({ header, field }) => [header, field]))
}

/** Stores the meaning of headers; a later meaning replaces an earlier one. */
export async function storeColumnNames(
  trx: DbOrTx,
  accountId: string,
  names: ReadonlyMap<string, BulkField | null>,
  at: Date,
): Promise<void> {
  if (names.size === 0) return
  await sql`
    insert into bulk_column_names (account_id, header, field, updated_at)
    select ${accountId}::uuid, header, field, ${at}::timestamptz
    from unnest(${[...names.keys()]}::text[], ${[...names.values()]}::text[]) as t(header, field)
    on conflict (account_id, header) do update set field = excluded.field, updated_at = excluded.updated_at`.execute(
    trx,
  )
}
