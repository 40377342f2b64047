// npm run check: the wording of the texts (scripts/text-rules.mjs), in the locale files and in the labels of the
// contract, and that docs/glossary.md contains the words of scripts/glossary.mjs. `--write` writes that table.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { glossaryTerms } from './glossary.mjs'
import { counterExamples, rightTexts, specified, textRules } from './text-rules.mjs'
import { root } from './workspace.mjs'

/** `{ a: { b: 'x' } }` -> `['a.b', 'x']` */
function flatten(texts, prefix = '') {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  )
}

function localeTexts() {
  const read = (language) =>
    new Map(flatten(JSON.parse(readFileSync(join(root, `web/public/locales/${language}/global.json`), 'utf8'))))
  const [english, chinese] = [read('en'), read('cn_zh')]
  return [...new Set([...english.keys(), ...chinese.keys()])].map((key) => ({
    key,
    en: english.get(key),
    // Chinese has one form for all numbers: that of `_other`.
    zh: chinese.get(key),
  }))
}

/** Labels of enumerations: `value: ['English', '中文']` in `const <name>Labels`, as `<name>.<value>`. */
function labelTexts() {
  return readdirSync(join(root, 'contract/src'), { recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const source = readFileSync(join(root, 'contract/src', path), 'utf8')
      return source.split(/\bconst /).flatMap((part) => {
        const name = /^(\w+?)(Labels)? = [{[]/.exec(part)?.[1]
        if (!name) return []
        const pairs = part.matchAll(
          /(?:'([^'\n]+)'|(\w+)): \[\s*(['"])(.*?)\3,\s*(['"])([^'"\n]*\p{Script=Han}[^'"\n]*)\5/gu,
        )
        return [...pairs].map((pair) => ({ key: `${name}.${pair[1] ?? pair[2]}`, en: pair[4], zh: pair[6] }))
      })
    })
}

const check = (text) =>
  Object.entries(textRules).flatMap(([rule, find]) => {
    const problem = find(text)
    return problem ? [{ rule, key: text.key, problem, text }] : []
  })

const begin = '<!-- Written by scripts/check-texts.mjs from scripts/glossary.mjs -->'
const end = '<!-- End of the written table -->'
/** A forbidden word without the regular expression around it: `recharge[sd]?` -> `recharge`. */
const plainWord = (source) =>
  source
    .replace(/\(\?<?[=!](\([^()]*\)|[^()])*\)/g, '')
    .replace(/(\([^()]*\)|\[[^\]]*\]|.)\?/g, '')
    .replace(/\(([^()|]*)[^()]*\)/g, '$1')
    .replace(/\[(.)[^\]]*\]/g, '$1')
const listWords = ({ en = [], zh = [] }) => [...new Set([...en, ...zh].map(plainWord))].join(', ')
const toTable = () =>
  [
    begin,
    '',
    '| word | Chinese | not |',
    '|---|---|---|',
    ...glossaryTerms.map(([en, zh, not]) => `| ${en} | ${zh} | ${listWords(not)} |`),
    '',
    end,
  ].join('\n')

const page = join(root, 'docs/glossary.md')
const glossary = readFileSync(page, 'utf8')
const before = glossary.slice(glossary.indexOf(begin), glossary.indexOf(end) + end.length)
if (process.argv.includes('--write')) writeFileSync(page, glossary.replace(before, toTable()))
const stale = !process.argv.includes('--write') && before !== toTable()
if (stale) console.error('docs/glossary.md is behind scripts/glossary.mjs: run `node scripts/check-texts.mjs --write`.')

let faulty = 0
for (const [rule, examples] of Object.entries(counterExamples)) {
  for (const text of examples.filter((each) => !textRules[rule]?.(each))) {
    console.error(`The rule "${rule}" passes its own counter-example: ${JSON.stringify(text)}`)
    faulty += 1
  }
}
for (const rule of Object.keys(textRules).filter((each) => !counterExamples[each])) {
  console.error(`The rule "${rule}" has no counter-example.`)
  faulty += 1
}
for (const { rule, text, problem } of rightTexts.flatMap(check)) {
  console.error(`The rule "${rule}" complains about a text that is right: ${JSON.stringify(text)} ${problem}`)
  faulty += 1
}

const texts = [...localeTexts(), ...labelTexts()]
const keys = new Set(texts.map(({ key }) => key))
for (const key of Object.keys(specified).filter((each) => !keys.has(each))) {
  console.error(`${key}: a label of the specification is gone.`)
  faulty += 1
}
const problems = texts.flatMap(check)
for (const { rule, key, problem, text } of problems) {
  console.error(`${key}\n  ${rule}: ${problem}\n  ${text.en ?? ''} | ${text.zh ?? ''}`)
}
const examples = Object.values(counterExamples).flat().length
console.log(
  `${Object.keys(textRules).length} rules with ${examples} counter-examples and ${glossaryTerms.length} terms ` +
    `over ${texts.length} texts: ${problems.length} problems.`,
)
process.exitCode = problems.length > 0 || faulty > 0 || stale ? 1 : 0
