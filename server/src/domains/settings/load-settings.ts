/** The settings, cached in the memory of every process. */
import {
  isSecretKey,
  isSettingKey,
  type OpenKey,
  type SecretKey,
  type SettingValue,
  settingRules,
} from '@waybill/contract/settings/setting-rules'
import { safeParse } from 'zod/mini'
import type { Db } from '../../db/pool.ts'
import type { Live } from '../../http/live.ts'
import { type KeyRing, unsealWithAny } from '../../lib/crypto.ts'
import { listSettingRows } from './queries.ts'
import { settingDefaults } from './rules.ts'

/** The deployment's settings. They are held in memory; a write makes every process reload them. */
export type Settings = {
  /** The stored value, or the default. */
  get<K extends OpenKey>(key: K): SettingValue<K>
  /** The plain text of a secret; null if none is stored or if no current key decrypts it. */
  secret(key: SecretKey): string | null
  /** Identifies the values: a different object after every reload. */
  state(): object
  reload(): Promise<void>
}

/** The live topic that makes every process reload the settings. */
export const settingsTopic = 'settings'
/** Derives the key that encrypts secret settings. */
export const sealPurpose = 'settings'

/**
 * Reads the settings and keeps them up to date, also after a lost connection. `db` has one connection, so that of two
 * reads at the same time the later one wins. Call it once per process. `onUnreadable` gets each stored secret that no
 * key of this process decrypts: it would silently count as not set.
 */
export async function loadSettings(
  db: Db,
  live: Live,
  keys: KeyRing,
  onUnreadable: (key: SecretKey) => void = () => undefined,
): Promise<Settings> {
  let values = new Map<string, unknown>()
  const readSecret = (key: SecretKey) => {
    const sealed = values.get(key)
    if (typeof sealed !== 'string') return null
    try {
      return unsealWithAny(keys.derivations(sealPurpose), sealed)
    } catch {
      return null
    }
  }

  const reload = async () => {
    const next = new Map<string, unknown>()
    for (const row of await listSettingRows(db)) {
      if (!isSettingKey(row.key)) continue
      // If a value was written by another release and breaks this release's rule, the default is used.
      if (isSecretKey(row.key) || safeParse(settingRules[row.key], row.value).success) next.set(row.key, row.value)
    }
    values = next
    for (const key of values.keys()) {
      if (isSettingKey(key) && isSecretKey(key) && readSecret(key) === null) onUnreadable(key)
    }
  }

  live.subscribe(settingsTopic, reload)
  live.onReconnect(reload)
  await reload()

  return {
    get: <K extends OpenKey>(key: K) => (values.has(key) ? values.get(key) : settingDefaults[key]) as SettingValue<K>,
    secret: readSecret,
    state: () => values,
    reload,
  }
}

/** The source of map tiles; null if none is set. */
export function tileSource(settings: Settings): { tileUrl: string; attribution: string } | null {
  const tileUrl = settings.get('map.tileUrl')
  return tileUrl === null ? null : { tileUrl, attribution: settings.get('map.attribution') ?? '' }
}
