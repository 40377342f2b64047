/** The facts of a notification: values that are stored as they are, and put into words in each reader's language. */
import type { Locale } from '@waybill/contract/ground/constants'
import { formatDate, formatDay, formatMoney, formatMonth, formatWeight } from '@waybill/contract/ground/format'
import type { Deps } from '../../deps.ts'

/**
 * A text, a number, or a value that each language writes in its own way: money in minor units, a day (`YYYY-MM-DD`), a
 * month (`YYYY-MM`), a moment (ISO 8601), a weight in grams, or a text of the locale files.
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
export type Facts = Readonly<Record<string, Fact>>

/** Facts that each language writes in its own way. */
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
}

/** The values of facts as the texts of one language. */
export function formatFacts(deps: Deps, facts: Facts, locale: Locale): Record<string, string | number> {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, formatFact(deps, fact, locale)]))
}

function formatFact({ settings, translations }: Deps, fact: Fact, locale: Locale): string | number {
  if (fact === null) return ''
  if (typeof fact !== 'object') return fact
  if ('money' in fact) return formatMoney(fact.money, fact.currency, locale)
  if ('day' in fact) return formatDay(fact.day, settings.get('format.date'), locale)
  if ('month' in fact) return formatMonth(fact.month, locale)
  if ('grams' in fact) return formatWeight(fact.grams, settings.get('units.weight'), locale)
  if ('text' in fact) return translations(locale)(fact.text)
  return formatDate(fact.moment, settings.get('timezone'), settings.get('format.dateTime'), locale)
}
