/** Queries on zones. */

import type { Scope } from '@waybill/contract/ground/enums/parcel-enums'
import type { SortTerm } from '@waybill/contract/ground/paging'
import type { ZoneArea } from '@waybill/contract/stations/zones'
import { type RawBuilder, sql } from 'kysely'
import { readPage } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'

export type ZoneRow = {
  id: string
  code: string
  name: string
  nameZh: string | null
  scope: Scope
  version: number
  updatedAt: Date
  areas: ZoneArea[]
}

export type ZoneFilter = { scope: Scope | null; patterns: readonly string[] }

/** Zones with their areas, the widest first. */
export const zonesWith = (condition: RawBuilder<unknown>) => sql`
  select z.id, z.code, z.name, z.name_zh as "nameZh", z.scope, z.version, z.updated_at as "updatedAt",
    coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'country', a.country, 'state', a.state, 'postcodeFrom', a.postcode_from, 'postcodeTo', a.postcode_to,
            'remoteSurchargeMinor', a.remote_surcharge_minor
          ) order by a.postcode_from nulls first, a.country, a.state, a.id
        )
        from zone_areas a
        where a.zone_id = z.id
      ), '[]'
    ) as areas
  from zones z
  where ${condition}`

function matching({ scope, patterns }: ZoneFilter): RawBuilder<unknown> {
  const all = [sql`true`]
  if (scope) all.push(sql`z.scope = ${scope}`)
  for (const pattern of patterns) {
    all.push(sql`(
        lower(z.code || ' ' || z.name || ' ' || coalesce(z.name_zh, '')) like ${pattern}
        or exists (
          select
          from zone_areas s
          where s.zone_id = z.id and lower(coalesce(s.state, '') || ' ' || s.country) like ${pattern}
        )
      )`)
  }
  return sql.join(all, sql` and `)
}

const sortable: Record<string, RawBuilder<unknown>> = {
  code: sql`z.code`,
  name: sql`lower(z.name)`,
  updatedAt: sql`z.updated_at`,
}

/** A page of zones, domestic ones first unless another order is requested. */
export async function listZoneRows(
  db: DbOrTx,
  filter: ZoneFilter,
  { sort, offset, limit }: { sort: readonly SortTerm[]; offset: number; limit: number },
): Promise<{ rows: ZoneRow[]; total: number }> {
  const terms = sort.flatMap(({ field, descending }) => {
    const expression = sortable[field]
    return expression ? [sql`${expression} ${sql.raw(descending ? 'desc' : 'asc')}`] : []
  })
  const order = terms.length > 0 ? terms : [sql`z.scope`, sql`z.code`]
  const condition = matching(filter)
  return readPage(
    db,
    sql<ZoneRow>`
      ${zonesWith(condition)}
      order by ${sql.join([...order, sql`z.id`])}
      offset ${offset}
      limit ${limit}`,
    sql`zones z where ${condition}`,
  )
}

/** A zone by id. */
export async function findZone(db: DbOrTx, id: string): Promise<ZoneRow | undefined> {
  const { rows } = await sql<ZoneRow>`${zonesWith(sql`z.id = ${id}::uuid`)}`.execute(db)
  return rows[0]
}

/** Every zone of a scope, locked together, because an area is checked against those of all others. */
export async function lockZones(trx: DbOrTx, scope: Scope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`zones ${scope}`}))`.execute(trx)
}

/** Every zone of a scope. */
export async function listZonesOfScope(db: DbOrTx, scope: Scope): Promise<ZoneRow[]> {
  const { rows } = await sql<ZoneRow>`${zonesWith(sql`z.scope = ${scope}`)}`.execute(db)
  return rows
}

/** The codes of every zone. */
export async function listZoneCodes(db: DbOrTx): Promise<{ scope: Scope; code: string }[]> {
  // The table's check allows no other scopes.
  return (await db.selectFrom('zones').select(['scope', 'code']).execute()) as { scope: Scope; code: string }[]
}

/** The codes of every zone, locked so that none is deleted while a rate card starts to use it. */
export async function lockZoneCodes(trx: DbOrTx): Promise<{ scope: Scope; code: string }[]> {
  const rows = await trx.selectFrom('zones').select(['scope', 'code']).orderBy('id').forShare().execute()
  // The table's check allows no other scopes.
  return rows as { scope: Scope; code: string }[]
}

/** A zone, locked for deletion. */
export async function lockZone(trx: DbOrTx, id: string): Promise<{ scope: Scope; code: string } | undefined> {
  const row = await trx
    .selectFrom('zones')
    .select(['scope', 'code'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row as { scope: Scope; code: string } | undefined
}

type ZoneNames = Pick<ZoneRow, 'name' | 'nameZh'>
type ZoneContent = Pick<ZoneRow, 'id' | 'code' | 'scope'> & ZoneNames

/** Inserts a zone. */
export async function insertZone(trx: DbOrTx, { nameZh, ...zone }: ZoneContent, at: Date): Promise<void> {
  await trx
    .insertInto('zones')
    .values({ ...zone, name_zh: nameZh, created_at: at, updated_at: at })
    .execute()
}

/** False if `version` is outdated. */
export async function updateZoneNames(
  trx: DbOrTx,
  id: string,
  version: number,
  { name, nameZh }: ZoneNames,
  at: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable('zones')
    .set((value) => ({ name, name_zh: nameZh, version: value('version', '+', 1), updated_at: at }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Replaces the areas of a zone. */
export async function replaceAreas(
  trx: DbOrTx,
  zoneId: string,
  areas: readonly (ZoneArea & { id: string })[],
): Promise<void> {
  await trx.deleteFrom('zone_areas').where('zone_id', '=', zoneId).execute()
  await trx
    .insertInto('zone_areas')
    .values(
      areas.map((area) => ({
        id: area.id,
        zone_id: zoneId,
        country: area.country,
        state: area.state,
        postcode_from: area.postcodeFrom,
        postcode_to: area.postcodeTo,
        remote_surcharge_minor: area.remoteSurchargeMinor,
      })),
    )
    .execute()
}

/** Deletes a zone. */
export async function deleteZone(trx: DbOrTx, id: string): Promise<void> {
  await trx.deleteFrom('zone_areas').where('zone_id', '=', id).execute()
  await trx.deleteFrom('zones').where('id', '=', id).execute()
}
