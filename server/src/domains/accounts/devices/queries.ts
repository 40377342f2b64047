/** Queries on known devices. */
import { sql } from 'kysely'
import { deleteOldRows } from '../../../db/batches.ts'
import type { DbOrTx } from '../../../db/pool.ts'

/** Stores a device of a user. Returns true if it is new and the user has other devices. */
export async function addKnownDevice(trx: DbOrTx, userId: string, hash: Buffer, at: Date): Promise<boolean> {
  const { rows } = await sql<{ added: boolean; others: boolean }>`
    insert into known_devices as d (user_id, device_hash, last_used_at)
    values (${userId}::uuid, ${hash}::bytea, ${at}::timestamptz)
    on conflict (user_id, device_hash) do update set last_used_at = excluded.last_used_at
    returning xmax = 0 as added,
      exists (
        select 1
        from known_devices o
        where o.user_id = d.user_id and o.device_hash <> d.device_hash
      ) as others`.execute(trx)
  const [row] = rows
  return row?.added === true && row.others
}

/** Deletes devices that were not used since `before`: the next sign-in from one of them is announced by mail. */
export async function deleteOldDevices(db: DbOrTx, before: Date): Promise<void> {
  await deleteOldRows(db, 'known_devices', 'last_used_at', before)
}
