// Rows with the same contents, in any batch of an account, found by their hash.
import { cancelledStatuses } from '@waybill/contract/ground/status/parcel-status'
import { sql } from 'kysely'
import { belongsTo, type DbOrTx, literals, type Tx } from '../../../db/pool.ts'
import type { BulkRowRow } from './queries-rows.ts'

/** A row that has the same hash as others, with its batch and its parcel. */
export type RowWithHash = Pick<BulkRowRow, 'row_number' | 'state' | 'override_duplicate' | 'problems'> & {
  hash: string
  batch_id: string
  batch_name: string | null
  batch_created_at: Date
  batch_created_by: string
  shipped: boolean
  tracking_number: string | null
}

/**
 * The rows with these hashes in batches since a given time, with parcels first, then those of the newest batch. Rows of
 * cancelled or removed parcels are left out. `valid`: only rows that became parcels or may become some; `except`: not
 * those of this batch.
 */
export async function findRowsByHash(
  trx: Tx,
  accountId: string,
  hashes: readonly string[],
  { since, valid, except = null }: { since: Date; valid: boolean; except?: string | null },
): Promise<RowWithHash[]> {
  if (hashes.length === 0) return []
  // While statistics are missing or old, as after the first import, any other plan looks cheap and reads the table for
  // every hash. So only nested lookups are allowed, and only the index on the hash fits: the account is just compared.
  await sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true)`.execute(trx)
  // `offset 0` keeps one index lookup per hash.
  const { rows } = await sql<RowWithHash>`
    select r.hash, r.batch_id, r.row_number, r.state, r.override_duplicate, r.problems, b.name as batch_name,
      b.created_at as batch_created_at, b.created_by as batch_created_by, p.tracking_number,
      r.parcel_id is not null as shipped
    from unnest(${[...new Set(hashes)]}::text[]) as c(hash)
    cross join lateral (
      select account_id, batch_id, row_number, hash, parcel_id, state, anyway as override_duplicate, problems
      from bulk_rows
      where hash = c.hash and ${belongsTo(accountId)}
      offset 0
    ) r
    join bulk_batches b on b.account_id = r.account_id and b.id = r.batch_id
    left join parcels p on p.account_id = r.account_id and p.id = r.parcel_id
    where (not ${valid}::boolean or r.state <> 'bad')
      and (${except}::uuid is null or r.batch_id <> ${except}::uuid)
      and (r.parcel_id is null or (p.id is not null and p.status not in (${literals([...cancelledStatuses, 'lost'])})))
      and b.created_at > ${since}::timestamptz
    order by r.parcel_id is null, b.created_at desc, r.batch_id desc, r.row_number`.execute(trx)
  // The transaction may be that of an edit, whose other statements need all plans.
  await sql`
    select set_config('enable_seqscan', 'on', true), set_config('enable_hashjoin', 'on', true),
      set_config('enable_mergejoin', 'on', true)`.execute(trx)
  return rows
}

/** Stores the problems and states of rows. */
export async function storeMarks(trx: DbOrTx, accountId: string, rows: readonly RowWithHash[]): Promise<void> {
  const marks = rows.map(({ batch_id, row_number, problems, state }) => ({ batch_id, row_number, problems, state }))
  await sql`
    update bulk_rows r
    set problems = t.problems, state = t.state, version = r.version + 1
    from json_to_recordset(${JSON.stringify(marks)}::json) as t(
      batch_id uuid, row_number int, problems jsonb, state text)
    where r.account_id = ${accountId}::uuid and r.batch_id = t.batch_id and r.row_number = t.row_number`.execute(trx)
}

/** The hashes of the rows that became these parcels. A parcel that still exists needs no batch. */
export async function hashesOfParcels(
  db: DbOrTx,
  accountId: string,
  parcels: readonly { parcelId: string; batchId: string | null }[],
): Promise<string[]> {
  const ids = parcels.map(({ parcelId }) => parcelId)
  const batchIds = parcels.flatMap(({ batchId }) => batchId ?? [])
  const { rows } = await sql<{ hash: string }>`
    select r.hash
    from bulk_rows r
    where r.account_id = ${accountId}::uuid and r.parcel_id = any(${ids}::uuid[]) and r.hash is not null
      and r.batch_id in (
        select p.batch_id from parcels p where ${belongsTo(accountId, 'p')} and p.id = any(${ids}::uuid[])
        union
        select unnest(${batchIds}::uuid[])
      )`.execute(db)
  return rows.map(({ hash }) => hash)
}
