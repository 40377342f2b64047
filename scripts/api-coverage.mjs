// npm run api:coverage writes docs/api-coverage.md: every call of the specification with its endpoint, access class,
// screens and tests, and every value of the enumerations. `--check`, as in npm run check, verifies that the page is up
// to date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { enumerations, readThroughApi } from '../server/test/demo/enumerations.ts'
import { callShape, specifiedCalls } from '../server/test/http/specified-calls.ts'
import { fail, root } from './workspace.mjs'

const pagePath = 'docs/api-coverage.md'
/**
 * The maximum number of screens and tests listed per call. The rest is not counted, because each new test would change
 * the page.
 */
const mostNamed = 3
/** A module of this many screens belongs to the frame around them. */
const everywhere = 20

/** The files below a folder by their paths in the repository. */
function readFiles(folder, endings) {
  return new Map(
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => endings.some((ending) => name.endsWith(ending)))
      .map((name) => {
        const path = posix.join(folder, name)
        return [path, readFileSync(join(root, path), 'utf8')]
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** The imports of a file: module, and the imported names without types. */
function listImports(text) {
  const fixed = [...text.matchAll(/^(?:import|export)\s+(type\s)?([^'"]*?)\s*from\s+'([^']+)'/gm)]
  const lazy = [...text.matchAll(/\bimport\('([^']+)'\)/g)]
  return [
    ...fixed.map(([, type, names, from]) => ({ from, names: type ? [] : namesIn(names) })),
    ...lazy.map(([, from]) => ({ from, names: [] })),
  ]
}

function namesIn(clause) {
  const [, inside = ''] = /\{([^}]*)\}/.exec(clause) ?? []
  return inside
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(/\s+as\s+/)[0])
}

/** Maps files to the files that they reach through relative imports, including themselves. */
function createReach(files) {
  const next = new Map(
    [...files].map(([path, text]) => [path, relativeImports(path, text).filter((to) => files.has(to))]),
  )
  const reached = new Map()
  return (path) => {
    if (reached.has(path)) return reached.get(path)
    const visited = new Set([path])
    for (const each of visited) for (const to of next.get(each) ?? []) visited.add(to)
    reached.set(path, visited)
    return visited
  }
}

const relativeImports = (path, text) =>
  listImports(text)
    .filter(({ from }) => from.startsWith('.'))
    .map(({ from }) => posix.join(dirname(path), from))

/** Every exported value of the contract, by its name and module. */
async function loadContract() {
  const paths = [...readFiles('contract/src', ['.ts']).keys()]
  const modules = await Promise.all(paths.map(async (path) => [path, await import(join(root, path))]))
  return modules.flatMap(([path, module]) =>
    Object.entries(module).map(([name, value]) => ({
      name,
      value,
      module: path.replace('contract/src/', '@waybill/contract/').replace(/\.ts$/, ''),
    })),
  )
}

const isEndpoint = ({ value }) => typeof value === 'object' && value !== null && 'access' in value && 'path' in value

/** `module name` -> the files that import it. */
function indexUses(files) {
  const uses = new Map()
  for (const [path, text] of files)
    for (const { from, names } of listImports(text))
      for (const name of names) {
        const key = `${from} ${name}`
        uses.set(key, [...(uses.get(key) ?? []), path])
      }
  return uses
}

/** The screens of the web app: path -> module of the page. */
function listScreens(web) {
  const screens = []
  for (const [path, text] of web) {
    if (!path.startsWith('web/src/app/routes/')) continue
    const modules = new Map(
      listImports(text).flatMap(({ from, names }) => names.map((name) => [name, posix.join(dirname(path), from)])),
    )
    for (const part of text.split('createRoute({').slice(1)) {
      const [, route] = /\bpath: '([^']+)'/.exec(part) ?? []
      const [, lazy] = /\bimport\('([^']+)'\)/.exec(part) ?? []
      const [, component] = /\bcomponent: (\w+)/.exec(part) ?? []
      const page = lazy ? posix.join(dirname(path), lazy) : modules.get(component)
      if (route && page) screens.push({ route, page })
    }
  }
  for (const [route, html] of Object.entries(JSON.parse(readFileSync(join(root, 'web/public/pages.json'), 'utf8')))) {
    const [, entry] = /src="\/(src\/[^"]+)"/.exec(readFileSync(join(root, 'web', html), 'utf8')) ?? []
    if (entry) screens.push({ route, page: `web/${entry}` })
  }
  return screens
}

/** Finds the screens that use any of these names, in the order of the routes. */
function createScreenSearch(web) {
  const screens = listScreens(web)
  const reach = createReach(web)
  const uses = indexUses(web)
  return (keys) => {
    const files = new Set(keys.flatMap((key) => uses.get(key) ?? []))
    const routes = screens
      .filter(({ page }) => [...reach(page)].some((path) => files.has(path)))
      .map(({ route }) => route)
    if (routes.length === 0 && files.size > 0) return ['the frame of every page']
    return routes.length >= everywhere ? ['the frame of every page'] : [...new Set(routes)].sort()
  }
}

/**
 * Finds the tests that use any of these names: those that import it, else those that contain its path, else its
 * factories.
 */
function createTestSearch(tests) {
  const uses = indexUses(tests)
  return (keys, endpoint) => {
    const files = [...new Set(keys.flatMap((key) => uses.get(key) ?? []))]
    const direct = files.filter((path) => path.endsWith('.test.ts') || path.endsWith('.spec.ts'))
    if (direct.length > 0) return nearest(direct, keys)
    const pathPattern = new RegExp(`${endpoint.path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/\'"`]+')}['"\`?]`)
    const byPath = [...tests].filter(([path, text]) => path.endsWith('.test.ts') && pathPattern.test(text))
    if (byPath.length > 0)
      return nearest(
        byPath.map(([path]) => path),
        keys,
      )
    return nearest(files, keys)
  }
}

/** Tests of the endpoint's own domain first. */
function nearest(paths, [key = '']) {
  const [, domain, file] = /^@waybill\/contract\/([\w-]+)\/([\w-]+)/.exec(key) ?? []
  const distance = (path) => (path.includes(`/${domain}/`) ? (path.includes(`/${file}`) ? 0 : 1) : 2)
  return paths.sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1))
}

function listed(items, write) {
  if (items.length === 0) return 'none'
  return items.slice(0, mostNamed).map(write).join(', ') + (items.length > mostNamed ? ' and others' : '')
}

const code = (text) => `\`${text}\``
const testLink = (path) => `[${path.replace(/^server\/test\//, '').replace(/\.test\.ts$/, '')}](../${path})`

const isLabel = (value) => Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string')

/** The values of an enumeration of the contract, each with its English label if it has one. */
function listValues(value) {
  if (Array.isArray(value)) return value.map((each) => [each, ''])
  return Object.entries(value).map(([each, labels]) => [each, isLabel(labels) ? labels[0] : ''])
}

/**
 * Writes where each value of an enumeration occurs: its column, whether the demo has it, and the screens that use it.
 */
function writeEnumerations(contract, findScreens) {
  return (
    contract
      // Tabs and field names are internal, so they are skipped.
      .filter(({ name }) => Object.hasOwn(enumerations, name) || Object.hasOwn(readThroughApi, name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, value, module }) => {
        const source = enumerations[name]
        const screens = listed(findScreens([`${module} ${name}`]), (path) => path)
        const place = source ? `In ${code(source.where)}.` : `Not stored: ${readThroughApi[name]}.`
        const rows = listValues(value).map(([each, label]) => {
          const reason = source?.except?.[each]
          const there = reason ? `not in the demo: ${reason}` : 'in the demo'
          return `| ${code(each)} | ${label} | ${there} |`
        })
        return [
          `### ${name}`,
          '',
          `${place} Screens that name it: ${screens}.`,
          '',
          '| value | label | where |',
          '|---|---|---|',
          ...rows,
        ].join('\n')
      })
  )
}

async function writePage() {
  const contract = await loadContract()
  const web = readFiles('web/src', ['.ts', '.tsx'])
  const findScreens = createScreenSearch(web)
  const findTests = createTestSearch(readFiles('server/test', ['.ts']))
  const endpoints = contract.filter(isEndpoint)
  const byCall = Map.groupBy(endpoints, ({ value }) => callShape(`${value.method} ${value.path}`))
  const untested = []
  const served = specifiedCalls.flatMap(({ calls }) => calls).filter((call) => byCall.has(callShape(call)))

  const parts = specifiedCalls.map(({ group, calls }) => {
    const rows = calls.map((call) => {
      const values = byCall.get(callShape(call))
      if (!values) return `| ${code(call)} | not served yet | | | |`
      // A page that must not load the schemas imports a smaller value with the same id.
      const [{ name, value }] = values.toSorted((a, b) => Object.keys(b.value).length - Object.keys(a.value).length)
      const keys = endpoints.filter((each) => each.value.id === value.id).map((each) => `${each.module} ${each.name}`)
      const tests = findTests(keys, value)
      if (tests.length === 0) untested.push(call)
      const cells = [code(call), code(name), code(value.access), listed(findScreens(keys), (path) => path)]
      return `| ${[...cells, listed(tests, testLink)].join(' | ')} |`
    })
    return [
      `### ${group}`,
      '',
      '| call | endpoint | access | screens | tests |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n')
  })
  const total = specifiedCalls.reduce((sum, { calls }) => sum + calls.length, 0)
  return {
    untested,
    text: `${[
      '# The specification and where it is',
      `Written by \`npm run api:coverage\`; \`npm run check\` says when it is out of date. Do not edit it.`,
      [
        '## Calls',
        '',
        `${served.length} of ${total} calls of the specification are served. An endpoint is the name that the contract`,
        'exports. A screen uses it somewhere in its modules. Calls without a screen are for programs of customers, or',
        'for files that an answer links to. A test imports the endpoint or writes its path. On top of these,',
        '[access.test](../server/test/http/access.test.ts) calls every endpoint as every kind of caller.',
      ].join('\n'),
      ...parts,
      [
        '## Values',
        '',
        'Every value of every enumeration, and where the running product has it. `server/test/demo/value-coverage.ts`',
        'proves on a played demo that each value is there, and that none of the exceptions has become untrue.',
      ].join('\n'),
      ...writeEnumerations(contract, findScreens),
    ].join('\n\n')}\n`,
  }
}

const { text, untested } = await writePage()
if (untested.length > 0) fail(`No test uses ${untested.join(', ')}.`)
const file = join(root, pagePath)
if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
  console.log(`${pagePath} is written.`)
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  fail(`${pagePath} is out of date. Run: npm run api:coverage`)
} else {
  console.log(`${pagePath} is up to date.`)
}
