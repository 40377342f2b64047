/** Values of cells as people type them: numbers with units, labels of choices. */
/** Text that Unicode normalisation does not change. */
const plain = /^[\x20-\x7e]*$/

/** A number, or why the text is not one, with a suggestion if there is one. */
export type NumberRead =
  | { kind: 'value'; value: number }
  | { kind: 'unclear'; code: 'number_format' | 'date_not_number'; suggestion: string | null }

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
const numberWithUnit = /^([A-Z]{0,3}|\p{Sc})\s*([+-]?[\d.,\s'’]*\d)\s*([a-z公斤克厘米毫英寸磅千]*|\p{Sc})\.?$/iu

/**
 * Reads `1.2`, `1200 g` or `1,200.50`, in the column's unit. `1,2` is a problem with the suggestion `1.2`. So is a
 * date: some versions of Excel turn `1.2` into one.
 */
export const parseCellNumber = cached((text: string, units: Units): NumberRead => {
  if (text.length > 40) return { kind: 'unclear', code: 'number_format', suggestion: null }
  const day = isoDay.exec(text)
  if (day) return { kind: 'unclear', code: 'date_not_number', suggestion: `${Number(day[3])}.${Number(day[2])}` }
  const match = numberWithUnit.exec(text.normalize('NFKC'))
  if (!match) return { kind: 'unclear', code: 'number_format', suggestion: suggestedNumber(text) }
  const [, prefix = '', digits = '', suffix = ''] = match
  const unit = (suffix || prefix).toLowerCase()
  const factor = unit === '' ? 1 : units[unit]
  if (factor === undefined) return { kind: 'unclear', code: 'number_format', suggestion: suggestedNumber(text) }
  const plain = digits.replace(/[\s'’]/g, '')
  if (/^[+-]?\d+(\.\d+)?$/.test(plain) || /^[+-]?\d{1,3}(,\d{3})+\.\d+$/.test(plain)) {
    return { kind: 'value', value: Number(plain.replaceAll(',', '')) * factor }
  }
  // A comma may separate decimals (1,2) or thousands (1,200), so the sender is asked.
  const decimal = /^\d+,\d+$/.test(plain) ? Number(plain.replace(',', '.')) : Number.NaN
  const suggestion = Number.isFinite(decimal)
    ? String(Number((decimal * factor).toPrecision(12)))
    : suggestedNumber(text)
  return { kind: 'unclear', code: 'number_format', suggestion }
})

function suggestedNumber(text: string): string | null {
  const match = /\d+([.,]\d+)?/.exec(text)
  return match ? match[0].replace(',', '.') : null
}

/** A name normalised for comparison: lower case, without spaces and punctuation. */
export const plainName = (text: string) =>
  (plain.test(text) ? text : text.normalize('NFKC')).toLowerCase().replace(/[\s_\-–—.,/]+/g, '')

type Labels = Readonly<Record<string, readonly [string, string]>>
export type Choices = { exact: ReadonlyMap<string, string>; names: readonly (readonly [name: string, value: string])[] }

/** Choices that are found by their value, by their label in either language, and by additional names. */
export function createChoices(labels: Labels, others: Readonly<Record<string, string>> = {}): Choices {
  const names = [
    ...Object.entries(labels).flatMap(([value, [en, zh]]) => [value, en, zh].map((name) => [name, value] as const)),
    ...Object.entries(others),
  ].map(([name, value]) => [plainName(name), value] as const)
  return { exact: new Map(names), names }
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
