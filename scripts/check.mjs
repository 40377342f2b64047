// npm run check: all static checks of the code. Prints the name of each step when it ends, then the result.
import { bin, chooseNode, environment, installDependencies, run, seconds } from './workspace.mjs'

await installDependencies()
const node = chooseNode().path

/**
 * The longest first, so that none runs alone at the end. Several checkers would each check the shared types again:
 * with one, the server takes half of the processor time.
 */
const workspaces = ['server', 'web', 'bench', 'contract', 'e2e']

/** Started in this order; if a file is missing, its step fails. */
const steps = [
  ...workspaces.map((name) => [`types: ${name}`, bin('tsc'), ['-p', name, '--checkers', '1']]),
  ['format and lint', bin('biome'), ['ci', `--colors=${process.stdout.isTTY ? 'force' : 'off'}`]],
  ['unused code and packages', bin('knip'), []],
  ['lock file', node, ['scripts/complete-lock.mjs', '--check']],
  ['dependencies and bill of materials', node, ['scripts/check-dependencies.mjs']],
  ['structure', node, ['scripts/check-structure.mjs']],
  ['containers', node, ['scripts/check-containers.mjs']],
  ['security page', node, ['scripts/check-security.mjs']],
  ['coverage of the specification', node, ['scripts/api-coverage.mjs', '--check']],
  ['translations', node, ['scripts/check-locales.mjs']],
  ['wording', node, ['scripts/check-texts.mjs']],
]

const failed = []
const waiting = [...steps]
// Two at a time: most steps use one core for most of their time.
await Promise.all([runSteps(), runSteps()])
console.log(
  failed.length === 0
    ? `All ${steps.length} checks passed.`
    : `${failed.length} of ${steps.length} checks failed: ${failed.join(', ')}.`,
)
process.exitCode = failed.length === 0 ? 0 : 1

/** Runs one waiting step after the other, until none is left. */
async function runSteps() {
  for (let step = waiting.shift(); step; step = waiting.shift()) await runStep(step)
}

async function runStep([name, program, args]) {
  const start = performance.now()
  const { code, output } = await run(program, args, {
    quiet: true,
    env: environment(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
  })
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds(start)})`)
  if (code !== 0) {
    failed.push(name)
    process.stdout.write(`${output.trimEnd()}\n\n`)
  }
}
