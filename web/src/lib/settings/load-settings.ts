import { generalSettingsRequest } from '@waybill/contract/settings/requests'
import { send } from '../api.ts'
import { storeSettings } from '../session.ts'

let loading: Promise<void> | null = null

/**
 * Loads the general settings, which every page but public tracking needs. Concurrent calls share one request. A
 * failure only logs a warning (specification, section 8).
 */
export function loadSettings(): Promise<void> {
  loading ??= load().finally(() => {
    loading = null
  })
  return loading
}

async function load(): Promise<void> {
  try {
    const response = await send(generalSettingsRequest, {})
    storeSettings(await response.json())
  } catch (error) {
    console.warn('The general settings could not be loaded.', error)
  }
}
