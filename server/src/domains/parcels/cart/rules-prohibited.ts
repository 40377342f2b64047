/** What is not carried, as the deployment's setting lists it. Pure: the list is handed in. */

/** One rule of the list: words of which any makes it apply. `scope` international: at home it may travel. */
export type ProhibitedRule = {
  name: { en: string; cn_zh: string }
  scope: 'all' | 'international'
  words: readonly string[]
}
export type Prohibited = { rule: ProhibitedRule; word: string }

const chinese = /[\u3400-\u9fff]/

/**
 * Words and phrases are looked for whole and in their plural: "gun" is not in "gunny", and "knife" is in "Knives" only
 * where the list says so.
 */
function patternOf(word: string): string {
  const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s-]+/g, '[\\s-]+')
  return chinese.test(word) ? literal : `(?<![\\p{L}\\p{N}])${literal}(?:s|es)?(?![\\p{L}\\p{N}])`
}

type Prepared = {
  any: RegExp | null
  /** What was said of texts before, by scope and text. */
  said: Map<string, Prohibited | null>
  words: { rule: ProhibitedRule; written: string; word: string; pattern: RegExp }[]
}

const prepared = new WeakMap<readonly ProhibitedRule[], Prepared>()

/**
 * A list as expressions, made once: a spreadsheet asks for each of its rows. `any` finds whether a text has any of its
 * words.
 */
function prepare(rules: readonly ProhibitedRule[]): Prepared {
  const known = prepared.get(rules)
  if (known) return known
  const words = rules.flatMap((rule) =>
    rule.words.flatMap((written) => {
      const word = written.trim().toLowerCase()
      return word === '' ? [] : [{ rule, written, word, pattern: new RegExp(patternOf(word), 'u') }]
    }),
  )
  const any = words.length === 0 ? null : new RegExp(words.map(({ word }) => patternOf(word)).join('|'), 'u')
  const made: Prepared = { any, words, said: new Map() }
  prepared.set(rules, made)
  return made
}

/**
 * Each rule's words that a description is looked through for: a negation right before one ("no battery", "不含酒精")
 * doesn't count.
 */
const negated = /(?<![\p{L}\p{N}])(?:no|non|not|without|excluding|free of)[\s-]+$|(?:不含|无|没有|非)$/u

/** Texts that are remembered: the parcels of a sender are often described alike. */
const mostSaid = 500

/** The first rule that what somebody wrote of the contents falls under, or null. */
export function findProhibited(
  description: string,
  scope: 'domestic' | 'international',
  rules: readonly ProhibitedRule[],
): Prohibited | null {
  const list = prepare(rules)
  const asked = `${scope} ${description}`
  const before = list.said.get(asked)
  if (before !== undefined) return before
  const found = foundIn(description, scope, list)
  if (list.said.size >= mostSaid) list.said.clear()
  list.said.set(asked, found)
  return found
}

function foundIn(
  description: string,
  scope: 'domestic' | 'international',
  { any, words }: Prepared,
): Prohibited | null {
  const text = description.normalize('NFKC').toLowerCase()
  if (!any?.test(text)) return null
  for (const { rule, written, word, pattern } of words) {
    if ((rule.scope === 'international' && scope === 'domestic') || !pattern.test(text)) continue
    const before = text.slice(0, text.indexOf(word.split(/[\s-]+/)[0] ?? word))
    if (!negated.test(before)) return { rule, word: written }
  }
  return null
}
