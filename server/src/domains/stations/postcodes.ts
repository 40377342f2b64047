/**
 * Malaysian postcodes with their towns and states, in memory, from the `malaysia-postcodes` package (ISC licence).
 *
 * Its names are put right where they are read: federal territories lose their prefix ("Wp Kuala Lumpur" is "Kuala
 * Lumpur"), abbreviations that were only capitalised get their letters back ("Usm Pulau Pinang" is "USM Pulau Pinang").
 * All else stays as the package has it: states in Malay ("Pulau Pinang", "Melaka"), as addresses are written.
 */
import { allPostcodes } from 'malaysia-postcodes'

export type PostcodePlace = {
  state: string
  /** Most postcodes have one. */
  cities: string[]
}

const dataCountry = 'my'

const byPostcode = new Map<string, PostcodePlace>()
const byState = new Map<string, Map<string, string[]>>()

for (const { name, city: cities } of allPostcodes) {
  const state = name.replace(/^Wp /, '')
  const byCity = new Map<string, string[]>()
  byState.set(state, byCity)
  for (const { name: spelling, postcode: postcodes } of cities) {
    const city = spelling.replace(/^Usm /, 'USM ')
    byCity.set(city, [...new Set(postcodes)].sort())
    for (const postcode of postcodes) {
      const place = byPostcode.get(postcode)
      if (!place) byPostcode.set(postcode, { state, cities: [city] })
      else if (!place.cities.includes(city)) place.cities.push(city)
    }
  }
}

const alphabetically = (a: string, b: string) => a.localeCompare(b, 'en')
const statesInOrder = [...byState.keys()].sort(alphabetically)

/** Other names of states, in lower case. */
const otherNames = new Map([
  ['penang', 'Pulau Pinang'],
  ['malacca', 'Melaka'],
  ['n. sembilan', 'Negeri Sembilan'],
])
const byName = new Map(statesInOrder.map((state) => [state.toLowerCase(), state]))

/** States by the lower-case names of their cities. */
const statesWithCity = new Map<string, Set<string>>()
for (const [state, byCity] of byState) {
  for (const name of byCity.keys()) {
    const city = name.toLowerCase()
    const states = statesWithCity.get(city)
    if (states) states.add(state)
    else statesWithCity.set(city, new Set([state]))
  }
}

/** Whether the postcodes of a country (alpha-2, lower case) are known: then a missing one does not exist. */
export function hasPostcodes(country: string): boolean {
  return country === dataCountry
}

/** State and cities of a postcode; null if it does not exist, or if the country's postcodes are unknown. */
export function lookupPostcode(postcode: string, country: string): PostcodePlace | null {
  return hasPostcodes(country) ? (byPostcode.get(postcode) ?? null) : null
}

/** `5000` -> `05000`: a spreadsheet takes a postcode for a number and drops its zero. */
export function restoreZero(postcode: string, country: string): string {
  const padded = postcode.padStart(5, '0')
  return /^\d{3,4}$/.test(postcode) && lookupPostcode(padded, country) ? padded : postcode
}

/** The states of a country in alphabetical order; none if unknown. */
export function listStates(country: string): readonly string[] {
  return hasPostcodes(country) ? statesInOrder : []
}

/** A state by any of its names ("Penang", "W.P. Kuala Lumpur", "wilayah persekutuan labuan"), or null. */
export function findState(name: string): string | null {
  const plain = name.trim().toLowerCase().replace(/\s+/g, ' ')
  const short = plain.replace(/^(w\.? ?p\.?|wilayah persekutuan|federal territory of) /, '')
  return byName.get(short) ?? otherNames.get(short) ?? null
}

/** Cities of a state, given by any of its names, in alphabetical order. */
export function listCities(state: string): string[] {
  const stateName = findState(state)
  return [...(byState.get(stateName ?? '')?.keys() ?? [])].sort(alphabetically)
}

/** Postcodes in order: of a state, of a city, of a city in a state, or all. */
export function listPostcodes(place: { state?: string | undefined; city?: string | undefined }): string[] {
  const stateName = place.state === undefined ? undefined : findState(place.state)
  const city = place.city?.trim().toLowerCase()
  const matches = [...byState].flatMap(([state, byCity]) => {
    if (stateName !== undefined && state !== stateName) return []
    return [...byCity].flatMap(([name, postcodes]) => (city && name.toLowerCase() !== city ? [] : postcodes))
  })
  return [...new Set(matches)].sort()
}

/**
 * Whether a city can be in a state: any city of the state, and any name that no state has (quarters and villages).
 * `state` is an official name.
 */
export function cityFits(city: string, state: string): boolean {
  const states = statesWithCity.get(city.trim().toLowerCase())
  return states === undefined || states.has(state)
}
