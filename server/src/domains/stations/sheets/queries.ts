/** Queries of the spreadsheets of stations and coverage. Each writes any number of records with one statement. */
import type { CoverageRange, StationInput } from '@waybill/contract/stations/manage'
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'

/** A station without its coverage. */
export type StationContent = Omit<StationInput, 'coverage'>

const stationColumns = sql.raw(`
  s.code, s.name, s.type, s.line1, s.postcode, s.city, s.state, s.country, s.latitude, s.longitude, s.phone,
  s.opening_hours as "openingHours", s.service_codes as "serviceCodes", s.active`)

/** The next stations by code; `stationId` null: all. */
export async function nextStations(
  db: DbOrTx,
  stationId: string | null,
  after: string,
  limit: number,
): Promise<StationContent[]> {
  const { rows } = await sql<StationContent>`
    select ${stationColumns}
    from stations s
    where s.code > ${after}::text and (${stationId}::uuid is null or s.id = ${stationId}::uuid)
    order by s.code
    limit ${limit}::int`.execute(db)
  return rows
}

/** The stations with these codes. */
export async function findStationsByCode(db: DbOrTx, codes: readonly string[]): Promise<StationContent[]> {
  const { rows } = await sql<StationContent>`
    select ${stationColumns} from stations s where s.code = any(${[...codes]}::text[])`.execute(db)
  return rows
}

export type StationKey = { id: string; code: string; country: string; active: boolean }

/** The id, code, country and state of every station. */
export async function listStationKeys(db: DbOrTx): Promise<StationKey[]> {
  return db.selectFrom('stations').select(['id', 'code', 'country', 'active']).orderBy('code').execute()
}

/** A range of a station, by the station's code. */
export type CoverageRecord = CoverageRange & { stationCode: string }

const coverageColumns = sql.raw(`
  s.code as "stationCode", c.postcode_from as "postcodeFrom", c.postcode_to as "postcodeTo",
  c.cut_off_time as "cutOffTime"`)

/** Every range of every station. */
export async function listCoverage(db: DbOrTx): Promise<CoverageRecord[]> {
  const { rows } = await sql<CoverageRecord>`
    select ${coverageColumns}
    from station_coverage c
    join stations s on s.id = c.station_id
    order by s.code, c.postcode_from`.execute(db)
  return rows
}

/** The next ranges by station and beginning; `stationId` null: of every station. */
export async function nextCoverage(
  db: DbOrTx,
  stationId: string | null,
  after: Pick<CoverageRecord, 'stationCode' | 'postcodeFrom'>,
  limit: number,
): Promise<CoverageRecord[]> {
  const { rows } = await sql<CoverageRecord>`
    select ${coverageColumns}
    from stations s
    join station_coverage c on c.station_id = s.id
    where (s.code, c.postcode_from) > (${after.stationCode}::text, ${after.postcodeFrom}::text)
      and (${stationId}::uuid is null or s.id = ${stationId}::uuid)
    order by s.code, c.postcode_from
    limit ${limit}::int`.execute(db)
  return rows
}

/** Inserts stations, or changes those whose code exists. Their coverage moves with them to another country. */
export async function saveStations(
  trx: DbOrTx,
  stations: readonly (StationContent & { id: string })[],
  at: Date,
): Promise<void> {
  await sql`
    insert into stations as s (
      id, code, name, type, line1, postcode, city, state, country, latitude, longitude, phone, opening_hours,
      service_codes, active, created_at, updated_at)
    select id, code, name, type, line1, postcode, city, state, country, latitude, longitude, phone, "openingHours",
      array(select jsonb_array_elements_text("serviceCodes")), active, ${at}::timestamptz, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(stations)}::jsonb) as r (
      id uuid, code text, name text, type text, line1 text, postcode text, city text, state text, country text,
      latitude float8, longitude float8, phone text, "openingHours" jsonb, "serviceCodes" jsonb, active boolean)
    on conflict (code) do update
    set name = excluded.name, type = excluded.type, line1 = excluded.line1, postcode = excluded.postcode,
      city = excluded.city, state = excluded.state, country = excluded.country, latitude = excluded.latitude,
      longitude = excluded.longitude, phone = excluded.phone, opening_hours = excluded.opening_hours,
      service_codes = excluded.service_codes, active = excluded.active, version = s.version + 1,
      updated_at = excluded.updated_at`.execute(trx)
  await sql`
    update station_coverage c
    set country = s.country
    from stations s
    where s.id = c.station_id and c.country <> s.country`.execute(trx)
}

/** Writes ranges, and deletes others. The versions of their stations rise. */
export async function saveCoverage(
  trx: DbOrTx,
  { ranges, removed }: { ranges: readonly CoverageRecord[]; removed: readonly CoverageRecord[] },
  at: Date,
): Promise<void> {
  const touched = [...ranges, ...removed]
  await sql`
    delete from station_coverage c
    using stations s,
      unnest(
        ${touched.map(({ stationCode }) => stationCode)}::text[],
        ${touched.map(({ postcodeFrom }) => postcodeFrom)}::text[]
      ) as r (code, postcode_from)
    where s.id = c.station_id and s.code = r.code and c.postcode_from = r.postcode_from`.execute(trx)
  await sql`
    insert into station_coverage (station_id, country, postcode_from, postcode_to, cut_off_time)
    select s.id, s.country, r."postcodeFrom", r."postcodeTo", r."cutOffTime"
    from jsonb_to_recordset(${JSON.stringify(ranges)}::jsonb)
      as r ("stationCode" text, "postcodeFrom" text, "postcodeTo" text, "cutOffTime" text)
    join stations s on s.code = r."stationCode"`.execute(trx)
  await sql`
    update stations
    set version = version + 1, updated_at = ${at}::timestamptz
    where code = any(${[...new Set(touched.map(({ stationCode }) => stationCode))]}::text[])`.execute(trx)
}
