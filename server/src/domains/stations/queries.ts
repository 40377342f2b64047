/** Queries on stations, their coverage and the areas of zones. */
import type { ServiceCode, StationType } from '@waybill/contract/ground/enums/enums'
import type { Scope } from '@waybill/contract/ground/enums/parcel-enums'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { OpeningHours } from './rules.ts'

export type Station = {
  id: string
  code: string
  name: string
  type: StationType
  line1: string
  postcode: string
  city: string
  state: string
  country: string
  latitude: number
  longitude: number
  phone: string
  openingHours: OpeningHours
  serviceCodes: ServiceCode[]
  active: boolean
}

export type CoverageRow = { stationId: string; country: string; from: string; to: string; cutOffTime: string }

/** An area of a zone: a range of postcodes, a state, or a whole country. */
export type AreaRow = {
  /** The code of the zone. */
  zone: string
  zoneName: string
  zoneNameZh: string | null
  scope: Scope
  country: string
  state: string | null
  from: string | null
  to: string | null
  remoteSurchargeMinor: number
}

const stationsWith = (db: DbOrTx) =>
  db
    .selectFrom('stations')
    .select([
      'id',
      'code',
      'name',
      'line1',
      'postcode',
      'city',
      'state',
      'country',
      'latitude',
      'longitude',
      'phone',
      'active',
    ])
    .select((eb) => [
      eb.ref('type').$castTo<StationType>().as('type'),
      eb.ref('opening_hours').$castTo<OpeningHours>().as('openingHours'),
      eb.ref('service_codes').$castTo<ServiceCode[]>().as('serviceCodes'),
    ])

/** Every open station, by name. */
export async function listActiveStations(db: DbOrTx): Promise<Station[]> {
  return stationsWith(db).where('active', '=', true).orderBy('name').orderBy('code').execute()
}

/** Stations by id. */
export async function findStations(db: DbOrTx, ids: readonly string[]): Promise<Station[]> {
  return stationsWith(db)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

/** The coverage of every open station. */
export async function listCoverageRows(db: DbOrTx): Promise<CoverageRow[]> {
  return db
    .selectFrom('station_coverage')
    .select(['station_id as stationId', 'country', 'postcode_from as from', 'postcode_to as to'])
    .select('cut_off_time as cutOffTime')
    .orderBy('country')
    .orderBy('postcode_from')
    .orderBy('station_id')
    .execute()
}

/** The areas of every zone. */
export async function listAreaRows(db: DbOrTx): Promise<AreaRow[]> {
  return db
    .selectFrom('zone_areas')
    .innerJoin('zones', 'zones.id', 'zone_areas.zone_id')
    .select(['zones.code as zone', 'zones.name as zoneName', 'zones.name_zh as zoneNameZh'])
    .select(['zone_areas.country', 'zone_areas.state'])
    .select(['postcode_from as from', 'postcode_to as to', 'remote_surcharge_minor as remoteSurchargeMinor'])
    .select((eb) => eb.ref('zones.scope').$castTo<Scope>().as('scope'))
    .orderBy('zones.code')
    .orderBy('zone_areas.id')
    .execute()
}

/** The different cut-off times of a station's coverage, earliest first. */
export async function cutOffTimes(db: DbOrTx, stationId: string): Promise<string[]> {
  const { rows } = await sql<{ time: string }>`
    select distinct cut_off_time as time
    from station_coverage
    where station_id = ${stationId}::uuid
    order by 1`.execute(db)
  return rows.map(({ time }) => time)
}

/**
 * Sets one cut-off time for a station's whole coverage. It raises the station's version, so an open form of it is
 * outdated.
 */
export async function updateCutOffTime(trx: DbOrTx, stationId: string, time: string): Promise<void> {
  await sql`update stations set version = version + 1 where id = ${stationId}::uuid`.execute(trx)
  await sql`update station_coverage set cut_off_time = ${time}::text where station_id = ${stationId}::uuid`.execute(trx)
}
