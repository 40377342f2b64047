/** Queries on report files. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { createReportFile, ReportFile } from '@waybill/contract/reports/files'
import { type Selectable, sql } from 'kysely'
import { type Keyed, keysetClauses, type ReadFrom } from '../../../db/keyset.ts'
import { countRows } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { ReportFiles } from '../../../db/schema.ts'

/** The filters of a file. Its period is fixed when it is requested: "today" must not move while a job waits. */
export type FileFilters = Omit<BodyOf<typeof createReportFile>, 'format' | 'from' | 'to'> & { from: string; to: string }

export type ReportFileRow = Omit<Selectable<ReportFiles>, 'filters' | 'format' | 'language' | 'state' | 'failure'> &
  Pick<ReportFile, 'format' | 'state' | 'failure'> & { filters: FileFilters; language: Locale }

export type NewReportFile = Pick<
  ReportFileRow,
  'id' | 'account_id' | 'created_by' | 'only_created_by' | 'filters' | 'format' | 'language' | 'total' | 'created_at'
>

export async function insertReportFile(trx: DbOrTx, { filters, ...file }: NewReportFile): Promise<ReportFileRow> {
  const row = await trx
    .insertInto('report_files')
    .values({ ...file, filters: JSON.stringify(filters) })
    .returningAll()
    .executeTakeFirstOrThrow()
  return row as ReportFileRow
}

export async function findReportFile(db: DbOrTx, id: string): Promise<ReportFileRow | null> {
  const row = await db.selectFrom('report_files').selectAll().where('id', '=', id).executeTakeFirst()
  return (row as ReportFileRow | undefined) ?? null
}

/** The owner of files: a customer's account, or a member of staff (`accountId` null). */
export type FileOwner = {
  userId: string
  accountId: string | null
  /** Only files of the orders that this user created; null: all. */
  onlyCreatedBy: string | null
  /** Older files are about to be deleted. */
  since: Date
}

const ownerCondition = ({ userId, accountId, onlyCreatedBy, since }: FileOwner) => sql`
  created_by = ${userId}::uuid and account_id is not distinct from ${accountId}::uuid
    and (${onlyCreatedBy}::uuid is null or only_created_by = ${onlyCreatedBy}::uuid)
    and created_at >= ${since}::timestamptz`

/** Files of a user from a position, newest first (`backward`: oldest first). */
export async function listReportFileRows(
  db: DbOrTx,
  owner: FileOwner,
  from: ReadFrom,
): Promise<(ReportFileRow & Keyed)[]> {
  const { beyond, order } = keysetClauses(from, { at: 'created_at', id: 'id' })
  const { rows } = await sql<ReportFileRow & Keyed>`
    select *, created_at::text as at_exactly
    from report_files
    where ${ownerCondition(owner)} ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

/** The number of files of a user, up to `most`. */
export async function countReportFiles(db: DbOrTx, owner: FileOwner, most: number): Promise<number> {
  return countRows(db, sql`from report_files where ${ownerCondition(owner)}`, most)
}

/** Stores changes of a file. False if it was removed. */
export async function updateReportFile(
  db: DbOrTx,
  id: string,
  changes: Partial<Pick<ReportFileRow, 'state' | 'failure' | 'done' | 'name' | 'storage_key' | 'bytes'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('report_files')
    .set(changes)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Queues a failed file again; null if it has not failed: another request was first. */
export async function requeueReportFile(trx: DbOrTx, id: string): Promise<ReportFileRow | null> {
  const row = await trx
    .updateTable('report_files')
    .set({ state: 'queued', failure: null, done: 0 })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .returningAll()
    .executeTakeFirst()
  return (row as ReportFileRow | undefined) ?? null
}

/** Some files made before `before`. */
export async function oldReportFiles(
  db: DbOrTx,
  before: Date,
  limit: number,
): Promise<Pick<ReportFileRow, 'id' | 'storage_key'>[]> {
  const { rows } = await sql<Pick<ReportFileRow, 'id' | 'storage_key'>>`
    select id, storage_key
    from report_files
    where created_at < ${before}
    order by created_at
    limit ${limit}::int`.execute(db)
  return rows
}

/** Deletes a file's row. Returns its key in the store; null for a file that is not finished. */
export async function deleteReportFile(trx: DbOrTx, id: string): Promise<string | null> {
  const row = await trx.deleteFrom('report_files').where('id', '=', id).returning('storage_key').executeTakeFirst()
  return row?.storage_key ?? null
}

export async function deleteReportFiles(db: DbOrTx, ids: readonly string[]): Promise<void> {
  await sql`delete from report_files where id = any(${ids}::uuid[])`.execute(db)
}
