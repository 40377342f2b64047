import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'
import type { ParcelChanges, ParcelRow } from './queries.ts'

const priceTypes = {
  service_code: 'text',
  carrier: 'text',
  price: 'jsonb',
  price_minor: 'bigint',
  currency: 'text',
  volumetric_grams: 'integer',
  chargeable_grams: 'integer',
  expected_date: 'date',
} as const satisfies Partial<Record<keyof ParcelChanges, string>>

/** Writes the prices that these rows hold; their versions stay. */
export async function savePrices(trx: DbOrTx, accountId: AccountId, rows: readonly ParcelRow[]): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(priceTypes) as (keyof typeof priceTypes)[]
  const given = rows.map((row) => ({ id: row.id, ...Object.fromEntries(columns.map((name) => [name, row[name]])) }))
  const shape = sql.join(
    columns.map((name) => sql`, ${sql.ref(name)} ${sql.raw(priceTypes[name])}`),
    sql``,
  )
  const sets = sql.join(columns.map((name) => sql`${sql.ref(name)} = g.${sql.ref(name)}`))
  await sql`
    update parcels p set ${sets} from json_to_recordset(${JSON.stringify(given)}::json) as g(id uuid${shape})
    where p.account_id = ${accountId}::uuid and p.id = g.id`.execute(trx)
}

/** Deletes parcels and their timelines. */
export async function deleteParcels(trx: DbOrTx, accountId: AccountId, rows: readonly ParcelRow[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const since = new Date(Math.min(...rows.map(({ created_at }) => created_at.getTime())))
  await sql`
    with gone as (delete from tracking_events where parcel_id = any(${ids}::uuid[]) and at >= ${since}::timestamptz)
    delete from parcels where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(trx)
}
