/** Formats and reads money, weights, lengths and times by the deployment's settings and the chosen language. */

import { fallbackLocale, intlLocale, type Locale } from '@waybill/contract/ground/constants'
import {
  currencySymbol,
  type DateFormat,
  type DateTimeFormat,
  decimalText,
  formatCredits,
  formatDate,
  formatDay,
  formatDimensions,
  formatDistance,
  formatLength,
  formatMoney,
  formatMonth,
  formatNumber,
  formatShortDay,
  formatTime,
  formatWeekday,
  formatWeight,
  fractionDigits,
  gramsPerUnit,
  mmPerUnit,
} from '@waybill/contract/ground/format'
import type { Dimensions } from '@waybill/contract/ground/measures'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { GeneralSettings } from '@waybill/contract/settings/settings'
import { useMemo } from 'react'
import { useDeployment } from './deployment.ts'
import { useLanguage } from './i18n.ts'

/** The deployment's settings that decide how values look. */
export type FormatSettings = Pick<
  GeneralSettings,
  'timezone' | 'currency' | 'weightUnit' | 'dimensionUnit' | 'dateFormat' | 'dateTimeFormat' | 'creditLabel'
>

/** Before the settings are loaded, and on the public tracking page, which never loads them. */
export const defaultFormatSettings: FormatSettings = {
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  currency: 'MYR',
  weightUnit: 'kg',
  dimensionUnit: 'cm',
  dateFormat: 'DD MMM YYYY',
  dateTimeFormat: 'DD MMM YYYY HH:mm',
  creditLabel: 'LP',
}

const gramsByUnit = {
  g: 1,
  克: 1,
  kg: gramsPerUnit.kg,
  公斤: gramsPerUnit.kg,
  千克: gramsPerUnit.kg,
  lb: gramsPerUnit.lb,
  lbs: gramsPerUnit.lb,
  oz: gramsPerUnit.lb / 16,
}
const mmByUnit = {
  mm: 1,
  毫米: 1,
  cm: mmPerUnit.cm,
  厘米: mmPerUnit.cm,
  m: 1000,
  米: 1000,
  in: mmPerUnit.in,
  inch: mmPerUnit.in,
  '"': mmPerUnit.in,
}

export type Format = ReturnType<typeof createFormat>

/** The contract's formatter with the settings and the language filled in, and readers of what people type. */
export function createFormat(settings: FormatSettings = defaultFormatSettings, locale: Locale = fallbackLocale) {
  const { timezone, currency, weightUnit, dimensionUnit } = settings
  // The settings are plain text on the wire; the server stores no other formats.
  const dateFormat = settings.dateFormat as DateFormat
  const dateTimeFormat = settings.dateTimeFormat as DateTimeFormat

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
    /** The day of an instant (ISO 8601) in the deployment's zone. */
    date: (instant: string) => orEmpty(instant, () => formatDate(instant, timezone, dateFormat, locale)),
    dateTime: (instant: string) => orEmpty(instant, () => formatDate(instant, timezone, dateTimeFormat, locale)),
    time: (instant: string) => orEmpty(instant, () => formatTime(instant, timezone)),
    /** A calendar day, `YYYY-MM-DD`, which belongs to no zone. */
    day: (day: string) => orEmpty(day, () => formatDay(day, dateFormat, locale)),
    /** A calendar day of these weeks, without its year: `21 Nov`. */
    shortDay: (day: string) => orEmpty(day, () => formatShortDay(day, locale)),
    /** A calendar month, `YYYY-MM`: `October 2026`, `2026年10月`. */
    month: (month: string) => formatMonth(month, locale),
    weekday: (day: string) => orEmpty(day, () => formatWeekday(day, locale)),
    /** How long ago or ahead: `3 hours ago`, `in 2 days`. */
    relative: (instant: string, now: number = Date.now()) => relative(instant, now, locale),
    /** Today in the deployment's zone, `YYYY-MM-DD`. */
    today: (now: number = Date.now()) => formatDate(new Date(now).toISOString(), timezone, 'YYYY-MM-DD', locale),
    trackingNumber: groupTrackingNumber,
    /** As it stands in an input: `125050` -> `1250.50`. */
    moneyInput: (amountMinor: number, code: string = currency) =>
      String(decimalText(amountMinor, fractionDigits(code))),
    weightInput: (grams: number) => plainNumber(grams / gramsPerUnit[weightUnit], weightUnit === 'kg' ? 3 : 2),
    lengthInput: (mm: number) => plainNumber(mm / mmPerUnit[dimensionUnit], dimensionUnit === 'cm' ? 1 : 2),
    /** What people type for money: `RM 1,250.5`, `1250` -> minor units; null for nothing, NaN for what is no amount. */
    readMoney(text: string, code: string = currency): number | null {
      if (text.trim() === '') return null
      return Math.round(readNumber(text.replace(/[^\d.,-]/g, '')) * 10 ** fractionDigits(code))
    },
    /** `1.2`, `1.2kg`, `500 g`, `2 lb`, `8 oz` -> grams; a bare number is in the deployment's unit. */
    readWeight: (text: string) => readMeasure(text, gramsByUnit, gramsPerUnit[weightUnit]),
    /** `30`, `30cm`, `300 mm`, `0.3m`, `12in`, `12"` -> millimetres; a bare number is in the deployment's unit. */
    readLength: (text: string) => readMeasure(text, mmByUnit, mmPerUnit[dimensionUnit]),
  }
}

/** `const format = useFormat()`: by the deployment's settings and the chosen language. */
export function useFormat(): Format {
  const settings = useDeployment()
  const language = useLanguage()
  return useMemo(() => createFormat(settings ?? defaultFormatSettings, language), [settings, language])
}

/** Empty for a text that is not a time or a day yet, as in a field that somebody is typing in. */
function orEmpty(time: string, write: () => string): string {
  return Number.isNaN(Date.parse(time)) ? '' : write()
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The largest unit in which the distance is at least 1. */
function relative(instant: string, now: number, locale: Locale): string {
  const away = new Date(instant).getTime() - now
  const steps = [
    [365 * dayMs, 'year'],
    [30 * dayMs, 'month'],
    [dayMs, 'day'],
    [hourMs, 'hour'],
    [minuteMs, 'minute'],
  ] as const
  const [length, unit] = steps.find(([ms]) => Math.abs(away) >= ms) ?? [1000, 'second' as const]
  return new Intl.RelativeTimeFormat(intlLocale(locale), { numeric: 'auto' }).format(Math.round(away / length), unit)
}

function plainNumber(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)))
}

/**
 * `1,250.50`, `1.250,50`, `1 250`, `2,5`: the last separator is the decimal one unless exactly three digits follow the
 * only kind of comma.
 */
function readNumber(text: string): number {
  const tight = text.replace(/\s/g, '')
  if (!/^-?(\d[\d.,]*|[.,]\d+)$/.test(tight)) return Number.NaN
  const last = Math.max(tight.lastIndexOf('.'), tight.lastIndexOf(','))
  if (last < 0) return Number(tight)
  const mark = tight[last]
  const grouping = mark === ',' && !tight.includes('.') && /^-?\d{1,3}(,\d{3})+$/.test(tight)
  if (grouping) return Number(tight.replaceAll(',', ''))
  return Number(`${tight.slice(0, last).replace(/[.,]/g, '')}.${tight.slice(last + 1)}`)
}

/** A number with a unit in the stored unit; null for an empty text, NaN for one that is no measure. */
function readMeasure(text: string, factors: Record<string, number>, bare: number): number | null {
  if (text.trim() === '') return null
  const match = /^([-\d.,\s]+)(\D*)$/.exec(text.trim().toLowerCase())
  const unit = match?.[2]?.trim().replace(/\.$/, '') ?? ''
  const factor = unit === '' ? bare : factors[unit]
  if (!match || factor === undefined) return Number.NaN
  return Math.round(readNumber(match[1] ?? '') * factor)
}
