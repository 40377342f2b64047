import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkBooks, saveNightlyTrialBalance } from '../../../src/domains/wallet/ledger/books.ts'
import { hours } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { fundWallet } from '../../testing/factories/wallet.ts'

const program = join(import.meta.dirname, '../../../src/ledger-check.ts')

/** Runs `npm run ledger:check` against a database, as an operator would. */
function ledgerCheck(url: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program], { env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: url } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}

describe('the check of the books', () => {
  let test: TestApp
  let customer: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    customer = await createCustomer(test)
    await fundWallet(test, customer, 10_000)
    await fundWallet(test, customer, 2_500)
  })

  /** Changes the books as a database administrator could, bypassing every trigger. The change is undone afterwards. */
  async function tampered(change: string, back: string, look: () => Promise<void>): Promise<void> {
    const run = async (statement: string) => {
      const client = await test.deps.pool.connect()
      try {
        await client.query("set session_replication_role = 'replica'")
        await client.query(statement)
      } finally {
        await client.query("set session_replication_role = 'origin'")
        client.release()
      }
    }
    await run(change)
    try {
      await look()
    } finally {
      await run(back)
    }
  }
  const findEntry = async (amount: number) => {
    const { rows } = await sql<{ entry_id: string }>`
      select entry_id from journal_postings where amount_minor = ${amount}::bigint`.execute(test.deps.db)
    return rows[0]?.entry_id as string
  }
  const problems = async () => (await checkBooks(test.deps.db))?.problems ?? []

  it('finds no problem in correct books, and ends with exit code 0', async () => {
    expect(await problems()).toEqual([])
    const { code, output } = await ledgerCheck(test.databaseUrl)
    expect(output).toContain('2 entries, 4 postings, 1 wallets')
    expect(output).toMatch(/customer_wallet MYR +0 +12500\n/)
    expect(output).toMatch(/gateway_clearing MYR +12500 +0\n/)
    expect(output).toContain('The books hold.')
    expect(code).toBe(0)
  })

  it('reports the entry that no longer sums to zero, with exit code 1', async () => {
    const entry = await findEntry(2_500)
    const change = (amount: number, from: number) =>
      `update journal_postings set amount_minor = ${amount} where amount_minor = ${from}`
    await tampered(change(2_400, 2_500), change(2_500, 2_400), async () => {
      const { code, output } = await ledgerCheck(test.databaseUrl)
      expect(output).toContain(`WRONG unbalanced: entry ${entry}: -100 MYR, expected 0 MYR`)
      expect(output).toContain(`WRONG running_balance: entry ${entry}`)
      expect(output).toContain('The books do NOT hold')
      expect(code).toBe(1)
    })
  })

  it('reports the last entry of a wallet whose balance was changed without an entry', async () => {
    const change = (by: number) => `update ledger_accounts set balance_minor = balance_minor + ${by} where guarded`
    const entryId = await findEntry(2_500)
    await tampered(change(7), change(-7), async () => {
      expect(await problems()).toEqual([
        { kind: 'balance', entryId, ledgerAccountId: expect.any(String), found: '12507', expected: '12500' },
      ])
    })
  })

  it('reports an entry without its postings, and one in the books of another account', async () => {
    const entryWithoutPostings = await findEntry(10_000)
    const away = 'create table taken as select * from journal_postings where abs(amount_minor) = 10000'
    const columns =
      'seq, entry_id, line, ledger_account_id, account_id, amount_minor, currency, balance_after_minor, created_at'
    await tampered(
      `${away}; delete from journal_postings where abs(amount_minor) = 10000`,
      `insert into journal_postings (${columns}) overriding system value select ${columns}
        from taken; drop table taken`,
      async () => {
        expect(await problems()).toContainEqual(
          expect.objectContaining({ kind: 'lines', entryId: entryWithoutPostings, found: '0 postings' }),
        )
      },
    )
    const owner = (id: string | null) =>
      `update journal_postings set account_id = ${id ? `'${id}'` : 'null'} where amount_minor = 10000`
    const other = await createCustomer(test)
    await tampered(owner(other.accountId), owner(customer.accountId), async () => {
      expect(await problems()).toContainEqual(
        expect.objectContaining({ kind: 'account', entryId: entryWithoutPostings }),
      )
    })
    expect(await problems()).toEqual([])
  })

  it('stores a trial balance of the past day, once a day', async () => {
    test.clock.advance(hours(24))
    await saveNightlyTrialBalance(test.deps)
    await saveNightlyTrialBalance(test.deps)
    const { rows } = await sql<{
      lines: unknown
      problems: unknown
    }>`select lines, problems from trial_balances`.execute(test.deps.db)
    expect(rows).toEqual([
      {
        lines: [
          { kind: 'customer_wallet', currency: 'MYR', debitMinor: 0, creditMinor: 12_500 },
          { kind: 'gateway_clearing', currency: 'MYR', debitMinor: 12_500, creditMinor: 0 },
        ],
        problems: [],
      },
    ])
  })
})
