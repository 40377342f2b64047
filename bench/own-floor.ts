/**
 * The individual floors of P3, P12 and P13: pgbench runs exactly the statements that our server sends for one payment,
 * journey or scan, and nothing else. The server's statements are recorded once, from PostgreSQL's log, for two
 * customers. Ids that both recordings share belong to the deployment (stations, staff, its ledger accounts). All other
 * ids belong to the customer or were created meanwhile, and are replaced by new ones in each repetition.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { call } from './calls.ts'
import type { BenchDatabase } from './database.ts'
import { warmUpPieces } from './measure.ts'
import { findPgbench } from './pgbench.ts'
import { type Floor, runAndRead } from './processes.ts'

/**
 * A statement in the log: its text, and its parameters as SQL literals. `joined`: a `begin` or `commit` that the server
 * sent with the next or the previous statement.
 */
type Statement = { process: string; text: string; parameters: string[]; joined: boolean }
type Recording = { statements: Statement[]; constants: ReadonlySet<string> }
/** Maps ids and numbers of a recording to those of another customer. */
type Substitutes = ReadonlyMap<string, string>

/** Matches ids, numbers of parcels and orders, and payment numbers at the gateway. */
const names =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\bWB[0-9A-Z]{8,}\b|\bP[0-9A-Z]{22,}\b|\bORD-\d{8}\b/g

/** The serial of the floor's next order: random digits could repeat. It counts down, as the server's counts up. */
let orderSerial = 99_999_999

/** Creates a new name of the same kind. */
function rename(name: string): string {
  if (name.startsWith('ORD-')) return `ORD-${orderSerial--}`
  const prefix = /^(?:WB|P[0-9A-Z](?=[0-9A-Z]{21,}$))/.exec(name)?.[0]
  if (prefix === undefined) return randomUUID()
  const digits = Array.from({ length: name.length - prefix.length }, () => randomInt(10)).join('')
  return `${prefix}${digits}`
}

/** Background work: the outbox, jobs, figures, rate limits and the benchmark's own queries. */
const background = /from outbox|graphile_worker|account_figure_changes|rate_limits|pg_reload_conf/i

/** Records the statements of `work` twice, each time with another customer. */
export async function record(
  database: BenchDatabase,
  works: readonly [() => Promise<unknown>, () => Promise<unknown>],
): Promise<Recording> {
  const settings = { log_statement: 'all', log_line_prefix: '@@%p@', log_parameter_max_length: '-1' }
  for (const [name, value] of Object.entries(settings)) {
    await database.query(`alter system set ${name} = '${value}'`)
  }
  await database.query('select pg_reload_conf()')
  await wait(300)
  const parts: Statement[][] = []
  for (const work of works) {
    const from = statSync(database.logFile).size
    await work()
    await wait(300)
    parts.push(parseLog(readFileSync(database.logFile).subarray(from).toString()))
  }
  for (const name of Object.keys(settings)) await database.query(`alter system reset ${name}`)
  await database.query('select pg_reload_conf()')
  const [first = [], second = []] = parts
  const listNames = (part: readonly Statement[]) => new Set(JSON.stringify(part).match(names))
  const [others, texts] = [listNames(second), new Set(second.map(({ text }) => text))]
  return {
    // Statements that occur in only one recording belong to other work at that moment.
    statements: first.filter(({ text }) => texts.has(text)),
    constants: new Set([...listNames(first)].filter((id) => others.has(id))),
  }
}

/** The statements of a log, in order, without background transactions. */
function parseLog(log: string): Statement[] {
  const statements: Statement[] = []
  for (const entry of log.split(/^@@/m).slice(1)) {
    const { process, kind, rest } = /^(?<process>\d+)@(?<kind>\w+): {2}(?<rest>[\s\S]*)$/.exec(entry)?.groups ?? {}
    if (process === undefined || rest === undefined) continue
    const line = /^(execute [^:]*|statement): ([\s\S]*)$/.exec(rest.trimEnd().replaceAll('\n\t', '\n'))
    const [, protocol, text] = line ?? []
    const joined = protocol !== 'statement' && (text === 'begin' || text === 'commit')
    if (kind === 'LOG' && text) statements.push({ process, text, parameters: [], joined })
    const last = statements.at(-1)
    if (kind === 'DETAIL' && last?.process === process) last.parameters = parseParameters(rest.trimEnd())
  }
  const open = new Map<string, Statement[]>()
  const ours: Statement[] = []
  for (const statement of statements) {
    const { process, text } = statement
    const transaction = open.get(process)
    if (text === 'begin') open.set(process, [statement])
    else if (transaction) transaction.push(statement)
    else if (!background.test(text)) ours.push(statement)
    if (transaction && /^(commit|rollback)$/.test(text)) {
      open.delete(process)
      if (!transaction.some((each) => background.test(each.text))) ours.push(...transaction)
    }
  }
  return ours
}

/** `Parameters: $1 = 'a', $2 = NULL` as SQL literals. */
function parseParameters(detail: string): string[] {
  return [...detail.matchAll(/\$\d+ = (NULL|'(?:[^']|'')*')/g)].map(([, literal = 'NULL']) => literal)
}

/** The advisory lock on which every client waits once it has warmed up. */
const gate = 4_913_027

/** The recorded statements for one more repetition: each name of the recording has a new one. */
function renameAll({ statements, constants }: Recording, substitutes: Substitutes): Statement[] {
  const replacements = new Map(substitutes)
  const replace = (literal: string) =>
    literal.replaceAll(names, (name) => {
      if (constants.has(name)) return name
      const replacement = replacements.get(name) ?? rename(name)
      replacements.set(name, replacement)
      return replacement
    })
  return statements.map((statement) => ({ ...statement, parameters: statement.parameters.map(replace) }))
}

/** The recording as a pgbench script for one client: each text is prepared once, then repeated for each customer. */
function buildScript(recording: Recording, repetitions: readonly Substitutes[]): string {
  const { statements } = recording
  const prepared = new Map<string, string>()
  const prepares: string[] = []
  const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ')
  for (const { text, parameters } of statements) {
    if (parameters.length === 0 || prepared.has(text)) continue
    prepared.set(text, `s${prepared.size}`)
    prepares.push(`prepare ${prepared.get(text)} as ${oneLine(text)};`)
  }
  const lines = repetitions.map((substitutes) =>
    renameAll(recording, substitutes).map(({ text, parameters, joined }, n) => {
      const next = statements[n + 1]
      // pgbench sends what `\;` joins in one message, as the server does.
      const end = (joined && text === 'begin') || (next?.joined && next.text === 'commit') ? '\\;' : ';'
      return parameters.length === 0
        ? `${oneLine(text)}${end}`
        : `execute ${prepared.get(text)} (${parameters.map(oneLine).join(', ')})${end}`
    }),
  )
  lines.splice(warmUpPieces, 0, [`select pg_advisory_lock_shared(${gate});`])
  return `${[...prepares, ...lines.flat()].join('\n')}\n`
}

/**
 * Repetitions per second: each list of customers is one pgbench client. The clients connect and warm up before the
 * measured time. Null without pgbench.
 */
export async function replay(
  database: BenchDatabase,
  recording: Recording,
  clients: readonly (readonly Substitutes[])[],
): Promise<number | null> {
  const pgbench = findPgbench()
  if (!pgbench) return null
  const folder = mkdtempSync(join(tmpdir(), 'waybill-floor-'))
  const closed = new pg.Client(database.url)
  try {
    const files = clients.map((repetitions, n) => {
      const file = join(folder, `${n}.sql`)
      writeFileSync(file, buildScript(recording, repetitions))
      return file
    })
    await closed.connect()
    await closed.query('select pg_advisory_lock($1)', [gate])
    const run = (file: string) => runAndRead(pgbench, ['-n', '-c', '1', '-t', '1', '-f', file, database.url])
    const runs = Promise.all(files.map(run))
    await Promise.race([runs, untilAllWait(database, clients.length)])
    const begin = performance.now()
    await closed.query('select pg_advisory_unlock($1)', [gate])
    await runs
    const count = clients.flat().length - warmUpPieces * clients.length
    return count / ((performance.now() - begin) / 1000)
  } finally {
    await closed.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A statement as a client of PostgreSQL sends it. */
export type SentStatement = { text: string; values: (string | null)[] }

/** The statements of one repetition by request. Each request of the recorded work ends with a commit. */
function listRequests(recording: Recording, substitutes: Substitutes): SentStatement[][] {
  const requests: SentStatement[][] = [[]]
  for (const { text, parameters } of renameAll(recording, substitutes)) {
    const values = parameters.map((literal) => (literal === 'NULL' ? null : literal.slice(1, -1).replaceAll("''", "'")))
    requests.at(-1)?.push({ text, values })
    if (text === 'commit') requests.push([])
  }
  return requests.filter((request) => request.length > 0)
}

/**
 * Repetitions per second if a bare handler (`floor-statements.ts`) sends the statements: the cost of HTTP, Node and pg
 * on top of PostgreSQL. As in `replay`, there is one client for each list of customers, and a warm-up is not measured.
 */
export async function replayOverHttp(
  { address }: Floor,
  recording: Recording,
  clients: readonly (readonly Substitutes[])[],
): Promise<number> {
  const perClient = clients.map((repetitions) => repetitions.map((each) => listRequests(recording, each)))
  const loaded = await fetch(address, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(perClient.map((repetitions) => repetitions.flat())),
  })
  if (!loaded.ok) throw new Error(`the floor answered ${loaded.status}`)
  const agent = new Agent({ keepAlive: true, maxSockets: clients.length })
  const send = async (from: number, to: number) => {
    await Promise.all(
      perClient.map(async (repetitions, n) => {
        for (const requests of repetitions.slice(from, to))
          for (const _ of requests) await call({ address }, agent, 'none', `/${n}`, {})
      }),
    )
  }
  await send(0, warmUpPieces)
  const begin = performance.now()
  await send(warmUpPieces, Number.POSITIVE_INFINITY)
  const seconds = (performance.now() - begin) / 1000
  agent.destroy()
  return (clients.flat().length - warmUpPieces * clients.length) / seconds
}

async function untilAllWait(database: BenchDatabase, count: number): Promise<void> {
  const waiting =
    "select count(*)::int as count from pg_locks where locktype = 'advisory' and objid = $1 and not granted"
  for (;;) {
    const [row] = await database.query<{ count: number }>(waiting, [gate])
    if (row?.count === count) return
    await wait(20)
  }
}
