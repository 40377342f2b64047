/** The facts of a notification: values that are stored as they are, and formatted in each reader's language. */
import { intlLocale, type Locale } from '@waybill/contract/ground/constants'
import {
  formatDate,
  formatDay,
  formatList,
  formatMoney,
  formatMonth,
  formatWeight,
} from '@waybill/contract/ground/format'
import type { Deps } from '../../deps.ts'

/**
 * A text, a number, or a value that each language formats differently: money in minor units, a day (`YYYY-MM-DD`), a
 * month (`YYYY-MM`), a time (ISO 8601), a weight in grams, a text of the locale files, a list, or a list of such texts
 * of which one can be chosen.
 */
export type Fact =
  | string
  | number
  | null
  | { money: number; currency: string }
  | { day: string }
  | { month: string }
  | { moment: string }
  | { grams: number }
  | { text: string }
  | { list: readonly string[] }
  | { oneOf: readonly string[] }
export type Facts = Readonly<Record<string, Fact>>

/** Constructors of facts that each language formats differently. */
export const fact = {
  money: (amountMinor: number, currency: string): Fact => ({ money: amountMinor, currency }),
  /** `YYYY-MM-DD` */
  day: (day: string): Fact => ({ day }),
  /** `YYYY-MM` */
  month: (month: string): Fact => ({ month }),
  moment: (at: Date): Fact => ({ moment: at.toISOString() }),
  weight: (grams: number): Fact => ({ grams }),
  /** A text by its key in the locale files, such as `failureReason.refused`. */
  phrase: (key: string): Fact => ({ text: key }),
  list: (items: readonly string[]): Fact => ({ list: items }),
  /** Texts by their keys in the locale files, joined by "or". */
  oneOf: (keys: readonly string[]): Fact => ({ oneOf: keys }),
}

/** Facts that notifications stored by an earlier release do not have, but today's texts use. */
const laterFacts: Facts = {
  choices: fact.oneOf(['retry', 'correct', 'divert', 'recall'].map((choice) => `deliveryOffer.sender.${choice}`)),
}

/** Formats facts in one language. */
export function formatFacts(deps: Deps, facts: Facts, locale: Locale): Record<string, string | number> {
  const all = { ...laterFacts, ...facts }
  return Object.fromEntries(Object.entries(all).map(([name, fact]) => [name, formatFact(deps, fact, locale)]))
}

function formatFact({ settings, translations }: Deps, fact: Fact, locale: Locale): string | number {
  if (fact === null) return ''
  if (typeof fact !== 'object') return fact
  if ('money' in fact) return formatMoney(fact.money, fact.currency, locale)
  if ('day' in fact) return formatDay(fact.day, settings.get('format.date'), locale)
  if ('month' in fact) return formatMonth(fact.month, locale)
  if ('grams' in fact) return formatWeight(fact.grams, settings.get('units.weight'), locale)
  if ('list' in fact) return formatList(fact.list, locale)
  if ('text' in fact) return translations(locale)(fact.text)
  if ('oneOf' in fact) {
    const texts = fact.oneOf.map((key) => translations(locale)(key))
    return new Intl.ListFormat(intlLocale(locale), { type: 'disjunction' }).format(texts)
  }
  return formatDate(fact.moment, settings.get('timezone'), settings.get('format.dateTime'), locale)
}
