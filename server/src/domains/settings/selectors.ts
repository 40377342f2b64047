import type { Locale } from '@waybill/contract/ground/enums'
import type { Deps } from '../../deps.ts'
import type { AnyCaller } from '../../http/caller.ts'

export type Choice = { value: string; label: string }

/** Who asks for a drop-down's choices, and what they have chosen before it. */
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

/**
 * The choices of one drop-down; those that `search` does not fit are left out afterwards. Throws 401 or 403 where not
 * everybody may ask.
 */
export type Selector = (deps: Deps, call: SelectorCall) => Promise<Choice[]>

/**
 * Drop-downs by name. Those of higher domains are handed in where routes are registered (`selectors.ts` beside
 * `app.ts`).
 */
export type Selectors = { readonly [name: string]: Selector }
