// The places of a parcel, for the map of the public page and of the parcel page.
import { isTrackingEnded } from '@waybill/contract/ground/status/tracking-status'
import type { TrackingPlaces } from '@waybill/contract/tracking/places'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../http/errors.ts'
import { findJourneys, type Journey } from '../parcels/timeline/service.ts'
import { tileSource } from '../settings/load-settings.ts'
import { locateTown } from '../stations/towns.ts'
import { presentPublic } from './present.ts'
import { listFollowableNumbers } from './service.ts'

/**
 * The towns of a parcel in the order of its journey, without consecutive duplicates, and its destination while it is
 * in transit. Throws parcel_unknown.
 */
export async function listPlaces(deps: Deps, number: string): Promise<TrackingPlaces> {
  const [journey] = await findJourneys(deps, await listFollowableNumbers(deps, [number]))
  if (!journey) throw new AppError('parcel_unknown')
  const country = deps.settings.get('countryCode')
  const places = await Promise.all(
    listTowns(journey).map(async ({ name, at }) => ({ name, at, position: await locateTown(deps.db, name, country) })),
  )
  return { places, tiles: tileSource(deps.settings), timezone: deps.settings.get('timezone') }
}

type Town = { name: string; at: string | null }

function listTowns(journey: Journey): Town[] {
  const { events, leg, trackingStatus, originCity, destinationCity } = presentPublic(journey)
  const towns: Town[] = []
  for (const { place, at } of events.toReversed()) {
    if (place !== null && place !== towns.at(-1)?.name) towns.push({ name: place, at })
  }
  const destination = leg === 'return' || trackingStatus === 'recall' ? originCity : destinationCity
  if (!isTrackingEnded(trackingStatus) && destination !== null && destination !== towns.at(-1)?.name)
    towns.push({ name: destination, at: null })
  return towns
}
