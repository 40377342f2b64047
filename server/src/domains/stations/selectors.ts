/** Drop-downs of states, cities, postcodes and stations. */
import type { Deps } from '../../deps.ts'
import type { Choice, Selector } from '../settings/selectors.ts'
import { loadNetwork } from './network.ts'
import { findState, listCities, listPostcodes, listStates } from './postcodes.ts'

const same = (values: readonly string[]): Choice[] => values.map((value) => ({ value, label: value }))

/** The country selected in the form, else the home country. */
const getCountry = (deps: Deps, country: string | undefined) =>
  country?.toLowerCase() || deps.settings.get('countryCode')

/** States of the selected country. */
export const states: Selector = async (deps, { query }) => same(listStates(getCountry(deps, query.country)))

/** Cities of the selected state; none without a state. */
export const cities: Selector = async (deps, { query }) => {
  const hasStates = listStates(getCountry(deps, query.country)).length > 0
  return same(hasStates && query.state ? listCities(query.state) : [])
}

/** Postcodes of the selected state or city, or those that begin with the search. */
export const postcodes: Selector = async (deps, { query }) => {
  const hasStates = listStates(getCountry(deps, query.country)).length > 0
  const narrow = Boolean(query.state || query.city || (query.search?.trim().length ?? 0) >= 2)
  return same(hasStates && narrow ? listPostcodes(query) : [])
}

/** Open stations by name, of the selected state and city if any. */
export const stations: Selector = async (deps, { query }) => {
  const network = await loadNetwork(deps.db)
  const state = query.state ? (findState(query.state) ?? query.state) : null
  return network.stations
    .filter((station) => state === null || station.state === state)
    .filter(({ city }) => !query.city || city.toLowerCase() === query.city.toLowerCase())
    .map(({ id, name, city }) => ({ value: id, label: name === city ? name : `${name}, ${city}` }))
}
