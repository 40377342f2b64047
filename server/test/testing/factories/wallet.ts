import { sql } from 'kysely'
import { expect } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import { postEntry } from '../../../src/domains/wallet/ledger/service.ts'
import { insertPin } from '../../../src/domains/wallet/queries.ts'
import type { AccountId } from '../../../src/http/caller.ts'
import { hmacSha256 } from '../../../src/lib/crypto.ts'
import type { TestApp } from '../app.ts'
import { type CustomerDefaults, createCustomer, type TestCustomer } from './accounts.ts'

type Owner = { accountId: AccountId; userId: string }

/** The PIN of the wallets of tests. */
export const testPin = '274916'

/** Adds credits to a wallet like a top-up through the gateway. */
export async function fundWallet(test: TestApp, { accountId, userId }: Owner, amountMinor = 100_000): Promise<void> {
  await tx(test.deps.db, (trx) =>
    postEntry(test.deps, trx, {
      kind: 'topup',
      accountId,
      reference: 'TEST',
      actorId: userId,
      log: null,
      currency: 'MYR',
      postings: [
        { book: 'gateway_clearing', amountMinor: -amountMinor },
        { book: 'customer_wallet', accountId, amountMinor },
      ],
    }),
  )
}

/** Sets the PIN of a wallet without the code from the email. */
export async function setWalletPin(test: TestApp, { accountId, userId }: Owner, pin = testPin): Promise<void> {
  const salt = Buffer.alloc(16, 7)
  const mac = hmacSha256(
    test.deps.keys.derive('wallet pins'),
    Buffer.concat([salt, Buffer.from(`${accountId}:${pin}`)]),
  )
  const row = { account_id: accountId, salt, pin_mac: mac, updated_by: userId, updated_at: test.clock.now() }
  await insertPin(test.deps.db, row)
}

/** A customer with credits and a PIN. */
export async function createPayer(
  test: TestApp,
  { creditsMinor, ...overrides }: CustomerDefaults & { creditsMinor?: number } = {},
): Promise<TestCustomer> {
  const customer = await createCustomer(test, overrides)
  await fundWallet(test, customer, creditsMinor)
  await setWalletPin(test, customer)
  return customer
}

/** Asserts that the books sum to zero, and that balances equal their postings and are not negative. */
export async function expectSoundBooks(test: TestApp): Promise<void> {
  expect(await sumBooks(test)).toEqual({ total: 0, unbalanced: 0, differing: 0, negative: 0 })
}

/** Sums of the books. `unbalanced`, `differing` and `negative` are counts that must be zero. */
export async function sumBooks(
  test: TestApp,
): Promise<{ total: number; unbalanced: number; differing: number; negative: number }> {
  const { rows } = await sql<{ total: number; unbalanced: number; differing: number; negative: number }>`
    select
      (select coalesce(sum(amount_minor), 0)::bigint from journal_postings) as total,
      (select count(*) from (select 1 from journal_postings group by entry_id, currency
        having sum(amount_minor) <> 0) e) as unbalanced,
      (select count(*) from ledger_accounts a where a.guarded and a.balance_minor <>
        (select coalesce(sum(p.amount_minor), 0) from journal_postings p
          where p.ledger_account_id = a.id)) as differing,
      (select count(*) from journal_postings where balance_after_minor < 0) as negative`.execute(test.deps.db)
  return rows[0] as { total: number; unbalanced: number; differing: number; negative: number }
}
