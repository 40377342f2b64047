// npm run check: docs/security.md covers every requirement of OWASP ASVS 5.0 up to level 2, and the files it names
// exist. Every rule is first tested with an example that breaks it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { root } from './workspace.mjs'

const pagePath = 'docs/security.md'
const pagePaths = [pagePath, 'docs/security-inventory.md']
const states = ['Met', 'Not met', 'Does not apply']

/** `- **6.2.1** Title. **Met.** Text Test: …`, over several lines -> its parts. */
function getEntries(text) {
  const pattern = /^- \*\*(\d+\.\d+\.\d+)\*\* (.*(?:\n {2}\S.*)*)/gm
  return [...text.matchAll(pattern)].map(([, number, lines]) => {
    const words = lines.replace(/\s+/g, ' ')
    const [, title = '', state = '', rest = ''] = /^(.*?)\. \*\*([^*]+)\.\*\* (.*)$/.exec(words) ?? []
    const [where = '', test] = rest.split(/ Test: /)
    return { number, title, state, where, test }
  })
}

/** Paths of the repository between backticks, and the targets of relative links. */
function getPaths(page, text) {
  const code = [...text.matchAll(/`((?:contract|server|web|e2e|bench|scripts|docs)\/[^`\s]+)`/g)].map(
    ([, path]) => path,
  )
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map(([, to]) => posix.join(dirname(page), to))
  return [...code, ...links]
}

function findPathProblems({ pages, exists }) {
  return Object.entries(pages).flatMap(([page, text]) =>
    getPaths(page, text)
      .filter((path) => !exists(path))
      .map((path) => `${page}: ${path} does not exist`),
  )
}

/** Each problem as one line. `requirements`: the numbers of the standard; `pages`: path -> text. */
function findProblems({ requirements, pages, exists }) {
  const entries = getEntries(pages[pagePath])
  const numbers = entries.map(({ number }) => number)
  const problems = [
    ...requirements.filter((number) => !numbers.includes(number)).map((number) => `${number} is missing`),
    ...numbers.filter((number, at) => numbers.indexOf(number) !== at).map((number) => `${number} is there twice`),
    ...numbers.filter((number) => !requirements.includes(number)).map((number) => `${number} is no such requirement`),
    ...findPathProblems({ pages, exists }),
  ]
  for (const { number, state, where, test } of entries) {
    if (!states.includes(state)) problems.push(`${number} has no state: ${states.join(', ')}`)
    if (state === 'Met' && !test && !where.endsWith('No test of its own.')) problems.push(`${number} names no test`)
    if (state === 'Met' && test && !getPaths(pagePath, test).length) problems.push(`${number} names no file of a test`)
    if (state !== 'Met' && (test || where.length < 10)) problems.push(`${number} gives no reason`)
  }
  const chapters = [...new Set(requirements.map((number) => number.split('.')[0])), 'all']
  for (const chapter of chapters) {
    const own = entries.filter(({ number }) => chapter === 'all' || number.startsWith(`${chapter}.`))
    const counts = states.map((state) => own.filter((entry) => entry.state === state).length).join(' | ')
    const row = new RegExp(`^\\| ${chapter}\\b[^|]*\\| (.*) \\|$`, 'm').exec(pages[pagePath])?.[1]
    if (row !== counts) problems.push(`the table has "${row}" for ${chapter}, the entries come to "${counts}"`)
  }
  return problems
}

const soundExample = [
  '| 1 Words | 1 | 0 | 0 |',
  '| all | 1 | 0 | 0 |',
  '- **1.1.1** Title. **Met.** By',
  '  `server/a.ts`.',
]
const example = (end, { entry = soundExample, requirements = ['1.1.1'], exists = () => true } = {}) => ({
  requirements,
  pages: { [pagePath]: `${entry.join('\n')}${end}` },
  exists,
})
const tested = ' Test: `server/test/a.test.ts`.\n'
const breaking = {
  'is missing': example(tested, { requirements: ['1.1.1', '1.1.2'] }),
  'is there twice': example(`${tested}- **1.1.1** Title. **Met.** By it. No test of its own.\n`),
  'is no such requirement': example(tested, { requirements: [] }),
  'server/a.ts does not exist': example(tested, { exists: (path) => path !== 'server/a.ts' }),
  'gone.md does not exist': example(`${tested}[x](gone.md)`, { exists: (path) => !path.endsWith('gone.md') }),
  'has no state': example(tested, { entry: soundExample.map((line) => line.replace('**Met.**', '**Perhaps.**')) }),
  'names no test': example('\n'),
  'names no file of a test': example(' Test: by hand.\n'),
  'gives no reason': example('', { entry: ['- **1.1.1** Title. **Not met.** No.'] }),
  'the table has': example(tested, { entry: soundExample.map((line) => line.replace('| all | 1', '| all | 2')) }),
}

const read = (path) => readFileSync(join(root, path), 'utf8')
const blind = Object.entries(breaking).filter(
  ([rule, broken]) => !findProblems(broken).some((line) => line.includes(rule)),
)
const falseAlarms = findProblems(example(tested))
const requirements = read('scripts/asvs-5-level-2.txt').trim().split('\n')
const problems = findProblems({
  requirements,
  pages: Object.fromEntries(pagePaths.map((page) => [page, read(page)])),
  exists: (path) => existsSync(join(root, path)),
})
for (const [rule] of blind) console.log(`The rule "${rule}" does not see its own example.`)
for (const line of falseAlarms) console.log(`A sound example is refused: ${line}`)
for (const problem of problems) console.log(problem)
console.log(
  `${Object.keys(breaking).length} rules over ${requirements.length} requirements: ${problems.length} problems.`,
)
process.exitCode = blind.length + falseAlarms.length + problems.length === 0 ? 0 : 1
