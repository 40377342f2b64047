/** The ends of a parcel's route: where the courier gets it, and where the courier hands it out. */

import type { DeliveryMode, Scope } from '@waybill/contract/ground/enums/parcel-enums'
import { endsAtStation, isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import type { Deps } from '../../deps.ts'
import { AppError, validationError } from '../../http/errors.ts'
import { coveringStation, findZoneOfPlace, loadNetwork, type Place } from '../stations/network.ts'
import { lookupPostcode } from '../stations/postcodes.ts'
import type { Station } from '../stations/queries.ts'

/** The addresses, and the stations that were chosen. A station counts only if the mode starts or ends at one. */
export type Route = {
  scope: Scope
  deliveryMode: DeliveryMode
  sender: Place
  receiver: Place
  dropOffStationId: string | null
  selfCollectionStationId: string | null
  /** The zone that was paid from, for a price after the hand-over: the parcel may have started in another one. */
  paidOriginZone?: string
}

/** One end of the route: its zone, state and serving station. */
export type End = {
  country: string
  zone: string
  zoneName: string
  zoneNameZh: string | null
  remoteSurchargeMinor: number
  state: string | null
  /** Null abroad, where partners deliver. */
  station: Pick<Station, 'name' | 'serviceCodes'> | null
  /** Whether a parcel that is collected at that station has the same price as one that is delivered in this zone. */
  stationInZone: boolean
  cutOffTime: string
} | null

/** Throws postcode_unknown at the field for a postcode that does not exist in the home country. */
function requirePostcode({ settings }: Deps, place: Place, field: 'sender' | 'receiver'): void {
  if (place.country !== settings.get('countryCode') || lookupPostcode(place.postcode, place.country)) return
  throw new AppError('postcode_unknown', { fields: [{ field: `${field}.postcode`, rule: 'postcodeUnknown' }] })
}

const chosenStations = ({ deliveryMode, dropOffStationId, selfCollectionStationId }: Route) => ({
  dropOffStationId: isPickedUp(deliveryMode) ? null : dropOffStationId,
  selfCollectionStationId: endsAtStation(deliveryMode) ? selfCollectionStationId : null,
})

/** Throws postcode_unknown for a postcode that does not exist, and validation for a station that is not open. */
export async function requireRoute(deps: Deps, route: Route): Promise<void> {
  requirePostcode(deps, route.sender, 'sender')
  requirePostcode(deps, route.receiver, 'receiver')
  const { stationsById } = await loadNetwork(deps.db)
  const closedStations = Object.entries(chosenStations(route)).filter(([, id]) => id !== null && !stationsById.has(id))
  if (closedStations.length > 0)
    throw validationError(...closedStations.map(([field]) => ({ field, rule: 'stationCannot' })))
}

/**
 * Both ends of a route: the chosen station, or else the address. Null: outside the covered area, or the station is no
 * longer open.
 */
export async function findEnds(deps: Deps, route: Route): Promise<{ origin: End; destination: End }> {
  const { dropOffStationId, selfCollectionStationId } = chosenStations(route)
  // International parcels start at home: no rider picks up abroad.
  const atHome = route.sender.country === deps.settings.get('countryCode')
  const [origin, destination] = await Promise.all([
    atHome ? findEnd(deps, route.scope, route.sender, dropOffStationId) : null,
    findEnd(deps, route.scope, route.receiver, selfCollectionStationId),
  ])
  if (route.paidOriginZone === undefined) return { origin, destination }
  const { areas } = await loadNetwork(deps.db)
  const paid = areas.find(({ scope, zone }) => scope === route.scope && zone === route.paidOriginZone)
  if (!origin || !paid) return { origin, destination }
  const { zone, zoneName, zoneNameZh } = paid
  return { origin: { ...origin, zone, zoneName, zoneNameZh }, destination }
}

async function findEnd(deps: Deps, scope: Scope, address: Place, stationId: string | null): Promise<End> {
  const { db, settings } = deps
  const counter = stationId === null ? null : (await loadNetwork(db)).stationsById.get(stationId)
  if (counter === undefined) return null
  const { postcode, country } = counter ?? address
  const home = country === settings.get('countryCode')
  const zone = await findZoneOfPlace(db, scope, { postcode, country })
  const covering = home ? await coveringStation(db, country, postcode) : null
  const station = counter ?? covering?.station ?? null
  if (!zone || (home && !station)) return null
  const stationZone = station && (await findZoneOfPlace(db, scope, station))
  return {
    country,
    zone: zone.zone,
    zoneName: zone.zoneName,
    zoneNameZh: zone.zoneNameZh,
    remoteSurchargeMinor: zone.remoteSurchargeMinor,
    state: home ? (lookupPostcode(postcode, country)?.state ?? null) : null,
    station,
    stationInZone: stationZone?.zone === zone.zone,
    cutOffTime: covering?.cutOffTime ?? '16:00',
  }
}
