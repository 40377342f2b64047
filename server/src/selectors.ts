import { corporateUsers } from './domains/accounts/service.ts'
import type { Selectors } from './domains/settings/selectors.ts'
import { cities, postcodes, states, stations } from './domains/stations/selectors.ts'

/** The drop-downs that domains above `settings` answer; their names are in the contract (`selectorNames`). */
export const selectors: Selectors = {
  states,
  cities,
  postcodes,
  stations,
  'corporate-users': corporateUsers,
}
