import { constants } from '@waybill/contract/ground/constants'

/** The deployment of this build, read at run time so that one build serves any deployment. */
export type RuntimeSettings = {
  /** Origin of the API without a trailing slash. Empty: the origin of the page. */
  apiHost: string
  /** Origin of the file host. Empty: the origin of the page. */
  fileHost: string
  /** Time-out of a call in milliseconds. */
  timeoutMs: number
}

const defaults: RuntimeSettings = { apiHost: '', fileHost: '', timeoutMs: constants.apiTimeoutMs }
let loading: Promise<RuntimeSettings> | null = null

/** `/settings.json`, read once. A missing or invalid file falls back to the defaults with a console warning. */
export function runtimeSettings(): Promise<RuntimeSettings> {
  loading ??= fetch('/settings.json')
    .then(async (response) => {
      if (!response.ok) throw new Error(`settings.json answered ${response.status}`)
      const overrides: Partial<RuntimeSettings> = await response.json()
      return { ...defaults, ...overrides }
    })
    .catch((error: unknown) => {
      console.warn('Using the default run-time settings.', error)
      return defaults
    })
  return loading
}
