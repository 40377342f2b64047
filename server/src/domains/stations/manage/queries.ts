/** Queries on the stations that staff manage. */
import type { ServiceCode, StationType } from '@waybill/contract/ground/enums/enums'
import type { SortTerm } from '@waybill/contract/ground/paging'
import type { CoverageRange, StationInput } from '@waybill/contract/stations/manage'
import { type RawBuilder, sql } from 'kysely'
import { readPage } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { OpeningHours } from '../rules.ts'
import type { Clash } from './rules.ts'

export type ManagedRow = {
  id: string
  code: string
  name: string
  type: StationType
  postcode: string
  city: string
  state: string
  active: boolean
  coverageCount: number
  updatedAt: Date
}

export type RecordRow = Omit<StationInput, 'openingHours' | 'serviceCodes'> & {
  id: string
  openingHours: OpeningHours
  serviceCodes: ServiceCode[]
  version: number
  updatedAt: Date
}

export type StationFilter = { patterns: readonly string[]; type: StationType | null; active: boolean | null }

function matching({ patterns, type, active }: StationFilter): RawBuilder<unknown> {
  const all = [sql`true`]
  if (type !== null) all.push(sql`s.type = ${type}`)
  if (active !== null) all.push(sql`s.active = ${active}`)
  for (const pattern of patterns) {
    all.push(sql`lower(concat_ws(' ', s.code, s.name, s.line1, s.postcode, s.city, s.state)) like ${pattern}`)
  }
  return sql.join(all, sql` and `)
}

const sortable: Record<string, RawBuilder<unknown>> = {
  code: sql`s.code`,
  name: sql`lower(s.name)`,
  state: sql`s.state`,
  updatedAt: sql`s.updated_at`,
}

/** A page of stations by code, unless another order is requested. */
export async function listStationRows(
  db: DbOrTx,
  filter: StationFilter,
  { sort, offset, limit }: { sort: readonly SortTerm[]; offset: number; limit: number },
): Promise<{ rows: ManagedRow[]; total: number }> {
  const terms = sort.flatMap(({ field, descending }) => {
    const expression = sortable[field]
    return expression ? [sql`${expression} ${sql.raw(descending ? 'desc' : 'asc')}`] : []
  })
  const condition = matching(filter)
  return readPage(
    db,
    sql<ManagedRow>`
      select s.id, s.code, s.name, s.type, s.postcode, s.city, s.state, s.active, s.updated_at as "updatedAt",
        (select count(*)::int from station_coverage c where c.station_id = s.id) as "coverageCount"
      from stations s
      where ${condition}
      order by ${sql.join([...terms, sql`s.code`])}
      offset ${offset}
      limit ${limit}`,
    sql`stations s where ${condition}`,
  )
}

/** A station with its coverage; `lock` locks it until the transaction ends. */
export async function findStationRecord(
  db: DbOrTx,
  id: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<RecordRow | undefined> {
  const { rows } = await sql<RecordRow>`
    select s.id, s.code, s.name, s.type, s.line1, s.postcode, s.city, s.state, s.country, s.latitude, s.longitude,
      s.phone, s.opening_hours as "openingHours", s.service_codes as "serviceCodes", s.active, s.version,
      s.updated_at as "updatedAt",
      coalesce(
        (
          select jsonb_agg(
            jsonb_build_object(
              'postcodeFrom', c.postcode_from, 'postcodeTo', c.postcode_to, 'cutOffTime', c.cut_off_time
            ) order by c.postcode_from
          )
          from station_coverage c
          where c.station_id = s.id
        ), '[]'
      ) as coverage
    from stations s
    where s.id = ${id}::uuid
    ${lock ? sql`for update of s` : sql``}`.execute(db)
  return rows[0]
}

/** Locks the coverage of every station: a range is checked against those of all the others. */
export async function lockCoverage(trx: DbOrTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('station coverage'))`.execute(trx)
}

/**
 * For each of these ranges one of another open station that conflicts with it: both are equal, or each has postcodes
 * that the other does not. Then neither would be narrower, and the station for a pickup would be arbitrary.
 */
export async function listClashes(
  db: DbOrTx,
  station: { id: string; country: string },
  coverage: readonly CoverageRange[],
): Promise<Clash[]> {
  const { rows } = await sql<Clash>`
    select distinct on (r.n) r.n::int - 1 as index, s.code, c.postcode_from as "from", c.postcode_to as "to"
    from unnest(
      ${coverage.map(({ postcodeFrom }) => postcodeFrom)}::text[],
      ${coverage.map(({ postcodeTo }) => postcodeTo)}::text[]
    ) with ordinality as r (first, last, n)
    join station_coverage c on c.country = ${station.country} and length(c.postcode_from) = length(r.first)
      and c.postcode_from <= r.last and c.postcode_to >= r.first
    join stations s on s.id = c.station_id
    where s.active and s.id <> ${station.id}::uuid
      and (
        (c.postcode_from = r.first and c.postcode_to = r.last)
        or (c.postcode_from < r.first and c.postcode_to < r.last)
        or (c.postcode_from > r.first and c.postcode_to > r.last)
      )
    order by r.n, c.postcode_from`.execute(db)
  return rows
}

type Content = Omit<StationInput, 'code' | 'coverage'>

const toColumns = ({ openingHours, serviceCodes, ...rest }: Content) => ({
  ...rest,
  opening_hours: JSON.stringify(openingHours),
  service_codes: [...new Set(serviceCodes)],
})

/** Inserts a station without coverage. */
export async function insertStation(
  trx: DbOrTx,
  { id, code, ...content }: Content & { id: string; code: string },
  at: Date,
): Promise<void> {
  await trx
    .insertInto('stations')
    .values({ ...toColumns(content), id, code, created_at: at, updated_at: at })
    .execute()
}

/** Writes a locked station and raises its version. */
export async function updateStationContent(trx: DbOrTx, id: string, content: Content, at: Date): Promise<void> {
  await trx
    .updateTable('stations')
    .set((value) => ({ ...toColumns(content), version: value('version', '+', 1), updated_at: at }))
    .where('id', '=', id)
    .execute()
}

/** Replaces the coverage of a station. */
export async function replaceCoverage(
  trx: DbOrTx,
  station: { id: string; country: string },
  coverage: readonly CoverageRange[],
): Promise<void> {
  await trx.deleteFrom('station_coverage').where('station_id', '=', station.id).execute()
  if (coverage.length === 0) return
  await trx
    .insertInto('station_coverage')
    .values(
      coverage.map(({ postcodeFrom, postcodeTo, cutOffTime }) => ({
        station_id: station.id,
        country: station.country,
        postcode_from: postcodeFrom,
        postcode_to: postcodeTo,
        cut_off_time: cutOffTime,
      })),
    )
    .execute()
}
