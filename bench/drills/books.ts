import { createDb, createPool } from '../../server/src/db/pool.ts'
import { checkBooks } from '../../server/src/domains/wallet/ledger/books.ts'

/** The problems that `npm run ledger:check` would report, one line each. */
export async function provenBooks(url: string): Promise<string[]> {
  const pool = createPool(url, { max: 1, name: 'waybill drill' })
  try {
    const report = await checkBooks(createDb(pool))
    if (!report) return ['there are no books']
    return report.problems.map(
      ({ kind, entryId, found: amount, expected }) =>
        `${kind}: entry ${entryId ?? '-'}: ${amount}, expected ${expected}`,
    )
  } finally {
    await pool.end()
  }
}
