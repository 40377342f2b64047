import { fallbackLocale, type Locale } from '@waybill/contract/ground/enums'
import type { Dimensions } from '@waybill/contract/ground/measures'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { GeneralSettings } from '@waybill/contract/settings/settings'
import { useMemo } from 'react'
import { useDeployment } from './deployment.ts'
import { intlLocale, useLanguage } from './i18n.ts'

/** What of the deployment's settings decides how figures look. */
export type FormatSettings = Pick<
  GeneralSettings,
  'timezone' | 'currency' | 'weightUnit' | 'dimensionUnit' | 'dateFormat' | 'dateTimeFormat' | 'creditLabel'
>

/** Before the settings have come, and on the public tracking page, which never asks for them. */
export const defaultFormatSettings: FormatSettings = {
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  currency: 'MYR',
  weightUnit: 'kg',
  dimensionUnit: 'cm',
  dateFormat: 'D MMM YYYY',
  dateTimeFormat: 'D MMM YYYY, HH:mm',
  creditLabel: 'LP',
}

const gramsPerPound = 453.59237
const mmPerInch = 25.4
const dayMs = 86_400_000

export type Format = ReturnType<typeof createFormat>

/** The only place in the web that turns money, weights, lengths and times into text. */
export function createFormat(settings: FormatSettings = defaultFormatSettings, locale: Locale = fallbackLocale) {
  const tag = intlLocale(locale)
  const { timezone, currency } = settings
  const metric = settings.weightUnit === 'kg'
  const number = numberFormat(tag)

  function moneyFormat(code: string) {
    return numberFormat(tag, { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
  }

  return {
    weightUnit: settings.weightUnit,
    dimensionUnit: settings.dimensionUnit,
    currencySymbol: (code: string = currency) => {
      return (
        moneyFormat(code)
          .formatToParts(0)
          .find(({ type }) => type === 'currency')?.value ?? code
      )
    },
    number: (value: number) => number.format(value),
    /** `(125050, 'MYR')` -> `RM 1,250.50`. */
    money(amountMinor: number, code: string = currency): string {
      return moneyFormat(code).format(decimalText(amountMinor, minorDigits(code)))
    },
    /** Wallet credits: `(125050)` -> `1,250.50 LP`. */
    credits(amountMinor: number): string {
      const digits = minorDigits(currency)
      const plain = numberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits })
      return `${plain.format(decimalText(amountMinor, digits))} ${settings.creditLabel}`
    },
    /** `1250` -> `1.25 kg`. */
    weight(grams: number): string {
      const value = metric ? grams / 1000 : grams / gramsPerPound
      return unitText(tag, metric ? 'kilogram' : 'pound', value, metric ? 3 : 2)
    },
    /** `305` -> `30.5 cm`. */
    length(mm: number): string {
      const cm = settings.dimensionUnit === 'cm'
      return unitText(tag, cm ? 'centimeter' : 'inch', cm ? mm / 10 : mm / mmPerInch, cm ? 1 : 2)
    },
    /** `30 × 20 × 10 cm`. */
    dimensions({ lengthMm, widthMm, heightMm }: Dimensions): string {
      const cm = settings.dimensionUnit === 'cm'
      const side = (mm: number) => (cm ? mm / 10 : mm / mmPerInch)
      const plain = numberFormat(tag, { maximumFractionDigits: cm ? 1 : 2 })
      return `${[lengthMm, widthMm, heightMm].map((mm) => plain.format(side(mm))).join(' × ')} ${settings.dimensionUnit}`
    },
    /** A distance in metres: `850 m`, `3.2 km`. */
    distance(metres: number): string {
      return metres < 1000
        ? unitText(tag, 'meter', Math.round(metres), 0)
        : unitText(tag, 'kilometer', metres / 1000, 1)
    },
    /** The day of an instant (ISO 8601) in the deployment's zone. */
    date: (instant: string) => patterned(new Date(instant), timezone, settings.dateFormat, tag),
    dateTime: (instant: string) => patterned(new Date(instant), timezone, settings.dateTimeFormat, tag),
    time: (instant: string) => patterned(new Date(instant), timezone, 'HH:mm', tag),
    /** A calendar day, `YYYY-MM-DD`, which belongs to no zone. */
    day: (day: string) => patterned(new Date(`${day}T00:00:00Z`), 'UTC', settings.dateFormat, tag),
    /** A calendar day of these weeks, without its year: `21 Nov`. */
    shortDay: (day: string) => patterned(new Date(`${day}T00:00:00Z`), 'UTC', 'shortDay', tag),
    /** A calendar month, `YYYY-MM`: `October 2026`, `2026年10月`. */
    month: (month: string) =>
      dateTimeFormat(tag, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${month}-01`)),
    weekday: (day: string) => patterned(new Date(`${day}T00:00:00Z`), 'UTC', 'dddd', tag),
    /** How long ago or ahead: `3 hours ago`, `in 2 days`. */
    relative(instant: string, now: number = Date.now()): string {
      const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
      const away = new Date(instant).getTime() - now
      const size = Math.abs(away)
      if (size < 60_000) return relative.format(Math.round(away / 1000), 'second')
      if (size < 3_600_000) return relative.format(Math.round(away / 60_000), 'minute')
      if (size < dayMs) return relative.format(Math.round(away / 3_600_000), 'hour')
      if (size < 30 * dayMs) return relative.format(Math.round(away / dayMs), 'day')
      if (size < 365 * dayMs) return relative.format(Math.round(away / (30 * dayMs)), 'month')
      return relative.format(Math.round(away / (365 * dayMs)), 'year')
    },
    /** Today in the deployment's zone, `YYYY-MM-DD`. */
    today: (now: number = Date.now()) => patterned(new Date(now), timezone, 'YYYY-MM-DD', 'en'),
    trackingNumber: groupTrackingNumber,
    /** As it stands in an input: `125050` -> `1250.50`. */
    moneyInput: (amountMinor: number, code: string = currency) => String(decimalText(amountMinor, minorDigits(code))),
    weightInput: (grams: number) => plainNumber(metric ? grams / 1000 : grams / gramsPerPound, metric ? 3 : 2),
    lengthInput(mm: number): string {
      return settings.dimensionUnit === 'cm' ? plainNumber(mm / 10, 1) : plainNumber(mm / mmPerInch, 2)
    },
    /** What people type for money: `RM 1,250.5`, `1250` -> minor units; null for nothing, NaN for what is no amount. */
    readMoney(text: string, code: string = currency): number | null {
      const cleaned = text.replace(/[^\d.,-]/g, '')
      if (text.trim() === '') return null
      const value = readNumber(cleaned)
      return Number.isNaN(value) ? Number.NaN : Math.round(value * 10 ** minorDigits(code))
    },
    /** `1.2`, `1.2kg`, `500 g`, `2 lb`, `8 oz` -> grams; a bare number is in the deployment's unit. */
    readWeight(text: string): number | null {
      const factors = {
        g: 1,
        克: 1,
        kg: 1000,
        公斤: 1000,
        千克: 1000,
        lb: gramsPerPound,
        lbs: gramsPerPound,
        oz: 28.349523125,
      }
      return measured(text, factors, metric ? 1000 : gramsPerPound)
    },
    /** `30`, `30cm`, `300 mm`, `0.3m`, `12in`, `12"` -> millimetres; a bare number is in the deployment's unit. */
    readLength(text: string): number | null {
      const factors = {
        mm: 1,
        毫米: 1,
        cm: 10,
        厘米: 10,
        m: 1000,
        米: 1000,
        in: mmPerInch,
        inch: mmPerInch,
        '"': mmPerInch,
      }
      return measured(text, factors, settings.dimensionUnit === 'cm' ? 10 : mmPerInch)
    },
  }
}

/** `const format = useFormat()`: by the deployment's settings and the chosen language. */
export function useFormat(): Format {
  const settings = useDeployment()
  const language = useLanguage()
  return useMemo(() => createFormat(settings ?? defaultFormatSettings, language), [settings, language])
}

function minorDigits(currency: string): number {
  return numberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** Shifts the decimal point in text: a float division would not print every large amount exactly. */
function decimalText(amountMinor: number, digits: number): Intl.StringNumericLiteral {
  const sign = amountMinor < 0 ? '-' : ''
  const text = String(Math.abs(amountMinor)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${sign}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}` as Intl.StringNumericLiteral
}

function unitText(tag: string, unit: string, value: number, digits: number): string {
  return numberFormat(tag, { style: 'unit', unit, maximumFractionDigits: digits }).format(value)
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

function measured(text: string, factors: Record<string, number>, bare: number): number | null {
  if (text.trim() === '') return null
  const match = /^([-\d.,\s]+)(\D*)$/.exec(text.trim().toLowerCase())
  const unit = match?.[2]?.trim().replace(/\.$/, '') ?? ''
  const factor = unit === '' ? bare : factors[unit]
  if (!match || factor === undefined) return Number.NaN
  const value = readNumber(match[1] ?? '')
  return Number.isNaN(value) ? Number.NaN : Math.round(value * factor)
}

/*
 * Making a formatter takes a hundred times as long as using it, and a list of fifty parcels formats hundreds of times:
 * each is made once.
 */
const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

function once<F extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => F): F {
  const known = made.get(key) as F | undefined
  if (known) return known
  const formatter = make()
  made.set(key, formatter)
  return formatter
}

function numberFormat(tag: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return once(`n ${tag} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options))
}

function dateTimeFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return once(`d ${tag} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(tag, options))
}

const token = /YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|ss|A/g

/**
 * A pattern with the month in words is in the order of English; Chinese has its own, `2026年11月23日`. Patterns of figures
 * are the deployment's in any language.
 */
function inLanguage(pattern: string, tag: string): string {
  if (tag === 'en') return pattern
  return pattern.replace(/D{1,2}[\s./-]*M{3,4}[\s,./-]*YYYY|M{3,4}[\s./-]*D{1,2}[\s,./-]*YYYY/, 'YYYY年M月D日')
}

/**
 * A time by a pattern of the settings (tokens YYYY YY MMMM MMM MM M DD D dddd ddd HH H hh h mm ss A), or `date` /
 * `dateTime` for the language's usual.
 */
function patterned(time: Date, timeZone: string, pattern: string, tag: string): string {
  if (Number.isNaN(time.getTime())) return ''
  if (pattern === 'shortDay') {
    const language = tag === 'en' ? 'en-GB' : tag
    return dateTimeFormat(language, { timeZone, day: 'numeric', month: 'short' }).format(time)
  }
  if (pattern === 'date') return dateTimeFormat(tag, { timeZone, dateStyle: 'medium' }).format(time)
  if (pattern === 'dateTime') {
    return dateTimeFormat(tag, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(time)
  }
  const part = (options: Intl.DateTimeFormatOptions, type: string, language = 'en') => {
    const parts = dateTimeFormat(language, { timeZone, ...options }).formatToParts(time)
    // Chinese gives "7" and "月" apart.
    if (type === 'month' && language !== 'en') return parts.map(({ value }) => value).join('')
    return parts.find((found) => found.type === type)?.value ?? ''
  }
  const two = (text: string) => text.padStart(2, '0')
  const text = (name: string): string => {
    switch (name) {
      case 'YYYY':
        return part({ year: 'numeric' }, 'year')
      case 'YY':
        return part({ year: 'numeric' }, 'year').slice(-2)
      case 'MMMM':
        return part({ month: 'long' }, 'month', tag)
      case 'MMM':
        return part({ month: 'short' }, 'month', tag)
      case 'MM':
        return two(part({ month: 'numeric' }, 'month'))
      case 'M':
        return part({ month: 'numeric' }, 'month')
      case 'DD':
        return two(part({ day: 'numeric' }, 'day'))
      case 'D':
        return part({ day: 'numeric' }, 'day')
      case 'dddd':
        return part({ weekday: 'long' }, 'weekday', tag)
      case 'ddd':
        return part({ weekday: 'short' }, 'weekday', tag)
      case 'HH':
        return two(part({ hour: 'numeric', hourCycle: 'h23' }, 'hour'))
      case 'H':
        return String(Number(part({ hour: 'numeric', hourCycle: 'h23' }, 'hour')))
      case 'hh':
        return two(part({ hour: 'numeric', hourCycle: 'h12' }, 'hour'))
      case 'h':
        return part({ hour: 'numeric', hourCycle: 'h12' }, 'hour')
      case 'mm':
        return two(part({ minute: 'numeric' }, 'minute'))
      case 'ss':
        return two(part({ second: 'numeric' }, 'second'))
      case 'A':
        return part({ hour: 'numeric', hour12: true }, 'dayPeriod', tag)
      default:
        return name
    }
  }
  return inLanguage(pattern, tag).replace(token, text)
}
