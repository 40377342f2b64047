/** What a way of sending mail cannot be used without. */
import {
  isSecretKey,
  mailTransports,
  type SettingKey,
  type SettingValue,
} from '@waybill/contract/settings/setting-rules'
import { validationError } from '../../http/errors.ts'
import type { Settings } from './load-settings.ts'

/**
 * Refuses changes of the mail settings after which the chosen way of sending would lack a setting: every mail would
 * wait. `changes` are the validated values of a request.
 */
export function requireCompleteTransport(settings: Settings, changes: ReadonlyMap<SettingKey, unknown>): void {
  if (![...changes.keys()].some((key) => key.startsWith('mail.'))) return
  const chosen = changes.get('mail.transport') ?? settings.get('mail.transport')
  const after = (key: SettingKey): unknown => {
    if (changes.has(key)) return changes.get(key)
    return isSecretKey(key) ? settings.secret(key) : settings.get(key)
  }
  const missing = mailTransports[chosen as SettingValue<'mail.transport'>].required.filter((key) => !after(key))
  if (missing.length > 0) throw validationError(...missing.map((field) => ({ field, rule: 'required' })))
}
