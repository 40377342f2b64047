/** What is not carried, as the deployment's setting lists it. Pure: the list is handed in. */

/** One rule of the list: words of which any makes it apply. `scope` international: at home it may travel. */
export type ProhibitedRule = {
  name: { en: string; cn_zh: string }
  scope: 'all' | 'international'
  words: readonly string[]
}
export type Prohibited = { rule: ProhibitedRule; word: string }

const chinese = /[\u3400-\u9fff]/

/** Words and phrases are looked for whole and in their plural: "gun" is not in "gunny", and "knife" is in "Knives" only where the list says so. */
function holds(text: string, word: string): boolean {
  if (chinese.test(word)) return text.includes(word)
  const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s-]+/g, '[\\s-]+')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?:s|es)?(?![\\p{L}\\p{N}])`, 'u').test(text)
}

/** Each rule's words that a description is looked through for: a negation right before one ("no battery", "不含酒精") doesn't count. */
const negated = /(?<![\p{L}\p{N}])(?:no|non|not|without|excluding|free of)[\s-]+$|(?:不含|无|没有|非)$/u

/** The first rule that what somebody wrote of the contents falls under, or null. */
export function prohibitedIn(
  description: string,
  scope: 'domestic' | 'international',
  rules: readonly ProhibitedRule[],
): Prohibited | null {
  const text = description.normalize('NFKC').toLowerCase()
  for (const rule of rules) {
    if (rule.scope === 'international' && scope === 'domestic') continue
    for (const written of rule.words) {
      const word = written.trim().toLowerCase()
      if (word === '' || !holds(text, word)) continue
      const before = text.slice(0, text.indexOf(word.split(/[\s-]+/)[0] ?? word))
      if (!negated.test(before)) return { rule, word: written }
    }
  }
  return null
}
