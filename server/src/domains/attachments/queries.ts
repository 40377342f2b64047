/** Queries on attachments. */
import type { AttachmentPurpose } from '@waybill/contract/attachments/attachments'
import type { AttachmentType } from '@waybill/contract/ground/enums/enums'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { Attachments } from '../../db/schema.ts'

export type AttachmentRow = Omit<Selectable<Attachments>, 'type' | 'purpose'> & {
  type: AttachmentType
  purpose: AttachmentPurpose
}

/** The columns of the content: a file in the store, or a link. */
export type ContentColumns = {
  type: AttachmentType
  url: string | null
  storage_key: string | null
  media_type: string | null
  bytes: number | null
  width: number | null
  height: number | null
  sha256: Buffer | null
}

export type NewAttachment = ContentColumns & {
  id: string
  account_id: string | null
  uploaded_by: string
  purpose: AttachmentPurpose
  name: string
  created_at: Date
  updated_at: Date
}

/** Inserts an attachment. */
export async function insertAttachment(trx: DbOrTx, attachment: NewAttachment): Promise<AttachmentRow> {
  const row = await trx.insertInto('attachments').values(attachment).returningAll().executeTakeFirstOrThrow()
  return row as AttachmentRow
}

/** An attachment by id. */
export async function findAttachment(db: DbOrTx, id: string): Promise<AttachmentRow | null> {
  const row = await db.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst()
  return (row as AttachmentRow | undefined) ?? null
}

/** Locks attachments in the order of their ids, or two transactions could deadlock. */
export async function lockAttachments(trx: DbOrTx, ids: readonly string[]): Promise<AttachmentRow[]> {
  const { rows } = await sql<AttachmentRow>`
    select * from attachments where id = any(${ids}::uuid[]) order by id for update`.execute(trx)
  return rows
}

/** Attachments by id, in any order. */
export async function findAttachments(db: DbOrTx, ids: readonly string[]): Promise<AttachmentRow[]> {
  const { rows } = await sql<AttachmentRow>`select * from attachments where id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** The attachments of subjects of a kind, in the order of upload. */
export async function attachmentsBySubjects(
  db: DbOrTx,
  kind: string,
  subjectIds: readonly string[],
): Promise<AttachmentRow[]> {
  const { rows } = await sql<AttachmentRow>`
    select *
    from attachments
    where subject_id = any(${subjectIds}::uuid[]) and subject_kind = ${kind}::text
    order by created_at, id`.execute(db)
  return rows
}

/** Updates content or name. */
export async function updateAttachment(
  trx: DbOrTx,
  row: AttachmentRow,
  changes: Partial<ContentColumns> & { name?: string },
  at: Date,
): Promise<AttachmentRow> {
  const updated = await trx
    .updateTable('attachments')
    .set({ ...changes, version: row.version + 1, updated_at: at })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return updated as AttachmentRow
}

/** Deletes the row of an attachment. */
export async function deleteAttachment(trx: DbOrTx, id: string): Promise<void> {
  await trx.deleteFrom('attachments').where('id', '=', id).execute()
}

/** Links attachments to their subject, in its account. */
export async function setSubject(
  trx: DbOrTx,
  ids: readonly string[],
  subject: { kind: string; id: string; accountId: string | null; purpose: AttachmentPurpose },
  at: Date,
): Promise<void> {
  await sql`
    update attachments
    set purpose = ${subject.purpose}, subject_kind = ${subject.kind}, subject_id = ${subject.id}::uuid,
      claimed_at = ${at}::timestamptz,
      account_id = coalesce(${subject.accountId}::uuid, account_id), updated_at = ${at}::timestamptz
    where id = any(${ids}::uuid[])`.execute(trx)
}

/** Unlinks attachments from their subject. */
export async function clearSubject(trx: DbOrTx, ids: readonly string[], at: Date): Promise<void> {
  await sql`
    update attachments
    set subject_kind = null, subject_id = null, claimed_at = null, updated_at = ${at}::timestamptz
    where id = any(${ids}::uuid[])`.execute(trx)
}

/** Lists files that no row refers to (yet, or any more). */
export async function recordLooseFiles(db: DbOrTx, keys: readonly string[], at: Date): Promise<void> {
  await sql`
    insert into loose_files (storage_key, since)
    select unnest(${keys}::text[]), ${at}::timestamptz
    on conflict (storage_key) do nothing`.execute(db)
}

/** Removes files from the list: a row refers to them now, or they were deleted. */
export async function deleteLooseFiles(db: DbOrTx, keys: readonly string[]): Promise<void> {
  await sql`delete from loose_files where storage_key = any(${keys}::text[])`.execute(db)
}

/** A file without a row; `since` is text, because a Date would lose the microseconds. */
export type LooseFile = { storage_key: string; since: string }

/** Files that were listed before `until`, the oldest first, after `last`. */
export async function listLooseFiles(
  db: DbOrTx,
  until: Date,
  last: LooseFile | null,
  limit: number,
): Promise<LooseFile[]> {
  const { rows } = await sql<LooseFile>`
    select storage_key, since::text as since
    from loose_files
    where since < ${until}::timestamptz
      and (
        ${last === null}::boolean
        or (since, storage_key) > (${last?.since ?? null}::timestamptz, ${last?.storage_key ?? null}::text)
      )
    order by loose_files.since, storage_key
    limit ${limit}::int`.execute(db)
  return rows
}

/**
 * Deletes some attachments that were last claimed before `until`, and lists their files as loose. Returns how many.
 */
export async function deleteUnclaimed(trx: DbOrTx, until: Date, since: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from attachments
      where id in (
        select id
        from attachments
        where claimed_at is null and updated_at < ${until}::timestamptz
        order by updated_at
        limit ${limit}::int
        for update skip locked
      )
      returning storage_key
    ), loose as (
      insert into loose_files (storage_key, since)
      select storage_key, ${since}::timestamptz
      from gone
      where storage_key is not null
      on conflict (storage_key) do nothing
    )
    select count(*) as count
    from gone`.execute(trx)
  return rows[0]?.count ?? 0
}
