/** Values of cells as people type them: numbers with units, labels of choices. */
import { type Label, lookup } from '@waybill/contract/ground/enums/labels'

/** Text that Unicode normalisation does not change. */
const plain = /^[\x20-\x7e]*$/

/** A number, or why the text is not one, with a suggestion in the column's unit if there is one. */
export type NumberRead =
  | { kind: 'value'; value: number }
  | { kind: 'unclear'; code: 'number_format' | 'date_not_number' | 'unit_unknown'; suggestion: string | null }

const isoDay = /^(\d{4})-(\d\d)-(\d\d)(?: |T|$)/

/** Names of units with their factors, relative to the column's own unit. */
export type Units = Readonly<Record<string, number>>

const maxCached = 2000

/** Caches a reader by text and options: the ten thousand cells of a column have few different values. */
function cached<K extends object, V>(readCell: (text: string, options: K) => V): (text: string, options: K) => V {
  const caches = new WeakMap<K, Map<string, V>>()
  return (text, options) => {
    let values = caches.get(options)
    if (!values) {
      values = new Map()
      caches.set(options, values)
    }
    const hit = values.get(text)
    if (hit !== undefined) return hit
    const value = readCell(text, options)
    if (values.size < maxCached) values.set(text, value)
    return value
  }
}

/** A number with its unit or its currency, whose code or symbol may also precede it. */
const numberWithUnit = /^([A-Z]{0,3}|\p{Sc})\s*([+-]?[\d.,\s'’]*\d)\s*(\p{L}*|\p{Sc})\.?$/iu

/** The unit after the last digit. */
const lastUnit = /\d\s*(\p{L}*)\.?$/u

/** Whether a cell contains a number that ends without a unit, and does not begin with a unit or a currency. */
const plainNumber = /^(?!(?:\p{L}{1,3}|\p{Sc})\s*\d).*\d\.?$/su

/** A cell in the unit of its column's header, unless it has its own. */
export const inHeaderUnit = (cell: string, unit: string) => (plainNumber.test(cell) ? `${cell} ${unit}` : cell)

/**
 * Reads `1.2`, `1200 g` or `1,200.50`, in the column's unit. `1,2` is a problem with the suggestion `1.2`. So is a
 * date: some versions of Excel turn `1.2` into one.
 */
export const parseCellNumber = cached((text: string, units: Units): NumberRead => {
  if (text.length > 40) return { kind: 'unclear', code: 'number_format', suggestion: null }
  const normal = text.normalize('NFKC')
  const lastFactor = findFactor(lastUnit.exec(normal)?.[1] ?? '', units)
  const day = isoDay.exec(text)
  if (day) {
    const suggestion = inColumnUnit(`${Number(day[3])}.${Number(day[2])}`, lastFactor)
    return { kind: 'unclear', code: 'date_not_number', suggestion }
  }
  const firstNumber = suggestNumber(/\d[\d.,'’]*/.exec(text)?.[0] ?? '')
  const match = numberWithUnit.exec(normal)
  if (!match) return { kind: 'unclear', code: 'number_format', suggestion: inColumnUnit(firstNumber, lastFactor) }
  const [, prefix = '', digits = '', suffix = ''] = match
  const factor = findFactor(suffix || prefix, units)
  if (factor === null) {
    // Without its unit, a measure could be wrong by any factor, so no number is suggested.
    if (Object.keys(units).length > 0) return { kind: 'unclear', code: 'unit_unknown', suggestion: null }
    return { kind: 'unclear', code: 'number_format', suggestion: firstNumber }
  }
  const plain = digits.replace(/[\s'’]/g, '')
  if (/^[+-]?\d+(\.\d+)?$/.test(plain) || /^[+-]?\d{1,3}(,\d{3})+\.\d+$/.test(plain)) {
    return { kind: 'value', value: Number(plain.replaceAll(',', '')) * factor }
  }
  return { kind: 'unclear', code: 'number_format', suggestion: inColumnUnit(suggestNumber(plain), factor) }
})

/**
 * The number that is probably meant: `1,2` is 1.2, and `1.200,50` is 1200.50. Null if it could be another one: `1,200`
 * is 1.2 or 1200, and a suggestion may be applied to a whole column.
 */
function suggestNumber(text: string): string | null {
  const digits = text.replace(/['’]/g, '').replace(/[.,]$/, '')
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(digits)) return digits.replaceAll('.', '').replace(',', '.')
  if (/^\d{1,3}(,\d{3})+\.\d+$/.test(digits)) return digits.replaceAll(',', '')
  if (/^\d+,\d{3}$/.test(digits)) return null
  return /^\d+([.,]\d+)?$/.test(digits) ? digits.replace(',', '.') : null
}

/** The factor of a unit; null if it is unknown. */
const findFactor = (unit: string, units: Units): number | null =>
  unit === '' ? 1 : (lookup(units, unit.toLowerCase()) ?? null)

const inColumnUnit = (number: string | null, factor: number | null): string | null =>
  number === null || factor === null ? null : String(Number((Number(number) * factor).toPrecision(12)))

/** A name normalised for comparison: lower case, without spaces and punctuation. */
export const plainName = (text: string) =>
  (plain.test(text) ? text : text.normalize('NFKC')).toLowerCase().replace(/[\s_\-–—.,/]+/g, '')

type Labels = Readonly<Record<string, Label>>
export type Choices = {
  labels: Labels
  exact: ReadonlyMap<string, string>
  names: readonly (readonly [name: string, value: string])[]
}

/** Choices that are firstNumber by their value, by their label in either language, and by additional names. */
export function createChoices(labels: Labels, others: Readonly<Record<string, string>> = {}): Choices {
  const names = [
    ...Object.entries(labels).flatMap(([value, [en, zh]]) => [value, en, zh].map((name) => [name, value] as const)),
    ...Object.entries(others),
  ].map(([name, value]) => [plainName(name), value] as const)
  return { labels, exact: new Map(names), names }
}

type ChoiceRead = { value: string | null; suggestion: string | null }

/** The value of a name, or the most similar choice as a suggestion. */
export const readChoice = cached((text: string, { exact, names }: Choices): ChoiceRead => {
  const name = plainName(text)
  const value = exact.get(name) ?? null
  if (value !== null) return { value, suggestion: null }
  let best: { value: string; distance: number } | null = null
  for (const [candidate, value] of names) {
    const most = Math.max(1, Math.floor(Math.max(candidate.length, name.length) / 3))
    const distance = editDistance(name, candidate, most)
    if (distance <= most && (best === null || distance < best.distance)) best = { value, distance }
  }
  return { value: null, suggestion: best?.value ?? null }
})

/** The edit distance of two texts (change, insert, delete, swap neighbours); above `most` it stops counting. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most || a.length > 60 || b.length > 60) return most + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) cost = Math.min(cost, (before[j - 2] as number) + 1)
      next.push(cost)
    }
    before = row
    row = next
  }
  return row[b.length] as number
}
