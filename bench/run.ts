/** npm run bench [P1 P11 …]: measures, prints, writes results.json and the table in README.md. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { deliveredNumber, joinDatabase } from './database.ts'
import { p1 } from './p1.ts'
import { p2 } from './p2.ts'
import { p3 } from './p3.ts'
import { p4 } from './p4.ts'
import { p5 } from './p5.ts'
import { p6 } from './p6.ts'
import { p7 } from './p7.ts'
import { p8 } from './p8.ts'
import { p9 } from './p9.ts'
import { p10Sizes } from './p10.ts'
import { p10Paint } from './p10-paint.ts'
import { p11 } from './p11.ts'
import { p12 } from './p12.ts'
import { p13 } from './p13.ts'
import { p14 } from './p14.ts'
import { type Figure, formatTable, type StoredFigure } from './results.ts'
import { newDataFolder, startServer } from './server.ts'

const only = new Set(process.argv.slice(2))
const isSelected = (id: string) => only.size === 0 || only.has(id)
const figures: StoredFigure[] = []
// Read before the run, which causes load itself.
const [loadBefore = 0] = loadavg()
const busy = loadBefore > cpus().length ? { busyLoad: loadBefore } : {}
const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
const commit = git('rev-parse', '--short=8', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+')

/** Runs one benchmark, unless only others were requested, and prints its figures. */
async function bench(id: string, work: () => Promise<Figure[]> | Figure[]): Promise<void> {
  if (!isSelected(id)) return
  console.log(`${id} …`)
  const results = await work()
  const measuredAt = new Date().toISOString()
  figures.push(...results.map((figure) => ({ ...figure, measuredAt, commit, ...busy })))
  for (const { id: name, value, goal, met } of results) {
    console.log(`  ${name}: ${value.toFixed(3)} (${goal.compare} ${goal.value}) ${met ? 'met' : 'NOT MET'}`)
  }
}

await bench('P10', p10Sizes)
await bench('P6', p6)
await bench('P11', p11)
// Fills a database with a million parcels or more, so it runs only on request.
if (only.has('P8')) await bench('P8', p8)
// Takes an hour.
if (only.has('P14')) await bench('P14', p14)

const withServer = ['P1', 'P2', 'P3', 'P4', 'P5', 'P7', 'P9', 'P10', 'P12', 'P13'].filter(isSelected)
if (withServer.length > 0) {
  const folder = newDataFolder()
  const server = await startServer(folder.path)
  const database = await joinDatabase(folder.path)
  try {
    const number = await deliveredNumber(database)
    await bench('P1', () => p1(server, database, number))
    await bench('P2', () => p2(server, database))
    await bench('P3', () => p3(server, database))
    await bench('P4', () => p4(server))
    await bench('P5', () => p5(server, database))
    await bench('P7', () => p7(server, database))
    await bench('P9', () => p9(server, database, folder.path, number))
    await bench('P10', () => p10Paint(server.address, number))
    await bench('P12', () => p12(server, database))
    await bench('P13', () => p13(server, database))
  } finally {
    await database.close()
    await server.stop()
    folder.remove()
  }
}

// Figures of a partial run replace their own rows only.
const file = join(import.meta.dirname, 'results.json')
const before = JSON.parse(readFileSync(file, 'utf8')) as { figures: StoredFigure[] }
const measured = new Set(figures.map((figure) => figure.id))
const all = [...before.figures.filter((figure) => !measured.has(figure.id)), ...figures].sort((a, b) =>
  a.id.localeCompare(b.id, 'en', { numeric: true }),
)
const processors = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`
const machine = `${processors}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
writeFileSync(file, `${JSON.stringify({ machine, figures: all }, null, 2)}\n`)

const readme = join(import.meta.dirname, 'README.md')
const table = `<!-- figures -->\n\nMeasured on ${machine}.\n\n${formatTable(all)}\n\n<!-- /figures -->`
const page = readFileSync(readme, 'utf8')
if (!page.includes('<!-- figures -->')) throw new Error('bench/README.md has lost the place for its figures')
writeFileSync(
  readme,
  page.replace(/<!-- figures -->[\s\S]*<!-- \/figures -->/, () => table),
)
