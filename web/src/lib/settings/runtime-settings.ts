import { constants } from '@waybill/contract/ground/constants'

/** Where this build is deployed: read at run time, so that one build serves any deployment. */
export type RuntimeSettings = {
  /** Origin of the API without a slash at the end; empty: the page's own. */
  apiHost: string
  /** Origin of the file host; empty: the page's own. */
  fileHost: string
  /** Time-out of a call in milliseconds. */
  timeoutMs: number
}

const defaults: RuntimeSettings = { apiHost: '', fileHost: '', timeoutMs: constants.apiTimeoutMs }
let loading: Promise<RuntimeSettings> | null = null

/** `/settings.json`, read once. A missing or broken file means the defaults and a console warning. */
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
