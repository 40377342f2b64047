/** Drop-downs whose choices come from the server. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { Deps } from '../../deps.ts'
import type { AnyCaller } from '../../http/caller.ts'

export type Choice = { value: string; label: string }

/** The caller of a drop-down, and the choices of the fields before it. */
export type SelectorCall = {
  caller: AnyCaller
  locale: Locale
  query: {
    country?: string | undefined
    state?: string | undefined
    city?: string | undefined
    search?: string | undefined
  }
}

/** The choices of a drop-down, before `search` filters them. Throws 401 or 403 if the caller may not see them. */
export type Selector = (deps: Deps, call: SelectorCall) => Promise<Choice[]>

/**
 * Drop-downs by name. Those of higher domains are passed in where routes are registered (`selectors.ts` next to
 * `app.ts`).
 */
export type Selectors = { readonly [name: string]: Selector }
