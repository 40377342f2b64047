// Finds prohibited contents in a description, by the setting `contents.prohibited`. Pure.

/** One rule of the setting: it applies if any of its words occurs. `international`: allowed within the country. */
export type ProhibitedRule = {
  name: { en: string; cn_zh: string }
  scope: 'all' | 'international'
  words: readonly string[]
}
export type ProhibitedMatch = { rule: ProhibitedRule; word: string }

const chinese = /[\u3400-\u9fff]/

/**
 * Matches any of the words or phrases, whole, or their regular plurals: "gun" does not match "gunny", nor "knife"
 * "Knives". Chinese words match anywhere. The classes of letters stand once for all words, as V8 needs megabytes to
 * compile them for each.
 */
function buildPattern(words: readonly string[]): RegExp {
  const literal = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s-]+/g, '[\\s-]+')
  const whole = words.filter((word) => !chinese.test(word)).map(literal)
  const anywhere = words.filter((word) => chinese.test(word)).map(literal)
  const alternatives =
    whole.length === 0
      ? anywhere
      : [`(?<![\\p{L}\\p{N}])(?:${whole.join('|')})(?:s|es)?(?![\\p{L}\\p{N}])`, ...anywhere]
  return new RegExp(alternatives.join('|'), 'u')
}

type Matcher = {
  /** Matches a text with any of the words. */
  any: RegExp | null
  words: { rule: ProhibitedRule; spelling: string; word: string; pattern: RegExp }[]
  /** Cached results by scope and text. */
  results: Map<string, ProhibitedMatch | null>
}

const matchers = new WeakMap<readonly ProhibitedRule[], Matcher>()

/** The compiled expressions of a list, cached because a spreadsheet checks each of its rows. */
function getMatcher(rules: readonly ProhibitedRule[]): Matcher {
  const cached = matchers.get(rules)
  if (cached) return cached
  const words = rules.flatMap((rule) =>
    rule.words.flatMap((spelling) => {
      const word = spelling.trim().toLowerCase()
      return word === '' ? [] : [{ rule, spelling, word, pattern: buildPattern([word]) }]
    }),
  )
  const any = words.length === 0 ? null : buildPattern(words.map(({ word }) => word))
  const matcher: Matcher = { any, words, results: new Map() }
  matchers.set(rules, matcher)
  return matcher
}

/** A negation directly before a word ("no battery", "不含酒精"): the word then does not count. */
const negated = /(?<![\p{L}\p{N}])(?:no|non|not|without|excluding|free of)[\s-]+$|(?:不含|无|没有|非)$/u

/** Cached texts: the parcels of a sender often have the same description. */
const maxCached = 500

/** The first rule that a description breaks, with the word; or null. */
export function findProhibited(
  description: string,
  scope: 'domestic' | 'international',
  rules: readonly ProhibitedRule[],
): ProhibitedMatch | null {
  const matcher = getMatcher(rules)
  const key = `${scope} ${description}`
  const cached = matcher.results.get(key)
  if (cached !== undefined) return cached
  const result = match(description, scope, matcher)
  if (matcher.results.size >= maxCached) matcher.results.clear()
  matcher.results.set(key, result)
  return result
}

function match(
  description: string,
  scope: 'domestic' | 'international',
  { any, words }: Matcher,
): ProhibitedMatch | null {
  const text = description.normalize('NFKC').toLowerCase()
  if (!any?.test(text)) return null
  for (const { rule, spelling, word, pattern } of words) {
    if ((rule.scope === 'international' && scope === 'domestic') || !pattern.test(text)) continue
    const before = text.slice(0, text.indexOf(word.split(/[\s-]+/)[0] ?? word))
    if (!negated.test(before)) return { rule, word: spelling }
  }
  return null
}
