/**
 * Text for money, weights, lengths and times: on screens, in mails and in print. Every function is pure: the machine's
 * own language and time zone never change the result. Phone numbers need a numbering plan: server/src/lib/phone.ts.
 */
import { intlLocale, type Locale } from './constants.ts'
import type { Dimensions } from './measures.ts'

/** The date formats that a deployment can choose. */
export const dateFormats = ['DD/MM/YYYY', 'YYYY-MM-DD', 'MM/DD/YYYY', 'DD MMM YYYY'] as const
export type DateFormat = (typeof dateFormats)[number]
export const dateTimeFormats = [
  'DD/MM/YYYY HH:mm',
  'YYYY-MM-DD HH:mm',
  'MM/DD/YYYY HH:mm',
  'DD MMM YYYY HH:mm',
] as const satisfies readonly `${DateFormat} HH:mm`[]
export type DateTimeFormat = (typeof dateTimeFormats)[number]

/** Grams in each unit of weight that a deployment can choose. */
export const gramsPerUnit = { kg: 1000, lb: 453.59237 } as const
/** Millimetres in each unit of length that a deployment can choose. */
export const mmPerUnit = { cm: 10, in: 25.4 } as const

export type WeightUnit = keyof typeof gramsPerUnit
export type DimensionUnit = keyof typeof mmPerUnit

/** The deployment's presentation settings that printing needs (docs/rules/settings.md). */
export type PrintSettings = {
  /** IANA name, e.g. `Asia/Kuala_Lumpur`. */
  timeZone: string
  dateFormat: DateFormat
  dateTimeFormat: DateTimeFormat
  weightUnit: WeightUnit
}

/** Creating an Intl formatter takes a hundred times as long as using it, and a list formats hundreds of values. */
const formatters = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

function getCachedFormat<F extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, create: () => F): F {
  const existing = formatters.get(key) as F | undefined
  if (existing) return existing
  const formatter = create()
  formatters.set(key, formatter)
  return formatter
}

function numberFormat(tag: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return getCachedFormat(`number ${tag} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options))
}

function dateTimeFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return getCachedFormat(`time ${tag} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(tag, options))
}

function currencyFormat(currency: string, locale: Locale): Intl.NumberFormat {
  return numberFormat(intlLocale(locale), { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
}

/** A minus sign instead of the hyphen of Intl: it is as wide as a digit, and screen readers read it aloud. */
const withMinus = (text: string): string => text.replace('-', '\u2212')

/** `1234567.5` -> `1,234,567.5`, with `least` to `most` decimals. */
export function formatNumber(
  value: number | Intl.StringNumericLiteral,
  locale: Locale,
  { most, least = 0 }: { most: number; least?: number } = { most: 3 },
): string {
  const options = { minimumFractionDigits: least, maximumFractionDigits: most }
  return withMinus(numberFormat(intlLocale(locale), options).format(value))
}

/** `resolvedOptions` takes ten times as long as formatting an amount. */
const digitsOfCurrency = new Map<string, number>()

/** Digits after the point in amounts of a currency: 2 for MYR, 0 for JPY. */
export function fractionDigits(currency: string): number {
  let digits = digitsOfCurrency.get(currency)
  if (digits === undefined) {
    digits = numberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
    digitsOfCurrency.set(currency, digits)
  }
  return digits
}

/** Minor units as a decimal text, `(125050, 2)` -> `1250.50`. A float division would change very large amounts. */
export function decimalText(amountMinor: number, digits: number): Intl.StringNumericLiteral {
  const sign = amountMinor < 0 ? '-' : ''
  const text = String(Math.abs(amountMinor)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${sign}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}` as Intl.StringNumericLiteral
}

/**
 * `(125050, 'MYR', 'en')` -> `RM 1,250.50`, with the currency's own number of minor digits. Languages that separate
 * symbol and amount get a no-break space.
 *
 * @throws RangeError for a currency code that is not three letters.
 */
export function formatMoney(amountMinor: number, currency: string, locale: Locale): string {
  return withMinus(currencyFormat(currency, locale).format(decimalText(amountMinor, fractionDigits(currency))))
}

/** `MYR` -> `RM`. */
export function currencySymbol(currency: string, locale: Locale): string {
  const parts = currencyFormat(currency, locale).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? currency
}

/** Wallet credits: `(125050, 'MYR', 'LP', 'en')` -> `1,250.50 LP`. */
export function formatCredits(amountMinor: number, currency: string, label: string, locale: Locale): string {
  const digits = fractionDigits(currency)
  return `${formatNumber(decimalText(amountMinor, digits), locale, { most: digits, least: digits })}\u00a0${label}`
}

/** A number with its unit, between which no line ends. */
function formatUnit(value: number, unit: string, locale: Locale, most: number, least = 0): string {
  const options = { style: 'unit', unit, minimumFractionDigits: least, maximumFractionDigits: most } as const
  return spaceHan(numberFormat(intlLocale(locale), options).format(value)).replace(' ', '\u00a0')
}

/** `3.2公里` -> `3.2 公里`: the browser's own texts have no space between digits and Han characters. */
export const spaceHan = (text: string): string => text.replace(/(?<=\d)(?=\p{sc=Han})/gu, ' ')

/**
 * `(1200, 'kg', 'en')` -> `1.20 kg`: kilograms to the gram, pounds to a hundredth. Mails and print keep at least two
 * decimals; screens pass 0.
 */
export function formatWeight(grams: number, unit: WeightUnit, locale: Locale, leastDecimals = 2): string {
  const [name, decimals] = unit === 'kg' ? ['kilogram', 3] : ['pound', 2]
  return formatUnit(grams / gramsPerUnit[unit], name, locale, decimals, leastDecimals)
}

/** Centimetres to the millimetre, inches to a hundredth. */
const lengthDecimals = (unit: DimensionUnit) => (unit === 'cm' ? 1 : 2)

/** `(305, 'cm', 'en')` -> `30.5 cm`. The unit is that of dimensions and fields, in every language. */
export function formatLength(mm: number, unit: DimensionUnit, locale: Locale): string {
  return `${formatNumber(mm / mmPerUnit[unit], locale, { most: lengthDecimals(unit) })}\u00a0${unit}`
}

/** `30 × 20.5 × 10 cm`, with spaces at which no line ends. */
export function formatDimensions(size: Dimensions, unit: DimensionUnit, locale: Locale): string {
  const sides = [size.lengthMm, size.widthMm, size.heightMm]
  const texts = sides.map((mm) => formatNumber(mm / mmPerUnit[unit], locale, { most: lengthDecimals(unit) }))
  return `${texts.join('\u00a0×\u00a0')}\u00a0${unit}`
}

/** An enumeration: `Weight, Size`, `重量、尺寸`. */
export function formatList(items: readonly string[], locale: Locale): string {
  return items.join(locale === 'cn_zh' ? '、' : ', ')
}

/** A distance: `850 m`, `3.2 km`. */
export function formatDistance(metres: number, locale: Locale): string {
  return metres < 1000
    ? formatUnit(Math.round(metres), 'meter', locale, 0)
    : formatUnit(metres / 1000, 'kilometer', locale, 1)
}

/** The size of a file: `(1536000, 'en')` -> `1.5 MB`; under a megabyte in whole kilobytes, at least one. */
export function formatBytes(bytes: number, locale: Locale): string {
  return bytes < 1_000_000
    ? formatUnit(Math.max(1, Math.round(bytes / 1000)), 'kilobyte', locale, 0)
    : formatUnit(bytes / 1_000_000, 'megabyte', locale, 1)
}

type WallClock = Record<'year' | 'month' | 'day' | 'hour' | 'minute', string>

/** The local date and time in a time zone; a RangeError for an unknown zone or time. */
function wallClock(time: Date, timeZone: string): WallClock {
  const two = '2-digit'
  const options = { hourCycle: 'h23', year: 'numeric', month: two, day: two, hour: two, minute: two } as const
  const parts = dateTimeFormat('en', { timeZone, ...options }).formatToParts(time)
  const clock = Object.fromEntries(parts.map(({ type, value }) => [type, value])) as WallClock
  return { ...clock, year: clock.year.padStart(4, '0') }
}

/**
 * An instant (ISO 8601) in a time zone, in one of the formats of the settings: `09 Jul 2026 16:05`. With a spelled-out
 * month Chinese has its own order: `2026年7月9日 16:05`. Numeric formats are the same in every language.
 *
 * @throws RangeError for a text that is not a time or an unknown time zone.
 */
export function formatDate(
  instant: string,
  timeZone: string,
  format: DateFormat | DateTimeFormat,
  locale: Locale,
): string {
  const time = new Date(instant)
  const { year, month, day, hour, minute } = wallClock(time, timeZone)
  const end = format.endsWith(' HH:mm') ? ` ${hour}:${minute}` : ''
  if (format.startsWith('DD/MM/YYYY')) return `${day}/${month}/${year}${end}`
  if (format.startsWith('MM/DD/YYYY')) return `${month}/${day}/${year}${end}`
  if (format.startsWith('YYYY-MM-DD')) return `${year}-${month}-${day}${end}`
  if (locale === 'cn_zh') return `${year}年${Number(month)}月${Number(day)}日${end}`
  return `${day} ${dateTimeFormat('en', { timeZone, month: 'short' }).format(time)} ${year}${end}`
}

/** The time of the day, `HH:mm`. */
export function formatTime(instant: string, timeZone: string): string {
  const { hour, minute } = wallClock(new Date(instant), timeZone)
  return `${hour}:${minute}`
}

/** A calendar day, `YYYY-MM-DD`, which belongs to no zone. */
export function formatDay(day: string, format: DateFormat, locale: Locale): string {
  return formatDate(`${day}T00:00:00Z`, 'UTC', format, locale)
}

/** A calendar day without its year, for dates near today, with two digits as in a whole date: `01 Dec`, `12月1日`. */
export function formatShortDay(day: string, locale: Locale): string {
  // British English puts the day first, and shortens September to four letters.
  const options = { timeZone: 'UTC', day: 'numeric', month: 'short' } as const
  const time = new Date(`${day}T00:00:00Z`)
  if (locale !== 'en') return dateTimeFormat(intlLocale(locale), options).format(time)
  return `${day.slice(-2)} ${dateTimeFormat('en', { timeZone: 'UTC', month: 'short' }).format(time)}`
}

/** The day of the week of a calendar day: `Friday`, `星期五`. */
export function formatWeekday(day: string, locale: Locale): string {
  return dateTimeFormat(intlLocale(locale), { timeZone: 'UTC', weekday: 'long' }).format(new Date(`${day}T00:00:00Z`))
}

/** A calendar month, `YYYY-MM`: `October 2026`, `2026年10月`. */
export function formatMonth(month: string, locale: Locale): string {
  const options = { timeZone: 'UTC', year: 'numeric', month: 'long' } as const
  return dateTimeFormat(intlLocale(locale), options).format(new Date(`${month}-01T00:00:00Z`))
}
