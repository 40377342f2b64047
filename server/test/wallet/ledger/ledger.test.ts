import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import { checkBooks } from '../../../src/domains/wallet/ledger/books.ts'
import {
  getWalletBalance,
  type LedgerEntry,
  postEntry,
  withBalance,
} from '../../../src/domains/wallet/ledger/service.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { expectSoundBooks, fundWallet } from '../../testing/factories/wallet.ts'

describe('the ledger', () => {
  let test: TestApp
  let customer: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    customer = await createCustomer(test)
    await fundWallet(test, customer, 10_000)
  })

  const spend = (owner: TestCustomer, amountMinor: number): LedgerEntry => ({
    kind: 'order',
    accountId: owner.accountId,
    actorId: owner.userId,
    log: null,
    currency: 'MYR',
    postings: [
      { book: 'customer_wallet', accountId: owner.accountId, amountMinor: -amountMinor },
      { book: 'revenue', amountMinor },
    ],
  })
  const book = (entry: LedgerEntry) => tx(test.deps.db, (trx) => postEntry(test.deps, trx, entry))
  const balance = (owner: TestCustomer) => getWalletBalance(test.deps.db, owner.accountId, 'MYR')

  it('updates the balance with the posting', async () => {
    const before = await balance(customer)
    await book(spend(customer, 250))
    expect(await balance(customer)).toBe(before - 250)
  })

  it('rejects an overdraft completely, with the available and the required amount', async () => {
    const poorCustomer = await createCustomer(test)
    await fundWallet(test, poorCustomer, 100)
    await expect(book(spend(poorCustomer, 101))).rejects.toMatchObject({ constraint: 'ledger_accounts_no_overdraft' })
    const outcome = withBalance(
      test.deps,
      { accountId: poorCustomer.accountId, amountMinor: 101, currency: 'MYR' },
      () => book(spend(poorCustomer, 101)),
    )
    await expect(outcome).rejects.toMatchObject({
      code: 'wallet_too_low',
      extra: { details: { balanceMinor: 100, neededMinor: 101 } },
    })
    expect(await balance(poorCustomer)).toBe(100)
    await book(spend(poorCustomer, 100))
    expect(await balance(poorCustomer)).toBe(0)
  })

  it('rejects an entry that does not sum to zero, from the application or direct SQL', async () => {
    const unbalanced = { ...spend(customer, 100), postings: [{ book: 'revenue' as const, amountMinor: 100 }] }
    await expect(book(unbalanced)).rejects.toThrow('not to zero')
    const entry = newId()
    const past = tx(test.deps.db, async (trx) => {
      await sql`insert into journal_entries (id, kind) values (${entry}::uuid, 'adjustment')`.execute(trx)
      await sql`insert into journal_postings (entry_id, line, ledger_account_id, amount_minor, currency)
        select ${entry}::uuid, 0, id, 5, 'MYR' from ledger_accounts where kind = 'revenue'`.execute(trx)
    })
    await expect(past).rejects.toMatchObject({ constraint: 'journal_entries_zero' })
  })

  it('balances each currency separately', async () => {
    const entry = newId()
    const mixed = tx(test.deps.db, async (trx) => {
      await sql`insert into journal_entries (id, kind) values (${entry}::uuid, 'adjustment')`.execute(trx)
      await sql`insert into journal_postings (entry_id, line, ledger_account_id, amount_minor, currency)
        select ${entry}::uuid, l.line, a.id, l.amount, l.currency from ledger_accounts a,
          (values (0::smallint, 5::bigint, 'MYR'), (1::smallint, -5::bigint, 'SGD')) as l(line, amount, currency)
        where a.kind = 'revenue'`.execute(trx)
    })
    await expect(mixed).rejects.toMatchObject({ constraint: 'journal_entries_zero' })
  })

  it.each(['journal_entries', 'journal_postings'])(
    'does not allow anyone to change, delete or truncate %s',
    async (table) => {
      const column = table === 'journal_entries' ? 'reference' : 'currency'
      for (const statement of [
        `update ${table} set ${column} = 'x'`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        await expect(sql.raw(statement).execute(test.deps.db), statement).rejects.toMatchObject({
          constraint: 'ledger_append_only',
        })
      }
    },
  )

  it('does not delete a ledger account, and rejects postings to an unknown one', async () => {
    for (const statement of ['delete from ledger_accounts', 'truncate ledger_accounts cascade']) {
      await expect(sql.raw(statement).execute(test.deps.db), statement).rejects.toMatchObject({
        constraint: 'ledger_append_only',
      })
    }
    const [entry, nowhere] = [newId(), newId()]
    const foreignPosting = tx(test.deps.db, async (trx) => {
      await sql`insert into journal_entries (id, kind) values (${entry}::uuid, 'adjustment')`.execute(trx)
      await sql`insert into journal_postings (entry_id, line, ledger_account_id, amount_minor, currency)
        values (${entry}::uuid, 0, ${nowhere}::uuid, 5, 'MYR'),
          (${entry}::uuid, 1, ${nowhere}::uuid, -5, 'MYR')`.execute(trx)
    })
    await expect(foreignPosting).rejects.toMatchObject({ constraint: 'journal_postings_ledger_account' })
  })

  it('rejects a negative balance even without postings', async () => {
    await expect(
      sql`update ledger_accounts set balance_minor = -1 where guarded`.execute(test.deps.db),
    ).rejects.toMatchObject({ constraint: 'ledger_accounts_no_overdraft' })
  })

  it('writes no posting of zero', async () => {
    await book({
      ...spend(customer, 10),
      postings: [
        { book: 'customer_wallet', accountId: customer.accountId, amountMinor: -10 },
        { book: 'revenue', amountMinor: 10 },
        { book: 'tax', amountMinor: 0 },
      ],
    })
    await expectSoundBooks(test)
  })

  it('stays correct under random concurrent payments, top-ups, refunds and transfers', async () => {
    const owners = await Promise.all([1, 2, 3, 4].map(() => createCustomer(test)))
    for (const owner of owners) await fundWallet(test, owner, 1000)
    const expected = new Map(owners.map((owner) => [owner, 1000]))
    const who = fc.nat(owners.length - 1)
    const action = fc.record({
      what: fc.constantFrom('spend', 'topup', 'refund', 'transfer'),
      from: who,
      to: who,
      amount: fc.integer({ min: 1, max: 900 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60 }), async (actions) => {
        await Promise.all(
          actions.map(async ({ what, from, to, amount }) => {
            const [payer, payee] = [owners[from], owners[to]] as [TestCustomer, TestCustomer]
            const wallet = (owner: TestCustomer, amountMinor: number) => ({
              book: 'customer_wallet' as const,
              accountId: owner.accountId,
              amountMinor,
            })
            const entries: Record<string, LedgerEntry> = {
              spend: spend(payer, amount),
              topup: {
                ...spend(payee, 0),
                kind: 'topup',
                postings: [{ book: 'gateway_clearing', amountMinor: -amount }, wallet(payee, amount)],
              },
              refund: {
                ...spend(payee, 0),
                kind: 'refund',
                postings: [{ book: 'refunds', amountMinor: -amount }, wallet(payee, amount)],
              },
              transfer: {
                ...spend(payer, 0),
                kind: 'adjustment',
                postings: [wallet(payer, -amount), wallet(payee, amount)],
              },
            }
            try {
              await book(entries[what] as LedgerEntry)
            } catch (error) {
              if ((error as { constraint?: string }).constraint === 'ledger_accounts_no_overdraft') return
              throw error
            }
            const add = (owner: TestCustomer, by: number) => expected.set(owner, (expected.get(owner) ?? 0) + by)
            if (what === 'spend' || what === 'transfer') add(payer, -amount)
            if (what !== 'spend') add(payee, amount)
          }),
        )
        for (const [owner, amount] of expected) expect(await balance(owner)).toBe(amount)
        // This includes every intermediate balance, in the order in which a history shows them.
        expect((await checkBooks(test.deps.db))?.problems).toEqual([])
        await expectSoundBooks(test)
      }),
      { numRuns: 15 },
    )
  })
})
