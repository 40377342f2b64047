/**
 * Stations, coverage, zones and holidays, cached in memory: prices and forms need them in every request, and they
 * change a few times a year.
 */
import type { Scope } from '@waybill/contract/ground/enums/parcel-enums'
import type { Db, DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { type HolidayRow, listAllHolidays } from './holidays/queries.ts'
import { holidaysTopic } from './holidays/service.ts'
import { findState, lookupPostcode } from './postcodes.ts'
import {
  type AreaRow,
  type CoverageRow,
  listActiveStations,
  listAreaRows,
  listCoverageRows,
  type Station,
} from './queries.ts'
import { covers, rangeWidth } from './rules.ts'

export type Place = { country: string; postcode: string }

export type Network = {
  /** Open stations, by name. */
  stations: readonly Station[]
  stationsById: ReadonlyMap<string, Station>
  /** The narrowest ranges first. */
  coverage: readonly CoverageRow[]
  /** The narrowest areas first: ranges by their width, then states, then countries. */
  areas: readonly AreaRow[]
  /** By day (`YYYY-MM-DD`). */
  holidays: ReadonlyMap<string, readonly Omit<HolidayRow, 'id'>[]>
}

/**
 * The live topic that makes every process reload stations and zones. Publish on it in the transaction that changes
 * them.
 */
export const networkTopic = 'zones'

const cache = new WeakMap<DbOrTx, Promise<Network>>()
/** The connection that reads the network for `db`; without an entry `db` itself. */
const readers = new WeakMap<DbOrTx, Db>()

/**
 * Reads the network of `db` on the connection of the caches. Drops this process's cache when another one changes the
 * network, or when a message may be lost.
 */
export function followNetwork({ db, cacheDb, live }: Deps): void {
  readers.set(db, cacheDb)
  const forget = () => void cache.delete(db)
  live.subscribe(networkTopic, forget)
  live.subscribe(holidaysTopic, forget)
  live.onReconnect(forget)
}

const toRange = ({ from, to }: AreaRow) => (from !== null && to !== null ? { from, to } : null)

/** The sort key: narrowest first. */
function breadth(area: AreaRow): number {
  const range = toRange(area)
  if (range) return rangeWidth(range)
  return area.state === null ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER
}

async function read(db: DbOrTx): Promise<Network> {
  const stations = await listActiveStations(db)
  const coverage = await listCoverageRows(db)
  const areas = await listAreaRows(db)
  const holidays = await listAllHolidays(db)
  const stationsById = new Map(stations.map((station) => [station.id, station]))
  return {
    stations,
    stationsById,
    coverage: coverage
      .filter(({ stationId }) => stationsById.has(stationId))
      .sort((a, b) => rangeWidth(a) - rangeWidth(b)),
    areas: areas.sort((a, b) => breadth(a) - breadth(b)),
    holidays: Map.groupBy(holidays, ({ day }) => day),
  }
}

/**
 * The current network. Concurrent callers share one read. Not for a transaction's `db`, which has no cache: it would
 * read all tables of the network again.
 */
export async function loadNetwork(db: DbOrTx): Promise<Network> {
  const cachedNetwork = cache.get(db)
  if (cachedNetwork) return cachedNetwork
  const reading = read(readers.get(db) ?? db)
  cache.set(db, reading)
  const forget = () => {
    if (cache.get(db) === reading) cache.delete(db)
  }
  try {
    const network = await reading
    // An empty network is about to be set up, so the result is not cached.
    if (network.stations.length === 0) forget()
    return network
  } catch (error) {
    forget()
    throw error
  }
}

/** The open stations in this process's cache, by name; none if the network was never loaded. */
export async function findHeldStations(db: DbOrTx): Promise<readonly Station[]> {
  const network = await cache.get(db)?.catch(() => undefined)
  return network?.stations ?? []
}

/**
 * The zone of a place and its surcharge in minor units. The narrowest area decides; null if no zone covers the place.
 */
export async function findZoneOfPlace(
  db: DbOrTx,
  scope: Scope,
  place: Place,
): Promise<Pick<AreaRow, 'zone' | 'zoneName' | 'zoneNameZh' | 'remoteSurchargeMinor'> | null> {
  const { areas } = await loadNetwork(db)
  const state = lookupPostcode(place.postcode, place.country)?.state
  const bestMatch = areas.find((area) => {
    if (area.scope !== scope || area.country !== place.country) return false
    const range = toRange(area)
    if (range) return covers(range, place.postcode)
    return area.state === null || (state !== undefined && (findState(area.state) ?? area.state) === state)
  })
  if (!bestMatch) return null
  const { zone, zoneName, zoneNameZh, remoteSurchargeMinor } = bestMatch
  return { zone, zoneName, zoneNameZh, remoteSurchargeMinor }
}

/** The station whose riders serve a postcode, with its cut-off time (`HH:MM`); null if none does. */
export async function coveringStation(
  db: DbOrTx,
  country: string,
  postcode: string,
): Promise<{ station: Station; cutOffTime: string } | null> {
  const { stationsById, coverage } = await loadNetwork(db)
  const bestMatch = coverage.find((range) => range.country === country && covers(range, postcode))
  const station = stationsById.get(bestMatch?.stationId ?? '')
  return bestMatch && station ? { station, cutOffTime: bestMatch.cutOffTime } : null
}

/** The covering station of a postcode if its riders pick up parcels; null otherwise. */
export async function fetchingStation(db: DbOrTx, country: string, postcode: string) {
  const covering = await coveringStation(db, country, postcode)
  const fetches = covering?.station.serviceCodes.some((code) => code.endsWith('.pickup')) ?? false
  return covering && fetches ? covering : null
}
