/** Approximate locations of towns, for maps that must not be more precise than a town. */
import type { DbOrTx } from '../../db/pool.ts'
import { findCentre } from './centres.ts'
import { findHeldStations } from './network.ts'
import { listPostcodes } from './postcodes.ts'
import type { Point } from './rules.ts'

/** Names of towns that people write but the postcode data does not have, in lower case. */
const otherNames = new Map([
  ['george town', 'Pulau Pinang'],
  ['georgetown', 'Pulau Pinang'],
  ['penang', 'Pulau Pinang'],
  ['malacca', 'Melaka'],
  ['johor baharu', 'Johor Bahru'],
  ['johor baru', 'Johor Bahru'],
])

/**
 * The location of a town of the deployment's country: the centre of its first postcode, or the first station in it if
 * the postcode data does not have it. Null for any other name.
 */
export async function locateTown(db: DbOrTx, name: string, country: string): Promise<Point | null> {
  const city = name.trim().toLowerCase()
  const [postcode] = listPostcodes({ city: otherNames.get(city) ?? city })
  const centre = postcode === undefined ? null : findCentre(postcode, country)
  if (centre) return centre
  const station = (await findHeldStations(db)).find((each) => each.city.toLowerCase() === city)
  return station ? { latitude: station.latitude, longitude: station.longitude } : null
}
