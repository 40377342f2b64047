import type { DbOrTx } from '../../db/pool.ts'

export type SettingRow = { key: string; value: unknown; version: number }

export async function allSettings(db: DbOrTx): Promise<SettingRow[]> {
  return db.selectFrom('settings').select(['key', 'value', 'version']).execute()
}

/** Writes one key; the version counts its changes. */
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
