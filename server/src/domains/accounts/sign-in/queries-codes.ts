import { type Insertable, type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { OneTimeCodes } from '../../../db/schema.ts'

export type CodeRow = Selectable<OneTimeCodes>

export async function insertCode(trx: DbOrTx, row: Insertable<OneTimeCodes>): Promise<void> {
  await trx.insertInto('one_time_codes').values(row).execute()
}

/** What was sent before counts no longer. */
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

/** Codes for the same purpose that other browsers of this user asked for: one of them has done its work. */
export async function expireCodesOfUser(trx: DbOrTx, purpose: string, userId: string, at: Date): Promise<void> {
  await trx
    .updateTable('one_time_codes')
    .set({ expires_at: at })
    .where('purpose', '=', purpose)
    .where('expires_at', '>', at)
    .where((where) => where(sql<string>`payload->>'userId'`, '=', userId))
    .execute()
}

/** The newest code of a subject, held so that tries at it are counted one after the other. */
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

export async function lockCodeOfLink(trx: DbOrTx, purpose: string, linkHash: Buffer): Promise<CodeRow | undefined> {
  return trx
    .selectFrom('one_time_codes')
    .selectAll()
    .where('purpose', '=', purpose)
    .where('link_hash', '=', linkHash)
    .forUpdate()
    .executeTakeFirst()
}

/** Puts a code and a link into a row that was reserved for them; the payload comes with them. */
export async function fillReservedCode(
  trx: DbOrTx,
  id: string,
  set: Pick<Insertable<OneTimeCodes>, 'code_hash' | 'link_hash' | 'payload'>,
): Promise<void> {
  await trx.updateTable('one_time_codes').set(set).where('id', '=', id).execute()
}

export async function findCode(db: DbOrTx, id: string): Promise<CodeRow | undefined> {
  return db.selectFrom('one_time_codes').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function countWrongTry(trx: DbOrTx, id: string): Promise<void> {
  await trx
    .updateTable('one_time_codes')
    .set((value) => ({ attempts: value('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Spends a code. What came with it has been taken over by now, so it goes. */
export async function markCodeUsed(trx: DbOrTx, id: string, at: Date): Promise<void> {
  await trx.updateTable('one_time_codes').set({ used_at: at, payload: '{}' }).where('id', '=', id).execute()
}

export async function deleteOldCodes(db: DbOrTx, before: Date): Promise<void> {
  await db.deleteFrom('one_time_codes').where('expires_at', '<', before).execute()
}
