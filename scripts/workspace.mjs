// Shared by the commands: paths, the Node version to use, and installing the dependencies. Runs on any Node from 20 on,
// before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { constants as access, accessSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')
const modules = join(root, 'node_modules')

/** Path of a program that a dependency brings. */
export const bin = (name) => join(modules, '.bin', name)

/** Ends the command with one line: the problem and the solution. */
export function fail(line) {
  console.error(`\n${line}`)
  process.exit(1)
}

/** Seconds since `start` (performance.now()), formatted. */
export const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`

/** Whether node_modules matches package-lock.json, according to npm's own list of installed packages. */
export function dependenciesAreIn() {
  const hidden = join(modules, '.package-lock.json')
  if (!existsSync(hidden)) return false
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const installed = JSON.parse(readFileSync(hidden, 'utf8')).packages
  return Object.entries(locked).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true // the workspaces themselves
    const current = installed[path]
    if (!current) return entry.optional === true && !isForThisMachine(entry)
    return entry.link
      ? current.link === true
      : current.version === entry.version && current.integrity === entry.integrity
  })
}

/** Whether an optional package is for this platform; if it names none, or a C library, npm decides. */
function isForThisMachine({ os, cpu, libc }) {
  const names = (list, value) => [list ?? []].flat().includes(value)
  return !libc && names(os, process.platform) && names(cpu, process.arch)
}

/**
 * Installs the packages of package-lock.json unless they are installed already. Returns a description for the progress
 * line.
 */
export async function installDependencies() {
  if (dependenciesAreIn()) return 'up to date'
  try {
    accessSync(existsSync(modules) ? modules : root, access.W_OK)
  } catch (error) {
    fail(
      `Dependencies are missing and ${root} is not writable (${error.code}): ` +
        'run "npm install" there as its owner, or copy the folder.',
    )
  }
  const start = performance.now()
  console.log('      installing dependencies (a minute or two on a first start) …')
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    quiet: true,
    path: withoutOwnBin(),
  })
  if (code !== 0) {
    process.stderr.write(output)
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ECONNRESET/.test(output)) {
      fail(
        "The package registry cannot be reached: connect to the internet (or set npm's registry or proxy) " +
          'and start again.',
      )
    }
    if (/ENOSPC/.test(output)) fail(`The disk that holds ${root} is full.`)
    fail('The dependencies could not be installed, see above.')
  }
  return `installed in ${seconds(start)}`
}

/** Installing may replace the Node that npm put first in the path, so the install must run on another one. */
function withoutOwnBin() {
  const path = process.env.PATH ?? ''
  return path
    .split(delimiter)
    .filter((dir) => !dir.endsWith(join('node_modules', '.bin')))
    .join(delimiter)
}

/**
 * The Node that runs the project, which must execute TypeScript: the installed dependency, else the current one if it
 * is new enough.
 */
export function chooseNode() {
  for (const path of [bin('node'), process.execPath]) {
    if (!existsSync(path)) continue
    const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? ''
    const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
    if (major >= 24 || (major === 22 && minor >= 18)) return { path, version }
  }
  return fail(
    `Node ${process.version} cannot run this project and none comes for ${process.platform}-${process.arch}: ` +
      'install Node 24 from https://nodejs.org and start again.',
  )
}

/** The environment for a child process in which `node` and the dependencies' programs are the project's own. */
export function environment(extra = {}) {
  return { ...process.env, PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH ?? ''}`, ...extra }
}

const children = new Set()
let interrupted

/** After a signal no further step is started; running ones also get it and are awaited. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted ??= signal
    for (const child of children) child.kill(signal)
    if (children.size === 0) process.exit(getExitCode(signal))
  })
}

const getExitCode = (signal) => 128 + constants.signals[signal]

/**
 * Runs a program in the repository's root (or `cwd`) and waits for it. Its output goes to the terminal, or with
 * `quiet` is captured and returned. After a signal the whole command ends with the exit code of that signal.
 */
export function run(program, args, { cwd = root, env = environment(), path, quiet = false, ipc = false } = {}) {
  return new Promise((done) => {
    const output = quiet ? 'pipe' : 'inherit'
    const child = spawn(program, args, {
      cwd,
      env: path ? { ...env, PATH: path } : env,
      stdio: [quiet ? 'ignore' : 'inherit', output, output, ...(ipc ? ['ipc'] : [])],
    })
    children.add(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    child.on('error', (error) => {
      children.delete(child)
      done({ code: 127, output: `${program}: ${error.message}\n` })
    })
    child.on('close', (code, signal) => {
      children.delete(child)
      if (interrupted && children.size === 0) process.exit(code ?? getExitCode(interrupted))
      done({ code: code ?? getExitCode(signal), output: text })
    })
  })
}

/** Builds the web app if a source is newer than the last build. */
export async function buildWeb() {
  const built = join(root, 'web', 'dist', 'index.html')
  const ownFiles = readdirSync(join(root, 'web')).filter(
    (name) => name !== 'dist' && name !== 'node_modules' && name !== 'test',
  )
  const sources = [...ownFiles.map((name) => join('web', name)), 'contract/src', 'package-lock.json']
  if (existsSync(built) && newest(sources) <= statSync(built).mtimeMs) return 'up to date'
  const start = performance.now()
  const { code, output } = await run('npm', ['run', 'build', '-w', 'web'], { quiet: true })
  if (code !== 0) {
    process.stderr.write(output)
    fail('The web pages could not be built, see above.')
  }
  return `built in ${seconds(start)}`
}

/** The latest modification of files and folders (in milliseconds), including folders so that a deletion counts. */
function newest(paths) {
  let latest = 0
  for (const path of paths.map((name) => join(root, name))) {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) continue
    const entries = stat.isDirectory() ? readdirSync(path, { recursive: true, withFileTypes: true }) : []
    for (const entry of entries)
      latest = Math.max(latest, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs)
    latest = Math.max(latest, stat.mtimeMs)
  }
  return latest
}
