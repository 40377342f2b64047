/** The drop-downs of domains above `settings`. */
import { corporateUsers } from './domains/accounts/service.ts'
import type { Selectors } from './domains/settings/selectors.ts'
import { cities, postcodes, states, stations } from './domains/stations/selectors.ts'

/** By name; the contract lists the names (`selectorNames`). */
export const selectors: Selectors = {
  states,
  cities,
  postcodes,
  stations,
  'corporate-users': corporateUsers,
}
