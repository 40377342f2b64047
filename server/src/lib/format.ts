import type { Locale } from '@waybill/contract/ground/enums'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * The only place on the server where money, weights, lengths, times and phone numbers become text (PDF, e-mail,
 * notifications). Everything here is pure: the same arguments give the same text, whatever the machine's own language
 * or time zone.
 */

export type WeightUnit = 'kg' | 'lb'
export type DimensionUnit = 'cm' | 'in'

/** The deployment's presentation settings that printing needs (docs/rules/settings.md). */
export interface FormatSettings {
  /** IANA name, e.g. `Asia/Kuala_Lumpur`. */
  timeZone: string
  /** Pattern for `formatDate`, e.g. `DD/MM/YYYY`. */
  dateFormat: string
  /** Pattern for `formatDate`, e.g. `DD/MM/YYYY HH:mm`. */
  dateTimeFormat: string
  weightUnit: WeightUnit
}

const gramsPerPound = 453.59237
const mmPerInch = 25.4

/** The BCP 47 tag that `Intl` knows for a language of the portal. */
export function intlLocale(locale: Locale): string {
  return locale === 'cn_zh' ? 'zh-CN' : 'en'
}

const formatters = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

/** Building an Intl formatter costs a hundred times more than using it. */
function cached<F extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, build: () => F): F {
  const known = formatters.get(key)
  if (known) return known as F
  const built = build()
  formatters.set(key, built)
  return built
}

/**
 * `(125050, 'MYR', 'en')` -> `RM 1,250.50`. The number of minor digits is the currency's own. A no-break space stands
 * between symbol and amount where the language puts one. Throws `RangeError` for a currency code that is not three
 * letters.
 */
export function formatMoney(amountMinor: number, currency: string, locale: Locale): string {
  const format = cached(`money|${locale}|${currency}`, () => {
    return new Intl.NumberFormat(intlLocale(locale), { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  })
  return format.format(decimalText(amountMinor, format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** Digits after the point in amounts of a currency: 2 for MYR, 0 for JPY. */
export function fractionDigits(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return maximumFractionDigits ?? 2
}

/** Shifts the decimal point in text: a float division would not print every large amount exactly. */
function decimalText(amountMinor: number, digits: number): Intl.StringNumericLiteral {
  const sign = amountMinor < 0 ? '-' : ''
  const text = String(Math.abs(amountMinor)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${sign}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}` as Intl.StringNumericLiteral
}

/** `(1250, 'kg', 'en')` -> `1.25 kg`: kilograms to the gram, pounds to a hundredth. */
export function formatWeight(grams: number, unit: WeightUnit, locale: Locale): string {
  const value = unit === 'kg' ? grams / 1000 : grams / gramsPerPound
  return unitFormat(locale, unit === 'kg' ? 'kilogram' : 'pound', 2, unit === 'kg' ? 3 : 2).format(value)
}

/** `(305, 'cm', 'en')` -> `30.5 cm`: centimetres to the millimetre, inches to a hundredth. */
export function formatLength(mm: number, unit: DimensionUnit, locale: Locale): string {
  const value = unit === 'cm' ? mm / 10 : mm / mmPerInch
  return unitFormat(locale, unit === 'cm' ? 'centimeter' : 'inch', 0, unit === 'cm' ? 1 : 2).format(value)
}

function unitFormat(locale: Locale, unit: string, minimumFractionDigits: number, maximumFractionDigits: number) {
  return cached(`unit|${locale}|${unit}`, () => {
    return new Intl.NumberFormat(intlLocale(locale), {
      style: 'unit',
      unit,
      minimumFractionDigits,
      maximumFractionDigits,
    })
  })
}

const patternToken = /YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|ss|A/g

/**
 * An instant (ISO 8601) as the deployment writes it. `pattern` is one of the settings' patterns (tokens YYYY YY MMMM
 * MMM MM M DD D dddd ddd HH H hh h mm ss A), or `date` / `dateTime` for what is usual in the language. Throws
 * `RangeError` for a text that is not a time or an unknown time zone.
 */
export function formatDate(iso: string, timeZone: string, pattern: string, locale: Locale): string {
  const time = new Date(iso)
  if (pattern === 'date' || pattern === 'dateTime') {
    const timeStyle = pattern === 'dateTime' ? 'short' : undefined
    return cached(`style|${locale}|${timeZone}|${pattern}`, () => {
      return new Intl.DateTimeFormat(intlLocale(locale), { timeZone, dateStyle: 'medium', timeStyle })
    }).format(time)
  }
  const parts = wallClock(time, timeZone)
  return inLanguage(pattern, locale).replace(patternToken, (token) => tokenText(token, parts, time, timeZone, locale))
}

/**
 * A pattern with the month in words is in the order of English; Chinese has its own, `2026年11月23日`. Patterns of figures
 * are the deployment's in any language.
 */
function inLanguage(pattern: string, locale: Locale): string {
  if (locale === 'en') return pattern
  return pattern.replace(/D{1,2}[\s./-]*M{3,4}[\s,./-]*YYYY|M{3,4}[\s./-]*D{1,2}[\s,./-]*YYYY/, 'YYYY年M月D日')
}

type WallClock = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', string>

/** The digits that a clock and a calendar on the wall of that zone show. */
function wallClock(time: Date, timeZone: string): WallClock {
  const format = cached(`wall|${timeZone}`, () => {
    const two = '2-digit'
    return new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    })
  })
  return Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value])) as WallClock
}

function tokenText(token: string, wall: WallClock, time: Date, timeZone: string, locale: Locale): string {
  const hour12 = String(Number(wall.hour) % 12 || 12)
  switch (token) {
    case 'YYYY':
      return wall.year.padStart(4, '0')
    case 'YY':
      return wall.year.slice(-2)
    case 'MM':
      return wall.month
    case 'M':
      return String(Number(wall.month))
    case 'DD':
      return wall.day
    case 'D':
      return String(Number(wall.day))
    case 'HH':
      return wall.hour
    case 'H':
      return String(Number(wall.hour))
    case 'hh':
      return hour12.padStart(2, '0')
    case 'h':
      return hour12
    case 'mm':
      return wall.minute
    case 'ss':
      return wall.second
    case 'A':
      return word({ hour: 'numeric', hour12: true }, 'dayPeriod')
    case 'MMMM':
      return word({ month: 'long' }, 'month')
    case 'MMM':
      return word({ month: 'short' }, 'month')
    case 'dddd':
      return word({ weekday: 'long' }, 'weekday')
    default:
      return word({ weekday: 'short' }, 'weekday')
  }

  function word(options: Intl.DateTimeFormatOptions, part: string): string {
    const format = cached(`word|${locale}|${timeZone}|${token}`, () => {
      return new Intl.DateTimeFormat(intlLocale(locale), { ...options, timeZone })
    })
    const text = format.formatToParts(time)
    // "7月" comes as the number 7 and the literal 月.
    return part === 'month'
      ? text.map(({ value }) => value).join('')
      : (text.find(({ type }) => type === part)?.value ?? '')
  }
}

/** `+60123456789` -> `+60 12 345 6789`. What is no valid number comes back as it is. */
export function formatPhone(e164: string): string {
  const number = parsePhoneNumberFromString(e164)
  return number?.isValid() ? number.formatInternational() : e164
}
