import { generalSettingsRequest } from '@waybill/contract/settings/requests'
import { send } from '../api.ts'
import { storeSettings } from '../session.ts'

/**
 * Loads the general settings, which every page but public tracking needs. A failure only logs a warning (specification,
 * section 8).
 */
export async function loadSettings(): Promise<void> {
  try {
    const response = await send(generalSettingsRequest, {})
    storeSettings(await response.json())
  } catch (error) {
    console.warn('The general settings could not be loaded.', error)
  }
}
