/** Texts in both languages, and tables of them for enumerations. */
import type { Locale } from '../constants.ts'

/** A text in both languages. */
export type Label = readonly [en: string, cn_zh: string]
export type Labels<V extends string> = { readonly [K in V]: Label }

/** The table's own value for an untrusted key; never an inherited property such as `constructor`. */
export function lookup<V>(table: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** Values of a label table in the order they are written, typed for `z.enum`. */
/* @__NO_SIDE_EFFECTS__ */
export function labelValues<V extends string>(labels: Labels<V>): [V, ...V[]] {
  return Object.keys(labels) as [V, ...V[]]
}

/** A label as one of a list in a sentence, which may contain commas itself. */
export const quotedLabel = (label: Label, locale: Locale): string => `“${labelIn(label, locale)}”`

/** A text in one of its languages. */
export const labelIn = (label: Label, locale: Locale): string => label[locale === 'cn_zh' ? 1 : 0]

/** The label of a value in a language. */
export function enumLabel<V extends string>(labels: Labels<V>, value: V, locale: Locale): string {
  return labelIn(labels[value], locale)
}
