import type { ServiceQuote } from '@waybill/contract/pricing/pricing'

export type ServiceNeeds = {
  /** The cheapest open service; of two equal prices the earlier day. */
  cheapest: ServiceQuote | null
  /** The first to arrive, if that is earlier than the cheapest, with its extra cost. */
  fastest: { quote: ServiceQuote; extraMinor: number } | null
}

const price = (quote: ServiceQuote) => quote.price?.totalMinor ?? Number.MAX_SAFE_INTEGER
/** Later than any day: a service without a promised day is never the fastest. */
const arrival = (quote: ServiceQuote) => quote.expectedDate ?? '9999'
const compare = (one: number | string, other: number | string) => (one < other ? -1 : one > other ? 1 : 0)

/** The services that most senders look for. */
export function findServiceNeeds(items: readonly ServiceQuote[]): ServiceNeeds {
  const open = items.filter((quote) => quote.open && quote.price)
  const [cheapest = null] = open.toSorted((a, b) => compare(price(a), price(b)) || compare(arrival(a), arrival(b)))
  const [first] = open.toSorted((a, b) => compare(arrival(a), arrival(b)) || compare(price(a), price(b)))
  const isFaster = cheapest && first && arrival(first) < arrival(cheapest)
  return { cheapest, fastest: isFaster ? { quote: first, extraMinor: price(first) - price(cheapest) } : null }
}
