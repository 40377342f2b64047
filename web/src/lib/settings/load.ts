/** What every page of the application loads at its start. The sign-in page has `load-settings.ts` only. */
import { getProfile } from '@waybill/contract/accounts/sign-in'
import { getOptions } from '@waybill/contract/settings/settings'
import { call } from '../api.ts'
import { sessionStore, storeOptions, storeProfile } from '../session.ts'

/** Every enumeration, and what forms choose from; a failure appears in the console only. */
export async function loadOptions(): Promise<void> {
  try {
    storeOptions(await call(getOptions))
  } catch (error) {
    console.warn('The options could not be loaded.', error)
  }
}

/** The signed-in user with its permissions; a failure appears in the console only. */
export async function loadProfile(): Promise<void> {
  if (!sessionStore.getState().tokens.access) return
  try {
    storeProfile(await call(getProfile))
  } catch (error) {
    console.warn('The profile could not be loaded.', error)
  }
}
