// npm run check: the import directions of docs/architecture.md, each as a rule whose message names the right place.
// Every rule is first tested with an example that breaks it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { participleNames, upperCaseNames, verblessNames } from './local-names.mjs'
import { longFunctions } from './long-functions.mjs'
import { foreignTables, tableOwners, tablesIn } from './table-owners.mjs'
import { root } from './workspace.mjs'

/**
 * From lowest to highest: a domain may import only those before it. Addresses query the stations' coverage, so
 * stations come first.
 */
const domainOrder = [
  'settings',
  'attachments',
  'notifications',
  'legal',
  'accounts',
  'sheet-imports',
  'stations',
  'addresses',
  'pricing',
  'wallet',
  'integrations',
  'carriers',
  'parcels',
  'pickups',
  'tracking',
  'orders',
  'payments',
  'tickets',
  'chat',
  'account-closure',
  'content',
  'dashboard',
  'reports',
  'failed-work',
  'setup',
  'logs',
  'search',
]

/**
 * The role of a file of a domain follows from its name. Any other name is a use case, with the same permissions as a
 * service.
 */
const rolePatterns = {
  routes: /^([a-z0-9]+-)*routes$/,
  queries: /^queries(-[a-z0-9]+)*$/,
  status: /^status$/,
  rules: /^rules(-[a-z0-9]+)*$/,
  layout: /^layout(-[a-z0-9]+)*$/,
  access: /^access$/,
  present: /^present(-[a-z0-9]+)*$/,
}
const getRole = (name) => Object.keys(rolePatterns).find((role) => rolePatterns[role].test(name)) ?? 'service'

/**
 * Files that another domain must not import. Rules, statuses and layouts are pure, so they may be imported
 * (docs/decisions/0054-slices.md).
 */
const privateRoles = ['routes', 'queries', 'present']

/** Modules of the contract without domain knowledge. The client loads the general settings first. */
const isGround = (target) => /^contract\/src\/(ground\/|settings\/(settings|requests)\.ts$)/.test(target)

/** The maximum number of files in a slice of the server, and in any other source folder. */
const mostInSlice = 12
const mostInFolder = 15

/**
 * Files with more than 350 lines and their current length; generated files with a reason. The numbers may only shrink.
 */
const largeFiles = {
  // Generated from the migrated database.
  'server/src/db/schema.ts': 2000,
}

/** Imports that a rule would forbid, each with its reason. This list may only shrink. */
const exceptions = [
  [
    'web/src/lib/',
    'contract/src/accounts/sign-in.ts',
    'the session is the signed-in user; renewing it and loading the profile are the client itself',
  ],
  [
    'server/src/domains/pickups/',
    'server/src/domains/parcels/pickup-side/queries-waiting.ts',
    'pickups read and lock their parcels in their own transaction',
  ],
  [
    'server/src/domains/orders/refunds/shared-visits.ts',
    'server/src/domains/parcels/pickup-side/queries-waiting.ts',
    'a cancellation reads the parcels of a visit in its own transaction',
  ],
  [
    'server/src/domains/orders/approvals/',
    'server/src/domains/accounts/company/queries-members.ts',
    'who may approve is read in the transaction of the request',
  ],
  [
    'server/src/domains/orders/monthly-billing/',
    'server/src/domains/accounts/company/queries-corporate.ts',
    'the terms of companies are read and written in the transaction of the bill',
  ],
  [
    'server/src/domains/pricing/rate-cards/service.ts',
    'server/src/domains/stations/zones/queries.ts',
    'a rate card holds the zones that it names in its own transaction',
  ],
  ['server/src/domains/', 'server/src/http/errors.ts', 'an error is a code; nothing of HTTP comes with it'],
  [
    'server/src/domains/payments/rules.ts',
    'server/src/domains/payments/gateway/ipay88.ts',
    "the gateway's own signature, pure",
  ],
]
const excepted = (file, target) => exceptions.some(([from, to]) => file.path.startsWith(from) && target === to)

/** Folders of server/test that do not test a single slice. */
const testFolders = ['demo', 'hostile', 'http', 'lib', 'runtime', 'testing']

/** Tables that no domain owns are accessed where they are served. */
const sqlOutsideDomains = [
  'server/src/db/',
  'server/src/http/',
  'server/src/demo/',
  'server/src/outbox/',
  'server/src/jobs/',
  'server/src/activity.ts',
  'server/src/app.ts',
]

/** `parcels/bulk` for a file of a slice, `parcels` for one at the root of its domain. */
const getSlice = (path) => /^server\/src\/domains\/(.+)\/[^/]+$/.exec(path)?.[1]
const getDomain = (path) => /^server\/src\/domains\/([^/]+)\//.exec(path)?.[1]
const getFeature = (path) => /^web\/src\/features\/([^/]+)\//.exec(path)?.[1]
const getName = (path) => posix.basename(path).replace(/\.(d\.ts|tsx?|mjs)$/, '')
const getLayer = (path) => /^web\/src\/(app|features|components|lib)\//.exec(path)?.[1]

const hasSql = (text) => /\b(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^>`]*>)?`/.test(text)

/**
 * One rule: the imports (or files) that it checks, and its message for one that breaks it; null if it is valid.
 * `breaks` is an example that it must find, or a list of them.
 */
const allRules = [
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
      const [from, to] = [order.indexOf(getLayer(file.path)), order.indexOf(getLayer(target))]
      return from >= 0 && to >= 0 && to < from
        ? `move what ${order[from]} needs down into web/src/${order[from]} or below`
        : null
    },
    breaks: { 'web/src/components/a.tsx': "import { x } from '../features/home/home-page.tsx'" },
  },
  {
    name: 'features import each other only through shared/, and only downwards',
    onImport(file, { target }) {
      const [from, to] = [getFeature(file.path), getFeature(target)]
      if (!from || !to || from === to) return null
      // The public home page combines parts of many domains and has none of its own.
      const rank = from === 'home' ? domainOrder.length : domainOrder.indexOf(from)
      const below = domainOrder.indexOf(to) >= 0 && domainOrder.indexOf(to) < rank
      return below && /\/shared\//.test(target)
        ? null
        : 'what two features share belongs to web/src/components, or to shared/ of the one that lies below'
    },
    breaks: { 'web/src/features/orders/a.tsx': "import { x } from '../parcels/b.tsx'" },
  },
  {
    name: 'lib and components know no domain',
    onImport(file, { target }) {
      if (!['lib', 'components'].includes(getLayer(file.path)) || !target.startsWith('contract/src/')) return null
      return isGround(target) || excepted(file, target)
        ? null
        : 'what knows a domain belongs to web/src/features/<domain>'
    },
    breaks: { 'web/src/components/a.tsx': "import { parcel } from '@waybill/contract/parcels/parcels'" },
  },
  {
    name: 'only the known domains',
    onFile: (file) =>
      getDomain(file.path) && !domainOrder.includes(getDomain(file.path))
        ? 'the domains and their order are listed in docs/architecture.md and in scripts/check-structure.mjs'
        : null,
    breaks: { 'server/src/domains/stuff/service.ts': '' },
  },
  {
    name: "a domain's routes, queries and present are private to it",
    onImport(file, { target, typeOnly }) {
      const [from, to] = [getDomain(file.path), getDomain(target)]
      if (!from || !to || from === to || typeOnly || !privateRoles.includes(getRole(getName(target)))) return null
      return excepted(file, target) ? null : `import a use case of server/src/domains/${to} instead`
    },
    breaks: { 'server/src/domains/orders/service.ts': "import { x } from '../parcels/bulk/queries.ts'" },
  },
  {
    name: 'no re-export',
    onFile: (file) =>
      getDomain(file.path) && /^export (type )?(\*|\{[^}]*\}) from /m.test(file.text)
        ? 'import it from the file that defines it'
        : null,
    breaks: { 'server/src/domains/wallet/service.ts': "export { post } from './ledger/service.ts'" },
  },
  {
    name: 'domains reach only downwards',
    onImport: (file, { target }) =>
      getDomain(file.path) &&
      getDomain(target) &&
      domainOrder.indexOf(getDomain(target)) > domainOrder.indexOf(getDomain(file.path))
        ? `${getDomain(target)} is above ${getDomain(file.path)}: emit an outbox event or queue a job`
        : null,
    breaks: { 'server/src/domains/parcels/service.ts': "import { x } from '../orders/service.ts'" },
  },
  {
    name: 'routes call the service',
    onImport: (file, { target, typeOnly }) =>
      getDomain(file.path) &&
      getRole(getName(file.path)) === 'routes' &&
      getDomain(target) === getDomain(file.path) &&
      !typeOnly &&
      ['queries', 'rules', 'status', 'present'].includes(getRole(getName(target)))
        ? 'a route unpacks, makes one call of the service, and answers'
        : null,
    breaks: { 'server/src/domains/wallet/routes.ts': "import { x } from './queries.ts'" },
  },
  {
    name: 'rules and status are pure',
    onImport(file, { target, spec, typeOnly }) {
      if (!getDomain(file.path) || !['rules', 'status'].includes(getRole(getName(file.path))) || typeOnly) return null
      if (target.startsWith('contract/src/') || /^zod(\/|$)/.test(spec) || excepted(file, target)) return null
      if (getDomain(target) === getDomain(file.path) && ['rules', 'status'].includes(getRole(getName(target))))
        return null
      return `${spec} is more than the contract: pass its result as an argument from service.ts`
    },
    breaks: { 'server/src/domains/wallet/rules.ts': "import { now } from '../../lib/clock.ts'" },
  },
  {
    name: 'only queries touch tables',
    onFile(file) {
      if (!file.path.startsWith('server/src/') || !hasSql(file.text)) return null
      if (getDomain(file.path))
        return getRole(getName(file.path)) === 'queries'
          ? null
          : `SQL belongs to server/src/domains/${getDomain(file.path)}/queries.ts`
      return sqlOutsideDomains.some((place) => file.path.startsWith(place))
        ? null
        : 'SQL belongs to the queries.ts of the domain that owns the table'
    },
    breaks: { 'server/src/domains/wallet/service.ts': "db.selectFrom('wallets')" },
  },
  {
    name: 'SQL touches only the tables of its own area',
    onFile(file) {
      // The demo writes history that no use case can.
      if (!/^server\/src\//.test(file.path) || /^server\/src\/(db|demo)\//.test(file.path)) return null
      const owner = getDomain(file.path) ?? 'runtime'
      const allowed = foreignTables[file.path]?.tables ?? []
      const foreign = hasSql(file.text) ? tablesIn(file.text).filter((table) => tableOwners[table] !== owner) : []
      const spare = allowed.filter((table) => !foreign.includes(table))
      if (spare.length > 0) return `take ${spare.join(', ')} out of foreignTables in scripts/table-owners.mjs`
      const [table] = foreign.filter((name) => !allowed.includes(name))
      return table ? `${table} belongs to ${tableOwners[table]}: import a use case of it, or take a function` : null
    },
    breaks: { 'server/src/domains/wallet/queries.ts': 'sql`select 1 from ledger_accounts a, parcels p`' },
  },
  {
    name: 'every table has an owner',
    onFile(file) {
      if (file.path !== 'server/src/db/schema.ts') return null
      const [, body = ''] = /export interface DB \{([^}]*)\}/.exec(file.text) ?? []
      const missing = [...body.matchAll(/^ +(\w+):/gm)].map(([, name]) => name).filter((name) => !tableOwners[name])
      return missing.length > 0 ? `add ${missing.join(', ')} to tableOwners in scripts/table-owners.mjs` : null
    },
    breaks: { 'server/src/db/schema.ts': 'export interface DB {\n  unheard: Unheard\n}' },
  },
  {
    name: 'server/src/lib and db know no domain',
    onImport: (file, { target }) =>
      /^server\/src\/(lib|db)\//.test(file.path) && getDomain(target)
        ? 'what knows a domain belongs to server/src/domains'
        : null,
    breaks: { 'server/src/lib/a.ts': "import { x } from '../domains/wallet/service.ts'" },
  },
  {
    name: 'migrations are numbered without gaps and doubles',
    // The server also refuses these at its start, but only once both are merged.
    onFile(file, { migrations }) {
      const at = migrations.indexOf(file.path)
      if (at < 0) return null
      const getNumber = (path) => (path === undefined ? 0 : Number(posix.basename(path).slice(0, 4)))
      const expected = String(getNumber(migrations[at - 1]) + 1).padStart(4, '0')
      return /^\d{4}_[a-z0-9_]+\.sql$/.test(posix.basename(file.path)) &&
        posix.basename(file.path).startsWith(`${expected}_`)
        ? null
        : `number ${expected} was expected here: rename it to ${expected}_what_it_does.sql`
    },
    breaks: [
      { 'server/src/db/migrations/0001_a.sql': '', 'server/src/db/migrations/0001_b.sql': '' },
      { 'server/src/db/migrations/0001_a.sql': '', 'server/src/db/migrations/0003_b.sql': '' },
      { 'server/src/db/migrations/first.sql': '' },
    ],
  },
  {
    name: 'migrations do not lock writers out of large tables',
    // Earlier ones belong to releases without data (decision 88).
    onFile(file) {
      const number = /^server\/src\/db\/migrations\/(\d{4})_/.exec(file.path)?.[1]
      return number && Number(number) >= 39 ? findLongLock(file.text) : null
    },
    breaks: [
      { 'server/src/db/migrations/0099_a.sql': 'create index parcels_a on parcels (a);\n' },
      { 'server/src/db/migrations/0099_a.sql': '-- Why.\ndrop index parcels_a;\n' },
      { 'server/src/db/migrations/0099_a.sql': 'alter table x add column b int;\nupdate parcels p set a = 1;\n' },
      { 'server/src/db/migrations/0099_a.sql': 'do $$\nbegin\nperform 1;\nupdate parcels p set a = 1;\nend $$;\n' },
      { 'server/src/db/migrations/0099_a.sql': 'alter table orders\n  alter column a set not null;\n' },
      { 'server/src/db/migrations/0099_a.sql': 'alter table orders add constraint a check (b > 0);\n' },
    ],
  },
  {
    name: 'migrations keep no index that a failed attempt has left, which is not valid',
    onFile(file) {
      if (!file.path.startsWith('server/src/db/migrations/')) return null
      const keeps = /index\s+concurrently\s+if\s+not\s+exists/i.test(file.text)
      return keeps ? 'drop the index if it exists, then create it' : null
    },
    breaks: [
      { 'server/src/db/migrations/0099_a.sql': 'create index concurrently if not exists a_b on a (b);\n' },
      { 'server/src/db/migrations/0099_a.sql': 'CREATE UNIQUE INDEX CONCURRENTLY\n  IF NOT EXISTS a_b ON a (b);\n' },
    ],
  },
  {
    name: 'no heading is a status',
    // A screen reader would hear a status instead of a heading, and miss it in the list of headings.
    onFile: (file) =>
      /<h[1-6]\b[^>]*\brole=["{]'?status/.test(file.text) ? 'put the role on an element around the heading' : null,
    breaks: { 'web/src/features/wallet/a.tsx': 'const a = <h2 className="b" role="status">Paid</h2>' },
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
    name: 'what must not happen twice is sent by useCallOnce, useOnce or a SendQueue',
    onFile: (file) =>
      file.path.startsWith('web/src/') &&
      !['web/src/lib/once.ts', 'web/src/lib/send-queue/send-queue.ts', 'web/src/lib/api.ts'].includes(file.path) &&
      /\bidempotencyKey:/.test(file.text)
        ? 'web/src/lib/once.ts makes the key and knows how long it stays the same'
        : null,
    breaks: { 'web/src/features/cash/a.tsx': 'call(takeCash, { body, idempotencyKey: crypto.randomUUID() })' },
  },
  {
    name: 'mails are notifications',
    onFile: (file) =>
      file.path.startsWith('server/src/') &&
      !/^server\/src\/(domains\/notifications|demo)\//.test(file.path) &&
      /\baddJob\([^)]*'mail:send'/.test(file.text)
        ? 'call notify of server/src/domains/notifications/notify.ts, so that the list and the mails never differ'
        : null,
    breaks: { 'server/src/domains/orders/a.ts': "await addJob(trx, 'mail:send', { to, template, locale, vars })" },
  },
  {
    name: 'no queueMicrotask in the web',
    onFile: (file) =>
      file.path.startsWith('web/src/') && /\bqueueMicrotask\(/.test(file.text)
        ? 'set state, and let an effect with dependencies act on it: useEffectEvent has the present values'
        : null,
    breaks: { 'web/src/components/a.tsx': 'useEffect(() => queueMicrotask(() => pick(id)))' },
  },
  {
    name: 'what is loaded on demand is in a LazyPart',
    onFile: ({ path, text }) =>
      path.startsWith('web/src/features/') && /<Suspense\b/.test(text)
        ? 'use LazyPart: with a bare Suspense, a script that cannot be loaded replaces the whole page by an error'
        : null,
    breaks: { 'web/src/features/a/a.tsx': 'const part = <Suspense><Part /></Suspense>' },
  },
  {
    name: 'an effect has a dependency array',
    onFile: (file) =>
      file.path.startsWith('web/src/') &&
      // It does not write state: any render may remove the focused element.
      file.path !== 'web/src/components/fields/use-held-focus.ts' &&
      // Relies on Biome's format: a block ends at the indentation of its effect, and an array ends with `])`.
      /^( *)use(?:Layout|Insertion)?Effect\((?:.*[^\]]\)|.*\{\n(?:(?!\1\}).*\n)*\1\}\))$/m.test(file.text)
        ? 'without dependencies it runs after every render, and one that writes state never ends'
        : null,
    breaks: { 'web/src/components/a.tsx': 'useEffect(() => {\n  setCount(count + 1)\n})' },
  },
  {
    name: 'every list has Download Excel',
    onFile: (file) =>
      file.path.startsWith('web/src/features/') &&
      /<DataList\b/.test(file.text) &&
      !/<DownloadExcel\b|\bsheet=\{/.test(file.text)
        ? 'add <DownloadExcel> to the page or `sheet` to the list, with an endpoint that calls sendListSheet'
        : null,
    breaks: { 'web/src/features/cash/a.tsx': '<DataList list={list} />' },
  },
  {
    name: 'a folder holds few files',
    onFile(file, { folders }) {
      const folder = posix.dirname(file.path)
      const most = getSlice(file.path) ? mostInSlice : mostInFolder
      const count = folders.get(folder) ?? 0
      // Reported once, at the folder's first file.
      if (count <= most || folders.first.get(folder) !== file.path) return null
      return `${folder} has ${count} files, ${most} at most: cut it into slices by subject`
    },
    breaks: Object.fromEntries(
      Array.from({ length: 13 }, (_, n) => [`server/src/domains/wallet/use-case-${n}.ts`, '']),
    ),
  },
  {
    name: 'a file has at most 350 lines',
    onFile(file) {
      const lines = file.text.split('\n').length - 1
      return lines > Math.max(350, largeFiles[file.path] ?? 0) ? `${lines} lines: it has more than one subject` : null
    },
    breaks: { 'web/src/lib/long.ts': '\n'.repeat(400) },
  },
  {
    name: 'a test file has at most 350 lines',
    onFile(file) {
      if (!/\.(test|spec)\.tsx?$/.test(file.path)) return null
      const lines = file.text.split('\n').length - 1
      return lines > Math.max(350, largeFiles[file.path] ?? 0)
        ? `${lines} lines: use a factory of server/test/testing, or split it by subject`
        : null
    },
    breaks: { 'server/test/wallet/long.test.ts': '\n'.repeat(400) },
  },
  {
    name: 'a function has at most 100 lines, a component 150',
    onFile(file) {
      const [long] = longFunctions(file.path, file.text)
      return long ? `${long.name} has ${long.lines} lines, ${long.most} at most: split it by step` : null
    },
    breaks: { 'web/src/lib/long.ts': `const long = () => {${'\n'.repeat(100)}}` },
  },
  {
    name: 'local names are nouns',
    onFile(file) {
      const [name] = participleNames(file.path, file.text)
      return name ? `\`${name}\` says nothing about its subject: name it parcel, quote, request, changes…` : null
    },
    breaks: {
      'server/src/lib/a.ts': 'const row = find()\nrun(({ id, found = null }: { id: string; found?: Row }) => id)',
    },
  },
  {
    name: 'a name has a verb in place of …Of',
    onFile(file) {
      const [name] = verblessNames(file.path, file.text)
      return name ? `\`${name}\` does not say what it does: name it buildX, findX, getX, listX, readX or toX` : null
    },
    breaks: { 'web/src/lib/a.ts': 'const linesOf = (text) => text.split(separator)' },
  },
  {
    name: 'constants are in camelCase',
    onFile(file) {
      const [name] = upperCaseNames(file.path, file.text)
      return name ? `\`${name}\`: constants are named like all other values` : null
    },
    breaks: { 'server/src/lib/a.ts': 'export const MAX_ROWS = 5000' },
  },
  {
    name: 'no line over 120 columns',
    onFile(file) {
      if (file.path === 'server/src/db/schema.ts') return null
      const line = file.text.split('\n').findIndex((each) => each.length > 120) + 1
      return line > 0 ? `line ${line}: wrap it, SQL and comments included` : null
    },
    breaks: { 'web/src/lib/wide.ts': `// ${'x'.repeat(120)}` },
  },
  {
    name: 'no line of a document over 120 columns',
    onFile(file) {
      // The rows of a table cannot be wrapped, and this page is generated.
      if (!file.path.endsWith('.md') || file.path === 'docs/api-coverage.md') return null
      const line = file.text.split('\n').findIndex((each) => each.length > 120 && !each.startsWith('|')) + 1
      return line > 0 ? `line ${line}: wrap it` : null
    },
    breaks: { 'docs/wide.md': 'a wide line '.repeat(11) },
  },
  {
    name: 'the layers use the same names',
    onFile(file, { slices }) {
      const [, layer, name] = /^(contract\/src|web\/src\/features)\/([^/]+)\//.exec(file.path) ?? []
      const own = layer === 'contract/src' ? ['ground'] : ['home']
      return layer && !own.includes(name) && !slices.has(name)
        ? `there is no domain ${name}: name it as server/src/domains does`
        : null
    },
    breaks: { 'contract/src/cash/drawer.ts': '' },
  },
  {
    name: 'tests lie in the folder of their slice',
    onFile(file, { sliceFolders }) {
      const [, folder] = /^server\/test\/(.+)\/[^/]+$/.exec(file.path) ?? []
      if (!file.path.startsWith('server/test/') || sliceFolders.has(folder)) return null
      return testFolders.includes(folder?.split('/')[0])
        ? null
        : `there is no slice server/src/domains/${folder ?? ''}: name the folder as the slice that it tests`
    },
    breaks: { 'server/test/cash/drawer.test.ts': '' },
  },
  {
    name: 'no imports form a circle',
    onFile: (file, { circles }) => circles.get(file.path) ?? null,
    breaks: { 'web/src/lib/a.ts': "import { b } from './b.ts'", 'web/src/lib/b.ts': "import type { A } from './a.ts'" },
  },
  {
    name: "the kit's styles are listed",
    onImport(file, { spec, names }, project) {
      if (spec !== '@mantine/core' || !file.path.startsWith('web/src/')) return null
      const missing = names.filter((name) => project.kitStyles.has(name) && !project.listedStyles.has(name))
      return missing.length > 0
        ? `${missing[0]} is unstyled: add its @mantine/core/styles/*.css to web/src/app/entries/more-styles.ts`
        : null
    },
    breaks: { 'web/src/components/a.tsx': "import { Unheard } from '@mantine/core'" },
  },
  {
    name: 'plain links lead to a page',
    // The compiler checks `to` in links of the router. Links between the entries, which share no router, are plain.
    onFile(file, project) {
      if (!file.path.startsWith('web/src/')) return null
      for (const [, link] of file.text.matchAll(/\bhref=["'](\/[^"'?#]*)["']/g)) {
        if (!project.pages.has(link) && !/^\/(api|demo|public\/track-parcels)/.test(link))
          return `no page at ${link}: add it in web/src/app/routes/`
      }
      return null
    },
    breaks: { 'web/src/features/home/a.tsx': '<a href="/nowhere">' },
  },
]

/** `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')` -> where to and what. */
function getImports(path, text) {
  const imports = []
  const statement =
    /\b(import|export)\s+(type\s+)?([^'";]*?)\s*\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g
  for (const [, , type, clause = '', from, bare] of text.matchAll(statement)) {
    const spec = from ?? bare
    const target = spec.startsWith('.')
      ? posix.join(dirname(path), spec)
      : spec.replace(/^@waybill\/contract\/(.+)$/, 'contract/src/$1.ts')
    const names = [...(/\{([^}]*)\}/.exec(clause)?.[1] ?? '').matchAll(/(type\s+)?(\w+)(\s+as\s+\w+)?/g)]
    imports.push({
      spec,
      target,
      typeOnly: Boolean(type) || (names.length > 0 && !/^\s*\w/.test(clause) && names.every(([, inline]) => inline)),
      names: names.filter(([, inline]) => !inline).map(([, , name]) => name),
    })
  }
  return imports
}

/** All violations of the rules in a set of files. */
function breaches(files, project, rules = allRules) {
  const list = []
  for (const file of files) {
    const imports = getImports(file.path, file.text)
    for (const rule of rules) {
      const about = rule.onFile?.(file, project)
      if (about) list.push({ rule: rule.name, path: file.path, what: '', advice: about })
      for (const each of rule.onImport ? imports : []) {
        const advice = rule.onImport(file, each, project)
        if (advice) list.push({ rule: rule.name, path: file.path, what: each.spec, advice })
      }
    }
  }
  return list
}

/** The number of files in each folder, and its first file. */
function countFiles(files) {
  const folders = new Map()
  folders.first = new Map()
  for (const { path } of files) {
    const folder = posix.dirname(path)
    folders.set(folder, (folders.get(folder) ?? 0) + 1)
    if (!folders.first.has(folder)) folders.first.set(folder, path)
  }
  return folders
}

/** For each file in an import cycle, including types: the files of its cycles (a strongly connected component). */
function findCircles(files) {
  const targets = new Map(files.map(({ path, text }) => [path, getImports(path, text).map(({ target }) => target)]))
  const circles = new Map()
  const index = new Map()
  const lowest = new Map()
  const stack = []
  const visit = (path) => {
    index.set(path, index.size)
    lowest.set(path, index.get(path))
    stack.push(path)
    for (const target of targets.get(path) ?? []) {
      if (!targets.has(target)) continue
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) lowest.set(path, Math.min(lowest.get(path), lowest.get(target)))
    }
    if (lowest.get(path) !== index.get(path)) return
    const component = stack.splice(stack.indexOf(path)).sort()
    if (component.length > 1) for (const member of component) circles.set(member, component.join(', '))
  }
  for (const path of targets.keys()) if (!index.has(path)) visit(path)
  return circles
}

/** Tables that grow with the number of parcels. */
const largeTables =
  '(parcels|parcel_search|tracking_events|orders|journal_entries|journal_postings|outbox|activity_log|notifications|' +
  'carrier_bookings|delivery_tasks|pickup_requests)'
const longLocks = [
  [`create (unique )?index (?!concurrently\\b).*\\bon ${largeTables}\\b`, 'create the index concurrently'],
  [`drop index (?!concurrently\\b)(if exists )?${largeTables}_`, 'drop the index concurrently'],
  [`(update|delete from) (only )?${largeTables}\\b`, 'change the rows in a procedure that commits every batch'],
  [`alter table ${largeTables} .*\\bset not null\\b`, 'add a check that is not valid, and validate it separately'],
  [
    `alter table ${largeTables} .*\\badd constraint (?!.*\\bnot valid\\b)`,
    'add it not valid, and validate it separately',
  ],
  [`alter table ${largeTables} .*\\balter column \\w+ (set data )?type\\b`, 'fill a new column in batches instead'],
].map(([pattern, advice]) => ({ pattern: new RegExp(`^${pattern}`, 'i'), advice }))

/**
 * The advice for the first statement of a migration that locks a large table for as long as it has rows, or null. A
 * table that the migration creates has none.
 */
function findLongLock(text) {
  const created = [...text.matchAll(/^create table (\w+)/gim)].map(([, table]) => table)
  const statements = text
    // A block that commits every batch.
    .replace(/\$\$[^$]*\bcommit;[^$]*\$\$/g, '')
    .split(/;[ \t]*\n/)
    .map((statement) => statement.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim())
  for (const statement of statements) {
    const lock = longLocks.find(({ pattern }) => pattern.test(statement))
    if (lock && !created.some((table) => statement.includes(` on ${table} `))) return lock.advice
  }
  return null
}

/** The migrations among the files, in the order in which they are applied. */
function listMigrations(files) {
  return files.map(({ path }) => path).filter((path) => /^server\/src\/db\/migrations\/[^/]+\.sql$/.test(path))
}

const read = (folder) => readFiles(folder, /\.(ts|tsx|mjs)$/)

function readFiles(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) =>
      posix.join(folder, posix.relative(posix.join(root, folder), posix.join(entry.parentPath, entry.name))),
    )
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

const files = ['contract/src', 'server/src', 'web/src'].flatMap(read)
const migrations = readFiles('server/src/db/migrations', /\.sql$/)
const domains = new Set(domainOrder)
const sliceFolders = new Set(files.flatMap(({ path }) => getSlice(path) ?? []))
const getText = (path) => files.find((file) => file.path === path)?.text ?? ''
const kit = join(root, 'node_modules/@mantine/core/styles')
const styles = (text) => [...text.matchAll(/@mantine\/core\/styles\/(\w+)\.css/g)].map(([, name]) => name)
const project = {
  folders: countFiles(files),
  circles: findCircles(files),
  migrations: listMigrations(migrations),
  slices: domains,
  sliceFolders,
  kitStyles: new Set(
    existsSync(kit)
      ? readdirSync(kit)
          .filter((name) => /^[A-Z]\w*\.css$/.test(name))
          .map((name) => name.slice(0, -4))
      : [],
  ),
  listedStyles: new Set(
    [
      'web/src/app/entries/more-styles.ts',
      'web/src/components/theme/base-styles.ts',
      'web/src/components/fields/code-field.tsx',
    ].flatMap((path) => styles(getText(path))),
  ),
  pages: new Set(
    ['public', 'portal', 'staff'].flatMap((layout) =>
      [...getText(`web/src/app/routes/${layout}.ts`).matchAll(/^ {4}path: '(\/[^']*)'/gm)].map(([, path]) => path),
    ),
  ),
}

/** Whether a rule misses one of its counter-examples. */
function isUnproven(rule) {
  return [rule.breaks].flat().some((example) => {
    const examples = Object.entries(example).map(([path, text]) => ({ path, text }))
    const facts = {
      kitStyles: new Set(['Unheard']),
      listedStyles: new Set(),
      pages: new Set(['/login']),
      folders: countFiles(examples),
      circles: findCircles(examples),
      migrations: listMigrations(examples),
      slices: domains,
      sliceFolders,
    }
    return breaches(examples, facts, [rule]).length === 0
  })
}

const unproven = allRules.filter(isUnproven)
for (const { name } of unproven) console.error(`The rule "${name}" passes its own counter-example.`)

// Tests, benchmarks and scripts have fewer rules than the product.
const migrationRules = [
  'migrations are numbered without gaps and doubles',
  'migrations do not lock writers out of large tables',
]
const nameRules = ['local names are nouns', 'a name has a verb in place of …Of', 'constants are in camelCase']
const testRules = [
  ...nameRules,
  'tests lie in the folder of their slice',
  'a test file has at most 350 lines',
  'no line over 120 columns',
]
const lineRules = [...nameRules, 'a test file has at most 350 lines', 'no line over 120 columns']
const supportRules = [...nameRules, 'a function has at most 100 lines, a component 150', 'no line over 120 columns']
const readOne = (path) => ({ path, text: readFileSync(join(root, path), 'utf8') })
const documents = [...readFiles('docs', /\.md$/), ...['README.md', 'bench/README.md'].map(readOne)]
const rulesNamed = (names) => allRules.filter(({ name }) => names.includes(name))
const failures = [
  ...breaches(files, project),
  ...breaches(migrations, project, rulesNamed(migrationRules)),
  ...breaches(documents, project, rulesNamed(['no line of a document over 120 columns'])),
  ...breaches(read('server/test'), project, rulesNamed(testRules)),
  ...breaches(['bench', 'e2e/support'].flatMap(read), project, rulesNamed(supportRules)),
  ...breaches(['web/test', 'contract/test', 'e2e/journeys', 'scripts'].flatMap(read), project, rulesNamed(lineRules)),
]
for (const { rule, path, what, advice } of failures)
  console.error(`${path}${what ? ` -> ${what}` : ''}\n  ${rule}: ${advice}`)

const imports = files.reduce((sum, file) => sum + getImports(file.path, file.text).length, 0)
console.log(
  `${allRules.length} rules, each proven on an example, over ${files.length} files and ${imports} imports: ` +
    `${failures.length} breaches.`,
)
process.exitCode = failures.length > 0 || unproven.length > 0 ? 1 : 0
