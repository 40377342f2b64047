// npm test: the checks, then the tests of every workspace that has some, then the result. `npm test server e2e` runs
// only those. Steps that need one core or less run in parallel; each prints its output when it is done. The last line
// has the totals: "N passed, N failed". A step that failed without naming a test counts as one failure.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { buildWeb, chooseNode, environment, installDependencies, root, run, seconds } from './workspace.mjs'

const only = process.argv.slice(2)
const begin = performance.now()
const reports = mkdtempSync(join(tmpdir(), 'waybill-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

console.log(`Dependencies: ${await installDependencies()}`)
const node = chooseNode().path

const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'))

/** The arguments of each test runner, and the places of the totals and of the failed tests in its report. */
const runners = {
  vitest: {
    args: (file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    env: () => ({}),
    count: (report) => ({
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    }),
    failures: ({ testResults }) =>
      testResults.flatMap(({ name, assertionResults, message }) => {
        const failed = assertionResults.filter(({ status }) => status === 'failed')
        const broken =
          assertionResults.length === 0 && message ? [{ fullName: 'file', failureMessages: [message] }] : []
        return [...failed, ...broken].map(({ fullName, failureMessages: [reason] }) =>
          describeFailure(name, fullName, reason),
        )
      }),
  },
  playwright: {
    args: () => ['--reporter=list,json'],
    env: (file) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: file }),
    count: ({ stats }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
      flaky: stats.flaky,
    }),
    // Includes the journeys that passed only at the second try.
    failures: ({ config, suites }) =>
      suites
        .flatMap(listSpecs)
        .flatMap(({ file, title, tests }) =>
          tests
            .filter(({ status }) => status === 'unexpected' || status === 'flaky')
            .map(({ projectName, results: tries }) =>
              describeFailure(
                join(config.rootDir, file),
                `${title} (${projectName})`,
                tries.flatMap(({ errors }) => errors)[0]?.message,
              ),
            ),
        ),
  },
}

const listSpecs = ({ specs, suites = [] }) => [...specs, ...suites.flatMap(listSpecs)]

/** One line for a failed test: its file, its name, and the first line of the reason. */
function describeFailure(file, test, reason = 'no reason reported') {
  const firstLine = stripVTControlCharacters(reason).trim().split('\n')[0]
  return `${relative(root, file)} › ${test}: ${firstLine}`
}

/** These fill the machine by themselves: one at a time, after all others. */
const heavy = ['server', 'e2e']
const nothing = { passed: 0, failed: 0, skipped: 0 }
const steps = [
  {
    name: 'check',
    work: async () => ({ ...nothing, ...(await run(node, ['scripts/check.mjs'], { quiet: true })) }),
  },
  // The journeys use the built pages that the server serves. A page over its size limit fails here.
  {
    name: 'web pages',
    work: async () => {
      const built = await buildWeb()
      const sizes = await run(node, ['web/page-sizes.ts'], { quiet: true })
      return { ...nothing, code: sizes.code, output: `${built}\n${sizes.output}` }
    },
  },
]
for (const workspace of readJson(root, 'package.json').workspaces) {
  const script = readJson(root, workspace, 'package.json').scripts?.test
  if (!script) continue
  const quiet = !heavy.includes(workspace)
  steps.push({ name: workspace, work: () => runTests(workspace, runners[script.split(' ')[0]], quiet) })
}

const unknown = only.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}; there are: ${steps.map((step) => step.name).join(', ')}.`)
  process.exit(1)
}

const results = []
const isChosen = ({ name }) =>
  only.length === 0 || only.includes(name) || (name === 'web pages' && only.includes('e2e'))
const selection = steps.filter(isChosen)
await Promise.all(selection.filter(({ name }) => !heavy.includes(name)).map(runStep))
for (const step of selection.filter(({ name }) => heavy.includes(name))) {
  console.log(`\n=== ${step.name} ===`)
  await runStep(step)
}

console.log('\n=== result ===')
for (const { name, time, passed, failed, skipped, flaky = 0, failures = [] } of results) {
  const counts =
    name === 'check' || name === 'web pages'
      ? ''
      : `, ${passed} passed, ${failed} failed` +
        (skipped > 0 ? `, ${skipped} skipped` : '') +
        (flaky > 0 ? `, ${flaky} only at the second try` : '')
  console.log(`${failed > 0 ? 'FAILED' : 'ok    '} ${name} (${time}${counts})`)
  for (const failure of failures) console.log(`       ${failure}`)
}
const total = (what) => results.reduce((sum, result) => sum + result[what], 0)
const bad = results.filter((result) => result.failed > 0).map((result) => result.name)
console.log(
  bad.length === 0 ? `Everything passed in ${seconds(begin)}.` : `FAILED: ${bad.join(', ')} (${seconds(begin)}).`,
)
console.log(`${total('passed')} passed, ${total('failed')} failed`)
process.exitCode = bad.length === 0 ? 0 : 1

async function runStep({ name, work }) {
  const start = performance.now()
  const { output, ...result } = await work()
  if (result.code !== 0 && result.failed === 0) result.failed = 1
  results.push({ name, time: seconds(start), ...result })
  if (!heavy.includes(name)) console.log(`\n=== ${name} ===\n${output.trimEnd()}`)
}

async function runTests(workspace, runner, quiet) {
  const file = join(reports, `${workspace}.json`)
  const { code, output } = await run('npm', ['run', '--silent', 'test', '-w', workspace, '--', ...runner.args(file)], {
    env: environment(runner.env(file)),
    quiet,
  })
  try {
    const report = readJson(file)
    return { code, output, ...runner.count(report), failures: runner.failures(report) }
  } catch {
    return { ...nothing, code: code || 1, output }
  }
}
