// npm run check: the directions of docs/architecture.md, each as a rule that names the right place. Every rule is first proven on an example that breaks it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { root } from './workspace.mjs'

/** From the ground up: a domain reaches only those before it. Addresses ask the stations whether a postcode is covered, so those lie below. */
const DOMAINS = [
  'settings',
  'attachments',
  'accounts',
  'stations',
  'addresses',
  'pricing',
  'wallet',
  'carriers',
  'parcels',
  'pickups',
  'tracking',
  'orders',
  'payments',
  'notifications',
  'chat',
  'content',
  'reports',
  'failed-work',
]

/** The role of a file of a domain follows from its name. Any other name is a use case, which may do what a service may. */
const ROLE_PATTERNS = {
  routes: /^([a-z0-9]+-)*routes$/,
  queries: /^([a-z0-9]+-)*queries(-[a-z0-9]+)*$/,
  status: /^([a-z0-9]+-)*status$/,
  rules: /^([a-z0-9]+-)*(rules(-[a-z0-9]+)*|layout(-[a-z0-9]+)*)$/,
  access: /^access$/,
  present: /^present(-[a-z0-9]+)*$/,
}

/** Pure files whose names do not say so yet. This list only shrinks. */
const PURE = [
  ...['checkpoints', 'carrier-events', 'parse', 'parse-words', 'prohibited', 'actions', 'expected-date', 'hints'],
  ...['rate-checks', 'zone-checks', 'note-text'],
]
/** Files whose names say something else than their role. This list only shrinks. */
const ROLE_OF = {
  'bulk-rules': 'service',
  'note-preview': 'present',
  ...Object.fromEntries(PURE.map((name) => [name, 'rules'])),
}
const roleOf = (name) =>
  ROLE_OF[name] ?? Object.keys(ROLE_PATTERNS).find((role) => ROLE_PATTERNS[role].test(name)) ?? 'service'

/** Modules of the contract that are ground, not a domain's. */
const GROUND = [
  'access',
  'address-forms',
  'changes',
  'endpoint',
  'enums',
  'errors',
  'fields',
  'measures',
  'money',
  'paging',
  'setting-rules',
  'settings',
  'status-look',
  'tracking-number',
  'validation',
]

/** Imports that a rule would forbid, each with its reason. This list only shrinks. */
const EXCEPTIONS = [
  [
    'web/src/lib/',
    'contract/src/accounts.ts',
    'the session is the signed-in user; renewing it and loading the profile are the client itself',
  ],
  [
    'web/src/components/address/',
    'contract/src/addresses.ts',
    'the form of an address, which the address book, a new parcel and the cart share',
  ],
  [
    'web/src/components/form/photo-field.tsx',
    'contract/src/attachments.ts',
    'the field for photos, which parcels, scans, messages and tickets share',
  ],
  [
    'web/src/components/price-lines.tsx',
    'contract/src/pricing.ts',
    'the lines of a price, which parcels, the cart and orders share',
  ],
  [
    'web/src/components/opening-times.tsx',
    'contract/src/stations.ts',
    'the hours of a station, which stations, the cart and orders share',
  ],
  [
    'web/src/components/drop-off-stations.tsx',
    'contract/src/stations.ts',
    'the nearest stations, which the cart and orders share',
  ],
  [
    'web/src/components/print-notes/',
    'contract/src/notes.ts',
    'the print dialog, which every screen with parcels on it shares',
  ],
  ['server/src/domains/', 'server/src/http/errors.ts', 'an error is a code; nothing of HTTP comes with it'],
  ['server/src/domains/payments/rules.ts', 'server/src/lib/ipay88.ts', "the gateway's own signature, pure"],
]
const excepted = (file, target) => EXCEPTIONS.some(([from, to]) => file.path.startsWith(from) && target === to)

/** Tables that no domain owns are read and written where they are served. */
const SQL_OUTSIDE_DOMAINS = [
  'server/src/db/',
  'server/src/http/',
  'server/src/demo/',
  'server/src/outbox.ts',
  'server/src/jobs.ts',
  'server/src/job-runner.ts',
  'server/src/activity.ts',
  'server/src/housekeeping.ts',
  'server/src/app.ts',
]

const domainOf = (path) => /^server\/src\/domains\/([^/]+)\//.exec(path)?.[1]
const featureOf = (path) => /^web\/src\/features\/([^/]+)\//.exec(path)?.[1]
const nameOf = (path) => posix.basename(path).replace(/\.(d\.ts|tsx?|mjs)$/, '')
const layerOf = (path) => /^web\/src\/(app|features|components|lib)\//.exec(path)?.[1]

/** One rule: which imports (or files) it looks at, and what it says of one that breaks it; null when all is well. */
const RULES = [
  {
    name: 'contract imports Zod and itself',
    onImport: (file, { target, spec }) =>
      file.path.startsWith('contract/src/') && !target.startsWith('contract/src/') && !/^zod(\/|$)/.test(spec)
        ? 'contract is Zod and constants: what does more belongs to server/src or web/src'
        : null,
    breaks: { 'contract/src/a.ts': "import { readFile } from 'node:fs'" },
  },
  {
    name: 'web and server never import each other',
    onImport: (file, { target }) =>
      (file.path.startsWith('web/') && target.startsWith('server/')) ||
      (file.path.startsWith('server/') && target.startsWith('web/'))
        ? 'what both sides need belongs to contract/src'
        : null,
    breaks: { 'web/src/lib/a.ts': "import { x } from '../../../server/src/lib/ids.ts'" },
  },
  {
    name: 'web: app -> features -> components -> lib',
    onImport(file, { target }) {
      const order = ['app', 'features', 'components', 'lib']
      const [from, to] = [order.indexOf(layerOf(file.path)), order.indexOf(layerOf(target))]
      return from >= 0 && to >= 0 && to < from
        ? `move what ${order[from]} needs down into web/src/${order[from]} or below`
        : null
    },
    breaks: { 'web/src/components/a.tsx': "import { x } from '../features/home/home-page.tsx'" },
  },
  {
    name: 'features never import each other',
    onImport: (file, { target }) =>
      featureOf(file.path) && featureOf(target) && featureOf(file.path) !== featureOf(target)
        ? 'what two features share belongs to web/src/components (no domain word) or contract/src'
        : null,
    breaks: { 'web/src/features/a/a.tsx': "import { x } from '../b/b.tsx'" },
  },
  {
    name: 'lib and components know no domain',
    onImport(file, { target }) {
      if (!['lib', 'components'].includes(layerOf(file.path)) || !target.startsWith('contract/src/')) return null
      return GROUND.includes(nameOf(target)) || excepted(file, target)
        ? null
        : 'what knows a domain belongs to web/src/features/<domain>'
    },
    breaks: { 'web/src/components/a.tsx': "import { parcel } from '@waybill/contract/parcels'" },
  },
  {
    name: 'only the known domains',
    onFile: (file) =>
      domainOf(file.path) && !DOMAINS.includes(domainOf(file.path))
        ? 'the domains and their order stand in docs/architecture.md and in scripts/check-structure.mjs'
        : null,
    breaks: { 'server/src/domains/stuff/service.ts': '' },
  },
  {
    name: "a domain's queries, rules, status, present and routes are private to it",
    onImport: (file, { target }) =>
      domainOf(file.path) &&
      domainOf(target) &&
      domainOf(file.path) !== domainOf(target) &&
      roleOf(nameOf(target)) !== 'service'
        ? `import a use case of server/src/domains/${domainOf(target)} instead`
        : null,
    breaks: { 'server/src/domains/orders/service.ts': "import { x } from '../parcels/queries.ts'" },
  },
  {
    name: 'domains reach only downwards',
    onImport: (file, { target }) =>
      domainOf(file.path) &&
      domainOf(target) &&
      DOMAINS.indexOf(domainOf(target)) > DOMAINS.indexOf(domainOf(file.path))
        ? `${domainOf(target)} stands above ${domainOf(file.path)}: tell it through the outbox and a job`
        : null,
    breaks: { 'server/src/domains/parcels/service.ts': "import { x } from '../orders/service.ts'" },
  },
  {
    name: 'routes call the service',
    onImport: (file, { target, typeOnly }) =>
      domainOf(file.path) &&
      roleOf(nameOf(file.path)) === 'routes' &&
      domainOf(target) === domainOf(file.path) &&
      !typeOnly &&
      ['queries', 'rules', 'status', 'present'].includes(roleOf(nameOf(target)))
        ? 'a route unpacks, makes one call of the service, and answers'
        : null,
    breaks: { 'server/src/domains/wallet/routes.ts': "import { x } from './queries.ts'" },
  },
  {
    name: 'rules and status are pure',
    onImport(file, { target, spec, typeOnly }) {
      if (!domainOf(file.path) || !['rules', 'status'].includes(roleOf(nameOf(file.path))) || typeOnly) return null
      if (target.startsWith('contract/src/') || /^zod(\/|$)/.test(spec) || excepted(file, target)) return null
      if (domainOf(target) === domainOf(file.path) && ['rules', 'status'].includes(roleOf(nameOf(target)))) return null
      // Layouts draw with lib's marks, which are values.
      if (/-(layout|text)$/.test(nameOf(file.path)) && target.startsWith('server/src/lib/')) return null
      return `${spec} is more than the contract: hand its result in as an argument from service.ts`
    },
    breaks: { 'server/src/domains/wallet/rules.ts': "import { now } from '../../lib/clock.ts'" },
  },
  {
    name: 'only queries touch tables',
    onFile(file) {
      if (
        !file.path.startsWith('server/src/') ||
        !/\b(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^>`]*>)?`/.test(file.text)
      )
        return null
      if (domainOf(file.path))
        return roleOf(nameOf(file.path)) === 'queries'
          ? null
          : `SQL belongs to server/src/domains/${domainOf(file.path)}/queries.ts`
      return SQL_OUTSIDE_DOMAINS.some((place) => file.path.startsWith(place))
        ? null
        : 'SQL belongs to the queries.ts of the domain that owns the table'
    },
    breaks: { 'server/src/domains/wallet/service.ts': "db.selectFrom('wallets')" },
  },
  {
    name: 'server/src/lib and db know no domain',
    onImport: (file, { target }) =>
      /^server\/src\/(lib|db)\//.test(file.path) && domainOf(target)
        ? 'what knows a domain belongs to server/src/domains'
        : null,
    breaks: { 'server/src/lib/a.ts': "import { x } from '../domains/wallet/service.ts'" },
  },
  {
    name: 'no barrel files',
    onFile: (file) =>
      /^index\.(ts|tsx|mjs)$/.test(posix.basename(file.path))
        ? 'import from the file that has it; name the file after what it holds'
        : null,
    breaks: { 'web/src/lib/index.ts': '' },
  },
  {
    name: 'names say what a file is about',
    onFile: (file) =>
      file.path.split('/').some((part) => /^(utils?|helpers?|commons?|misc)(\.|$)/.test(part))
        ? 'name it after its subject, in the field’s words'
        : null,
    breaks: { 'web/src/lib/utils.ts': '' },
  },
  {
    name: 'what must not happen twice is sent by useOnce or a SendQueue',
    onFile: (file) =>
      file.path.startsWith('web/src/') &&
      !['web/src/lib/once.ts', 'web/src/lib/send-queue.ts', 'web/src/lib/api.ts'].includes(file.path) &&
      /\bidempotencyKey:/.test(file.text)
        ? 'web/src/lib/once.ts makes the key and knows how long it stays the same'
        : null,
    breaks: { 'web/src/features/cash/a.tsx': 'call(takeCash, { body, idempotencyKey: crypto.randomUUID() })' },
  },
  {
    name: "the kit's styles are listed",
    onImport(file, { spec, names }, project) {
      if (spec !== '@mantine/core' || !file.path.startsWith('web/src/')) return null
      const missing = names.filter((name) => project.kitStyles.has(name) && !project.listedStyles.has(name))
      return missing.length > 0
        ? `add @mantine/core/styles/${missing[0]}.css to web/src/app/styles.ts, or ${missing[0]} is unstyled`
        : null
    },
    breaks: { 'web/src/components/a.tsx': "import { Unheard } from '@mantine/core'" },
  },
  {
    name: 'links lead to a page',
    onFile(file, project) {
      // The navigation shows only what has a page, by itself.
      if (!/^web\/src\/(app|features)\//.test(file.path) || file.path === 'web/src/app/nav.ts') return null
      for (const [, link] of file.text.matchAll(/\b(?:to|href)(?:=|: )["'](\/[^"'?#]*)["']/g)) {
        if (!project.pages.has(link) && !/^\/(api|demo|public\/track-parcels)/.test(link))
          return `no page at ${link}: add it in web/src/app/routes/`
      }
      return null
    },
    breaks: { 'web/src/features/home/a.tsx': '<Link to="/nowhere">' },
  },
]

/** `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')` -> where to and what. */
function importsOf(path, text) {
  const found = []
  const statement =
    /\b(import|export)\s+(type\s+)?([^'";]*?)\s*\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g
  for (const [, , type, clause = '', from, bare] of text.matchAll(statement)) {
    const spec = from ?? bare
    const target = spec.startsWith('.')
      ? posix.join(dirname(path), spec)
      : spec.replace(/^@waybill\/contract\/(.+)$/, 'contract/src/$1.ts')
    const names = [...(/\{([^}]*)\}/.exec(clause)?.[1] ?? '').matchAll(/(type\s+)?(\w+)(\s+as\s+\w+)?/g)]
    found.push({
      spec,
      target,
      typeOnly: Boolean(type) || (names.length > 0 && !/^\s*\w/.test(clause) && names.every(([, inline]) => inline)),
      names: names.filter(([, inline]) => !inline).map(([, , name]) => name),
    })
  }
  return found
}

/** Every breach of the rules in a set of files. */
function breaches(files, project, rules = RULES) {
  const found = []
  for (const file of files) {
    const imports = importsOf(file.path, file.text)
    for (const rule of rules) {
      const about = rule.onFile?.(file, project)
      if (about) found.push({ rule: rule.name, path: file.path, what: '', advice: about })
      for (const each of rule.onImport ? imports : []) {
        const advice = rule.onImport(file, each, project)
        if (advice) found.push({ rule: rule.name, path: file.path, what: each.spec, advice })
      }
    }
  }
  return found
}

function read(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx)$/.test(entry.name))
    .map((entry) =>
      posix.join(folder, posix.relative(posix.join(root, folder), posix.join(entry.parentPath, entry.name))),
    )
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

const files = ['contract/src', 'server/src', 'web/src'].flatMap(read)
const textOf = (path) => files.find((file) => file.path === path)?.text ?? ''
const kit = join(root, 'node_modules/@mantine/core/styles')
const styles = (text) => [...text.matchAll(/@mantine\/core\/styles\/(\w+)\.css/g)].map(([, name]) => name)
const project = {
  kitStyles: new Set(
    existsSync(kit)
      ? readdirSync(kit)
          .filter((name) => /^[A-Z]\w*\.css$/.test(name))
          .map((name) => name.slice(0, -4))
      : [],
  ),
  listedStyles: new Set(
    ['web/src/app/styles.ts', 'web/src/components/base-styles.ts'].flatMap((path) => styles(textOf(path))),
  ),
  pages: new Set(
    ['public', 'portal', 'staff'].flatMap((layout) =>
      [...textOf(`web/src/app/routes/${layout}.tsx`).matchAll(/'(\/[^']*)': \(\) =>/g)].map(([, path]) => path),
    ),
  ),
}

const unproven = RULES.filter((rule) => {
  const examples = Object.entries(rule.breaks).map(([path, text]) => ({ path, text }))
  const known = { kitStyles: new Set(['Unheard']), listedStyles: new Set(), pages: new Set(['/login']) }
  return breaches(examples, known, [rule]).length === 0
})
for (const { name } of unproven) console.error(`The rule "${name}" passes its own counter-example.`)

const found = breaches(files, project)
for (const { rule, path, what, advice } of found)
  console.error(`${path}${what ? ` -> ${what}` : ''}\n  ${rule}: ${advice}`)

const imports = files.reduce((sum, file) => sum + importsOf(file.path, file.text).length, 0)
console.log(
  `${RULES.length} rules, each proven on an example, over ${files.length} files and ${imports} imports: ${found.length} breaches.`,
)
process.exitCode = found.length > 0 || unproven.length > 0 ? 1 : 0
