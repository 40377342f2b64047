/** Caches serialised responses to price requests until something changes. */
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { priceServices } from '@waybill/contract/pricing/pricing'
import type { Deps } from '../../../deps.ts'
import { JsonText } from '../../../http/json-text.ts'
import { minuteIn } from '../../../lib/clock.ts'
import { loadNetwork } from '../../stations/network.ts'
import { getRates } from '../rate-cards/rates.ts'
import { type PricingAccount, quoteServices, quotesWithPickup } from '../service.ts'

type Answer = JsonText<ResponseOf<typeof priceServices>>

/** The maximum number of cached responses, of 4 to 7 kB each. */
const maxAnswers = 500

/**
 * Everything that a price depends on besides the request and the account. Each object is replaced after a change,
 * whichever process made it; expected days also depend on the minute (cut-off times).
 */
type Basis = readonly [rates: object, network: object, settings: object, minute: object]

const cache = new WeakMap<Deps['settings'], { basis: Basis; answers: Map<string, Answer> }>()

async function loadBasis(deps: Deps): Promise<Basis> {
  return [
    await getRates(deps),
    await loadNetwork(deps.db),
    deps.settings.state(),
    minuteIn(deps.clock.now(), deps.settings.get('timezone')),
  ]
}

/**
 * All services for a parcel as they are shown, on the conditions of an account. Throws the errors of `quoteServices`.
 */
export async function answerQuote(
  deps: Deps,
  body: BodyOf<typeof priceServices>,
  account: PricingAccount,
): Promise<Answer> {
  const basis = await loadBasis(deps)
  let state = cache.get(deps.settings)
  if (!state?.basis.every((part, n) => part === basis[n])) {
    state = { basis, answers: new Map() }
    cache.set(deps.settings, state)
  }
  // Read once: if a change happens meanwhile, the response goes into a map that is no longer used.
  const { answers } = state
  const key = JSON.stringify([body, account])
  const cachedAnswer = answers.get(key)
  if (cachedAnswer) return cachedAnswer
  const { serviceType, carrier, ...request } = body
  const quotes = await quoteServices(deps, request, account, serviceType, carrier)
  const answer: Answer = new JsonText(JSON.stringify({ items: quotesWithPickup(deps, quotes) }))
  const [oldest] = answers.keys()
  if (answers.size >= maxAnswers && oldest !== undefined) answers.delete(oldest)
  answers.set(key, answer)
  return answer
}
