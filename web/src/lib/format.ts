/** Formats money, weights, lengths and times by the deployment's settings and the user's language. */

import { fallbackLocale, intlLocale, type Locale } from '@waybill/contract/ground/constants'
import {
  currencySymbol,
  type DateFormat,
  type DateTimeFormat,
  formatCredits,
  formatDate,
  formatDay,
  formatDimensions,
  formatDistance,
  formatLength,
  formatList,
  formatMoney,
  formatMonth,
  formatNumber,
  formatShortDay,
  formatTime,
  formatWeekday,
  formatWeight,
  spaceHan,
} from '@waybill/contract/ground/format'
import type { Dimensions } from '@waybill/contract/ground/measures'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { GeneralSettings } from '@waybill/contract/settings/settings'
import { useMemo } from 'react'
import { useLanguage } from './i18n.ts'
import { createInputFormat } from './input/input-format.ts'
import { useDeployment } from './settings/deployment.ts'
import { serverNow } from './time/server-clock.ts'

/** The settings of the deployment that affect formatting. */
export type FormatSettings = Pick<
  GeneralSettings,
  'timezone' | 'currency' | 'weightUnit' | 'dimensionUnit' | 'dateFormat' | 'dateTimeFormat' | 'creditLabel'
>

/** Used until the settings are loaded, and on the public tracking page, which never loads them. */
export const defaultFormatSettings: FormatSettings = {
  // Read on demand: it takes 10 ms, which no page with settings needs.
  get timezone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone
  },
  currency: 'MYR',
  weightUnit: 'kg',
  dimensionUnit: 'cm',
  dateFormat: 'DD MMM YYYY',
  dateTimeFormat: 'DD MMM YYYY HH:mm',
  creditLabel: 'LP',
}

export type Format = ReturnType<typeof createFormat>

/** The contract's formatter with the settings and the language applied, and the texts and parsers of input fields. */
export function createFormat(settings: FormatSettings = defaultFormatSettings, locale: Locale = fallbackLocale) {
  return { ...createDisplayFormat(settings, locale), ...createInputFormat(settings) }
}

function createDisplayFormat(settings: FormatSettings, locale: Locale) {
  const { timezone, currency, weightUnit, dimensionUnit } = settings
  // The contract types these settings as text. The server stores only these formats.
  const dateFormat = settings.dateFormat as DateFormat
  const dateTimeFormat = settings.dateTimeFormat as DateTimeFormat
  const isoDay = (time: number) => formatDate(new Date(time).toISOString(), timezone, 'YYYY-MM-DD', locale)

  return {
    weightUnit,
    dimensionUnit,
    currencySymbol: (code: string = currency) => currencySymbol(code, locale),
    number: (value: number) => formatNumber(value, locale),
    /** `(125050, 'MYR')` -> `RM 1,250.50`. */
    money: (amountMinor: number, code: string = currency) => formatMoney(amountMinor, code, locale),
    /** Wallet credits: `(125050)` -> `1,250.50 LP`. */
    credits: (amountMinor: number) => formatCredits(amountMinor, currency, settings.creditLabel, locale),
    /** `1250` -> `1.25 kg`. */
    weight: (grams: number) => formatWeight(grams, weightUnit, locale, 0),
    /** `305` -> `30.5 cm`. */
    length: (mm: number) => formatLength(mm, dimensionUnit, locale),
    /** `30 × 20 × 10 cm`. */
    dimensions: (size: Dimensions) => formatDimensions(size, dimensionUnit, locale),
    /** A distance in metres: `850 m`, `3.2 km`. */
    distance: (metres: number) => formatDistance(metres, locale),
    /** The date of an instant (ISO 8601) in the deployment's time zone. */
    date: (instant: string) => writeDate(instant, () => formatDate(instant, timezone, dateFormat, locale)),
    dateTime: (instant: string) => writeDate(instant, () => formatDate(instant, timezone, dateTimeFormat, locale)),
    time: (instant: string) => writeDate(instant, () => formatTime(instant, timezone)),
    /** A calendar day, `YYYY-MM-DD`, which has no time zone. */
    day: (day: string) => writeDate(day, () => formatDay(day, dateFormat, locale)),
    /** A nearby calendar day without its year: `21 Nov`. */
    shortDay: (day: string) => writeDate(day, () => formatShortDay(day, locale)),
    /** A calendar month, `YYYY-MM`: `October 2026`, `2026年10月`. */
    month: (month: string) => formatMonth(month, locale),
    weekday: (day: string) => writeDate(day, () => formatWeekday(day, locale)),
    /** How long ago or ahead: `3 hours ago`, `in 2 days`. */
    relative: (instant: string, now: number = serverNow()) =>
      relative(new Date(instant).getTime(), now, locale, (time) => Date.parse(isoDay(time))),
    /** Today in the deployment's time zone, `YYYY-MM-DD`. */
    today: (now: number = serverNow()) => isoDay(now),
    /** `WB12345678903` -> `WB 1234 5678 903`, which no line separates. */
    trackingNumber: (number: string) => groupTrackingNumber(number).replaceAll(' ', '\u00a0'),
    list: (items: readonly string[]) => formatList(items, locale),
  }
}

/** `const format = useFormat()`: the formatter of the deployment and the user's language. */
export function useFormat(): Format {
  const settings = useDeployment()
  const language = useLanguage()
  return useMemo(() => createFormat(settings ?? defaultFormatSettings, language), [settings, language])
}

/** A date without line breaks inside. Returns '' for text that is not a date yet, as in a field during typing. */
function writeDate(time: string, write: () => string): string {
  return Number.isNaN(Date.parse(time)) ? '' : keepHan(write())
}

const betweenHan = /(?<=\p{sc=Han})(?=\S)|(?<=\S)(?=\p{sc=Han})/gu

/** Prevents line breaks before and after Chinese characters, by inserting word joiners (U+2060). */
export const keepHan = (text: string): string => text.replace(betweenHan, '\u2060')

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Uses the largest unit in which the difference is at least 1. Days are counted by the calendar, as people do. */
function relative(time: number, now: number, locale: Locale, startOfDay: (time: number) => number): string {
  const away = time - now
  const steps = [
    [365 * dayMs, 'year'],
    [30 * dayMs, 'month'],
    [dayMs, 'day'],
    [hourMs, 'hour'],
    [minuteMs, 'minute'],
  ] as const
  const [length, unit] = steps.find(([ms]) => Math.abs(away) >= ms) ?? [1000, 'second' as const]
  // "Last month" would stand for anything from 30 to 45 days.
  const isLong = unit === 'month' || unit === 'year'
  const distance = unit === 'day' ? startOfDay(time) - startOfDay(now) : away
  // Rounded up, 59.5 minutes would be "60 minutes".
  const count = Math.trunc(distance / length)
  const format = new Intl.RelativeTimeFormat(intlLocale(locale), { numeric: isLong ? 'always' : 'auto' })
  return spaceHan(format.format(count, unit))
}
