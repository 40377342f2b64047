/** Verifies the books, and saves a trial balance each night. */
import { addDays } from '@waybill/contract/ground/days'
import type { SettingKey } from '@waybill/contract/settings/setting-rules'
import { type Db, type Tx, withoutTimeLimit } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { FieldProblem } from '../../../http/errors.ts'
import { getScheduledTime, type ScheduledRun } from '../../../jobs/jobs.ts'
import { dayIn } from '../../../lib/clock.ts'
import {
  type BookProblem,
  countBookRows,
  findBookProblems,
  hasBooks,
  hasEntries,
  saveTrialBalance,
  type TrialLine,
  trialLines,
} from './queries-books.ts'

export type BooksReport = {
  entries: number
  postings: number
  wallets: number
  lines: TrialLine[]
  problems: BookProblem[]
}

/**
 * Verifies the books from their entries: each entry sums to zero and is complete, each posting is in an account of its
 * customer and currency, each wallet's balance and every stored running balance are the sums of its postings, and none
 * was ever below zero. It reads one snapshot of the database, so it may run on a busy server. Its trial balance covers
 * all postings, or those `until` the end of a day. Null if there are no books yet.
 */
export async function checkBooks(db: Db, until?: { day: string; timeZone: string }): Promise<BooksReport | null> {
  if (!(await hasBooks(db))) return null
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await withoutTimeLimit(trx)
      const size = await countBookRows(trx)
      const lines = await trialLines(trx, until)
      return { ...size, lines, problems: [...(await findBookProblems(trx)), ...trialBalanceProblem(lines)] }
    })
}

/** A check of the settings: the currency stays once anything is booked, because balances are never converted. */
export async function checkCurrency(
  deps: Deps,
  trx: Tx,
  changes: ReadonlyMap<SettingKey, unknown>,
): Promise<FieldProblem[]> {
  if (!changes.has('currency') || !(await hasEntries(trx))) return []
  return [{ field: 'currency', rule: 'currencyUsed', vars: { currency: deps.settings.get('currency') } }]
}

/** A separate problem: the sides of the trial balance differ, which cannot happen while every entry is valid. */
export function trialBalanceProblem(lines: readonly TrialLine[]): BookProblem[] {
  return [...new Set(lines.map(({ currency }) => currency))].flatMap((currency) => {
    const side = (of: 'debitMinor' | 'creditMinor') =>
      lines.reduce((sum, line) => (line.currency === currency ? sum + line[of] : sum), 0)
    const [debit, credit] = [side('debitMinor'), side('creditMinor')]
    if (debit === credit) return []
    return {
      kind: 'unbalanced' as const,
      entryId: null,
      ledgerAccountId: null,
      found: `debit ${debit} ${currency}`,
      expected: `credit ${credit} ${currency}`,
    }
  })
}

/**
 * The nightly job `wallet:trial-balance`: verifies the books and stores the trial balance of the day before. Problems
 * are logged as errors with their entries, every night until they are fixed.
 */
export async function saveNightlyTrialBalance(deps: Deps, run: ScheduledRun = {}): Promise<void> {
  const now = deps.clock.now()
  const timeZone = deps.settings.get('timezone')
  const day = addDays(dayIn(getScheduledTime(run, now), timeZone), -1)
  const report = await checkBooks(deps.db, { day, timeZone })
  if (!report) return
  await saveTrialBalance(deps.db, { day, checked_at: now, lines: report.lines, problems: report.problems })
  if (report.problems.length > 0)
    deps.log.error({ problems: report.problems }, 'the books do not hold: run npm run ledger:check')
}
