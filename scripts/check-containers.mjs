// Dockerfile and compose.yaml without a Docker engine: their syntax, pinned images, the flags of `npm start`, and that
// production would start with the environment that compose.yaml gives. Documents for operators name every variable that
// the server reads, and no other.
// Each rule has a counter-example that it must refuse.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'
import { ConfigError, loadConfig } from '../server/src/config.ts'
import { variables } from '../server/src/config-variables.ts'

const root = join(import.meta.dirname, '..')

/** How `npm start` runs the server: flags of Node and variables. */
const start = JSON.parse(readFileSync(join(root, 'server/process.json'), 'utf8'))
const arenas = `MALLOC_ARENA_MAX=${start.variables.MALLOC_ARENA_MAX}`

/** The problems of a Dockerfile, one sentence each. */
function dockerfileProblems(text) {
  const problems = validate(text).map(({ range, message }) => `line ${range.start.line + 1}: ${message}`)
  const instructions = text.split('\n').filter((line) => /^[A-Z]+ /.test(line))
  const stages = instructions.filter((line) => line.startsWith('FROM '))
  for (const stage of stages) if (!isPinned(stage.split(' ')[1])) problems.push(`${stage}: name a full version`)
  const last = instructions.slice(instructions.lastIndexOf(stages.at(-1)))
  const users = last.filter((line) => line.startsWith('USER '))
  if (users.length === 0 || /^USER (root|0)\b/.test(users.at(-1))) problems.push('the server must not run as root')
  if (!last.some((line) => line.startsWith('HEALTHCHECK '))) problems.push('there is no HEALTHCHECK')
  for (const flag of start.flags) if (!text.includes(`"${flag}"`)) problems.push(`the command lacks ${flag}`)
  if (!text.includes(arenas)) problems.push(`the environment lacks ${arenas}`)
  return problems
}

/** A tag with at least major and minor version, or a dated release. */
const isPinned = (image) => /:(v?\d+\.\d+|RELEASE\.\d{4})/.test(image)

const serviceKeys = new Set([
  ...['build', 'command', 'depends_on', 'entrypoint', 'environment', 'healthcheck', 'image', 'ports', 'restart'],
  ...['shm_size', 'stop_grace_period', 'volumes'],
])

/** The problems of a compose file, one sentence each. */
function composeProblems(text) {
  let file
  try {
    file = parse(text, { merge: true, strict: true, uniqueKeys: true })
  } catch (error) {
    return [error.message]
  }
  const problems = []
  const services = Object.entries(file.services ?? {})
  const volumes = Object.keys(file.volumes ?? {})
  for (const [name, service] of services) {
    for (const key of Object.keys(service)) if (!serviceKeys.has(key)) problems.push(`${name}: unknown key ${key}`)
    if (!service.build && !isPinned(service.image)) problems.push(`${name}: name a full version of ${service.image}`)
    for (const other of Object.keys(service.depends_on ?? {}))
      if (!file.services[other]) problems.push(`${name}: depends on ${other}, which does not exist`)
    for (const volume of service.volumes ?? [])
      if (!volumes.includes(volume.split(':')[0])) problems.push(`${name}: volume ${volume} is not declared`)
    for (const port of service.ports ?? [])
      if (!String(port).startsWith('127.0.0.1:')) problems.push(`${name}: port ${port} is open to the network`)
    if (service.build) problems.push(...startProblems(service.environment).map((problem) => `${name}: ${problem}`))
  }
  return problems
}

/** Values that an operator would put into `.env`. */
const operatorValues = {
  PUBLIC_URL: 'https://portal.courier.my',
  SECRET_KEY: 'Zm9vdGhlcmUgaXMgbm8gc3Bvb24gMTIzNDU2Nzg5MGFiY2',
  POSTGRES_PASSWORD: 'k3Jd92mXq7',
  S3_ACCESS_KEY_ID: 'courier',
  S3_SECRET_ACCESS_KEY: 'k3Jd92mXq7',
  MAIL_FROM: 'Courier <no-reply@courier.my>',
  IPAY88_MERCHANT_CODE: 'M12345',
  IPAY88_MERCHANT_KEY: 'k3Jd92mXq7',
  TRUST_PROXY: '172.16.0.0/12',
}

/** Why production would not start with these variables; names that the server does not read are problems, too. */
function startProblems(environment) {
  const filled = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replace(/\$\{(\w+)[^}]*\}/g, (_, variable) => operatorValues[variable] ?? ''),
    ]),
  )
  const unknown = Object.keys(environment).filter((name) => !Object.hasOwn(variables.shape, name))
  try {
    loadConfig({ NODE_ENV: 'production', DATA_DIR: '/data', ...filled }, [])
    return unknown.map((name) => `${name}: the server does not read it`)
  } catch (error) {
    if (error instanceof ConfigError) return [...error.problems]
    throw error
  }
}

/** Variables that programs other than the server read. */
const otherVariables = new Set(['MALLOC_ARENA_MAX', 'PG_BIN'])

/** What is wrong with the documents for operators: variables that the server does not read, or what they leave out. */
function documentProblems(text) {
  const names = new Set(text.match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b/g))
  const readable = Object.keys(variables.shape)
  return [
    ...[...names]
      .filter((name) => !readable.includes(name) && !otherVariables.has(name))
      .map((name) => `${name}: the server does not read it`),
    ...readable.filter((name) => !text.includes(`\`${name}`)).map((name) => `${name}: is not explained`),
    ...[...start.flags, arenas].filter((option) => !text.includes(option)).map((option) => `${option}: is missing`),
  ]
}

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const compose = readFileSync(join(root, 'compose.yaml'), 'utf8')

const documents = ['operations', 'first-start-in-production', 'carriers']
  .map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
  .join('\n')

const breakingDockerfile = {
  'Unknown instruction': dockerfile.replace('WORKDIR', 'WORKDIRECTORY'),
  'full version': dockerfile.replace(/node:\S+/, 'node:latest'),
  'as root': dockerfile.replace('USER node\n', ''),
  'no HEALTHCHECK': dockerfile.replace(/HEALTHCHECK.*/, ''),
  'lacks MALLOC_ARENA_MAX': dockerfile.replace(/MALLOC_ARENA_MAX=\d/, 'MALLOC_ARENA_MAX=8'),
  'lacks --max-semi-space-size': dockerfile.replace('--max-semi-space-size=16', '--max-semi-space-size=32'),
}
const breakingCompose = {
  unique: compose.replace('  worker:', '  web:'),
  'full version': compose.replace(/image: postgres:\S+/, 'image: postgres:latest'),
  'does not exist': compose.replace('      bucket:\n        condition', '      buckets:\n        condition'),
  'not declared': compose.replace('  files:\n', ''),
  'open to the network': compose.replace('127.0.0.1:3000', '3000'),
  'unknown key': compose.replace('    shm_size', '    shm-size'),
  S3_REGION: compose.replace(/ {4}S3_REGION.*\n/, ''),
  'IPAY88_MERCHANT_KEY: is required': compose.replace(/ {4}IPAY88_MERCHANT_KEY.*\n/, ''),
  'does not read it': compose.replace('    S3_REGION', '    S3_REGIONS: x\n    S3_REGION'),
}
const breakingDocuments = {
  'DATABASE_URLS: the server': documents.replace('`DATABASE_URL`', '`DATABASE_URLS`'),
  'liftoff-only: is missing': documents.replace('--liftoff-only', ''),
  'SMTP_TLS: is not explained': documents.replaceAll('`SMTP_TLS`', 'TLS'),
}

const problems = [
  ...dockerfileProblems(dockerfile).map((problem) => `Dockerfile: ${problem}`),
  ...composeProblems(compose).map((problem) => `compose.yaml: ${problem}`),
  ...documentProblems(documents).map((problem) => `docs for operators: ${problem}`),
]
for (const [find, examples] of [
  [dockerfileProblems, breakingDockerfile],
  [composeProblems, breakingCompose],
  [documentProblems, breakingDocuments],
]) {
  for (const [message, text] of Object.entries(examples)) {
    if (!find(text).some((problem) => problem.includes(message)))
      problems.push(`the rule "${message}" does not refuse its counter-example: ${JSON.stringify(find(text))}`)
  }
}
for (const problem of problems) console.error(problem)
console.log(
  problems.length === 0
    ? 'Dockerfile, compose.yaml and the documents for operators are fit.'
    : `${problems.length} problems.`,
)
process.exitCode = problems.length === 0 ? 0 : 1
