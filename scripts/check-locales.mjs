// npm run check: both languages have the same keys, none is missing, and none is unused. Every rule is first tested
// with an example that breaks it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspace.mjs'

const pluralForms = { en: ['one', 'other'], cn_zh: ['other'] }

/** Keys that the code builds at run time: the literal part, and the values of the rest. */
const dynamic = [
  ['errors.', 'the code of an error, from contract/src/ground/errors.ts and lib/api.ts'],
  ['validation.', 'the rule that a field breaks, from contract/src/ground/validation.ts'],
  ['fields.', 'the name of a field of the contract, from contract/src/ground/validation.ts'],
  ['notify.', 'the type of a message'],
  ['nav.', 'the label of an item of the navigation (web/src/app/nav)'],
  ['app.schemes.', 'the colour scheme'],
  ['paymentClosed.', 'why a way of paying is closed, from contract/src/settings/settings.ts'],
  ['serviceClosed.', 'why a service is closed, from contract/src/pricing/pricing.ts'],
]

const placeholder = /\{\{\s*(\w+)\s*\}\}/g
const plural = /_(one|other|zero|two|few|many)$/

/** `{ a: { b: 'x' } }` -> `a.b` -> `x` */
function flat(texts, prefix = '') {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? flat(value, `${prefix}${key}.`) : [[prefix + key, value]],
  )
}

/** A plural key without its suffix; a single `kind_other` is not a plural. */
const getStem = (key, keys) =>
  plural.test(key) && keys.has(key.replace(plural, '_other')) && keys.has(key.replace(plural, '_one'))
    ? key.replace(plural, '')
    : key

/** The problems of these texts, given the keys that the code uses. `unthrown`: the codes that no source names. */
function problems({ texts, used, prefixes, codes, unthrown, joins }) {
  const problems = []
  const say = (rule, key, advice) => problems.push({ rule, key, advice })
  const languages = Object.keys(texts)
  const keys = Object.fromEntries(languages.map((language) => [language, new Map(flat(texts[language]))]))
  const english = keys.en
  const allKeys = new Set(languages.flatMap((language) => [...keys[language].keys()]))
  const stems = new Set([...allKeys].map((key) => getStem(key, allKeys)))
  for (const key of allKeys) {
    const stem = getStem(key, allKeys)
    for (const language of languages) {
      // A plural needs the forms of its own language; `_one` is allowed in all (contract/src/ground/language/texts.ts).
      const needed = stem === key || pluralForms[language].includes(key.match(plural)?.[1])
      const text = keys[language].get(key)
      if (text === undefined) {
        if (needed)
          say('both languages have the same keys', key, `add it to web/public/locales/${language}/global.json`)
      } else if (typeof text !== 'string' || text.trim() === '') {
        say('no empty text', key, `write it in web/public/locales/${language}/global.json`)
      }
    }
    const sets = languages.map((language) =>
      [...String(keys[language].get(key) ?? english.get(key) ?? '').matchAll(placeholder)]
        .map(([, name]) => name)
        .sort()
        .join(),
    )
    if (new Set(sets).size > 1) say('the same {{names}} in both languages', key, sets.join(' / '))
    const nesting = languages.some((language) => /\$t\(|\{\{[^}]*,/.test(String(keys[language].get(key))))
    if (nesting)
      say('plain texts only', key, "the web's reader (web/src/lib/i18n.ts) knows {{name}} and plurals, nothing more")
  }
  for (const [key, where] of used) {
    // A document's own translator adds its part of the files as a prefix: `t('total')` is `invoiceDoc.total`.
    const scoped = !key.includes('.') && prefixes.some((prefix) => allKeys.has(prefix + key))
    if (!stems.has(key) && !allKeys.has(key) && !scoped) say('every key that is used exists', key, `used in ${where}`)
  }
  for (const [join, where] of joins)
    say('no punctuation between texts in code', join, `it is English: use phrase.labelled or format.list in ${where}`)
  for (const code of codes)
    if (!allKeys.has(`errors.${code}`)) say('every error code has its sentence', `errors.${code}`, 'say what to do')
  for (const code of unthrown)
    say('every error code is thrown', code, 'remove it from contract/src/ground/errors.ts, with its sentences')
  for (const stem of stems) {
    if (!used.has(stem) && !prefixes.some((prefix) => stem.startsWith(prefix))) {
      say(
        'every key is used',
        stem,
        'remove it; or, where the code puts the key together, name its beginning in `dynamic` with the reason',
      )
    }
  }
  return problems
}

/**
 * Keys and beginnings of keys in sources: `t('a.b')`, `` t(`a.${x}`) ``, and any quoted text that is a key of the
 * files.
 */
function findUsedKeys(sources, keys) {
  const used = new Map()
  const prefixes = []
  for (const { path, text } of sources) {
    for (const [, key] of text.matchAll(/\b(?:t|words|translate)\(\s*'([^']+)'/g)) used.set(key, path)
    for (const [, prefix] of text.matchAll(/\b(?:t|words|translate)\(\s*`([\w.-]+[.])\$\{/g)) prefixes.push(prefix)
    // Activity log entries are shown by the name of their action.
    for (const [, action] of text.matchAll(/(?:\b(?:action|log): |\bcustomerActivity\(\w+, )'([\w-]+\.[\w-]+)'/g))
      used.set(`action.${action}`, path)
    // The rule of a field error: `validationError({ field: 'x', rule: 'taken' })`.
    for (const [, rule] of text.matchAll(/\bfield: [^{}\n]*\brule: '(\w+)'/g)) used.set(`validation.${rule}`, path)
    // Keys in tables and props: `label: 'wallet.topUp'`. Only texts that are certainly keys count.
    for (const [, key] of text.matchAll(/['"`]([a-z][\w-]*(?:\.[\w-]+)+)['"`]/g))
      if (keys.has(key) && !used.has(key)) used.set(key, path)
  }
  return { used, prefixes }
}

/** Names for screen readers that the code joins with a colon or comma, which differ between the languages. */
function findJoins(sources) {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:aria-)?label=\{[^`}]*(`[^`\n]*\}[:,] [^`\n]*`)/g)].map(([, join]) => [join, path]),
  )
}

/** The codes that no source of the server names as a string. */
const findUnthrown = (codes, sources) => codes.filter((code) => !sources.some(({ text }) => text.includes(`'${code}'`)))

function sourcesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => ({
      path: join(entry.parentPath, entry.name).slice(root.length + 1),
      text: readFileSync(join(entry.parentPath, entry.name), 'utf8'),
    }))
}

const texts = Object.fromEntries(
  Object.keys(pluralForms).map((language) => [
    language,
    JSON.parse(readFileSync(join(root, `web/public/locales/${language}/global.json`), 'utf8')),
  ]),
)
const sources = ['web/src', 'server/src', 'contract/src'].flatMap(sourcesIn)
const all = new Set(Object.values(texts).flatMap((each) => flat(each).map(([key]) => key)))
const usage = findUsedKeys(sources, new Set([...all, ...[...all].map((key) => getStem(key, all))]))
const errors = readFileSync(join(root, 'contract/src/ground/errors.ts'), 'utf8')
const codes = [...(/errorStatus = \{([\s\S]*?)\} as const/.exec(errors)?.[1] ?? '').matchAll(/^\s*(\w+): \d+/gm)].map(
  ([, code]) => code,
)

const good = {
  texts: { en: { a: 'x {{n}}' }, cn_zh: { a: '某 {{n}}' } },
  used: new Map([['a', 'f.ts']]),
  prefixes: [],
  codes: [],
  unthrown: [],
  joins: [],
}
const proofs = {
  'both languages have the same keys': { ...good, texts: { en: { a: 'x' }, cn_zh: {} } },
  'no empty text': { ...good, texts: { en: { a: 'x' }, cn_zh: { a: ' ' } } },
  'the same {{names}} in both languages': { ...good, texts: { en: { a: 'x {{n}}' }, cn_zh: { a: '某' } } },
  'plain texts only': { ...good, texts: { en: { a: '$t(b)' }, cn_zh: { a: '$t(b)' } } },
  'every key that is used exists': { ...good, used: new Map([...good.used, ['b', 'f.ts']]) },
  'every error code has its sentence': { ...good, codes: ['lost'] },
  'every error code is thrown': { ...good, unthrown: findUnthrown(['lost'], [{ path: 'f.ts', text: "// 'found'" }]) },
  'every key is used': { ...good, used: new Map() },
  'no punctuation between texts in code': {
    ...good,
    joins: findJoins([{ path: 'f.tsx', text: 'aria-label={`{label}: {name}`}' }]),
  },
}
const unproven = Object.entries(proofs).filter(
  ([rule, example]) => !problems(example).some((problem) => problem.rule === rule),
)
for (const [rule] of unproven) console.error(`The rule "${rule}" passes its own counter-example.`)
if (problems(good).length > 0) console.error('The rules complain about texts that are right.')

const issues = problems({
  texts,
  used: usage.used,
  prefixes: [...usage.prefixes, ...dynamic.map(([prefix]) => prefix)],
  codes,
  unthrown: findUnthrown(codes, sourcesIn('server/src')),
  joins: findJoins(sources),
})
for (const { rule, key, advice } of issues) console.error(`${key}\n  ${rule}: ${advice}`)
console.log(
  `${Object.keys(proofs).length} rules, each proven on an example, over ${all.size} keys ` +
    `in ${Object.keys(pluralForms).length} languages, ${usage.used.size} used by name, ` +
    `${codes.length} error codes: ${issues.length} problems.`,
)
process.exitCode = issues.length > 0 || unproven.length > 0 ? 1 : 0
