/** Stations, for the portal, the public and other domains. */
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { type StationType, stationTypeLabels } from '@waybill/contract/ground/enums/enums'
import { type ServiceType, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { parseSort } from '@waybill/contract/ground/paging'
import type {
  hubStations,
  listStations,
  nearbyServiceCenters,
  publicCoverage,
  selfCollectionStations,
} from '@waybill/contract/stations/stations'
import type { DbOrTx, Tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { AppError, validationError } from '../../http/errors.ts'
import { findCentre } from './centres.ts'
import { listAllHolidays } from './holidays/queries.ts'
import { coveringStation, loadNetwork, type Network, networkTopic } from './network.ts'
import { findState, hasPostcodes, listPostcodes, lookupPostcode } from './postcodes.ts'
import { presentStation, type StationClock, stationClock } from './present.ts'
import { cutOffTimes, findStations, type Station, updateCutOffTime } from './queries.ts'
import { covers, distanceM, isServiceCentre, looksLikePoint, offersService, type Point, parsePoint } from './rules.ts'

/** The maximum number of nearest stations. */
const nearestCount = 20

/**
 * Stations by id, closed ones included; an unknown id has no entry. Every scan looks up its stations, so the open ones
 * come from memory, except in a transaction (see `loadNetwork`).
 */
export async function findStationsById(db: DbOrTx, ids: readonly string[]): Promise<Map<string, Station>> {
  if (ids.length === 0) return new Map()
  const heldStations = db.isTransaction ? new Map<string, Station>() : (await loadNetwork(db)).stationsById
  const openStations = ids.flatMap((id) => heldStations.get(id) ?? [])
  const missing = ids.filter((id) => !heldStations.has(id))
  const others = missing.length > 0 ? await findStations(db, missing) : []
  return new Map([...openStations, ...others].map((station) => [station.id, station]))
}

/** Public holidays, `YYYY-MM-DD`, by country; without a state in the whole country. */
export async function holidaysByCountry(db: DbOrTx): Promise<Map<string, { day: string; state: string | null }[]>> {
  return Map.groupBy(await listAllHolidays(db), ({ country }) => country)
}

/** The different cut-off times (`HH:mm`) of a station's coverage, earliest first. */
export async function listCutOffTimes(db: DbOrTx, stationId: string): Promise<string[]> {
  return cutOffTimes(db, stationId)
}

/** Sets one cut-off time for a station's whole coverage, in every process when the transaction commits. */
export async function setCutOffTime(deps: Deps, trx: Tx, stationId: string, time: string): Promise<void> {
  await updateCutOffTime(trx, stationId, time)
  await deps.live.publish(trx, networkTopic, {})
}

/** Creates a formatter for stations at the current time. */
function presenter(deps: Deps, network: Network) {
  const clock = stationClock(network, deps.clock.now(), deps.settings.get('timezone'))
  return {
    clock,
    present: (station: Station, distance: number | null = null) => presentStation(station, clock, distance),
  }
}

/** Whether a station is in a state, by any of its names. */
function isIn(station: Station, state: string | undefined): boolean {
  if (state === undefined || state.trim() === '') return true
  return station.state.toLowerCase() === (findState(state) ?? state.trim()).toLowerCase()
}

/** Whether every word of a search occurs in a station's code, name or address. */
function matcher(search: string | undefined): (station: Station) => boolean {
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return () => true
  return (station) => {
    const text = [station.code, station.name, station.line1, station.postcode, station.city, station.state]
      .join(' ')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  }
}

const collator = new Intl.Collator('en')

type StationSearch = Pick<QueryOf<typeof listStations>, 'state' | 'search' | 'near' | 'sort' | 'offset' | 'limit'>

/**
 * A page of the matching open stations: by distance with a place, else by name, unless another order is requested.
 * Throws postcode_unknown or validation at `near`.
 */
async function pageStations(
  deps: Deps,
  { state, search, near, sort, offset, limit }: StationSearch,
  fits: (station: Station, clock: StationClock) => boolean,
): Promise<ResponseOf<typeof listStations>> {
  const place = near === undefined ? null : await requirePlace(deps, near, 'near')
  const network = await loadNetwork(deps.db)
  const { clock, present } = presenter(deps, network)
  const isMeant = matcher(search)
  const matches = network.stations
    .filter((station) => isIn(station, state) && isMeant(station) && fits(station, clock))
    .map((station) => ({ station, distance: place && distanceM(place, station) }))
  if (sort !== undefined) sortStations(matches, sort)
  else if (place) matches.sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0))
  const items = matches.slice(offset, offset + limit).map(({ station, distance }) => present(station, distance))
  return { items, total: matches.length, offset, limit }
}

/** Sorts in place by the terms of a request, which the contract has checked. */
function sortStations(list: { station: Station }[], sort: string): void {
  const terms = parseSort(sort) as { field: 'name' | 'code' | 'city' | 'state'; descending: boolean }[]
  list.sort((a, b) => {
    for (const { field, descending } of terms) {
      const order = collator.compare(a.station[field], b.station[field])
      if (order !== 0) return descending ? -order : order
    }
    return 0
  })
}

/** A page of the open stations. Throws postcode_unknown or validation at `near`. */
export async function readStations(
  deps: Deps,
  { type, service, openNow, ...place }: QueryOf<typeof listStations>,
): Promise<ResponseOf<typeof listStations>> {
  return pageStations(
    deps,
    place,
    (station, clock) =>
      (type === undefined || station.type === type) &&
      (service === undefined || station.serviceCodes.includes(service)) &&
      (openNow === undefined || clock.isOpen(station)),
  )
}

/** The location of a town: that of its first postcode. */
function findTown(name: string, country: string): Point | null {
  const [postcode] = name === '' || !hasPostcodes(country) ? [] : listPostcodes({ city: name })
  return postcode === undefined ? null : findCentre(postcode, country)
}

/**
 * The location of a postcode or town of the home country, or of "lat,lng". A postcode without a known location is
 * located at the station that serves it. Throws postcode_unknown or validation at the field.
 */
async function requirePlace(deps: Deps, text: string, field: string): Promise<Point> {
  if (looksLikePoint(text)) {
    const point = parsePoint(text)
    if (!point) throw validationError({ field, rule: 'offEarth' })
    return point
  }
  const country = deps.settings.get('countryCode')
  const name = text.trim()
  const place = findCentre(name, country) ?? findTown(name, country)
  const location = place ?? (hasPostcodes(country) ? null : (await coveringStation(deps.db, country, name))?.station)
  if (!location) throw new AppError('postcode_unknown', { fields: [{ field, rule: 'placeUnknown' }] })
  return location
}

/** Service centres by their distance from a postcode, a town or a point. `field` is where the caller entered it. */
export async function nearbyStations(
  deps: Deps,
  near: string,
  field: 'x' | 'near',
): Promise<ResponseOf<typeof nearbyServiceCenters>> {
  const place = await requirePlace(deps, near, field)
  const network = await loadNetwork(deps.db)
  const { present } = presenter(deps, network)
  const items = network.stations
    .filter(({ type }) => isServiceCentre(type))
    .map((station) => ({ station, distance: distanceM(place, station) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, nearestCount)
    .map(({ station, distance }) => present(station, distance))
  return { items }
}

/**
 * The specification's undocumented `type` of the counter lists: a service (e_parcel, semi_express, document) or a type
 * of station.
 */
function ofType(type: string | undefined, what: 'self_collection' | 'drop_off'): (station: Station) => boolean {
  if (type === undefined || type === '') return ({ serviceCodes }) => offersService(serviceCodes, what, null)
  if (Object.hasOwn(serviceTypeLabels, type)) {
    return ({ serviceCodes }) => offersService(serviceCodes, what, type as ServiceType)
  }
  if (Object.hasOwn(stationTypeLabels, type)) {
    return (station) => station.type === (type as StationType) && offersService(station.serviceCodes, what, null)
  }
  throw validationError({ field: 'type', rule: 'enum' })
}

/** Every open station that hands out parcels, or accepts them, by name. */
export async function listCounters(db: DbOrTx, what: 'self_collection' | 'drop_off'): Promise<Station[]> {
  return (await loadNetwork(db)).stations.filter(ofType(undefined, what))
}

/**
 * A page of the stations that hand out parcels, or accept them. Throws validation for an unknown `type`, and
 * postcode_unknown or validation at `near`.
 */
export async function counterStations(
  deps: Deps,
  what: 'self_collection' | 'drop_off',
  { type, ...place }: QueryOf<typeof selfCollectionStations>,
): Promise<ResponseOf<typeof selfCollectionStations>> {
  return pageStations(deps, place, ofType(type, what))
}

/** A page of the open warehouses. Throws postcode_unknown or validation at `near`. */
export async function warehouses(
  deps: Deps,
  place: QueryOf<typeof hubStations>,
): Promise<ResponseOf<typeof hubStations>> {
  return pageStations(deps, place, ({ type }) => type === 'warehouse')
}

/**
 * A page of the coverage: of the station that serves a postcode, of one station, or of all. Throws postcode_unknown
 * for a postcode that does not exist in the home country, not_found for an unknown station.
 */
export async function getCoverage(
  deps: Deps,
  { postcode, stationId, sort, offset, limit }: QueryOf<typeof publicCoverage>,
): Promise<ResponseOf<typeof publicCoverage>> {
  const network = await loadNetwork(deps.db)
  const { stations, coverage } = network
  const country = deps.settings.get('countryCode')
  const trimmedPostcode = postcode?.trim()
  if (trimmedPostcode && !lookupPostcode(trimmedPostcode, country)) {
    throw new AppError('postcode_unknown', { fields: [{ field: 'postcode', rule: 'postcodeUnknown' }] })
  }
  if (stationId && !network.stationsById.has(stationId)) throw new AppError('not_found')
  const serving = trimmedPostcode
    ? coverage.find((range) => range.country === country && covers(range, trimmedPostcode))?.stationId
    : undefined
  const ranges = Map.groupBy(coverage, (range) => range.stationId)
  const matches = stations
    .filter(({ id }) => (!stationId || id === stationId) && (!trimmedPostcode || id === serving))
    .filter(({ id }) => stationId || ranges.has(id))
    .map((station) => ({ station }))
  if (sort !== undefined) sortStations(matches, sort)
  const { present } = presenter(deps, network)
  const items = matches.slice(offset, offset + limit).map(({ station }) => ({
    station: present(station),
    postcodes: (ranges.get(station.id) ?? [])
      .map(({ from, to }) => ({ from, to }))
      .sort((a, b) => a.from.localeCompare(b.from)),
  }))
  return { items, total: matches.length, offset, limit }
}
