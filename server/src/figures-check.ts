/**
 * `npm run figures:check`: compares the figures of the dashboard with the parcels and orders of every account, with or
 * without a running server. With `--repair`, accounts with wrong figures are recounted.
 */
import { parseArgs } from 'node:util'
import { loadConfig } from './config.ts'
import { connectCommand } from './db/connect-command.ts'
import { createDb, createPool } from './db/pool.ts'
import { checkFigures, type FiguresReport } from './domains/dashboard/jobs.ts'

const say = (line: string) => console.warn(line)

const describe = (figure: FiguresReport['wrong'][number]) =>
  `WRONG ${figure.metric} ${figure.label} ${figure.period} of account ${figure.accountId}: ` +
  `${figure.stored} (${figure.stored_minor}), counted ${figure.counted} (${figure.counted_minor})`

async function main(): Promise<number> {
  const { repair } = parseArgs({ options: { repair: { type: 'boolean', default: false } } }).values
  const { url, close } = await connectCommand(loadConfig(process.env, []), say)
  const pool = createPool(url, { max: 1, name: 'waybill figures:check' })
  try {
    const { accounts, wrong } = await checkFigures(createDb(pool), { repair })
    for (const figure of wrong) say(describe(figure))
    if (wrong.length === 0) say(`The figures of ${accounts} accounts are right.`)
    else say(`${wrong.length} figure(s) are wrong, named above.${repair ? ' They were counted anew.' : ''}`)
    return wrong.length === 0 || repair ? 0 : 1
  } finally {
    await pool.end()
    await close()
  }
}

process.exitCode = await main().catch((error: unknown) => {
  say(`The figures could not be read: ${error instanceof Error ? error.message : String(error)}`)
  return 1
})
