/** Rates in memory. */
import type { Carrier } from '@waybill/contract/ground/enums/enums'
import type { Scope } from '@waybill/contract/ground/enums/parcel-enums'
import type { Db } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { holidaysTopic } from '../../stations/holidays/service.ts'
import { holidaysByCountry } from '../../stations/service.ts'
import type { Holiday } from '../expected-date.ts'
import {
  type CarrierRuleRow,
  listCarrierRules,
  listServiceRows,
  publishedRateCards,
  publishedRateLines,
  type RateCardRow,
  type RateLineRow,
  type ServiceRow,
} from '../queries.ts'
import { isValidOn } from './rules.ts'

/**
 * The live topic that makes every process reload rate cards, services and carriers' rules. Publish on it in the
 * transaction that changes them.
 */
export const ratesTopic = 'rates'

export type Card = RateCardRow & {
  /** `scope|origin|destination` -> lines. */
  lines: Map<string, RateLineRow[]>
}
export type Rates = {
  cards: readonly Card[]
  /** By country. */
  holidays: ReadonlyMap<string, readonly Holiday[]>
  carriers: ReadonlyMap<Carrier, CarrierRuleRow>
  services: readonly ServiceRow[]
}

/** Cached per database handle, so that pricing needs no queries. */
const cache = new WeakMap<Db, Promise<Rates>>()
/** Live connections with a subscription already. */
const followed = new WeakSet<Deps['live']>()

async function read(db: Db): Promise<Rates> {
  const [cards, lines, holidays, carriers, services] = await Promise.all([
    publishedRateCards(db),
    publishedRateLines(db),
    holidaysByCountry(db),
    listCarrierRules(db),
    listServiceRows(db),
  ])
  const byCard = new Map(cards.map((card) => [card.id, { ...card, lines: new Map<string, RateLineRow[]>() }]))
  for (const line of lines) {
    const card = byCard.get(line.rateCardId)
    const key = buildKey(line.scope, line.originZone, line.destinationZone)
    const linesOfRoute = card?.lines.get(key)
    if (linesOfRoute) linesOfRoute.push(line)
    else card?.lines.set(key, [line])
  }
  return {
    cards: [...byCard.values()],
    holidays,
    carriers: new Map(carriers.map((rule) => [rule.carrier, rule])),
    services,
  }
}

const buildKey = (scope: Scope, origin: string, destination: string) => `${scope}|${origin}|${destination}`

/**
 * Rate cards, services, carriers' rules and holidays. They are reloaded after a message on `ratesTopic` or
 * `holidaysTopic`, and after a lost connection.
 */
export async function getRates({ db, cacheDb, live }: Deps): Promise<Rates> {
  const cachedRates = cache.get(db)
  if (cachedRates) return cachedRates
  if (!followed.has(live)) {
    followed.add(live)
    live.subscribe(ratesTopic, () => cache.delete(db))
    live.subscribe(holidaysTopic, () => cache.delete(db))
    live.onReconnect(() => void cache.delete(db))
  }
  const reading = read(cacheDb)
  cache.set(db, reading)
  const forget = () => {
    if (cache.get(db) === reading) cache.delete(db)
  }
  // A network without cards is about to be set up, so the result is not cached.
  reading.then(({ cards }) => cards.length === 0 && forget(), forget)
  return reading
}

/** The newest version of a card that is valid on a day (`YYYY-MM-DD`). */
export function findCardOn({ cards }: Rates, code: string, day: string): Card | null {
  const valid = cards.filter((card) => card.code === code && isValidOn(card, day))
  return valid.sort((a, b) => b.version - a.version)[0] ?? null
}

/** The lines of a card between two zones. */
export function ratesBetween(card: Card, scope: Scope, origin: string, destination: string): readonly RateLineRow[] {
  return card.lines.get(buildKey(scope, origin, destination)) ?? []
}

/** A version of a card, whether valid today or not. */
export function findCardVersion({ cards }: Rates, code: string, version: number): Card | null {
  return cards.find((card) => card.code === code && card.version === version) ?? null
}
