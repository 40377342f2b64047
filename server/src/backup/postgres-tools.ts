/** Finds and runs this machine's pg_dump and pg_restore, for a database that the operator runs. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

export type Tools = { folder: string; major: number }

/** Where packages put the programs of each version. */
const toolFolders = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/local/opt/postgresql@*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/opt/homebrew/opt/libpq/bin',
]

/**
 * Chooses the programs that fit a server: pg_dump refuses a server that is newer than itself. The nearest version is
 * chosen, because an older server may not read the dump of a much newer program.
 * @throws Error with one sentence that says what to install.
 */
export function chooseTools(candidates: readonly Tools[], serverMajor: number): Tools {
  const [nearest] = candidates.filter(({ major }) => major >= serverMajor).sort((a, b) => a.major - b.major)
  if (nearest) return nearest
  const versions = candidates.map(({ major, folder }) => `${major} in ${folder}`).join(', ') || 'none'
  throw new Error(
    `The database is PostgreSQL ${serverMajor}; pg_dump and pg_restore of that version or a newer one are needed ` +
      `(found: ${versions}). ` +
      `Install postgresql-client-${serverMajor}, or set PG_BIN to the folder that has them.`,
  )
}

/** The programs on this machine; only those in PG_BIN if it is set. */
export function findTools(environment: NodeJS.ProcessEnv = process.env): Tools[] {
  const folders = environment.PG_BIN
    ? [environment.PG_BIN]
    : [...(environment.PATH ?? '').split(delimiter), ...globSync(toolFolders)]
  return [...new Set(folders)].flatMap((folder) => {
    if (!folder || !['pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name)))) return []
    const { stdout } = spawnSync(join(folder, 'pg_dump'), ['--version'], { encoding: 'utf8' })
    const major = Number(/(\d+)/.exec(stdout ?? '')?.[1])
    return Number.isInteger(major) && major > 0 ? [{ folder, major }] : []
  })
}

/**
 * Makes the programs trust what Node.js trusts. libpq has no root certificates of its own, and knows those of the
 * machine from release 16 on.
 */
function trustMachine({ major }: Tools, { searchParams }: URL, environment: NodeJS.ProcessEnv) {
  const hasOwn =
    environment.PGSSLROOTCERT || searchParams.has('sslrootcert') || existsSync(join(homedir(), '.postgresql/root.crt'))
  return searchParams.get('sslmode') === 'verify-full' && !hasOwn && major >= 16 ? { PGSSLROOTCERT: 'system' } : {}
}

/**
 * Runs pg_dump or pg_restore on a database. The password goes through the environment, where `ps` does not show it.
 * @throws Error with the program's message.
 */
export async function runTool(
  tools: Tools,
  name: 'pg_dump' | 'pg_restore',
  url: string,
  args: string[],
): Promise<void> {
  const target = new URL(url)
  const password = decodeURIComponent(target.password)
  target.password = ''
  const child = spawn(join(tools.folder, name), [`--dbname=${target.href}`, ...args], {
    env: { ...process.env, ...trustMachine(tools, target, process.env), PGPASSWORD: password },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errorOutput += chunk
  })
  const code = await new Promise<number | null>((resolve, failed) => child.on('error', failed).on('close', resolve))
  if (code !== 0) throw new Error(`${name} failed: ${errorOutput.trim()}`)
}
