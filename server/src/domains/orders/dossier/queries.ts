// Queries on dossiers.
import type { Locale } from '@waybill/contract/ground/constants'
import type { DossierFormat } from '@waybill/contract/orders/dossier'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Dossiers } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'

export type DossierRow = Omit<Selectable<Dossiers>, 'format' | 'language'> & {
  format: DossierFormat
  language: Locale
}

export type NewDossier = Pick<
  DossierRow,
  | 'account_id'
  | 'id'
  | 'created_by'
  | 'only_created_by'
  | 'parcel_id'
  | 'order_id'
  | 'month'
  | 'format'
  | 'language'
  | 'name'
  | 'total'
  | 'created_at'
>

export async function insertDossier(trx: DbOrTx, dossier: NewDossier): Promise<DossierRow> {
  const row = await trx.insertInto('dossiers').values(dossier).returningAll().executeTakeFirstOrThrow()
  return row as DossierRow
}

export async function findDossier(db: DbOrTx, accountId: string, id: string): Promise<DossierRow | null> {
  const row = await db
    .selectFrom('dossiers')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return (row as DossierRow | undefined) ?? null
}

export async function updateDossier(
  db: DbOrTx,
  row: Pick<DossierRow, 'account_id' | 'id'>,
  changes: Partial<Pick<DossierRow, 'done' | 'failed' | 'storage_key' | 'bytes'>>,
): Promise<void> {
  await db
    .updateTable('dossiers')
    .set(changes)
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute()
}

/** The number of an order that the user may see; null for any other. */
export async function findOrderNumber(
  db: DbOrTx,
  accountId: AccountId,
  id: string,
  createdBy: string | null,
): Promise<string | null> {
  const { rows } = await sql<{ number: string }>`
    select number
    from orders
    where account_id = ${accountId}::uuid and id = ${id}::uuid
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`.execute(db)
  return rows[0]?.number ?? null
}

/** Some dossiers made before `before`. */
export async function oldDossiers(db: DbOrTx, before: Date, limit: number): Promise<DossierRow[]> {
  const { rows } = await sql<DossierRow>`
    select * from dossiers where created_at < ${before} order by created_at limit ${limit}::int`.execute(db)
  return rows
}

export async function deleteDossiers(db: DbOrTx, ids: readonly string[]): Promise<void> {
  await sql`delete from dossiers where id = any(${ids}::uuid[])`.execute(db)
}
