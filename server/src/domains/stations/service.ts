/** Stations, for the portal, the public and other domains. */
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import {
  type ServiceType,
  type StationType,
  serviceTypeLabels,
  stationTypeLabels,
} from '@waybill/contract/ground/enums'
import { parseSort } from '@waybill/contract/ground/paging'
import type {
  listStations,
  nearbyServiceCenters,
  publicCoverage,
  Station as StationAnswer,
} from '@waybill/contract/stations/stations'
import type { DbOrTx, Tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { AppError, validationError } from '../../http/errors.ts'
import { findCentre } from './centres.ts'
import { listAllHolidays } from './holidays/queries.ts'
import { findHeldStations, loadNetwork, networkTopic } from './network.ts'
import { findState, lookupPostcode } from './postcodes.ts'
import { presentStation } from './present.ts'
import { cutOffTimes, findStations, type Station, updateCutOffTime } from './queries.ts'
import { covers, distanceM, isServiceCentre, offersService, type Point, parsePoint } from './rules.ts'

/** The maximum number of nearest stations. */
const nearestCount = 20

/**
 * Stations by id, closed ones included; an unknown id has no entry. Every scan asks for its stations, so the open ones
 * come from memory.
 */
export async function findStationsById(db: DbOrTx, ids: readonly string[]): Promise<Map<string, Station>> {
  if (ids.length === 0) return new Map()
  const openStations = (await findHeldStations(db)).filter(({ id }) => ids.includes(id))
  const missing = ids.filter((id) => !openStations.some((station) => station.id === id))
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

const shower = (deps: Deps) => {
  const now = deps.clock.now()
  const timeZone = deps.settings.get('timezone')
  return (station: Station, distance: number | null = null) => presentStation(station, now, timeZone, distance)
}

/** Whether a state, by any of its names, is the station's. */
function isIn(station: Station, state: string | undefined): boolean {
  if (state === undefined || state.trim() === '') return true
  return station.state.toLowerCase() === (findState(state) ?? state.trim()).toLowerCase()
}

/** Whether every word occurs in the station's name or address. */
function isMeant(station: Station, search: string | undefined): boolean {
  const text = [station.code, station.name, station.line1, station.postcode, station.city, station.state]
    .join(' ')
    .toLowerCase()
  return (search ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** A page of open stations, by name unless another order is requested. */
export async function readStations(
  deps: Deps,
  { type, state, search, sort, offset, limit }: QueryOf<typeof listStations>,
): Promise<ResponseOf<typeof listStations>> {
  const { stations } = await loadNetwork(deps.db)
  const matchingStations = stations.filter(
    (station) => (type === undefined || station.type === type) && isIn(station, state) && isMeant(station, search),
  )
  const terms = parseSort(sort) as { field: 'name' | 'code' | 'city' | 'state'; descending: boolean }[]
  matchingStations.sort((a, b) => {
    for (const { field, descending } of terms) {
      const order = a[field].localeCompare(b[field], 'en')
      if (order !== 0) return descending ? -order : order
    }
    return 0
  })
  const show = shower(deps)
  const items = matchingStations.slice(offset, offset + limit).map((station) => show(station))
  return { items, total: matchingStations.length, offset, limit }
}

/** A postcode of the home country or "lat,lng" as a point. Throws postcode_unknown at the field. */
function placeNamed(deps: Deps, text: string, field: string): Point {
  const place = parsePoint(text) ?? findCentre(text.trim(), deps.settings.get('countryCode'))
  if (!place) throw new AppError('postcode_unknown', { fields: [{ field, rule: 'postcodeUnknown' }] })
  return place
}

/** Service centres by their distance from a postcode or a point. `field` is where the caller entered it. */
export async function nearbyStations(
  deps: Deps,
  near: string,
  field: 'x' | 'near',
): Promise<ResponseOf<typeof nearbyServiceCenters>> {
  const place = placeNamed(deps, near, field)
  const { stations } = await loadNetwork(deps.db)
  const show = shower(deps)
  const items = stations
    .filter(({ type }) => isServiceCentre(type))
    .map((station) => show(station, distanceM(place, station)))
    .sort((a, b) => (a.distanceM ?? 0) - (b.distanceM ?? 0))
    .slice(0, nearestCount)
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

/** Stations that hand parcels out, or accept them. Throws validation for an unknown `type`. */
export async function counterStations(
  deps: Deps,
  what: 'self_collection' | 'drop_off',
  { type, state }: { type?: string | undefined; state?: string | undefined },
): Promise<{ items: StationAnswer[] }> {
  const fits = ofType(type, what)
  const { stations } = await loadNetwork(deps.db)
  const show = shower(deps)
  return { items: stations.filter((station) => fits(station) && isIn(station, state)).map((station) => show(station)) }
}

/** The open warehouses. */
export async function warehouses(deps: Deps): Promise<{ items: StationAnswer[] }> {
  const { stations } = await loadNetwork(deps.db)
  const show = shower(deps)
  return { items: stations.filter(({ type }) => type === 'warehouse').map((station) => show(station)) }
}

/**
 * Coverage: of the station that serves a postcode, of one station, or of all. Throws postcode_unknown for a postcode
 * that does not exist in the home country, not_found for an unknown station.
 */
export async function getCoverage(
  deps: Deps,
  { postcode, stationId }: QueryOf<typeof publicCoverage>,
): Promise<ResponseOf<typeof publicCoverage>> {
  const { stations, coverage } = await loadNetwork(deps.db)
  const country = deps.settings.get('countryCode')
  const trimmedPostcode = postcode?.trim()
  if (trimmedPostcode && !lookupPostcode(trimmedPostcode, country)) {
    throw new AppError('postcode_unknown', { fields: [{ field: 'postcode', rule: 'postcodeUnknown' }] })
  }
  if (stationId && !stations.some(({ id }) => id === stationId)) throw new AppError('not_found')
  const serving = trimmedPostcode
    ? coverage.find((range) => range.country === country && covers(range, trimmedPostcode))?.stationId
    : undefined
  const show = shower(deps)
  const items = stations.flatMap((station) => {
    if ((stationId && station.id !== stationId) || (trimmedPostcode && station.id !== serving)) return []
    const postcodes = coverage
      .filter((range) => range.stationId === station.id)
      .map(({ from, to }) => ({ from, to }))
      .sort((a, b) => a.from.localeCompare(b.from))
    return postcodes.length > 0 || stationId ? [{ station: show(station), postcodes }] : []
  })
  return { items }
}
