import { getProfile } from '@waybill/contract/accounts/sign-in'
import { getGeneralSettings, getOptions } from '@waybill/contract/settings/settings'
import { call } from './api.ts'
import { sessionStore, storeOptions, storeProfile, storeSettings } from './session.ts'

/**
 * What every page but public tracking asks for on load. Failing is told to the console alone (the specification,
 * section 8).
 */
export async function loadSettings(): Promise<void> {
  try {
    storeSettings(await call(getGeneralSettings))
  } catch (error) {
    console.warn('The general settings could not be loaded.', error)
  }
}

/** Every enumeration, and what forms choose from; failing is told to the console alone. */
export async function loadOptions(): Promise<void> {
  try {
    storeOptions(await call(getOptions))
  } catch (error) {
    console.warn('The options could not be loaded.', error)
  }
}

/** The signed-in user with its permissions; failing is told to the console alone. */
export async function loadProfile(): Promise<void> {
  if (!sessionStore.getState().tokens.access) return
  try {
    storeProfile(await call(getProfile))
  } catch (error) {
    console.warn('The profile could not be loaded.', error)
  }
}
