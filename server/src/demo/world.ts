/** What the demo's stories share: the current time, the network, and everybody's contacts. */
import { lookupPostcode } from '../domains/stations/postcodes.ts'
import { days, later } from '../lib/clock.ts'
import { addressBooks, type Entry, type PlaceOf } from './story/books.ts'
import type { NetworkMap } from './story/map.ts'
import type { World } from './story/story.ts'
import { localMidnight } from './story/time.ts'

/** How many days ago the company's members started to need approvals. */
const approvalDays = 8

/** Creates the demo's world at this moment, and the entries of its address books. */
export function createWorld(now: Date, map: NetworkMap): { world: World; entries: Entry[] } {
  const { books, entries } = addressBooks(now, findPlace)
  return { world: { now, map, books, approvalsFrom: approvalsStart(now), visits: new Set() }, entries }
}

/**
 * When the approval rule starts: at a midnight, when no order is between checkout and payment. Otherwise a member
 * could order before it and pay after it; the payment would be refused (approval_needed), and the demo could not
 * start.
 */
export const approvalsStart = (now: Date): Date => later(localMidnight(now), -days(approvalDays))

/** Looks up the town and state of a postcode, as forms do. */
const findPlace: PlaceOf = (postcode) => {
  const place = lookupPostcode(postcode, 'my')
  const [city] = place?.cities ?? []
  if (!place || !city) throw new Error(`there is no postcode ${postcode}`)
  return { city, state: place.state }
}
