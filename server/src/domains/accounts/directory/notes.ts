/** Staff's notes about accounts. Customers never see them. */
import type { AccountNote, addAccountNote, listAccountNotes } from '@waybill/contract/accounts/directory'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { readKeysetPage } from '../../../db/keyset.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { findUserNames } from '../service.ts'
import { countNotes, deleteNoteRow, insertNote, listNoteRows, lockNote, type NoteRow } from './queries-notes.ts'
import { requireAccount } from './service.ts'

async function presentNotes(db: DbOrTx, caller: StaffCaller, rows: readonly NoteRow[]): Promise<AccountNote[]> {
  const names = await findUserNames(db, [...new Set(rows.map(({ author_id }) => author_id))])
  return rows.map((row) => ({
    id: row.id,
    text: row.text,
    author: names.get(row.author_id) ?? null,
    at: row.created_at.toISOString(),
    own: row.author_id === caller.userId,
  }))
}

/** Notes about an account, newest first. Throws not_found; validation for an invalid cursor. */
export async function readNotes(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  query: QueryOf<typeof listAccountNotes>,
): Promise<ResponseOf<typeof listAccountNotes>> {
  await requireAccount(deps, id)
  const [{ rows, next, previous }, total] = await Promise.all([
    readKeysetPage(query, (from) => listNoteRows(deps.db, id, from)),
    countNotes(deps.db, id),
  ])
  return { items: await presentNotes(deps.db, caller, rows), total, limit: query.limit, next, previous }
}

const activity = (deps: Deps, caller: StaffCaller, verb: 'noteAdded' | 'noteDeleted', row: NoteRow) => ({
  action: `accounts.${verb}`,
  accountId: row.account_id,
  userId: caller.userId,
  subject: row.id,
  at: deps.clock.now(),
})

/** Adds a note in the transaction of the caller. */
export async function insertAccountNote(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  accountId: string,
  text: string,
): Promise<NoteRow> {
  const row = { id: newId(), account_id: accountId, author_id: caller.userId, text, created_at: deps.clock.now() }
  await insertNote(trx, row)
  await recordActivity(trx, activity(deps, caller, 'noteAdded', row))
  return row
}

/** Adds a note. Throws not_found. */
export async function addNote(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { text }: BodyOf<typeof addAccountNote>,
  idempotency: Idempotency,
): Promise<AccountNote> {
  await requireAccount(deps, id)
  return tx(deps.db, async (trx) => {
    const row = await insertAccountNote(deps, trx, caller, id, text)
    const [note] = await presentNotes(trx, caller, [row])
    if (!note) throw new Error('the note that was just written cannot be shown')
    await idempotency.keep(trx, note)
    return note
  })
}

/** Deletes one of the caller's own notes. Throws not_found, also for another account's note; note_not_yours. */
export async function deleteNote(deps: Deps, caller: StaffCaller, id: string, noteId: string): Promise<void> {
  await tx(deps.db, async (trx) => {
    const row = await lockNote(trx, id, noteId)
    if (!row) throw new AppError('not_found')
    if (row.author_id !== caller.userId) throw new AppError('note_not_yours')
    await deleteNoteRow(trx, noteId)
    await recordActivity(trx, activity(deps, caller, 'noteDeleted', row))
  })
}
