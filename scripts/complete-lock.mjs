// Completes package-lock.json with optional packages for other platforms that the used registry does not have, so that
// `npm ci` accepts the lock file everywhere. Run `npm run lock` after every install that changed it; `--check` only
// reports. The version, system and processor are derived from the packages' names and owners, and they are fetched only
// where they fit.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '..', 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
  'wasm32',
  'wasi',
  'linuxmusl',
]
const processors = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

/**
 * `@oxc-parser/binding-linux-arm-gnueabihf` -> { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }; null if the name
 * contains no platform.
 */
function getPlatform(name) {
  const words = name.split('/').at(-1).replace('eabihf', '').split(/[-_.]/)
  const os = words.find((word) => systems.includes(word))
  const cpu = words.find((word) => processors.includes(word))
  if (!os && !cpu) return null
  const musl = words.some((word) => word.startsWith('musl') || word === 'linuxmusl')
  const gnu = words.some((word) => word === 'gnu')
  return {
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(os && os !== cpu ? { os: [os === 'linuxmusl' ? 'linux' : os] } : {}),
    ...(musl ? { libc: ['musl'] } : gnu ? { libc: ['glibc'] } : {}),
  }
}

let added = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const exists = [`${path}/node_modules/${name}`, `node_modules/${name}`].some((place) => lock.packages[place])
    if (exists || !/^\d/.test(range)) continue
    const platform = getPlatform(name)
    if (!platform) continue
    lock.packages[`node_modules/${name}`] = {
      version: range,
      ...platform,
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
    }
    added += 1
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a === '' ? -1 : b === '' ? 1 : a.localeCompare(b, 'en'))),
)
if (process.argv.includes('--check')) {
  console.log(added === 0 ? 'package-lock.json is complete' : `package-lock.json lacks ${added} packages: npm run lock`)
  process.exitCode = added === 0 ? 0 : 1
} else {
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${added} packages of other platforms added to package-lock.json`)
}
