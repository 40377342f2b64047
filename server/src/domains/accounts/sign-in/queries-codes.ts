/** Queries on one-time codes. */
import { type Insertable, type Selectable, sql } from 'kysely'
import { deleteOldRows } from '../../../db/batches.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { OneTimeCodes } from '../../../db/schema.ts'

export type CodeRow = Selectable<OneTimeCodes>

/** Inserts a code. */
export async function insertCode(trx: DbOrTx, row: Insertable<OneTimeCodes>): Promise<void> {
  await trx.insertInto('one_time_codes').values(row).execute()
}

/** Voids earlier codes. */
export async function expireCodes(trx: DbOrTx, purpose: string, subject: string, at: Date): Promise<void> {
  await trx
    .updateTable('one_time_codes')
    .set({ expires_at: at })
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .execute()
}

/** Voids codes for the same purpose that other browsers of this user requested, after one of them was used. */
export async function expireCodesOfUser(trx: DbOrTx, purpose: string, userId: string, at: Date): Promise<void> {
  await trx
    .updateTable('one_time_codes')
    .set({ expires_at: at })
    .where('purpose', '=', purpose)
    .where('expires_at', '>', at)
    .where((where) => where(sql<string>`payload->>'userId'`, '=', userId))
    .execute()
}

/** The newest code of a subject, locked so that attempts are counted one after the other. */
export async function lockLatestCode(trx: DbOrTx, purpose: string, subject: string): Promise<CodeRow | undefined> {
  return trx
    .selectFrom('one_time_codes')
    .selectAll()
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

/** The code of a link, locked. */
export async function lockCodeOfLink(trx: DbOrTx, purpose: string, linkHash: Buffer): Promise<CodeRow | undefined> {
  return trx
    .selectFrom('one_time_codes')
    .selectAll()
    .where('purpose', '=', purpose)
    .where('link_hash', '=', linkHash)
    .forUpdate()
    .executeTakeFirst()
}

/** Fills a reserved row with a code, a link and their payload. */
export async function fillReservedCode(
  trx: DbOrTx,
  id: string,
  set: Pick<Insertable<OneTimeCodes>, 'code_hash' | 'link_hash' | 'payload'>,
): Promise<void> {
  await trx.updateTable('one_time_codes').set(set).where('id', '=', id).execute()
}

/** A code by its id. */
export async function findCode(db: DbOrTx, id: string): Promise<CodeRow | undefined> {
  return db.selectFrom('one_time_codes').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Counts a wrong attempt. */
export async function countWrongTry(trx: DbOrTx, id: string): Promise<void> {
  await trx
    .updateTable('one_time_codes')
    .set((value) => ({ attempts: value('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Marks a code as used and removes its payload. */
export async function markCodeUsed(trx: DbOrTx, id: string, at: Date): Promise<void> {
  await trx.updateTable('one_time_codes').set({ used_at: at, payload: '{}' }).where('id', '=', id).execute()
}

/** Deletes expired codes. */
export async function deleteOldCodes(db: DbOrTx, before: Date): Promise<void> {
  await deleteOldRows(db, 'one_time_codes', 'expires_at', before)
}
