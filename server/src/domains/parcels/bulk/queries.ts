import type { Party } from '@waybill/contract/addresses/addresses'
import type { BulkField, bulkRowStates, bulkStatuses } from '@waybill/contract/parcels/bulk'
import type { ShippedAnyway } from '@waybill/contract/parcels/parcels'
import { type Selectable, sql } from 'kysely'
import { type Db, type DbOrTx, tx } from '../../../db/pool.ts'
import type { BulkBatches } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'

/** A problem as it is kept: words are put to it in the language of whoever looks. */
export type KeptProblem = {
  column: BulkField | null
  code: string
  vars?: Record<string, string | number>
  suggestion?: string
  /** Words that are put in by the reader's language. */
  labels?: Record<string, readonly [en: string, cn_zh: string]>
  /** Only pointed out. */
  mild?: true
}

type Narrowed = {
  status: (typeof bulkStatuses)[number]
  source_format: 'xlsx' | 'csv' | 'json'
  headers: string[]
  mapping: (BulkField | null)[]
  fault_vars: Record<string, string | number>
  sender: Party | null
}
/** A batch without the bytes of its file. */
export type BatchRow = Omit<Selectable<BulkBatches>, keyof Narrowed | 'source'> & Narrowed

export type RowState = (typeof bulkRowStates)[number]
export type BulkRowRow = {
  row_number: number
  cells: string[]
  problems: KeptProblem[] | null
  state: RowState
  price_minor: number | null
  hash: string | null
  anyway: boolean
  insisted: ShippedAnyway[] | null
  parcel_id: string | null
  version: number
}

const batchColumns = sql.raw(
  'account_id, id, created_by, name, file_hash, source_format, status, fault, fault_vars, headers, mapping, rows_read, attempts, sender, version, created_at, updated_at',
)

type NewBatch = Pick<BatchRow, 'id' | 'created_by' | 'name' | 'file_hash' | 'source_format' | 'sender'> & {
  source: Buffer
}

export async function insertBatch(trx: DbOrTx, accountId: AccountId, batch: NewBatch, at: Date): Promise<BatchRow> {
  const { rows } = await sql<BatchRow>`
    insert into bulk_batches (account_id, id, created_by, name, file_hash, source, source_format, status, sender, created_at, updated_at)
    values (${accountId}::uuid, ${batch.id}::uuid, ${batch.created_by}::uuid, ${batch.name}::text, ${batch.file_hash}::text, ${batch.source}::bytea,
      ${batch.source_format}::text, 'reading', ${batch.sender === null ? null : JSON.stringify(batch.sender)}::jsonb, ${at}::timestamptz,
      ${at}::timestamptz)
    returning ${batchColumns}`.execute(trx)
  return rows[0] as BatchRow
}

/** `createdBy`: only that user's. */
export async function findBatch(
  db: DbOrTx,
  accountId: string,
  id: string,
  createdBy: string | null,
  lock = false,
): Promise<BatchRow | null> {
  const { rows } = await sql<BatchRow>`
    select ${batchColumns} from bulk_batches
    where account_id = ${accountId}::uuid and id = ${id}::uuid and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0] ?? null
}

export async function findSource(db: DbOrTx, accountId: string, id: string): Promise<Buffer | null> {
  const { rows } = await sql<{ source: Buffer | null }>`
    select source from bulk_batches where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(db)
  return rows[0]?.source ?? null
}

export async function listBatchRows(
  db: DbOrTx,
  accountId: string,
  createdBy: string | null,
  offset: number,
  limit: number,
): Promise<{ rows: BatchRow[]; total: number }> {
  const mine = sql`account_id = ${accountId}::uuid and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`
  const { rows } = await sql<BatchRow>`
    select ${batchColumns} from bulk_batches where ${mine} order by created_at desc, id desc offset ${offset}::int limit ${limit}::int`.execute(
    db,
  )
  const { rows: counted } = await sql<{
    total: number
  }>`select count(*)::int as total from bulk_batches where ${mine}`.execute(db)
  return { rows, total: counted[0]?.total ?? 0 }
}

/** An earlier batch of the same file. */
export async function sameFile(db: DbOrTx, batch: BatchRow): Promise<{ id: string; created_at: Date } | null> {
  const { rows } = await sql<{ id: string; created_at: Date }>`
    select id, created_at from bulk_batches
    where account_id = ${batch.account_id}::uuid and file_hash = ${batch.file_hash}::text and created_at < ${batch.created_at}::timestamptz
      and (created_at, id) < (${batch.created_at}::timestamptz, ${batch.id}::uuid)
    order by created_at desc limit 1`.execute(db)
  return rows[0] ?? null
}

export type BatchChanges = Partial<
  Pick<BatchRow, 'status' | 'fault' | 'fault_vars' | 'headers' | 'mapping' | 'rows_read' | 'attempts' | 'sender'>
> & { forgetSource?: boolean }

export async function updateBatch(
  db: DbOrTx,
  batch: Pick<BatchRow, 'account_id' | 'id'>,
  changes: BatchChanges,
  at: Date,
): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  await sql`
    update bulk_batches set
      status = coalesce(${changes.status ?? null}::text, status),
      fault = case when ${changes.fault === undefined}::boolean then fault else ${changes.fault ?? null}::text end,
      fault_vars = coalesce(${json(changes.fault_vars)}::jsonb, fault_vars),
      headers = coalesce(${json(changes.headers)}::jsonb, headers),
      mapping = coalesce(${json(changes.mapping)}::jsonb, mapping),
      rows_read = coalesce(${changes.rows_read ?? null}::int, rows_read),
      attempts = coalesce(${changes.attempts ?? null}::int, attempts),
      sender = coalesce(${changes.sender ? JSON.stringify(changes.sender) : null}::jsonb, sender),
      source = case when ${changes.forgetSource ?? false}::boolean then null else source end,
      version = version + 1, updated_at = ${at}::timestamptz
    where account_id = ${batch.account_id}::uuid and id = ${batch.id}::uuid`.execute(db)
}

/** Counts an attempt to read the file; answers the how-manieth it is. */
export async function countAttempt(db: DbOrTx, batch: Pick<BatchRow, 'account_id' | 'id'>): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`
    update bulk_batches set attempts = attempts + 1
    where account_id = ${batch.account_id}::uuid and id = ${batch.id}::uuid returning attempts`.execute(db)
  return rows[0]?.attempts ?? 1
}

/** A batch with its rows. */
export async function deleteBatch(trx: DbOrTx, batch: BatchRow): Promise<void> {
  await sql`
    with gone as (
      delete from bulk_rows where account_id = ${batch.account_id}::uuid and batch_id = ${batch.id}::uuid
    )
    delete from bulk_batches where account_id = ${batch.account_id}::uuid and id = ${batch.id}::uuid`.execute(trx)
}

/**
 * Rows of batches that were not touched since then, unless they became parcels; every row of those made before; and
 * batches that are empty then.
 */
export async function deleteOldBatches(
  db: DbOrTx,
  { untouchedSince, madeBefore }: { untouchedSince: Date; madeBefore: Date },
): Promise<void> {
  await sql`
    delete from bulk_rows r using bulk_batches b
    where b.account_id = r.account_id and b.id = r.batch_id
      and (b.created_at < ${madeBefore}::timestamptz or (b.updated_at < ${untouchedSince}::timestamptz and r.state <> 'carted'))`.execute(
    db,
  )
  await sql`
    delete from bulk_batches b
    where b.updated_at < ${untouchedSince}::timestamptz
      and not exists (select from bulk_rows r where r.account_id = b.account_id and r.batch_id = b.id)`.execute(db)
}

type Given = Omit<BulkRowRow, 'version' | 'parcel_id'>
const shape = sql.raw(
  'row_number int, cells jsonb, problems jsonb, state text, price_minor bigint, hash text, anyway boolean, insisted jsonb, version int',
)

/** New rows, any number with one statement. */
export async function insertBulkRows(db: DbOrTx, batch: BatchRow, rows: readonly Given[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into bulk_rows (account_id, batch_id, row_number, cells, problems, state, price_minor, hash, anyway, insisted)
    select ${batch.account_id}::uuid, ${batch.id}::uuid, row_number, cells, problems, state, price_minor, hash, anyway, insisted
    from json_to_recordset(${JSON.stringify(rows)}::json) as t(${shape})`.execute(db)
}

/**
 * The same while the batch is being read: what a crash of the database takes of them is read again, so nobody waits for
 * the disk. `told`: how many were read so far, where it is time to say so.
 */
export async function insertUnread(
  db: Db,
  batch: BatchRow,
  rows: readonly Given[],
  told: number | null,
  at: Date,
): Promise<void> {
  await tx(db, async (trx) => {
    await insertBulkRows(trx, batch, rows)
    if (told !== null) await updateBatch(trx, batch, { rows_read: told }, at)
  })
}

/** Rows of a batch, and the number of the last one. */
export async function countBatchRows(db: DbOrTx, batch: BatchRow): Promise<{ total: number; last: number }> {
  const { rows } = await sql<{ total: number; last: number }>`
    select count(*)::int as total, coalesce(max(row_number), 0)::int as last from bulk_rows
    where account_id = ${batch.account_id}::uuid and batch_id = ${batch.id}::uuid`.execute(db)
  return rows[0] ?? { total: 0, last: 0 }
}

/** Writes rows whose versions are still the ones read; answers them as they are now. */
export async function updateBulkRows(
  trx: DbOrTx,
  batch: BatchRow,
  rows: readonly (Given & { version: number })[],
): Promise<BulkRowRow[]> {
  if (rows.length === 0) return []
  const { rows: written } = await sql<BulkRowRow>`
    update bulk_rows r set cells = t.cells, problems = t.problems, state = t.state, price_minor = t.price_minor, hash = t.hash, anyway = t.anyway,
      insisted = t.insisted, version = r.version + 1
    from json_to_recordset(${JSON.stringify(rows)}::json) as t(${shape})
    where r.account_id = ${batch.account_id}::uuid and r.batch_id = ${batch.id}::uuid and r.row_number = t.row_number and r.version = t.version
      and r.state <> 'carted'
    returning r.row_number, r.cells, r.problems, r.state, r.price_minor, r.hash, r.anyway, r.insisted, r.parcel_id, r.version`.execute(
    trx,
  )
  return written.sort((a, b) => a.row_number - b.row_number)
}

/** Ties rows to the parcels that they became. */
export async function setCarted(
  trx: DbOrTx,
  batch: BatchRow,
  made: readonly { row_number: number; parcel_id: string; price_minor: number | null }[],
): Promise<void> {
  await sql`
    update bulk_rows r set state = 'carted', parcel_id = t.parcel_id, price_minor = t.price_minor, problems = null, version = r.version + 1
    from json_to_recordset(${JSON.stringify(made)}::json) as t(row_number int, parcel_id uuid, price_minor bigint)
    where r.account_id = ${batch.account_id}::uuid and r.batch_id = ${batch.id}::uuid and r.row_number = t.row_number`.execute(
    trx,
  )
}

export async function deleteBulkRows(trx: DbOrTx, batch: BatchRow, numbers: readonly number[] | null): Promise<void> {
  await sql`
    delete from bulk_rows where account_id = ${batch.account_id}::uuid and batch_id = ${batch.id}::uuid and state <> 'carted'
      and (${numbers}::int[] is null or row_number = any(${numbers}::int[]))`.execute(trx)
}

type Which = {
  state?: RowState | undefined
  numbers?: readonly number[]
  after?: number
  offset?: number
  limit?: number
}

/** Rows in the order of the spreadsheet. */
export async function bulkRows(db: DbOrTx, batch: BatchRow, which: Which, lock = false): Promise<BulkRowRow[]> {
  const { rows } = await sql<BulkRowRow>`
    select row_number, cells, problems, state, price_minor, hash, anyway, insisted, parcel_id, version from bulk_rows
    where account_id = ${batch.account_id}::uuid and batch_id = ${batch.id}::uuid
      and (${which.state ?? null}::text is null or state = ${which.state ?? null}::text)
      and (${which.numbers ?? null}::int[] is null or row_number = any(${which.numbers ?? null}::int[]))
      and row_number > ${which.after ?? 0}::int
    order by row_number offset ${which.offset ?? 0}::int limit ${which.limit ?? 20_000}::int ${lock ? sql`for update` : sql``}`.execute(
    db,
  )
  return rows
}

/** Rows that have a problem with a suggestion, in one column. */
export async function rowsToFix(db: DbOrTx, batch: BatchRow, code: string, column: string): Promise<BulkRowRow[]> {
  const wanted = JSON.stringify([{ code, column }])
  const { rows } = await sql<BulkRowRow>`
    select row_number, cells, problems, state, price_minor, hash, anyway, insisted, parcel_id, version from bulk_rows
    where account_id = ${batch.account_id}::uuid and batch_id = ${batch.id}::uuid and state <> 'carted' and problems @> ${wanted}::jsonb
    order by row_number for update`.execute(db)
  return rows
}

export type BatchCounts = {
  id: string
  total: number
  good: number
  bad: number
  carted: number
  total_minor: number
  common: {
    code: string
    column: BulkField | null
    count: number
    suggested: number
    vars: Record<string, string | number>
  }[]
}

/** Counts of batches; of the common problems only with `common`. */
export async function countProblems(
  db: DbOrTx,
  accountId: string,
  ids: readonly string[],
  common: boolean,
): Promise<Map<string, BatchCounts>> {
  const { rows } = await sql<BatchCounts>`
    select batch_id as id, count(*)::int as total, (count(*) filter (where state = 'good'))::int as good,
      (count(*) filter (where state = 'bad'))::int as bad, (count(*) filter (where state = 'carted'))::int as carted,
      coalesce(sum(price_minor) filter (where state = 'good'), 0)::bigint as total_minor, '[]'::jsonb as common
    from bulk_rows where account_id = ${accountId}::uuid and batch_id = any(${ids}::uuid[]) group by batch_id`.execute(
    db,
  )
  const counts = new Map(rows.map((row) => [row.id, row]))
  if (!common) return counts
  const { rows: found } = await sql<BatchCounts['common'][number] & { id: string }>`
    select r.batch_id as id, p ->> 'code' as code, p ->> 'column' as "column", count(*)::int as count,
      count(p ->> 'suggestion')::int as suggested, coalesce((array_agg(p -> 'vars'))[1], '{}'::jsonb) as vars
    from bulk_rows r, jsonb_array_elements(r.problems) p
    where r.account_id = ${accountId}::uuid and r.batch_id = any(${ids}::uuid[]) and r.state = 'bad' and r.problems is not null
    group by 1, 2, 3 having count(*) > 1 order by count(*) desc, 2, 3 limit 12`.execute(db)
  for (const { id, ...problem } of found) counts.get(id)?.common.push(problem)
  return counts
}

export type Twin = {
  hash: string
  batch_id: string
  row_number: number
  batch_name: string | null
  at: Date
  tracking_number: string | null
  shipped: boolean
}

/**
 * Where rows stand already: in another batch, or earlier in this one (that only with `within`: a job that reads a file
 * knows its own rows). A parcel that was removed again is no twin.
 */
export async function findTwins(
  db: DbOrTx,
  batch: BatchRow,
  asked: readonly { hash: string; row_number: number }[],
  since: Date,
  within: boolean,
): Promise<Map<number, Twin>> {
  if (asked.length === 0) return new Map()
  // One hash after the other: then it is their index that is asked, whatever the statistics of a table say that was
  // empty a minute ago.
  const { rows } = await sql<Twin>`
    select r.hash, r.batch_id, r.row_number, b.name as batch_name, b.created_at as at, p.tracking_number, r.parcel_id is not null as shipped
    from unnest(${asked.map(({ hash }) => hash)}::text[]) as a(hash)
    cross join lateral (
      select account_id, batch_id, row_number, hash, parcel_id from bulk_rows
      where account_id = ${batch.account_id}::uuid and hash = a.hash offset 0
    ) r
    join bulk_batches b on b.account_id = r.account_id and b.id = r.batch_id
    left join parcels p on p.account_id = r.account_id and p.id = r.parcel_id
    where (${within}::boolean or r.batch_id <> ${batch.id}::uuid)
      and (r.parcel_id is null or (p.id is not null and p.status not in ('cancel', 'refunded')))
      and (r.batch_id = ${batch.id}::uuid or b.created_at < ${batch.created_at}::timestamptz) and b.created_at > ${since}::timestamptz
    order by r.parcel_id is null, b.created_at desc, r.row_number`.execute(db)
  const byHash = Map.groupBy(rows, ({ hash }) => hash)
  return new Map(
    asked.flatMap(({ hash, row_number }) => {
      const twin = byHash.get(hash)?.find((one) => one.batch_id !== batch.id || one.row_number < row_number)
      return twin ? [[row_number, twin]] : []
    }),
  )
}
