/** `npm run ledger:check`: verifies the books of this deployment's database, with or without a running server. */
import { parseArgs } from 'node:util'
import { loadConfig } from './config.ts'
import { connectCommand } from './db/connect-command.ts'
import { createDb, createPool } from './db/pool.ts'
import { type BooksReport, checkBooks } from './domains/wallet/ledger/books.ts'

const say = (line: string) => console.warn(line)

/** Amounts are minor units, printed as stored: the currency's decimals are unknown here. */
const column = (amount: number | string) => String(amount).padStart(18)

function printReport(report: BooksReport): number {
  say(`${report.entries} entries, ${report.postings} postings, ${report.wallets} wallets. Trial balance (minor units):`)
  say(`  ${'book'.padEnd(24)}${column('debit')}${column('credit')}`)
  for (const { kind, currency, debitMinor, creditMinor } of report.lines)
    say(`  ${`${kind} ${currency}`.padEnd(24)}${column(debitMinor)}${column(creditMinor)}`)
  for (const { kind, entryId, ledgerAccountId, found: actual, expected } of report.problems)
    say(
      `WRONG ${kind}: entry ${entryId ?? '-'}${ledgerAccountId ? `, ledger account ${ledgerAccountId}` : ''}: ` +
        `${actual}, expected ${expected}`,
    )
  say(
    report.problems.length === 0
      ? 'The books hold.'
      : `The books do NOT hold: ${report.problems.length} problem(s), named above.`,
  )
  return report.problems.length === 0 ? 0 : 1
}

async function main(): Promise<number> {
  // Throws for any option or argument.
  parseArgs({})
  const { url, close } = await connectCommand(loadConfig(process.env, []), say)
  const pool = createPool(url, { max: 1, name: 'waybill ledger:check' })
  try {
    const report = await checkBooks(createDb(pool))
    if (report) return printReport(report)
    say('This database has no books yet: npm start makes them.')
    return 1
  } finally {
    await pool.end()
    await close()
  }
}

process.exitCode = await main().catch((error: unknown) => {
  say(`The books could not be read: ${error instanceof Error ? error.message : String(error)}`)
  return 1
})
