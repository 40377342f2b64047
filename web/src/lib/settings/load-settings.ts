import { generalSettingsRequest } from '@waybill/contract/settings/requests'
import { isTemporary, send } from '../api.ts'
import { storeSettings } from '../session.ts'

let loading: Promise<boolean> | null = null

/**
 * Loads the general settings, which every page but public tracking needs. Concurrent calls share one request. A
 * failure only logs a warning (specification, section 8). False: the next attempt may succeed.
 */
export function loadSettings(): Promise<boolean> {
  loading ??= load().finally(() => {
    loading = null
  })
  return loading
}

async function load(): Promise<boolean> {
  try {
    const response = await send(generalSettingsRequest, {})
    storeSettings(await response.json())
    return true
  } catch (error) {
    console.warn('The general settings could not be loaded.', error)
    return !isTemporary(error)
  }
}
