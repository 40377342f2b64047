/** The data that every page of the application loads at its start. The sign-in page uses only `load-settings.ts`. */
import { getProfile } from '@waybill/contract/accounts/sign-in'
import { getOptions } from '@waybill/contract/settings/settings'
import { call, isTemporary } from '../api.ts'
import { sessionStore, storeOptions, storeProfile } from '../session.ts'

/** All enumerations and form options. A failure only logs a warning. False: the next attempt may succeed. */
export async function loadOptions(): Promise<boolean> {
  try {
    storeOptions(await call(getOptions))
    return true
  } catch (error) {
    console.warn('The options could not be loaded.', error)
    return !isTemporary(error)
  }
}

/** The signed-in user with the permissions. A failure only logs a warning. False: the next attempt may succeed. */
export async function loadProfile(): Promise<boolean> {
  if (!sessionStore.getState().tokens.access) return true
  try {
    storeProfile(await call(getProfile))
    return true
  } catch (error) {
    console.warn('The profile could not be loaded.', error)
    return !isTemporary(error)
  }
}
