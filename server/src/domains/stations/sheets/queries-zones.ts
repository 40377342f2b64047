/** Queries of the spreadsheet of zones. */
import type { ZoneArea } from '@waybill/contract/stations/zones'
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import { type ZoneRow, zonesWith } from '../zones/queries.ts'

/** An area with its zone. */
export type ZoneRecord = Pick<ZoneRow, 'code' | 'name' | 'nameZh' | 'scope'> & ZoneArea

/** The next zones by code. */
export async function nextZones(db: DbOrTx, after: string, limit: number): Promise<ZoneRow[]> {
  const { rows } = await sql<ZoneRow>`
    ${zonesWith(sql`z.code > ${after}::text`)} order by z.code limit ${limit}::int`.execute(db)
  return rows
}

/** Inserts zones or renames existing ones with the same code, and replaces the areas of all of them. Versions rise. */
export async function saveZones(
  trx: DbOrTx,
  zones: readonly (Omit<ZoneRecord, keyof ZoneArea> & { id: string })[],
  areas: readonly (ZoneRecord & { id: string })[],
  at: Date,
): Promise<void> {
  await sql`
    insert into zones as z (id, code, name, name_zh, scope, created_at, updated_at)
    select id, code, name, "nameZh", scope, ${at}::timestamptz, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(zones)}::jsonb)
      as r (id uuid, code text, name text, "nameZh" text, scope text)
    on conflict (code) do update
    set name = excluded.name, name_zh = excluded.name_zh, version = z.version + 1,
      updated_at = excluded.updated_at`.execute(trx)
  await sql`
    delete from zone_areas a
    using zones z
    where z.id = a.zone_id and z.code = any(${zones.map(({ code }) => code)}::text[])`.execute(trx)
  await sql`
    insert into zone_areas (id, zone_id, country, state, postcode_from, postcode_to, remote_surcharge_minor)
    select r.id, z.id, r.country, r.state, r."postcodeFrom", r."postcodeTo", r."remoteSurchargeMinor"
    from jsonb_to_recordset(${JSON.stringify(areas)}::jsonb) as r (
      id uuid, code text, country text, state text, "postcodeFrom" text, "postcodeTo" text,
      "remoteSurchargeMinor" int)
    join zones z on z.code = r.code`.execute(trx)
}
