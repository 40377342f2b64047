/** The data that every page of the application loads at its start. The sign-in page uses only `load-settings.ts`. */
import { getProfile } from '@waybill/contract/accounts/sign-in'
import { getOptions } from '@waybill/contract/settings/settings'
import { call } from '../api.ts'
import { sessionStore, storeOptions, storeProfile } from '../session.ts'

/** All enumerations and form options. A failure only logs a warning. */
export async function loadOptions(): Promise<void> {
  try {
    storeOptions(await call(getOptions))
  } catch (error) {
    console.warn('The options could not be loaded.', error)
  }
}

/** The signed-in user with the permissions. A failure only logs a warning. */
export async function loadProfile(): Promise<void> {
  if (!sessionStore.getState().tokens.access) return
  try {
    storeProfile(await call(getProfile))
  } catch (error) {
    console.warn('The profile could not be loaded.', error)
  }
}
