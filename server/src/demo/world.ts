/** What the stories of the demo have in common: the present, the network, and everybody's contacts. */
import { lookupPostcode } from '../domains/stations/postcodes.ts'
import { days, later } from '../lib/clock.ts'
import { addressBooks, type Entry, type PlaceOf } from './story/books.ts'
import type { NetworkMap } from './story/map.ts'
import type { World } from './story/story.ts'
import { localMidnight } from './story/time.ts'

/** Days since when the company's members need approvals. */
const approvalDays = 8

/** The world at this moment, and the entries of its address books. */
export function createWorld(now: Date, map: NetworkMap): { world: World; entries: Entry[] } {
  const { books, entries } = addressBooks(now, findPlace)
  return { world: { now, map, books, approvalsFrom: approvalsStart(now), visits: new Set() }, entries }
}

/**
 * When the rule about approvals begins: at a midnight, when nobody is between an order and its payment. A member who
 * ordered before and paid after it would be refused (approval_needed), and the demo would not start.
 */
export const approvalsStart = (now: Date): Date => later(localMidnight(now), -days(approvalDays))

/** Town and state of a postcode, as forms are filled with them. */
const findPlace: PlaceOf = (postcode) => {
  const place = lookupPostcode(postcode, 'my')
  const [city] = place?.cities ?? []
  if (!place || !city) throw new Error(`there is no postcode ${postcode}`)
  return { city, state: place.state }
}
