/** Rows of `report_files`. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { createReportFile, ReportFile } from '@waybill/contract/reports/files'
import { type Selectable, sql } from 'kysely'
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

export async function updateReportFile(
  db: DbOrTx,
  id: string,
  changes: Partial<Pick<ReportFileRow, 'state' | 'failure' | 'done' | 'name' | 'storage_key' | 'bytes'>>,
): Promise<void> {
  await db.updateTable('report_files').set(changes).where('id', '=', id).execute()
}

/** Queues a failed file again; null where it has not failed: another request was first. */
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

export async function deleteReportFiles(db: DbOrTx, ids: readonly string[]): Promise<void> {
  await sql`delete from report_files where id = any(${ids}::uuid[])`.execute(db)
}
