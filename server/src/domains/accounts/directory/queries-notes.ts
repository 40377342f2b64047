/** Queries on staff's notes about accounts. */
import { type Selectable, sql } from 'kysely'
import { keysetClauses, type ReadFrom } from '../../../db/keyset.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountNotes } from '../../../db/schema.ts'

export type NoteRow = Selectable<AccountNotes>

/** Notes about an account, newest first. */
export async function listNoteRows(
  db: DbOrTx,
  accountId: string,
  from: ReadFrom,
): Promise<(NoteRow & { at_exactly: string })[]> {
  const { beyond, order } = keysetClauses(from, { at: 'created_at', id: 'id' })
  const { rows } = await sql<NoteRow & { at_exactly: string }>`
    select *, created_at::text as at_exactly
    from account_notes
    where account_id = ${accountId}::uuid ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

/** The number of notes about an account. */
export async function countNotes(db: DbOrTx, accountId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from account_notes where account_id = ${accountId}::uuid`.execute(db)
  return rows[0]?.total ?? 0
}

/** Inserts a note. */
export async function insertNote(trx: DbOrTx, row: NoteRow): Promise<void> {
  await trx.insertInto('account_notes').values(row).execute()
}

/** A note about this account, locked. */
export async function lockNote(trx: DbOrTx, accountId: string, id: string): Promise<NoteRow | undefined> {
  return trx
    .selectFrom('account_notes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Deletes a note. */
export async function deleteNoteRow(trx: DbOrTx, id: string): Promise<void> {
  await trx.deleteFrom('account_notes').where('id', '=', id).execute()
}
