// Batches: one uploaded spreadsheet each. Rows are in queries-rows.ts.
import type { Party } from '@waybill/contract/addresses/addresses'
import type { BulkField, bulkStatuses } from '@waybill/contract/parcels/bulk'
import { type Selectable, sql } from 'kysely'
import { deleteInBatches, deleteOldRows } from '../../../db/batches.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { BulkBatches } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'

type ColumnTypes = {
  status: (typeof bulkStatuses)[number]
  source_format: 'xlsx' | 'csv' | 'json'
  headers: string[]
  mapping: (BulkField | null)[]
  samples: string[][]
  fault_vars: Record<string, string | number>
  sender: Party | null
}
/** A batch without the bytes of its file. */
export type BatchRow = Omit<Selectable<BulkBatches>, keyof ColumnTypes | 'source'> & ColumnTypes

const batchColumns = sql.raw(`
      account_id, id, created_by, name, file_hash, source_format, status, fault, fault_vars, headers, mapping,
      samples, rows_read, attempts, sender, version, created_at, updated_at`)

type NewBatch = Pick<BatchRow, 'id' | 'created_by' | 'name' | 'file_hash' | 'source_format' | 'sender'> & {
  source: Buffer
}

export async function insertBatch(trx: DbOrTx, accountId: AccountId, batch: NewBatch, at: Date): Promise<BatchRow> {
  const { rows } = await sql<BatchRow>`
    insert into bulk_batches (
      account_id, id, created_by, name, file_hash, source, source_format, status, sender, created_at, updated_at)
    values (
      ${accountId}::uuid, ${batch.id}::uuid, ${batch.created_by}::uuid, ${batch.name}::text, ${batch.file_hash}::text,
      ${batch.source}::bytea, ${batch.source_format}::text, 'reading',
      ${batch.sender === null ? null : JSON.stringify(batch.sender)}::jsonb, ${at}::timestamptz, ${at}::timestamptz)
    returning ${batchColumns}`.execute(trx)
  return rows[0] as BatchRow
}

/**
 * Locks the batches of an account until the transaction ends. A change of one batch may mark rows of another as
 * duplicates, or take their marks away.
 */
export async function lockBatches(trx: DbOrTx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bulk ${accountId}`}::text, 0))`.execute(trx)
}

/** A batch, optionally only if `createdBy` uploaded it; `lock` locks it until the transaction ends. */
export async function findBatch(
  db: DbOrTx,
  accountId: string,
  id: string,
  createdBy: string | null,
  lock = false,
): Promise<BatchRow | null> {
  const { rows } = await sql<BatchRow>`
    select ${batchColumns}
    from bulk_batches
    where account_id = ${accountId}::uuid and id = ${id}::uuid
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0] ?? null
}

/** The bytes of a batch's file; null once it has been read. */
export async function findSource(db: DbOrTx, accountId: string, id: string): Promise<Buffer | null> {
  const { rows } = await sql<{ source: Buffer | null }>`
    select source
    from bulk_batches
    where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(db)
  return rows[0]?.source ?? null
}

/** A page of an account's batches, newest first; `createdBy` null: of all its users. */
export async function listBatchRows(
  db: DbOrTx,
  accountId: string,
  createdBy: string | null,
  offset: number,
  limit: number,
): Promise<{ rows: BatchRow[]; total: number }> {
  const visible = sql`
    account_id = ${accountId}::uuid and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`
  const { rows } = await sql<BatchRow>`
    select ${batchColumns}
    from bulk_batches
    where ${visible}
    order by created_at desc, id desc
    offset ${offset}::int limit ${limit}::int`.execute(db)
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::int as total from bulk_batches where ${visible}`.execute(db)
  return { rows, total: counts[0]?.total ?? 0 }
}

/** The newest earlier batch with the same file. */
export async function sameFile(db: DbOrTx, batch: BatchRow): Promise<{ id: string; created_at: Date } | null> {
  const { rows } = await sql<Pick<BatchRow, 'id' | 'created_at'>>`
    select id, created_at
    from bulk_batches
    where account_id = ${batch.account_id}::uuid and file_hash = ${batch.file_hash}::text
      and created_at < ${batch.created_at}::timestamptz
      and (created_at, id) < (${batch.created_at}::timestamptz, ${batch.id}::uuid)
    order by created_at desc
    limit 1`.execute(db)
  return rows[0] ?? null
}

export type BatchChanges = Partial<
  Pick<
    BatchRow,
    'status' | 'fault' | 'fault_vars' | 'headers' | 'mapping' | 'samples' | 'rows_read' | 'attempts' | 'sender'
  >
> & { forgetSource?: boolean }

/** Writes an edit of a batch and raises its version. Fields that are not given stay unchanged. */
export async function updateBatch(
  db: DbOrTx,
  batch: Pick<BatchRow, 'account_id' | 'id'>,
  changes: BatchChanges,
  at: Date,
): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  await sql`
    update bulk_batches
    set status = coalesce(${changes.status ?? null}::text, status),
      fault = case when ${changes.fault === undefined}::boolean then fault else ${changes.fault ?? null}::text end,
      fault_vars = coalesce(${json(changes.fault_vars)}::jsonb, fault_vars),
      headers = coalesce(${json(changes.headers)}::jsonb, headers),
      mapping = coalesce(${json(changes.mapping)}::jsonb, mapping),
      samples = coalesce(${json(changes.samples)}::jsonb, samples),
      rows_read = coalesce(${changes.rows_read ?? null}::int, rows_read),
      attempts = coalesce(${changes.attempts ?? null}::int, attempts),
      sender = coalesce(${changes.sender ? JSON.stringify(changes.sender) : null}::jsonb, sender),
      source = case when ${changes.forgetSource ?? false}::boolean then null else source end,
      version = version + 1,
      updated_at = ${at}::timestamptz
    where account_id = ${batch.account_id}::uuid and id = ${batch.id}::uuid`.execute(db)
}

/** Counts an attempt to read the file, and returns its number from 1. */
export async function countAttempt(db: DbOrTx, batch: Pick<BatchRow, 'account_id' | 'id'>): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`
    update bulk_batches
    set attempts = attempts + 1
    where account_id = ${batch.account_id}::uuid and id = ${batch.id}::uuid
    returning attempts`.execute(db)
  return rows[0]?.attempts ?? 1
}

/** Deletes a batch that has no rows. */
export async function deleteBatch(trx: DbOrTx, batch: BatchRow): Promise<void> {
  await sql`
    delete from bulk_batches where account_id = ${batch.account_id}::uuid and id = ${batch.id}::uuid`.execute(trx)
}

/**
 * Deletes rows of batches that have not changed since then, except those that became parcels; every row of batches
 * created before `createdBefore`; and unchanged batches without rows. `onDelete` gets the hashes of deleted rows that
 * did not become parcels, with their accounts, a few at a time.
 */
export async function deleteOldBatches(
  db: DbOrTx,
  { untouchedSince, createdBefore }: { untouchedSince: Date; createdBefore: Date },
  onDelete: (rows: readonly { account_id: string; hash: string }[]) => Promise<void>,
): Promise<void> {
  await deleteInBatches(async (limit) => {
    const { rows } = await sql<{ account_id: string; hash: string | null }>`
      delete from bulk_rows
      where ctid = any(array(
          select r.ctid
          from bulk_batches b
          join bulk_rows r on r.account_id = b.account_id and r.batch_id = b.id
          where b.created_at < ${createdBefore}::timestamptz
            or (b.updated_at < ${untouchedSince}::timestamptz and r.state <> 'carted')
          limit ${limit}::int
          for update of r skip locked
        ))
      returning account_id, case when state <> 'carted' then hash end as hash`.execute(db)
    await onDelete(rows.flatMap(({ account_id, hash }) => (hash ? { account_id, hash } : [])))
    return rows.length
  })
  const isEmpty = sql`
    not exists (
      select from bulk_rows r where r.account_id = bulk_batches.account_id and r.batch_id = bulk_batches.id
    )`
  await deleteOldRows(db, 'bulk_batches', 'updated_at', untouchedSince, isEmpty)
}
