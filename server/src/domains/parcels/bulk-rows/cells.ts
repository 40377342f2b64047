/** What people write in the cells of a spreadsheet, as values: weights, lengths, amounts, names of choices. */

import type { ReadCell } from '../../../lib/sheet/read.ts'
import { dateText } from '../../../lib/sheet/write.ts'

/** Control characters and marks that nobody sees; most cells have none. */
const unseen = /[\p{Cc}\u200b\ufeff]+/gu
const plain = /^[\x20-\x7e]*$/

/** A cell as the text that is kept of it and shown. A number never becomes `1e+21` or `0.30000000000000004`. */
export function cellText(cell: ReadCell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return (plain.test(cell) ? cell : cell.replace(unseen, ' ')).trim()
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : dateText(cell)
  return Number.isInteger(cell) ? cell.toFixed(0) : String(Number(cell.toPrecision(12)))
}

/** A number that somebody wrote, and how sure that is. `suggestion` null: nothing that could be meant. */
export type NumberRead =
  | { kind: 'value'; value: number }
  | { kind: 'unclear'; code: 'number_format' | 'date_not_number'; suggestion: string | null }

const isoDay = /^(\d{4})-(\d\d)-(\d\d)(?: |T|$)/

/** Factors of units beside the column's own. */
export type Units = Readonly<Record<string, number>>

/** Texts of which it is remembered what they say. */
const mostKnown = 2000

/** What a text says among `of`, worked out once: ten thousand cells of a column say few different things. */
function remembering<K extends object, V>(read: (text: string, of: K) => V): (text: string, of: K) => V {
  const known = new WeakMap<K, Map<string, V>>()
  return (text, of) => {
    let texts = known.get(of)
    if (!texts) {
      texts = new Map()
      known.set(of, texts)
    }
    const before = texts.get(text)
    if (before !== undefined) return before
    const value = read(text, of)
    if (texts.size < mostKnown) texts.set(text, value)
    return value
  }
}

/**
 * `1.2`, `1200 g`, `1,200.50`; a comma for a point is pointed out with what is probably meant. A day is what Excel
 * makes of `1.2` in some countries: that is suggested. Answers in the column's unit.
 */
export const readNumber = remembering((text: string, units: Units): NumberRead => {
  if (text.length > 40) return { kind: 'unclear', code: 'number_format', suggestion: null }
  const day = isoDay.exec(text)
  if (day) return { kind: 'unclear', code: 'date_not_number', suggestion: `${Number(day[3])}.${Number(day[2])}` }
  const match = /^([A-Z]{0,3})\s*([+-]?[\d.,\s'’]*\d)\s*([a-z公斤克厘米毫英寸磅千]*)\.?$/i.exec(text.normalize('NFKC'))
  if (!match) return { kind: 'unclear', code: 'number_format', suggestion: suggestedNumber(text) }
  const [, before = '', digits = '', after = ''] = match
  const unit = (after || before).toLowerCase()
  const factor = unit === '' ? 1 : units[unit]
  if (factor === undefined) return { kind: 'unclear', code: 'number_format', suggestion: suggestedNumber(text) }
  const plain = digits.replace(/[\s'’]/g, '')
  if (/^[+-]?\d+(\.\d+)?$/.test(plain) || /^[+-]?\d{1,3}(,\d{3})+\.\d+$/.test(plain)) {
    return { kind: 'value', value: Number(plain.replaceAll(',', '')) * factor }
  }
  // 1,2 is one and a fifth where people write commas; 1,200 may be either, so it is asked about.
  const meant = /^\d+,\d+$/.test(plain) ? Number(plain.replace(',', '.')) : Number.NaN
  const suggestion = Number.isFinite(meant) ? String(Number((meant * factor).toPrecision(12))) : suggestedNumber(text)
  return { kind: 'unclear', code: 'number_format', suggestion }
})

function suggestedNumber(text: string): string | null {
  const found = /\d+([.,]\d+)?/.exec(text)
  return found ? found[0].replace(',', '.') : null
}

/** How names of choices are compared. */
export const plainName = (text: string) =>
  (plain.test(text) ? text : text.normalize('NFKC')).toLowerCase().replace(/[\s_\-–—.,/]+/g, '')

type Labels = Readonly<Record<string, readonly [string, string]>>
export type Choices = { exact: ReadonlyMap<string, string>; names: readonly (readonly [name: string, value: string])[] }

/** A table of labels as choices that are found by value or by either label, and by further names. */
export function indexChoices(labels: Labels, others: Readonly<Record<string, string>> = {}): Choices {
  const names = [
    ...Object.entries(labels).flatMap(([value, [en, zh]]) => [value, en, zh].map((name) => [name, value] as const)),
    ...Object.entries(others),
  ].map(([name, value]) => [plainName(name), value] as const)
  return { exact: new Map(names), names }
}

type ChoiceRead = { value: string | null; suggestion: string | null }

/** The value of a name; else the nearest, as a suggestion. */
export const readChoice = remembering((text: string, { exact, names }: Choices): ChoiceRead => {
  const name = plainName(text)
  const value = exact.get(name) ?? null
  if (value !== null) return { value, suggestion: null }
  let best: { value: string; distance: number } | null = null
  for (const [known, meant] of names) {
    const most = Math.max(1, Math.floor(Math.max(known.length, name.length) / 3))
    const distance = editDistance(name, known, most)
    if (distance <= most && (best === null || distance < best.distance)) best = { value: meant, distance }
  }
  return { value: null, suggestion: best?.value ?? null }
})

/** Letters to change, add, drop or swap; more than `most` are not counted further. */
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
