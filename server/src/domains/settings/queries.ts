/** Queries on settings. */
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { Settings } from '../../db/schema.ts'

export type SettingRow = Pick<Selectable<Settings>, 'key' | 'value' | 'version'>

/** Every setting that was written. */
export async function listSettingRows(db: DbOrTx): Promise<SettingRow[]> {
  return db.selectFrom('settings').select(['key', 'value', 'version']).execute()
}

export type WrittenSetting = Pick<Selectable<Settings>, 'key' | 'version' | 'updated_at' | 'updated_by'>

/** Every setting that was written, with its version, time and author. */
export async function listWrittenSettings(db: DbOrTx): Promise<WrittenSetting[]> {
  return db.selectFrom('settings').select(['key', 'version', 'updated_at', 'updated_by']).execute()
}

/** Locks all settings together, because a key that was never written has no row to lock. */
export async function lockSettings(trx: DbOrTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('settings', 0))`.execute(trx)
}

/** Writes a key. The version counts its changes. */
export async function upsertSetting(
  trx: DbOrTx,
  key: string,
  value: unknown,
  updatedBy: string | null,
  at: Date,
): Promise<void> {
  const json = JSON.stringify(value)
  await trx
    .insertInto('settings')
    .values({ key, value: json, updated_at: at, updated_by: updatedBy })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((set) => ({
        value: json,
        version: set('settings.version', '+', 1),
        updated_at: at,
        updated_by: updatedBy,
      })),
    )
    .execute()
}
