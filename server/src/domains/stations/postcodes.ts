/**
 * Malaysian postcodes with their towns and states, in memory, from the `malaysia-postcodes` package (ISC licence).
 *
 * Names are corrected when they are read: federal territories lose their prefix ("Wp Kuala Lumpur" becomes "Kuala
 * Lumpur"), and abbreviations get their capitals back ("Usm Pulau Pinang" becomes "USM Pulau Pinang"). Everything else
 * stays as in the package: states are in Malay ("Pulau Pinang", "Melaka"), as addresses are written.
 */
import { lookup } from '@waybill/contract/ground/enums/labels'
import { lazyPackage } from '../../lib/packages/lazy-package.ts'
import { chineseStates, otherStateNames } from './state-names.ts'

const malaysia = lazyPackage<typeof import('malaysia-postcodes')>('malaysia-postcodes')

export type PostcodePlace = {
  state: string
  /** Most postcodes have one city. */
  cities: string[]
}

const dataCountry = 'my'

const alphabetically = (a: string, b: string) => a.localeCompare(b, 'en')

type Places = {
  byPostcode: Map<string, PostcodePlace>
  byState: Map<string, Map<string, string[]>>
  statesInOrder: string[]
  /** Official names by their lower-case form. */
  byName: Map<string, string>
  /** States by the lower-case names of their cities. */
  statesWithCity: Map<string, Set<string>>
}

let places: Places | undefined

/** The tables, built at the first use: package and tables are 3 MB that an idle server does not need. */
function getPlaces(): Places {
  places ??= buildPlaces()
  return places
}

function buildPlaces(): Places {
  const byPostcode: Places['byPostcode'] = new Map()
  const byState: Places['byState'] = new Map()
  const statesWithCity: Places['statesWithCity'] = new Map()
  for (const { name, city: cities } of malaysia().allPostcodes) {
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
      const states = statesWithCity.get(city.toLowerCase())
      if (states) states.add(state)
      else statesWithCity.set(city.toLowerCase(), new Set([state]))
    }
  }
  const statesInOrder = [...byState.keys()].sort(alphabetically)
  const byName = new Map(statesInOrder.map((state) => [state.toLowerCase(), state]))
  return { byPostcode, byState, statesInOrder, byName, statesWithCity }
}

/** Whether the postcodes of a country (alpha-2, lower case) are known: then a missing one does not exist. */
export function hasPostcodes(country: string): boolean {
  return country === dataCountry
}

/** State and cities of a postcode; null if it does not exist, or if the country's postcodes are unknown. */
export function lookupPostcode(postcode: string, country: string): PostcodePlace | null {
  return hasPostcodes(country) ? (getPlaces().byPostcode.get(postcode) ?? null) : null
}

/** `5000` -> `05000`: a spreadsheet treats a postcode as a number and drops its zero. */
export function restoreZero(postcode: string, country: string): string {
  const padded = postcode.padStart(5, '0')
  return /^\d{3,4}$/.test(postcode) && lookupPostcode(padded, country) ? padded : postcode
}

/** The states of a country in alphabetical order; none if unknown. */
export function listStates(country: string): readonly string[] {
  return hasPostcodes(country) ? getPlaces().statesInOrder : []
}

/** A state by any of its names ("Penang", "W.P. Kuala Lumpur", "wilayah persekutuan labuan", "雪兰莪州"), or null. */
export function findState(name: string): string | null {
  const plain = name.trim().toLowerCase().replace(/\s+/g, ' ')
  const short = plain.replace(/^(w\.? ?p\.?|wilayah persekutuan|federal territory of) /, '')
  return (
    getPlaces().byName.get(short) ??
    lookup(otherStateNames, short.replaceAll('. ', '.')) ??
    lookup(chineseStates, plain.replace(/^(联邦直辖区|聯邦直轄區)|州$/gu, '')) ??
    null
  )
}

/** Cities of a state, given by any of its names, in alphabetical order. */
export function listCities(state: string): string[] {
  const byCity = getPlaces().byState.get(findState(state) ?? '')
  return [...(byCity?.keys() ?? [])].sort(alphabetically)
}

/** Postcodes in order: of a state, of a city, of a city in a state, or all. */
export function listPostcodes(place: { state?: string | undefined; city?: string | undefined }): string[] {
  const stateName = place.state === undefined ? undefined : findState(place.state)
  const city = place.city?.trim().toLowerCase()
  const matches = [...getPlaces().byState].flatMap(([state, byCity]) => {
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
  const states = getPlaces().statesWithCity.get(city.trim().toLowerCase())
  return states === undefined || states.has(state)
}
